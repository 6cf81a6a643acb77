import { randomBytes } from 'node:crypto'
import { HOUR_MS, later } from '../../../core/clock.ts'
import type { Calls, SimulatedCall } from '../call.ts'
import { type GraphAnswer, graphError, missingParameter } from '../graph-errors.ts'
import type { SimulatedObject } from '../store.ts'

/** Resumable uploads, used for samples of template headers (docs/formats.md section 5). */
export const uploadCalls: Calls = {
  'app POST uploads': open,
  'upload POST': receive,
  'upload GET': offset,
}

const LENGTH_MAX = 100 * 1024 * 1024
const types = ['image/jpeg', 'image/png', 'video/mp4', 'video/3gpp', 'application/pdf']

async function open({ store, number, values }: SimulatedCall): Promise<GraphAnswer> {
  const { file_length: length, file_type: type } = values
  if (length === undefined) return missingParameter('file_length')
  if (typeof type !== 'string') return missingParameter('file_type')
  const bytes = Number(length)
  if (!Number.isInteger(bytes) || bytes <= 0 || bytes > LENGTH_MAX)
    return graphError(100, '(#100) Param file_length is not valid.')
  if (!types.includes(type))
    return graphError(100, `(#100) Param file_type must be one of {${types.join(', ')}}`)
  const id = `upload:${randomBytes(24).toString('base64url')}`
  const expiresAt = later(await store.now(number), HOUR_MS)
  await store.keep(number, { kind: 'upload', id, value: { bytes, type }, bytes: null, expiresAt })
  return { status: 200, body: { id } }
}

async function receive({ object, bytes, headers }: SimulatedCall): Promise<GraphAnswer> {
  const { value } = object as SimulatedObject
  if (Number(headers.file_offset ?? 0) !== 0)
    return graphError(100, '(#100) Param file_offset is not valid: nothing was uploaded yet.')
  if (bytes?.length !== value.bytes)
    return graphError(100, `(#100) ${value.bytes} bytes were announced, ${bytes?.length ?? 0} came.`)
  const type = Buffer.from(String(value.type)).toString('base64')
  return { status: 200, body: { h: `4::${type}:${randomBytes(48).toString('base64url')}` } }
}

async function offset({ object }: SimulatedCall): Promise<GraphAnswer> {
  return { status: 200, body: { id: (object as SimulatedObject).id, file_offset: 0 } }
}
