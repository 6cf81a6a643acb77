import type { Calls, SimulatedCall } from '../call.ts'
import { type GraphAnswer, graphError, missingParameter, notSimulated } from '../graph-errors.ts'
import { nodeAnswer } from '../graph-fields.ts'
import { numberNode } from '../number-node.ts'
import { productRefusal } from '../product.ts'
import type { NumberState } from '../store.ts'

/** The calls about a number itself (docs/formats.md section 7). */
export const numberCalls: Calls = {
  'number GET': getNumber,
  'number POST register': register,
  'number POST deregister': deregister,
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
  // The first registration sets the PIN; a later one must repeat it.
  if (call.number.pin !== undefined && call.number.pin !== String(pin))
    return graphError(133005, '(#133005) Two step verification PIN Mismatch', {
      details: 'Two step verification PIN is incorrect.',
    })
  if (call.store.setNumberState !== undefined) call.number.pin = String(pin)
  return setStatus(call, 'CONNECTED')
}

async function deregister(call: SimulatedCall): Promise<GraphAnswer> {
  return setStatus(call, 'DISCONNECTED')
}

async function setStatus(
  { store, number }: SimulatedCall,
  status: NumberState['status'],
): Promise<GraphAnswer> {
  // A sandbox's number is always registered.
  if (store.setNumberState === undefined)
    return status === 'CONNECTED' ? success : notSimulated('Deregistering a number')
  await store.setNumberState(number, { status })
  return success
}
