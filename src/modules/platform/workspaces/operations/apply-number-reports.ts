/**
 * Applies the operator's updates about numbers: state, quality, pace, limit, names. Each fact has the time of
 * its report, so that outdated reports change nothing, in any order of arrival.
 */
import { realTime } from '../../../../core/clock.ts'
import type { Unit } from '../../../../core/context.ts'
import {
  insertNumberNotices,
  type ListedNumber,
  liftEndlessRestrictions,
  lockNumbersOf,
  unblockRestricted,
  updateNumberNews,
} from '../queries/numbers.ts'
import {
  type ChangedNumber,
  changedNumbers,
  hasDetail,
  isRestricted,
  type NumberNewsItem,
} from './changed-numbers.ts'
import { type NumberStateChange, noteNumberFacts, setNumberStates } from './number-state.ts'
import { restrictionsAt } from './restrictions.ts'

/** Applies reports, oldest first. Those about unknown numbers or accounts change nothing. */
export async function applyNumberNews(unit: Unit, items: NumberNewsItem[]): Promise<void> {
  if (items.length === 0) return
  const workspaceIds = [...new Set(items.map(({ ctx }) => ctx.workspace.id))]
  const updates = changedNumbers(await lockNumbersOf(unit.tx, workspaceIds), items)
  if (updates.length === 0) return
  await updateNumberNews(unit.tx.sql, updates.map(knownOf))
  await noteNumberFacts(
    unit.tx.sql,
    updates.map(({ number, news }) => ({
      ...keyOf(number),
      quality: news.quality ?? null,
      throughput: news.throughput ?? null,
      messagingLimit: news.messagingLimit ?? null,
    })),
  )
  await liftEndlessRestrictions(
    unit.tx.sql,
    updates
      .filter(({ news }) => news.state === 'active' && !isRestricted(news))
      .map(({ number }) => keyOf(number)),
  )
  await unblockRestricted(
    unit.tx.sql,
    updates.filter(({ news }) => isRestricted(news)).map(({ number }) => keyOf(number)),
  )
  await setNumberStates(unit.tx.sql, updates.flatMap(stateChangeOf))
  const notices = updates.flatMap((change) => noticeOf(change, items))
  if (notices.length > 0) await insertNumberNotices(unit.tx.sql, notices)
}

const keyOf = ({ workspaceId, id }: ListedNumber) => ({ workspaceId, phoneNumberId: id })

/** Returns a notice for a restriction that is newly in force. */
function noticeOf(changedNumber: ChangedNumber, items: NumberNewsItem[]) {
  const { number } = changedNumber
  const ctx = items.find((item) => item.ctx.workspace.id === number.workspaceId)?.ctx
  if (!ctx) return []
  const messagesBefore = new Set(restrictionsAt(number, ctx.now).map(({ messages }) => messages))
  const isNewlyRestricted = restrictionsAt(knownOf(changedNumber), ctx.now).some(
    ({ messages }) => !messagesBefore.has(messages),
  )
  return isNewlyRestricted ? [{ ...keyOf(number), at: realTime(ctx.now, ctx.workspace) }] : []
}

/** Returns the new values of the number's own row. */
const knownOf = ({ number, news }: ChangedNumber) => ({
  ...keyOf(number),
  displayName: news.displayName ?? number.displayName,
  username: news.username === undefined ? number.username : news.username,
  businessInitiatedBlockedUntil: news.businessInitiatedBlockedUntil ?? number.businessInitiatedBlockedUntil,
  customerInitiatedBlockedUntil: news.customerInitiatedBlockedUntil ?? number.customerInitiatedBlockedUntil,
  notifiedAt: number.notifiedAt,
})

function stateChangeOf({ number, news, stateAt }: ChangedNumber): NumberStateChange[] {
  if (news.state === undefined || stateAt === null || (isRestricted(news) && !hasDetail(news))) return []
  return [
    {
      ...keyOf(number),
      state: news.state,
      reason: news.stateReason ?? null,
      code: news.stateCode ?? null,
      at: stateAt,
    },
  ]
}
