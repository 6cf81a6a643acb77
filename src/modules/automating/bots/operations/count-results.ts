/** Counts the results of a bot by node (DECISIONS.md "Results"). */
import type { z } from 'zod'
import { DAY_MS, later } from '../../../../core/clock.ts'
import type { Context } from '../../../../core/context.ts'
import { prepareRead } from '../../../../database/sql/costly-reads.ts'
import { countVisitEnds, countVisits, type VisitCount, type VisitEnd } from '../queries/visits.ts'
import { type BotResults, MAX_RESULT_STARTS, MAX_RESULT_VERSIONS, RESULT_DAYS } from '../result-schema.ts'
import { getBot } from './bots.ts'

/** Returns the numbers of visits by how they ended. */
function sumEnds(rows: VisitCount[]) {
  const sumOf = (end: VisitEnd) => rows.reduce((sum, row) => sum + (row.end === end ? row.count : 0), 0)
  return {
    ended: sumOf('ended'),
    handedOver: sumOf('handed_over'),
    endedByTeammate: sumOf('ended_by_teammate'),
    left: sumOf('left'),
    active: sumOf('active'),
  }
}

const sumCounts = (rows: VisitCount[]): number => rows.reduce((sum, { count }) => sum + count, 0)

/** Returns the results of each version, newest first. */
function sumVersions(rows: VisitCount[]) {
  const versions = [...new Set(rows.flatMap(({ version }) => version ?? []))].sort((a, b) => b - a)
  return versions.slice(0, MAX_RESULT_VERSIONS).map((version) => {
    const own = rows.filter((row) => row.version === version)
    const since = Math.min(...own.map((row) => row.since!.getTime()))
    return { version, since: new Date(since).toISOString(), starts: sumCounts(own), ...sumEnds(own) }
  })
}

/**
 * Returns the results of the last 30 days, of all versions or of one. Refuses `rate_limited` while other long reads of
 * the workspace run.
 */
export async function readResults(
  ctx: Context,
  id: string,
  version: number | undefined,
): Promise<z.input<typeof BotResults>> {
  const bot = await getBot(ctx, id)
  const from = later(ctx.now, -RESULT_DAYS * DAY_MS)
  const starts = await countVisits(ctx, bot.id, from, MAX_RESULT_STARTS + 1)
  await prepareRead(ctx, starts)
  const rows = await countVisitEnds(ctx, bot.id, { from, max: MAX_RESULT_STARTS, version })
  const ends = rows.filter(({ part }) => part === 'end')
  return {
    from: from.toISOString(),
    version: version ?? null,
    starts: sumCounts(ends),
    limited: starts > MAX_RESULT_STARTS,
    conversations: rows.find(({ part }) => part === 'chats')?.count ?? 0,
    ...sumEnds(ends),
    versions: sumVersions(rows.filter(({ part }) => part === 'version')),
    nodes: bot.definition.nodes.map((node) => ({
      id: node.id,
      reached: rows.find((row) => row.part === 'reached' && row.node === node.id)?.count ?? 0,
      ...sumEnds(ends.filter((row) => row.node === node.id)),
    })),
  }
}
