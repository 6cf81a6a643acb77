/**
 * Sends automatic replies to customers' messages, in the transaction that stores the messages (DECISIONS.md).
 */
import type { Unit } from '../../../../core/context.ts'
import { Refusal } from '../../../../core/errors.ts'
import type { Source } from '../../../../core/source.ts'
import { yieldPeriodically } from '../../../../core/yield-periodically.ts'
import { nameOf } from '../../../messaging/contacts/schema.ts'
import {
  type Answerable,
  isLeftToPeople,
  type Taker,
} from '../../../messaging/messages/intake/operations/offer-messages.ts'
import { TEXT_MAX } from '../../../messaging/messages/schema.ts'
import { fillText } from '../../../messaging/messages/sending/operations/fill-text.ts'
import { recordUnsentMessage } from '../../../messaging/messages/sending/operations/record-unsent.ts'
import { sendAutomatically } from '../../../messaging/messages/sending/operations/send-automatically.ts'
import { readOpen } from '../../../platform/business-hours/operations.ts'
import { type AutoReplyRow, claimUses, listEnabled } from '../queries.ts'
import { findAnswers, type Kind } from './choose-replies.ts'

/** A message and its possible replies. */
type Candidate = { message: Answerable; replies: AutoReplyRow[] }

/** Returns the text that a reply sends; undefined if nothing is left of it. */
export function fillReply(
  { reply: { text } }: Pick<AutoReplyRow, 'reply'>,
  customerName: string | null,
): string | undefined {
  const filled = fillText(text, (name) => (name === 'contact.name' ? customerName : undefined), TEXT_MAX)
  return filled.trim() === '' ? undefined : filled
}

/** Returns for each message the first matching reply of each kind, in the order of `kinds`. */
async function candidatesOf(unit: Unit, messages: Answerable[], kinds: Kind[]): Promise<Candidate[]> {
  const answerable = messages.filter((message) => !isLeftToPeople(message))
  if (answerable.length === 0) return []
  const rows = await listEnabled(unit.tx, [...new Set(answerable.map(({ ctx }) => ctx.workspace.id))], kinds)
  const scheduledWorkspaces = new Set(
    rows.flatMap(({ schedule, workspaceId }) => (schedule === 'always' ? [] : [workspaceId])),
  )
  const open = await readOpen(
    unit,
    answerable.flatMap(({ ctx }) => (scheduledWorkspaces.has(ctx.workspace.id) ? [ctx] : [])),
  )
  const rowsByWorkspace = Map.groupBy(rows, ({ workspaceId }) => workspaceId)
  const giveWay = yieldPeriodically()
  const candidates: Candidate[] = []
  for (const message of answerable) {
    const { id } = message.ctx.workspace
    const answers = await findAnswers(
      rowsByWorkspace.get(id) ?? [],
      { ...message, open: open.get(id) },
      giveWay,
    )
    if (answers.length > 0)
      candidates.push({
        message,
        replies: kinds.flatMap((kind) => answers.find((row) => row.kind === kind) ?? []),
      })
  }
  return candidates
}

/** Sends the replies that are not in their cooldown, and notes refused ones in the chat. */
async function reply(unit: Unit, candidates: Candidate[]): Promise<void> {
  if (candidates.length === 0) return
  const uses = await claimUses(
    unit.tx,
    candidates.flatMap(({ message: { ctx, conversationId }, replies }) =>
      replies.map(({ id: autoReplyId, cooldownMinutes }) => ({
        workspaceId: ctx.workspace.id,
        conversationId,
        autoReplyId,
        cooldownMinutes,
        at: ctx.now,
      })),
    ),
  )
  const due = new Set(uses.map(({ conversationId, autoReplyId }) => `${conversationId} ${autoReplyId}`))
  const sends = candidates.flatMap(({ message, replies }) => {
    const bodies = replies.flatMap((row) => {
      const text = due.has(`${message.conversationId} ${row.id}`)
        ? fillReply(row, nameOf(message.contact))
        : undefined
      const source: Source = { kind: 'auto_reply', id: row.id, name: null }
      return text === undefined ? [] : [{ type: 'text' as const, text, source }]
    })
    return bodies.length === 0 ? [] : [{ ...message, bodies }]
  })
  if (sends.length === 0) return
  const outcomes = await sendAutomatically(unit, sends)
  for (const [i, { ctx, contact, conversationId }] of sends.entries()) {
    const outcome = outcomes[i]
    if (outcome instanceof Refusal)
      await recordUnsentMessage(ctx, {
        contactId: contact.id,
        conversationId,
        subject: 'The automatic reply',
        why: outcome,
      })
  }
}

const taker = (name: string, kinds: Kind[]): Taker & { kinds: Kind[] } => ({
  name,
  kinds,
  async answer(unit, messages) {
    const candidates = await candidatesOf(unit, messages, kinds)
    await reply(unit, candidates)
    return new Set(candidates.map(({ message }) => message.messageId))
  },
})

/** Takes messages that contain a keyword, even if its cooldown prevents a reply. */
export const keywordTaker = taker('keyword', ['keyword'])
/** Takes the remaining messages. A new customer at night gets both the welcome and the away message. */
export const greetingTaker = taker('welcome and away', ['welcome', 'away'])
