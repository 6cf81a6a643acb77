/** The source `whatsapp_export`: a chat that the chat app exported, with its files (DECISIONS.md "Exported chats"). */
import { Readable } from 'node:stream'
import type { Entry } from 'yauzl'
import { invalid, Refusal } from '../../../../../core/errors.ts'
import { storableText } from '../../../../../core/values/storable.ts'
import { checkFile } from '../../../../messaging/media/file-checks.ts'
import { holdPastFile } from '../../../../messaging/media/operations/past-files.ts'
import { pastMessageId } from '../../../../messaging/messages/past/past-message.ts'
import type { TextFile } from '../../../imports/operations/csv/text-lines.ts'
import {
  HistoryFault,
  type HistoryFile,
  type HistoryRecord,
  type OpenedImport,
  type SourceTools,
} from '../../history-source.ts'
import type { ChoicesOfFile, FileSource } from '../all-sources.ts'
import { openText, requireFile, textSourceOf } from '../file-text.ts'
import { type ReadItem, readInBatches } from '../read-in-batches.ts'
import { mediaTypeOf } from './attachments.ts'
import { type ChatSettings, chatItems } from './chat-items.ts'
import { sidesOf } from './chat-sides.ts'
import { type ChatOrder, dateOrderEvidence } from './date-order.ts'
import { readChat } from './read-chat.ts'
import { type OpenZip, openZip } from './zip-file.ts'

const MIB = 1024 * 1024
/** A chat with 100,000 messages has some ten megabytes. */
const MAX_TEXT_BYTES = 256 * MIB
/** The largest file that the operator takes. */
const MAX_FILE_BYTES = 100 * MIB

type Chat = { text: TextFile; zip: OpenZip | null }

/** Opens the text of the chat, in a zip file or as it is. */
async function openChat(file: HistoryFile): Promise<Chat> {
  const head = await firstBytes(file)
  if (!head.subarray(0, 4).equals(Buffer.from('PK\x03\x04')))
    return { text: await openText(textSourceOf(() => file.open())), zip: null }
  const zip = await openZip(file)
  try {
    const texts = [...zip.entries].filter(([name]) => /\.txt$/i.test(name))
    const chat =
      texts.find(([name]) => name === '_chat.txt') ??
      texts.find(([name]) => /whatsapp/i.test(name)) ??
      (texts.length === 1 ? texts[0] : undefined)
    if (!chat) throw new HistoryFault('The zip file has no chat (_chat.txt). Export the chat again.')
    if (chat[1].uncompressedSize > MAX_TEXT_BYTES) throw new HistoryFault('The chat is larger than 256 MB.')
    return { text: await openText(textSourceOf(async () => Readable.from(zip.read(chat[1])))), zip }
  } catch (error) {
    zip.close()
    throw error
  }
}

async function firstBytes(file: HistoryFile): Promise<Buffer> {
  if (file.sizeBytes < 4) throw new HistoryFault('The file is empty.')
  const pieces: Buffer[] = []
  for await (const piece of await file.open({ start: 0, end: 3 })) pieces.push(piece as Buffer)
  return Buffer.concat(pieces)
}

async function prepare(
  { workspace, clock }: SourceTools,
  file: HistoryFile,
  { filename, phone, ownName, dateOrder, timeZone, before }: ChoicesOfFile,
) {
  const { text, zip } = await openChat(file)
  try {
    const evidence = dateOrderEvidence(clock.now().getUTCFullYear() + 1)
    const senders = new Set<string>()
    let total = 0
    for await (const { stamp, sender } of readChat(text)) {
      total++
      evidence.look(stamp)
      if (sender !== undefined && senders.size < 3) senders.add(sender)
    }
    if (senders.size === 0)
      throw new HistoryFault(
        'The file has no messages of an exported chat. Choose "Export chat" in the chat app.',
      )
    const sides = sidesOf({
      senders: [...senders],
      filename,
      ownName,
      phone,
      countryCode: workspace.countryCode,
    })
    const order: ChatOrder | undefined = dateOrder ?? evidence.decide()
    if (order === undefined)
      throw invalid([
        {
          path: 'dateOrder',
          message: 'Must be dayFirst or monthFirst, because the dates of the chat fit both.',
        },
      ])
    const settings: ChatSettings = {
      ...sides,
      order,
      timeZone: timeZone ?? workspace.timezone,
      before: before ?? null,
      total,
    }
    return { settings, total, phone: sides.phone }
  } finally {
    zip?.close()
  }
}

