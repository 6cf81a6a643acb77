import { MINUTE_MS } from '../../core/clock.ts'
import { idOrNull, textOrNull } from '../../core/values/storable.ts'
import type { Answered, FileDownload, Operator, OperatorFile } from '../port.ts'
import { type OtherHosts, openDownload } from './download.ts'
import type { Line } from './line.ts'
import { multipartOf } from './multipart.ts'

/** A file takes longer to send than a message. */
const UPLOAD_MS = MINUTE_MS

/** Files at the operator (docs/formats.md section 5). */
export const mediaCalls = (
  line: Line,
  otherHosts: OtherHosts | undefined,
): Pick<Operator, 'uploadMedia' | 'findMedia' | 'downloadMedia' | 'deleteMedia'> => ({
  async uploadMedia(number, file) {
    const form = multipartOf(
      { messaging_product: 'whatsapp', type: file.mimeType },
      { ...file, chunks: () => file.stream() },
    )
    const answered = await line.call(number, {
      method: 'POST',
      path: `/${encodeURIComponent(number.operatorId)}/media`,
      headers: { 'content-type': form.type, 'content-length': String(form.bytes) },
      body: form.stream,
      timeoutMs: UPLOAD_MS,
    })
    if (answered.kind !== 'done') return answered
    const id = idOrNull(answered.value.id)
    return id === null
      ? { kind: 'unknown', reason: 'the answer to the upload has no id' }
      : { kind: 'done', value: { id } }
  },

  async findMedia(number, mediaId) {
    const answered = await line.call(number, { method: 'GET', path: addressOf(number.operatorId, mediaId) })
    if (answered.kind !== 'done') return answered
    const file = fileOf(answered.value)
    return file
      ? { kind: 'done', value: file }
      : { kind: 'unknown', reason: 'the answer about the file has no address' }
  },

  downloadMedia: (number, url): Promise<Answered<FileDownload>> =>
    openDownload(line, otherHosts, number, url),

  async deleteMedia(number, mediaId) {
    const answered = await line.call(number, {
      method: 'DELETE',
      path: addressOf(number.operatorId, mediaId),
    })
    return answered.kind === 'done' ? { kind: 'done', value: undefined } : answered
  },
})

const addressOf = (operatorId: string, mediaId: string): string =>
  `/${encodeURIComponent(mediaId)}?phone_number_id=${encodeURIComponent(operatorId)}`

function fileOf(body: Record<string, unknown>): OperatorFile | undefined {
  const url = textOrNull(body.url)
  const size = Number(body.file_size)
  return url === null
    ? undefined
    : {
        url,
        mimeType: textOrNull(body.mime_type),
        sha256: hexOf(textOrNull(body.sha256)),
        sizeBytes: Number.isSafeInteger(size) && size > 0 ? size : null,
      }
}

/** Look-ups return the hash in hex, webhooks in base64. */
function hexOf(sha256: string | null): string | null {
  if (sha256 === null) return null
  if (/^[0-9a-f]{64}$/i.test(sha256)) return sha256.toLowerCase()
  const bytes = Buffer.from(sha256, 'base64')
  return bytes.length === 32 ? bytes.toString('hex') : null
}
