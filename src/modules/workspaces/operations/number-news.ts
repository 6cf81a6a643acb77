/**
 * What the operator's updates say of numbers: state, quality, pace, limit, names. Each fact has the time at which it was
 * reported, so that older news that comes late changes nothing, in whatever order updates come.
 */
import type { Context, Unit } from '../../../core/context.ts'
import type { NumberNews, NumberReport } from '../../../operator/port.ts'
import { ACCOUNT_RESTRICTED } from '../../../operator/refusals.ts'
import {
  type ListedNumber,
  liftEndless,
  lockNumbersOf,
  narrowBlocks,
  updateNumberNews,
} from '../queries/numbers.ts'
import { type NumberStateChange, noteNumberFacts, setNumberStates } from './number-state.ts'
import { type Restrictions, restrictionsAt } from './restrictions.ts'

/** A report and the number that its update came to. */
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

/** Applies reports, oldest first. One about a number or an account that the workspace does not have changes nothing. */
export async function applyNumberNews(unit: Unit, items: NumberNewsItem[]): Promise<void> {
  if (items.length === 0) return
  const workspaceIds = [...new Set(items.map(({ ctx }) => ctx.workspace.id))]
  const changed = new Map<string, { number: ListedNumber; news: NumberNews; stateAt: Date | null }>()
  for (const number of await lockNumbersOf(unit.tx, workspaceIds))
    for (const item of items) {
      if (!concerns(item, number)) continue
      const known = changed.get(number.id) ?? { number, news: {}, stateAt: null }
      const later = laterNews(known.number, item.report)
      if (!later || !isNews({ ...known.number, ...known.news }, item.report)) continue
      changed.set(number.id, {
        number: { ...known.number, notifiedAt: later.notifiedAt },
        news: { ...known.news, ...later.news },
        stateAt: later.news.state === undefined ? known.stateAt : item.report.at,
      })
    }
  if (changed.size === 0) return
  const all = [...changed.values()]
  const keyOf = ({ workspaceId, id }: ListedNumber) => ({ workspaceId, phoneNumberId: id })
  await updateNumberNews(
    unit.tx.sql,
    all.map(({ number, news }) => ({
      ...keyOf(number),
      displayName: news.displayName ?? number.displayName,
      username: news.username === undefined ? number.username : news.username,
      businessInitiatedBlockedUntil:
        news.businessInitiatedBlockedUntil ?? number.businessInitiatedBlockedUntil,
      customerInitiatedBlockedUntil:
        news.customerInitiatedBlockedUntil ?? number.customerInitiatedBlockedUntil,
      notifiedAt: number.notifiedAt,
    })),
  )
  await noteNumberFacts(
    unit.tx.sql,
    all.map(({ number, news }) => ({
      ...keyOf(number),
      quality: news.quality ?? null,
      throughput: news.throughput ?? null,
      messagingLimit: news.messagingLimit ?? null,
    })),
  )
  await liftEndless(
    unit.tx.sql,
    all
      .filter(({ news }) => news.state === 'active' && !isRestricted(news))
      .map(({ number }) => keyOf(number)),
  )
  await narrowBlocks(
    unit.tx.sql,
    all.filter(({ news }) => isRestricted(news)).map(({ number }) => keyOf(number)),
  )
  await setNumberStates(
    unit.tx.sql,
    all.flatMap(({ number, news, stateAt }): NumberStateChange[] =>
      news.state === undefined || stateAt === null || (isRestricted(news) && !saysMore(news))
        ? []
        : [
            {
              ...keyOf(number),
              state: news.state,
              reason: news.stateReason ?? null,
              code: news.stateCode ?? null,
              at: stateAt,
            },
          ],
    ),
  )
}

/** A message that failed for a restriction says only that there is one: nothing new where it is known how far that goes. */
const saysMore = (news: NumberNews): boolean => news.stateCode !== ACCOUNT_RESTRICTED
const isNews = (number: Restrictions, { news, at }: NumberNewsItem['report']): boolean =>
  saysMore(news) || restrictionsAt(number, at).length === 0

/** Whether news are of a restriction. */
const isRestricted = (news: NumberNews): boolean =>
  news.businessInitiatedBlockedUntil !== undefined || news.customerInitiatedBlockedUntil !== undefined

function concerns({ ctx, phoneNumberId, report }: NumberNewsItem, number: ListedNumber): boolean {
  if (number.workspaceId !== ctx.workspace.id) return false
  if (report.number !== null) return number.number === `+${report.number}`
  return report.accountId === '' ? number.id === phoneNumberId : number.accountId === report.accountId
}

/** The facts of a report that are not older than what is known; undefined when none is. */
function laterNews(
  number: ListedNumber,
  { news, at }: NumberNewsItem['report'],
): { news: NumberNews; notifiedAt: Record<string, string> } | undefined {
  const reported = FACTS.filter((fact) => {
    const known = number.notifiedAt[fact]
    return news[fact] !== undefined && (known === undefined || new Date(known) <= at)
  })
  if (reported.length === 0) return undefined
  const { state, stateReason, stateCode, ...rest } = news
  const facts = Object.fromEntries(Object.entries(rest).filter(([fact]) => reported.includes(fact as never)))
  return {
    news: {
      ...facts,
      ...(reported.includes('state') ? { state, stateReason, stateCode } : {}),
    } as NumberNews,
    notifiedAt: {
      ...number.notifiedAt,
      ...Object.fromEntries(reported.map((fact) => [fact, at.toISOString()])),
    },
  }
}
