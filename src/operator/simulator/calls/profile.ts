import { createHash } from 'node:crypto'
import { isLonger } from '../../../core/values/cut-text.ts'
import type { Calls, SimulatedCall } from '../call.ts'
import type { GraphAnswer } from '../graph-errors.ts'
import { readFields } from '../graph-fields.ts'
import { enumParameter, type Read, refuse } from '../graph-parameters.ts'
import schema from '../graph-schema.json' with { type: 'json' }
import { productRefusal } from '../product.ts'
import { listParameter } from '../request-body.ts'

/** The business profile of a number (docs/formats.md section 7). */
export const profileCalls: Calls = {
  'number GET whatsapp_business_profile': getProfile,
  'number POST whatsapp_business_profile': postProfile,
}

type Bounds = { minLength?: number; maxLength?: number; maxItems?: number; values?: string[] }
const fields: Record<string, Bounds> = schema.profile

const profileId = (operatorId: string): string => `profile-${operatorId}`

async function getProfile({ store, number, values }: SimulatedCall): Promise<GraphAnswer> {
  const read = readFields('WhatsAppBusinessProfile', values.fields)
  if (!read.ok) return read.answer
  const stored = (await store.find(profileId(number.operatorId)))?.value ?? {}
  const shown = read.show({ about: '', vertical: 'UNDEFINED', ...stored })
  return { status: 200, body: { data: [{ messaging_product: 'whatsapp', ...shown }] } }
}

async function postProfile({ store, number, values }: SimulatedCall): Promise<GraphAnswer> {
  const refusal = productRefusal(values)
  if (refusal) return refusal
  const changes: Record<string, unknown> = {}
  for (const [name, bounds] of Object.entries(fields)) {
    if (values[name] === undefined) continue
    const read = readField(name, values[name], bounds)
    if (!read.ok) return read.answer
    if (name === 'profile_picture_handle') changes.profile_picture_url = pictureUrl(String(read.value))
    else changes[name] = read.value
  }
  const id = profileId(number.operatorId)
  const stored = (await store.find(id))?.value ?? {}
  await store.keep(number, {
    kind: 'profile',
    id,
    value: { ...stored, ...changes },
    bytes: null,
    expiresAt: null,
  })
  return { status: 200, body: { success: true } }
}

function readField(name: string, value: unknown, bounds: Bounds): Read<unknown> {
  if (bounds.values) return enumParameter(name, value, bounds.values)
  if (bounds.maxItems === undefined) return readText(name, value, bounds)
  const items = listParameter(value)
  if (items === undefined) return refuse(`Param ${name} must be an array.`)
  if (items.length > bounds.maxItems)
    return refuse(`Param ${name} must hold at most ${bounds.maxItems} items.`)
  for (const [i, item] of items.entries()) {
    const read = readText(`${name}[${i}]`, item, bounds)
    if (!read.ok) return read
    if (!URL.canParse(read.value)) return refuse(`Param ${name}[${i}] must be a valid URL.`)
  }
  return { ok: true, value: items }
}

function readText(name: string, value: unknown, { minLength = 0, maxLength = 0 }: Bounds): Read<string> {
  if (typeof value !== 'string') return refuse(`Param ${name} must be a string.`)
  if (value.length < minLength) return refuse(`Param ${name} must not be empty.`)
  if (isLonger(value, maxLength)) return refuse(`Param ${name} must be at most ${maxLength} characters long.`)
  if (name === 'email' && value !== '' && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value))
    return refuse(`Param ${name} must be a valid email address.`)
  return { ok: true, value }
}

/** Returns the address where the network would show an uploaded picture. */
const pictureUrl = (handle: string): string =>
  `https://pps.whatsapp.net/v/${createHash('sha256').update(handle).digest('hex').slice(0, 32)}.jpg`
