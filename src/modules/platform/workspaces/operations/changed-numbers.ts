/** Filters reports of numbers for news, by the known facts and the times of the reports. */
import type { Context } from '../../../../core/context.ts'
import type { NumberNews, NumberReport } from '../../../../operator/port.ts'
import { ACCOUNT_RESTRICTED } from '../../../../operator/refusals.ts'
import type { ListedNumber } from '../queries/numbers.ts'
import { type Restrictions, restrictionsAt } from './restrictions.ts'

/** A report, and the number for which its update was sent. */
export type NumberNewsItem = {
  ctx: Context
  phoneNumberId: string
  report: Pick<NumberReport, 'number' | 'accountId' | 'news' | 'at'>
}

const FACTS = [
  'quality',
  'throughput',
  'messagingLimit',
  'displayName',
  'username',
  'state',
  'businessInitiatedBlockedUntil',
  'customerInitiatedBlockedUntil',
] as const

/** A number with all its news; `stateAt`: when its state was reported. */
export type ChangedNumber = { number: ListedNumber; news: NumberNews; stateAt: Date | null }

/** Returns the numbers with news in `items`, which are oldest first. */
export function changedNumbers(numbers: ListedNumber[], items: NumberNewsItem[]): ChangedNumber[] {
  const changesById = new Map<string, ChangedNumber>()
  for (const number of numbers)
    for (const item of items) {
      if (!isAbout(item, number)) continue
      const current = changesById.get(number.id) ?? { number, news: {}, stateAt: null }
      const later = laterNews(current.number, item.report)
      if (!later || !isNews({ ...current.number, ...current.news }, item.report)) continue
      changesById.set(number.id, {
        number: { ...current.number, notifiedAt: later.notifiedAt },
        news: { ...current.news, ...later.news },
        stateAt: later.news.state === undefined ? current.stateAt : item.report.at,
      })
    }
  return [...changesById.values()]
}

/**
 * Returns whether the report adds anything. A message that failed for a restriction does not show its extent,
 * so it adds nothing if the extent is known.
 */
export const hasDetail = (news: NumberNews): boolean => news.stateCode !== ACCOUNT_RESTRICTED
const isNews = (number: Restrictions, { news, at }: NumberNewsItem['report']): boolean =>
  hasDetail(news) || restrictionsAt(number, at).length === 0

/** Returns whether the news is about a restriction. */
export const isRestricted = (news: NumberNews): boolean =>
  news.businessInitiatedBlockedUntil !== undefined || news.customerInitiatedBlockedUntil !== undefined

function isAbout({ ctx, phoneNumberId, report }: NumberNewsItem, number: ListedNumber): boolean {
  if (number.workspaceId !== ctx.workspace.id) return false
  if (report.number !== null) return number.number === `+${report.number}`
  return report.accountId === '' ? number.id === phoneNumberId : number.accountId === report.accountId
}

/** Returns the facts of a report that are not older than the known ones; undefined if there are none. */
function laterNews(
  number: ListedNumber,
  { news, at }: NumberNewsItem['report'],
): { news: NumberNews; notifiedAt: Record<string, string> } | undefined {
  const reportedFacts = FACTS.filter((fact) => {
    const notifiedAt = number.notifiedAt[fact]
    return news[fact] !== undefined && (notifiedAt === undefined || new Date(notifiedAt) <= at)
  })
  if (reportedFacts.length === 0) return undefined
  const { state, stateReason, stateCode, ...rest } = news
  const facts = Object.fromEntries(
    Object.entries(rest).filter(([fact]) => reportedFacts.includes(fact as never)),
  )
  return {
    news: {
      ...facts,
      ...(reportedFacts.includes('state') ? { state, stateReason, stateCode } : {}),
    } as NumberNews,
    notifiedAt: {
      ...number.notifiedAt,
      ...Object.fromEntries(reportedFacts.map((fact) => [fact, at.toISOString()])),
    },
  }
}
