/** Counts the results of a bot by node (DECISIONS.md "Results"). */
import type { z } from 'zod'
import { DAY_MS, later } from '../../../../core/clock.ts'
import type { Context } from '../../../../core/context.ts'
import { prepareRead } from '../../../../database/sql/costly-reads.ts'
import { countVisitEnds, countVisits, type VisitEnd } from '../queries/visits.ts'
import { type BotResults, MAX_RESULT_STARTS, RESULT_DAYS } from '../result-schema.ts'
import { getBot } from './bots.ts'

/** Returns the results of the last 30 days. Refuses `rate_limited` while other long reads of the workspace run. */
export async function readResults(ctx: Context, id: string): Promise<z.input<typeof BotResults>> {
  const bot = await getBot(ctx, id)
  const from = later(ctx.now, -RESULT_DAYS * DAY_MS)
  const starts = await countVisits(ctx, bot.id, from, MAX_RESULT_STARTS + 1)
  await prepareRead(ctx, starts)
  const rows = await countVisitEnds(ctx, bot.id, { from, max: MAX_RESULT_STARTS })
  const sumOf = (end: VisitEnd, node?: string): number =>
    rows.reduce(
      (sum, row) => sum + (row.end === end && (node === undefined || row.node === node) ? row.count : 0),
      0,
    )
  const endsOf = (node?: string) => ({
    ended: sumOf('ended', node),
    handedOver: sumOf('handed_over', node),
    left: sumOf('left', node),
    active: sumOf('active', node),
  })
  return {
    from: from.toISOString(),
    starts: Math.min(starts, MAX_RESULT_STARTS),
    limited: starts > MAX_RESULT_STARTS,
    conversations: rows.find(({ part }) => part === 'chats')?.count ?? 0,
    ...endsOf(),
    nodes: bot.definition.nodes.map((node) => ({
      id: node.id,
      reached: rows.find((row) => row.part === 'reached' && row.node === node.id)?.count ?? 0,
      ...endsOf(node.id),
    })),
  }
}
