import type { SendPayload } from '../../../sdk/api.ts'
import { call } from '../../api/request.ts'
import { t } from '../words.ts'

/** What `POST /media` takes. */
const MAX_BYTES = 16 * 1024 * 1024
const KINDS: readonly [RegExp, 'image' | 'video' | 'audio'][] = [
  [/^image\/(jpeg|png)$/, 'image'],
  [/^video\/(mp4|3gpp)$/, 'video'],
  [/^audio\//, 'audio'],
]

const asBase64 = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve((reader.result as string).split(',')[1] ?? '')
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(file)
  })

/** Uploads a file and makes the message of it: what cannot be shown in the chat goes as a document. */
export async function uploadFile(file: File, phoneNumberId: string): Promise<{ payload: SendPayload }> {
  if (file.size > MAX_BYTES) throw new Error(t('composer.tooBig', { name: file.name }))
  const mimeType = file.type || 'application/octet-stream'
  const { id } = await call('POST /media', {
    body: { fileBase64: await asBase64(file), mimeType, filename: file.name, phoneNumberId },
  })
  const kind = KINDS.find(([types]) => types.test(mimeType))?.[1] ?? 'document'
  const content = kind === 'document' ? { id, filename: file.name } : { id }
  return { payload: { type: kind, [kind]: content } as SendPayload }
}
