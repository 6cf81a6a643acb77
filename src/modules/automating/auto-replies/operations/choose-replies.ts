/** Chooses the auto-replies that answer a message: for customers' messages and for previews (DECISIONS.md). */
import { DAY_MS, later } from '../../../../core/clock.ts'
import type { Answerable } from '../../../messaging/messages/intake/operations/offer-messages.ts'
import { customerText } from '../../../messaging/messages/reading/operations/customer-text.ts'
import type { AutoReplyRow } from '../queries.ts'
import type { NewAutoReply, Skipped } from '../schema.ts'
import { keywordFinder } from './keyword-match.ts'

export type Kind = NewAutoReply['kind']

/** Everything about a message that decides about its replies. `ctx.now` is the time of the decision. */
export type Situation = Pick<
  Answerable,
  'ctx' | 'phoneNumberId' | 'type' | 'content' | 'previousInboundAt'
> & {
  /** Whether the business is open; undefined if its hours are unknown. */
  open: boolean | undefined
}

/** An auto-reply and the reason why it does not answer; `keyword` is the first one found. */
export type Judged = { row: AutoReplyRow; skipped: Skipped | null; keyword: string | null }

type Find = ReturnType<typeof keywordFinder>

const isOfNumber = ({ phoneNumberIds }: AutoReplyRow, phoneNumberId: string): boolean =>
  phoneNumberIds === null || phoneNumberIds.includes(phoneNumberId)

/** With unknown business hours, the business does not count as closed. */
function checkSchedule({ kind, schedule }: AutoReplyRow, open: boolean | undefined): Skipped | null {
  if (schedule === 'always') return null
  if (kind !== 'away') return open === false ? 'closed' : null
  if (open === undefined) return 'hours_unknown'
  return open ? 'open' : null
}

const isFirst = ({ daysSilent }: AutoReplyRow, { ctx, previousInboundAt }: Situation): boolean =>
  previousInboundAt === null ||
  (daysSilent !== null && previousInboundAt <= later(ctx.now, -daysSilent * DAY_MS))

function judgeReply(row: AutoReplyRow, situation: Situation, find: Find): Judged {
  const { ctx, phoneNumberId, open } = situation
  const skip = (skipped: Skipped): Judged => ({ row, skipped, keyword: null })
  if (!row.enabled) return skip('off')
  if (!isOfNumber(row, phoneNumberId)) return skip('other_number')
  if (row.validFrom !== null && ctx.now < row.validFrom) return skip('not_started')
  if (row.validUntil !== null && row.validUntil <= ctx.now) return skip('ended')
  const byHours = checkSchedule(row, open)
  if (byHours !== null) return skip(byHours)
  if (row.kind === 'welcome' && !isFirst(row, situation)) return skip('not_first')
  if (row.kind !== 'keyword') return { row, skipped: null, keyword: null }
  const keyword = find(row.keywords, row.match)
  return keyword === undefined ? skip('no_keyword') : { row, skipped: null, keyword }
}

/**
 * Returns the auto-replies in their order, each with the reason why it does not answer. Of each kind, at most the
 * first that fits answers. `rows` are of one workspace, in the order of their check.
 */
export async function judgeReplies(
  rows: AutoReplyRow[],
  situation: Situation,
  giveWay: () => Promise<void>,
): Promise<Judged[]> {
  const find = keywordFinder(customerText(situation))
  const answeringKinds = new Set<Kind>()
  const judged: Judged[] = []
  for (const row of rows) {
    await giveWay()
    const verdict = judgeReply(row, situation, find)
    judged.push(answeringKinds.has(row.kind) ? passOver(verdict, 'earlier_reply') : verdict)
    if (verdict.skipped === null) answeringKinds.add(row.kind)
  }
  return judged
}

/** Returns the verdict on a reply that would answer if nothing else did. */
export const passOver = (verdict: Judged, skipped: Skipped): Judged =>
  verdict.skipped === null ? { ...verdict, skipped } : verdict

/** Returns the replies that answer. Of each kind, at most the first that fits; the others are not checked. */
export async function findAnswers(
  rows: AutoReplyRow[],
  situation: Situation,
  giveWay: () => Promise<void>,
): Promise<AutoReplyRow[]> {
  const find = keywordFinder(customerText(situation))
  const answers = new Map<Kind, AutoReplyRow>()
  for (const row of rows) {
    await giveWay()
    if (!answers.has(row.kind) && judgeReply(row, situation, find).skipped === null)
      answers.set(row.kind, row)
  }
  return [...answers.values()]
}
