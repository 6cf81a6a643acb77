/** Turns the messages of an exported chat into records. */
import { storableText } from '../../../../../core/values/storable.ts'
import { MAX_ORDER } from '../../../../messaging/messages/past/past-message.ts'
import type { TextFile } from '../../../imports/operations/csv/text-lines.ts'
import { hashOf } from '../history-file/message-of-values.ts'
import type { ReadItem } from '../read-in-batches.ts'
import { attachmentIn, isNotice } from './attachments.ts'
import type { ChatSides } from './chat-sides.ts'
import { type ChatOrder, partsOf } from './date-order.ts'
import { plainText, type Stamp } from './line-header.ts'
import { readChat } from './read-chat.ts'

export type ChatSettings = ChatSides & {
  order: ChatOrder
  timeZone: string
  before: string | null
  total: number
}

/** Returns the calendar of a year, and the year in it. The years of these calendars since 2009 do not overlap. */
function calendarOf(year: number): { calendar: string; year: number } {
  if (year >= 2_552) return { calendar: 'iso8601', year: year - 543 }
  if (year >= 1_380 && year < 1_430) return { calendar: 'persian', year }
  // cspell:disable-next-line
  if (year >= 1_430 && year < 1_500) return { calendar: 'islamic-umalqura', year }
  return { calendar: 'iso8601', year }
}

/** Returns the moment of a stamp; undefined for a day that does not exist. */
export function momentOf(
  stamp: Stamp,
  { order, timeZone }: Pick<ChatSettings, 'order' | 'timeZone'>,
): Date | undefined {
  const { day, month, year } = partsOf(stamp, order)
  try {
    const time = Temporal.PlainDate.from({ ...calendarOf(year), month, day }, { overflow: 'reject' })
      .withCalendar('iso8601')
      .toPlainDateTime({ hour: stamp.hour, minute: stamp.minute, second: stamp.second60 })
    return new Date(time.toZonedDateTime(timeZone).epochMilliseconds)
  } catch {
    return undefined
  }
}

/**
 * Yields the records of a chat. The file has no ids: a message is recognized by its time, its side, its text, and how many equal
 * ones came before it in that moment. Messages of one moment keep the order of the file.
 */
export async function* chatItems(
  text: TextFile,
  settings: ChatSettings,
  has: (filename: string) => boolean,
): AsyncGenerator<ReadItem> {
  const { customer, phone, name, before } = settings
  const end = before === null ? undefined : new Date(before)
  let momentMs = Number.NaN
  let order = 0
  let equal = new Map<string, number>()
  const attached = new Set<string>()
  // A file belongs to one message, so that a chat can't unpack it many times.
  const isFree = (filename: string): boolean => has(filename) && !attached.has(filename)
  for await (const message of readChat(text)) {
    const place = `line ${message.line}`
    const leave = (cause: string): ReadItem => ({ leftOut: { kind: 'message', place, cause } })
    const { sender } = message
    if (sender === undefined || isNotice(message.text, customer)) {
      yield leave('system_line')
      continue
    }
    if (message.isTooLong) {
      yield leave('text_too_long')
      continue
    }
    const createdAt = momentOf(message.stamp, settings)
    if (createdAt === undefined || createdAt.getTime() < 0) {
      yield leave('no_date')
      continue
    }
    if (createdAt.getTime() !== momentMs) {
      momentMs = createdAt.getTime()
      order = 0
      equal = new Map()
    } else order = Math.min(order + 1, MAX_ORDER)
    if (end && createdAt >= end) {
      yield leave('not_before')
      continue
    }
    const direction = sender === customer ? 'inbound' : 'outbound'
    const attachment = attachmentIn(message.text, isFree)
    if (attachment) attached.add(attachment.filename)
    const body = storableText(plainText(message.text)).trim()
    if (body === '') {
      yield leave('no_text')
      continue
    }
    const hash = hashOf([phone, createdAt.toISOString(), direction, body])
    const count = equal.get(hash) ?? 0
    equal.set(hash, count + 1)
    yield {
      record: {
        kind: 'message',
        place,
        externalId: count === 0 ? hash : `${hash} ${count}`,
        contact: { phone, ...(name === null ? {} : { name: storableText(name) }) },
        direction,
        createdAt,
        order,
        ...(attachment ? { type: 'file', content: attachment } : { content: { body } }),
      },
    }
  }
}
