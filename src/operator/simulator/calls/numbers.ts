import type { Calls, SimulatedCall } from '../call.ts'
import { type GraphAnswer, graphError, missingParameter, notSimulated } from '../graph-errors.ts'
import { nodeAnswer, readFields } from '../graph-fields.ts'
import { numberNode } from '../number-node.ts'
import { productRefusal } from '../product.ts'
import { listParameter } from '../request-body.ts'
import type { NumberState } from '../store.ts'

/** The calls about a number itself (docs/formats.md section 7). */
export const numberCalls: Calls = {
  'number GET': getNumber,
  'number POST register': register,
  'number POST deregister': deregister,
  'number GET whatsapp_business_profile': getProfile,
  'number POST whatsapp_business_profile': postProfile,
}

const success: GraphAnswer = { status: 200, body: { success: true } }

async function getNumber({ store, number, values, director }: SimulatedCall): Promise<GraphAnswer> {
  const node = numberNode(number, await store.now(number), director.callbackUrl())
  return nodeAnswer('WhatsAppBusinessPhoneNumber', node, values.fields)
}

async function register(call: SimulatedCall): Promise<GraphAnswer> {
  const refusal = productRefusal(call.values)
  if (refusal) return refusal
  const { pin } = call.values
  if (pin === undefined) return missingParameter('pin')
  if ((typeof pin !== 'string' && typeof pin !== 'number') || !/^\d{6}$/.test(String(pin)))
    return graphError(100, '(#100) Param pin must be a string of 6 digits.', {
      details: 'The PIN has six digits.',
    })
  return setStatus(call, 'CONNECTED')
}

async function deregister(call: SimulatedCall): Promise<GraphAnswer> {
  return setStatus(call, 'DISCONNECTED')
}

async function setStatus(
  { store, number }: SimulatedCall,
  status: NumberState['status'],
): Promise<GraphAnswer> {
  // A sandbox's number is registered, and stays so.
  if (store.setNumberState === undefined)
    return status === 'CONNECTED' ? success : notSimulated('Deregistering a number')
  await store.setNumberState(number, { status })
  return success
}

const profileFields = [
  'about',
  'address',
  'description',
  'email',
  'profile_picture_url',
  'websites',
  'vertical',
] as const

const profileId = (operatorId: string): string => `profile-${operatorId}`

async function getProfile({ store, number, values }: SimulatedCall): Promise<GraphAnswer> {
  const read = readFields('WhatsAppBusinessProfile', values.fields)
  if (!read.ok) return read.answer
  const kept = (await store.find(profileId(number.operatorId)))?.value ?? {}
  const shown = read.show({ about: '', vertical: 'UNDEFINED', ...kept })
  return { status: 200, body: { data: [{ messaging_product: 'whatsapp', ...shown }] } }
}

async function postProfile(call: SimulatedCall): Promise<GraphAnswer> {
  const refusal = productRefusal(call.values)
  if (refusal) return refusal
  const { store, number, values } = call
  const given = profileFields.flatMap((name): [string, unknown][] =>
    values[name] === undefined
      ? []
      : [[name, name === 'websites' ? listParameter(values[name]) : values[name]]],
  )
  for (const [name, value] of given)
    if (name === 'websites' ? !isWebsites(value) : typeof value !== 'string' || value.length > 512)
      return graphError(100, `(#100) Param ${name} is not valid.`)
  const id = profileId(number.operatorId)
  const kept = (await store.find(id))?.value ?? {}
  const value = { ...kept, ...Object.fromEntries(given) }
  await store.keep(number, { kind: 'profile', id, value, bytes: null, expiresAt: null })
  return success
}

function isWebsites(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.length <= 2 &&
    value.every((one) => typeof one === 'string' && one.length <= 256 && URL.canParse(one))
  )
}
