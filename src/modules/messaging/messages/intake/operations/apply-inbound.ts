/**
 * Messages that the operator reported (spec 3, 6.3): customers' messages, and messages that the business
 * typed in the phone app. They are stored in their conversations and with their files, without the messages
 * that are stored already (place-people.ts). STOP and START are obeyed.
 */
import { beforeCommit, type Unit } from '../../../../../core/context.ts'
import { count } from '../../../../../core/count.ts'
import { emit } from '../../../../../core/event.ts'
import type { ConsentWord } from '../../../contacts/operations/consent.ts'
import { recordAnswers } from '../../../conversations/operations/free-entry.ts'
import {
  type InboundMediaItem,
  inboundMediaOf,
  recordInboundMedia,
} from '../../../media/operations/record-inbound-media.ts'
import { flowCompleted, messageReceived } from '../../events.ts'
import {
  insertReportedMessages,
  listLatestAnswers,
  type ReportedMessage,
} from '../queries/reported-messages.ts'
import { consentWord } from './consent-words.ts'
import type { Offered } from './offer-messages.ts'
import type { PlacedMessage } from './place-people.ts'

/** The consent words in customers' messages, and the messages to offer to takers. */
type Stored = { words: ConsentWord[]; offered: Offered[] }

/** Stores messages and emits their events, in the given order. */
export async function storeMessages(unit: Unit, items: PlacedMessage[]): Promise<Stored> {
  const files: InboundMediaItem[] = []
  const rows = items.flatMap((item): ReportedMessage[] => {
    const { ctx, id, phoneNumberId, report: message, conversationId } = item
    if (conversationId === undefined) return []
    const file = inboundMediaOf(message.type, message.content)
    if (file) files.push({ ctx, messageId: id, phoneNumberId, media: file.media })
    return [rowOf(item, conversationId, file?.content ?? message.content)]
  })
  if (rows.length > 0) beforeCommit(unit, insertReportedMessages(unit.tx, rows))
  await recordInboundMedia(files)
  const byId = new Map(items.map((item) => [item.id, item]))
  const words = rows.flatMap((row) => {
    const item = byId.get(row.id)!
    const { phoneNumberId, type, sentAt, direction } = row
    if (direction === 'inbound') count(item.ctx, 'received', { phoneNumberId, type })
    else count(item.ctx, 'sent', { phoneNumberId, type, at: sentAt })
    return announce(item, row)
  })
  await recordFreeEntries(unit, items, rows)
  const offered = rows.flatMap(({ id: messageId, direction, ...row }): Offered[] => {
    const { ctx, report, previousInboundAt, hadOptedOut } = byId.get(messageId)!
    return direction === 'inbound'
      ? [{ ...row, messageId, ctx, at: report.at, previousInboundAt, hadOptedOut }]
      : []
  })
  return { words, offered }
}

const rowOf = (
  { ctx, id, phoneNumberId, report: message, contact }: PlacedMessage,
  conversationId: string,
  content: Record<string, unknown>,
): ReportedMessage => {
  const inbound = message.kind === 'inbound'
  return {
    workspaceId: ctx.workspace.id,
    id,
    conversationId,
    contactId: contact.id,
    phoneNumberId,
    direction: inbound ? 'inbound' : 'outbound',
    type: message.type,
    content,
    status: inbound ? 'received' : 'sent',
    chanmid: message.chanmid,
    context: message.context,
    replyTo: message.replyTo,
    error: inbound ? (message.errors[0] ?? null) : null,
    createdAt: ctx.now,
    // If the operator's clock runs ahead, the message gets the time of its arrival.
    sentAt: inbound && message.at > ctx.now ? ctx.now : message.at,
  }
}

/** Emits the event of a customer's message; a message typed in the phone app has none. */
function announce({ ctx, report: message, contact }: PlacedMessage, row: ReportedMessage): ConsentWord[] {
  if (message.kind !== 'inbound') return []
  const about = { contactId: contact.id }
  emit(
    ctx,
    messageReceived,
    {
      messageId: row.id,
      chanmid: row.chanmid,
      conversationId: row.conversationId,
      contact,
      type: row.type,
      content: row.content,
      sentAt: row.sentAt.toISOString(),
    },
    about,
  )
  if (message.formFields)
    emit(ctx, flowCompleted, { messageId: row.id, contactId: contact.id, fields: message.formFields }, about)
  const word = consentWord(message)
  if (!word) return []
  return [{ ctx, contactId: contact.id, word, source: `message ${message.chanmid}`, at: message.at }]
}

/**
 * Records free entry points. An answer may be reported before the message that it answers, and a message
 * typed in the phone app counts as an answer.
 */
async function recordFreeEntries(unit: Unit, items: PlacedMessage[], rows: ReportedMessage[]): Promise<void> {
  const answers = rows.flatMap(({ workspaceId, conversationId, direction, sentAt }) =>
    direction === 'inbound' ? [] : [{ workspaceId, conversationId, sentAt }],
  )
  const referred = items.flatMap(({ ctx, report: message, conversationId }) =>
    message.kind === 'inbound' && message.referred && conversationId !== undefined
      ? [{ workspaceId: ctx.workspace.id, conversationId }]
      : [],
  )
  const earlier = referred.length === 0 ? [] : await listLatestAnswers(unit.tx, referred)
  await recordAnswers(unit, [...answers, ...earlier])
}
