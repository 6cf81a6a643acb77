import { createHmac, timingSafeEqual } from 'node:crypto'
import { later, MINUTE_MS } from '../../../core/clock.ts'
import type { Calls, SimulatedCall } from '../call.ts'
import { type GraphAnswer, missingParameter, unknownObject } from '../graph-errors.ts'
import { productRefusal } from '../product.ts'
import type { SimulatedNumber, SimulatedObject } from '../store.ts'
import { keepMedia } from '../stored-media.ts'

/**
 * Files: upload, look-up, download from an address that is valid for five minutes, and deletion
 * (docs/formats.md section 5).
 */
export const mediaCalls: Calls = {
  'number POST media': postMedia,
  'media GET': getMedia,
  'media GET file': download,
  'media DELETE': deleteMedia,
}

const ADDRESS_MS = 5 * MINUTE_MS

async function postMedia({ store, number, values, file }: SimulatedCall): Promise<GraphAnswer> {
  const refusal = productRefusal(values)
  if (refusal) return refusal
  if (file === undefined) return missingParameter('file')
  const declaredType = typeof values.type === 'string' ? values.type : undefined
  const media = await keepMedia(store, number, { bytes: file.bytes, said: [declaredType, file.mimeType] })
  return media.ok ? { status: 200, body: { id: media.id } } : media.answer
}

async function getMedia(call: SimulatedCall): Promise<GraphAnswer> {
  const { store, number, object, url } = call
  const media = object as SimulatedObject
  const other = otherNumber(call)
  if (other) return other
  const expires = later(await store.now(number), ADDRESS_MS).getTime()
  return {
    status: 200,
    body: {
      messaging_product: 'whatsapp',
      url: `${url}/${media.id}/file?ext=${expires}&hash=${signatureOf(number, media.id, expires)}`,
      mime_type: media.value.mimeType,
      sha256: media.value.sha256,
      file_size: media.value.sizeBytes,
      id: media.id,
    },
  }
}

async function download({ store, number, object, values }: SimulatedCall): Promise<GraphAnswer> {
  const media = object as SimulatedObject
  const expires = Number(values.ext)
  const signature = Buffer.from(String(values.hash))
  const expected = Buffer.from(signatureOf(number, media.id, expires))
  const fits = signature.length === expected.length && timingSafeEqual(signature, expected)
  if (!fits || expires <= (await store.now(number)).getTime() || media.bytes === null)
    return { ...unknownObject('get', media.id), status: 404 }
  return { status: 200, bytes: media.bytes, headers: { 'content-type': String(media.value.mimeType) } }
}

async function deleteMedia(call: SimulatedCall): Promise<GraphAnswer> {
  const other = otherNumber(call)
  if (other) return other
  await call.store.drop(call.number, 'media', (call.object as SimulatedObject).id)
  return { status: 200, body: { success: true } }
}

/** A call that names a number of another account does not get the file. */
function otherNumber({ values, number, object }: SimulatedCall): GraphAnswer | undefined {
  const named = values.phone_number_id
  return typeof named !== 'string' || named === number.operatorId
    ? undefined
    : unknownObject('get', (object as SimulatedObject).id)
}

const signatureOf = (number: SimulatedNumber, id: string, expires: number): string =>
  createHmac('sha256', number.token).update(`${id} ${expires}`).digest('base64url')
