import type { SendAudio, SendDocument, SendImage, SendVideo } from '../../../sdk/api.ts'
import { call, readBase64, UPLOAD_TIMEOUT_MS } from '../../api/request.ts'
import type { DraftFile } from '../draft-shape.ts'
import { t } from '../texts.ts'

/** The maximum size of a file in `POST /media`. */
const MAX_BYTES = 16 * 1024 * 1024
/** The maximum length of a file name in a draft. */
const MAX_NAME = 200
const KINDS: readonly [RegExp, 'image' | 'video' | 'audio'][] = [
  [/^image\/(jpeg|png)$/, 'image'],
  [/^video\/(mp4|3gpp)$/, 'video'],
  [/^audio\//, 'audio'],
]

/** The type of recordings. Chosen files have no codec in their type, and are sent as audio files. */
const VOICE_TYPE = 'audio/ogg; codecs=opus'

/** Uploads a file. */
export async function uploadFile(file: File, phoneNumberId: string): Promise<DraftFile> {
  if (file.size > MAX_BYTES) throw new Error(t('composer.tooBig', { name: file.name }))
  const mimeType = file.type || 'application/octet-stream'
  const { id } = await call('POST /media', {
    body: { fileBase64: await readBase64(file), mimeType, filename: file.name, phoneNumberId },
    timeoutMs: UPLOAD_TIMEOUT_MS,
  })
  return { mediaId: id, filename: file.name.slice(0, MAX_NAME), mimeType, sizeBytes: file.size }
}

type FileSend = SendImage | SendVideo | SendAudio | SendDocument

/**
 * Returns the type and payload of a file's message. A file that the chat can't show is sent as a document.
 */
export function messageOf({
  mediaId: id,
  filename,
  mimeType,
}: DraftFile): Pick<FileSend, 'type' | 'payload'> {
  const type = KINDS.find(([types]) => types.test(mimeType))?.[1] ?? 'document'
  const content =
    type === 'document' ? { id, filename } : mimeType === VOICE_TYPE ? { id, voice: true } : { id }
  return { type, payload: { type, [type]: content } } as Pick<FileSend, 'type' | 'payload'>
}
