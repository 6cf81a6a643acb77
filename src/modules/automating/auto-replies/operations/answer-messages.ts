/**
 * Sends automatic replies to customers' messages, in the transaction that stores the messages (DECISIONS.md).
 */
import { DAY_MS, later } from '../../../../core/clock.ts'
import type { Context, Unit } from '../../../../core/context.ts'
import { Refusal } from '../../../../core/errors.ts'
import { yieldPeriodically } from '../../../../core/yield-periodically.ts'
import { nameOf } from '../../../messaging/contacts/schema.ts'
import {
  type Answerable,
  isLeftToPeople,
  type Taker,
} from '../../../messaging/messages/intake/operations/offer-messages.ts'
import { customerText } from '../../../messaging/messages/reading/operations/customer-text.ts'
import { TEXT_MAX } from '../../../messaging/messages/schema.ts'
import { fillText } from '../../../messaging/messages/sending/operations/fill-text.ts'
import { recordUnsentMessage } from '../../../messaging/messages/sending/operations/record-unsent.ts'
import { sendAutomatically } from '../../../messaging/messages/sending/operations/send-automatically.ts'
import { readOpen } from '../../../platform/business-hours/operations.ts'
import { type AutoReplyRow, claimUses, listEnabled } from '../queries.ts'
import type { NewAutoReply } from '../schema.ts'
import { keywordMatcher } from './keyword-match.ts'

type Kind = NewAutoReply['kind']
/** A message and its possible replies. */
type Candidate = { message: Answerable; replies: AutoReplyRow[] }

const isOfNumber = ({ phoneNumberIds }: AutoReplyRow, phoneNumberId: string): boolean =>
  phoneNumberIds === null || phoneNumberIds.includes(phoneNumberId)

/** With unknown business hours (`open` undefined), the business does not count as closed. */
function isInSchedule({ kind, schedule }: AutoReplyRow, open: boolean | undefined): boolean {
  if (schedule === 'always') return true
  return kind === 'away' ? open === false : open !== false
}

/** Returns whether a reply answers at this time, by the workspace's clock. */
const isValidAt = ({ validFrom, validUntil }: AutoReplyRow, now: Date): boolean =>
  (validFrom === null || validFrom <= now) && (validUntil === null || now < validUntil)

type Matcher = ReturnType<typeof keywordMatcher>

const fits: Record<Kind, (row: AutoReplyRow, message: Answerable, matches: Matcher) => boolean> = {
  keyword: ({ keywords, match }, _, matches) => matches(keywords, match),
  welcome: ({ daysSilent }, { ctx, previousInboundAt }) =>
    previousInboundAt === null ||
    (daysSilent !== null && previousInboundAt <= later(ctx.now, -daysSilent * DAY_MS)),
  away: () => true,
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
  const giveWay = yieldPeriodically()
  const candidates: Candidate[] = []
  for (const message of answerable) {
    const { workspace } = message.ctx
    const matches = keywordMatcher(customerText(message))
    const replies = new Map<Kind, AutoReplyRow>()
    for (const row of rows) {
      await giveWay()
      if (
        !replies.has(row.kind) &&
        row.workspaceId === workspace.id &&
        isOfNumber(row, message.phoneNumberId) &&
        isValidAt(row, message.ctx.now) &&
        isInSchedule(row, open.get(workspace.id)) &&
        fits[row.kind](row, message, matches)
      )
        replies.set(row.kind, row)
    }
    if (replies.size > 0)
      candidates.push({ message, replies: kinds.flatMap((kind) => replies.get(kind) ?? []) })
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
    const nameFor = (name: string) => (name === 'contact.name' ? nameOf(message.contact) : undefined)
    const bodies = replies.flatMap(({ id, reply: { text } }) => {
      const filled = fillText(text, nameFor, TEXT_MAX)
      return due.has(`${message.conversationId} ${id}`) && filled.trim() !== ''
        ? [{ type: 'text' as const, text: filled }]
        : []
    })
    const [first] = replies
    const ctx: Context = { ...message.ctx, source: { kind: 'auto_reply', id: first!.id, name: null } }
    return bodies.length === 0 ? [] : [{ ...message, ctx, bodies }]
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

const taker = (name: string, kinds: Kind[]): Taker => ({
  name,
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
