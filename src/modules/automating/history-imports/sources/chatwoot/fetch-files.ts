/** Downloads the attachments of messages that are not stored yet. */
import { kindOfMediaType, MAX_MEDIA_BYTES, plainMediaType } from '../../../../../operator/media-types.ts'
import { holdPastFile } from '../../../../messaging/media/operations/past-files.ts'
import { findStoredPast } from '../../../../messaging/messages/past/operations/find-stored-past.ts'
import type { HistoryRecord, LeftOut } from '../../history-source.ts'
import { filenameIn, type MappedRecord, type WantedFile } from './map-message.ts'
import { answered, type Reading } from './read-answer.ts'

const DOWNLOADS_TOGETHER = 4
const OTHER_TYPE = 'application/octet-stream'

type MessageRecord = Extract<HistoryRecord, { kind: 'message' }>
type Wanted = { record: MessageRecord; file: WantedFile }

/** Returns the records with their files. A file that can't be had leaves a message with its name as text. */
export async function withFiles(
  reading: Reading,
  mapped: MappedRecord[],
): Promise<{ records: HistoryRecord[]; leftOut: LeftOut[] }> {
  const withAttachment = mapped.filter((item): item is Wanted => item.file !== undefined)
  const leftOut: LeftOut[] = []
  const withFile = new Map<HistoryRecord, HistoryRecord>()
  if (withAttachment.length > 0 && !reading.isDryRun) {
    const messages = withAttachment.map(({ record }) => record)
    const stored = await reading.tools.transaction((ctx) => findStoredPast(ctx, 'chatwoot', messages))
    const missing = withAttachment.filter(({ record }) => !stored.has(record))
    for (let i = 0; i < missing.length; i += DOWNLOADS_TOGETHER) {
      const together = missing.slice(i, i + DOWNLOADS_TOGETHER)
      const results = await Promise.all(together.map((item) => fetchFile(reading, item)))
      for (const [at, result] of results.entries()) {
        const { record } = together[at]!
        if (typeof result === 'string') leftOut.push({ kind: 'file', place: record.place, cause: result })
        else withFile.set(record, result)
      }
    }
  }
  return { records: mapped.map(({ record }) => withFile.get(record) ?? record), leftOut }
}

/** Returns the message with its file, or why there is none. */
async function fetchFile(
  { tools, account, phoneNumberId }: Reading,
  { record, file: { url, text, mediaId } }: Wanted,
): Promise<MessageRecord | string> {
  const answer = await tools.outside.chatwoot.download(account, { url, maxBytes: MAX_MEDIA_BYTES.document })
  // An address that may not be called is wrong for this file only.
  if (answer.kind === 'refused') return 'file_gone'
  const found = answered(answer)
  if (found === undefined) return 'file_gone'
  if (found === 'too_large') return 'file_too_large'
  const { file } = found
  try {
    if (file.sizeBytes === 0) return 'file_gone'
    const mimeType = plainMediaType(found.mimeType).slice(0, 200) || OTHER_TYPE
    const kind = kindFor(mimeType, text !== '')
    const filename = filenameIn(url)
    await holdPastFile(tools, { mediaId, phoneNumberId, kind, mimeType, filename, file })
    const content = {
      id: mediaId,
      mime_type: mimeType,
      ...(text === '' ? {} : { caption: text }),
      ...(filename === null || kind !== 'document' ? {} : { filename }),
    }
    return { ...record, type: kind, content, file: { mediaId } }
  } finally {
    await file.close()
  }
}

/** Returns the message type of a file. A sticker can't have a text. */
function kindFor(mimeType: string, hasText: boolean) {
  const kind = kindOfMediaType(mimeType) ?? 'document'
  return kind === 'sticker' && hasText ? 'image' : kind
}