export const whatsappExportSource: FileSource = {
  name: 'whatsapp_export',
  prepare,
  async open(tools: SourceTools, opened: OpenedImport<never>) {
    const settings = opened.settings as ChatSettings
    const { text, zip } = await openChat(requireFile(opened.file))
    const has = (filename: string) => zip?.entries.has(filename) ?? false
    const source = readInBatches(() => chatItems(text, settings, has), {
      total: settings.total,
      hold: (record) => holdFile(tools, opened, zip, record),
    })
    return {
      ...source,
      async close() {
        await source.close()
        zip?.close()
      },
    }
  },
}

/** Stores the file of a message. A file that the operator would not take stays a text, and is left out. */
async function holdFile(
  tools: SourceTools,
  { phoneNumberId, isDryRun }: OpenedImport<never>,
  zip: OpenZip | null,
  record: HistoryRecord,
): Promise<HistoryRecord | ReadItem[]> {
  if (record.kind !== 'message' || record.type !== 'file' || !zip) return record
  const { filename, caption } = record.content as { filename: string; caption: string }
  const entry = zip.entries.get(filename)!
  const asText: HistoryRecord = {
    ...record,
    type: undefined,
    content: { body: textOfFile(filename, caption) },
  }
  const mimeType = mediaTypeOf(filename)
  const leave = (cause: string): ReadItem[] => [
    { record: asText },
    { leftOut: { kind: 'file', place: record.place, cause } },
  ]
  if (mimeType === undefined) return leave('file_type')
  if (entry.uncompressedSize > MAX_FILE_BYTES) return leave('file_too_large')
  if (isDryRun) return { ...record, type: 'document' }
  const mediaId = pastMessageId(tools.workspace.id, 'whatsapp_export', {
    externalId: `file ${record.externalId}`,
    createdAt: record.createdAt,
  })
  const held = await holdEntry(tools, zip, entry, { mediaId, phoneNumberId, filename, mimeType })
  if (typeof held === 'string') return leave(held)
  return {
    ...record,
    type: held.kind,
    content: {
      id: mediaId,
      mime_type: held.mimeType,
      ...(caption === '' ? {} : { caption }),
      ...(held.kind === 'document' ? { filename: storableText(filename) } : {}),
    },
    file: { mediaId },
  }
}

const textOfFile = (filename: string, caption: string): string =>
  storableText(caption === '' ? filename : `${filename}\n${caption}`)

async function holdEntry(
  tools: SourceTools,
  zip: OpenZip,
  entry: Entry,
  {
    mediaId,
    phoneNumberId,
    filename,
    mimeType,
  }: {
    mediaId: string
    phoneNumberId: string
    filename: string
    mimeType: string
  },
): Promise<ReturnType<typeof checkFile> | string> {
  const writer = await tools.outside.spool.open()
  try {
    for await (const piece of zip.read(entry)) await writer.write(piece as Buffer)
  } catch (error) {
    await writer.discard()
    if (error instanceof HistoryFault) return 'file_damaged'
    throw error
  }
  const file = writer.finish()
  try {
    const checked = checkFile(file, filename.toLowerCase().endsWith('.webp') ? 'image/webp' : mimeType)
    await holdPastFile(tools, { mediaId, phoneNumberId, filename, file, ...checked })
    return checked
  } catch (error) {
    if (error instanceof Refusal) return 'file_type'
    throw error
  } finally {
    await file.close()
  }
}
