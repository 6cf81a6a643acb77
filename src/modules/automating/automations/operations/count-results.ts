/** Counts the results of an automation by step (DECISIONS.md "Results"). */
import type { z } from 'zod'
import { DAY_MS, later } from '../../../../core/clock.ts'
import type { Context } from '../../../../core/context.ts'
import { prepareRead } from '../../../../database/sql/costly-reads.ts'
import { countResults, countRuns, type ResultRow } from '../queries/results.ts'
import { type AutomationResults, MAX_RESULT_RUNS, RESULT_DAYS } from '../result-schema.ts'
import { getAutomation } from './automations.ts'
import { DELETED, OFF } from './settle-run.ts'

type Part = ResultRow['part']

/** Returns the results of the last 30 days. Refuses `rate_limited` while other long reads of the workspace run. */
export async function readResults(ctx: Context, id: string): Promise<z.input<typeof AutomationResults>> {
  const automation = await getAutomation(ctx, id)
  const from = later(ctx.now, -RESULT_DAYS * DAY_MS)
  const runs = await countRuns(ctx, automation.id, from, MAX_RESULT_RUNS + 1)
  await prepareRead(ctx, runs)
  const types = automation.actions.map(({ type }) => type)
  const rows = await countResults(ctx, automation.id, {
    from,
    types,
    ended: [OFF, DELETED],
    max: MAX_RESULT_RUNS,
  })
  const countOf = (part: Part, outcome: ResultRow['outcome'], position: number | null = null): number =>
    rows.find(
      (row) =>
        row.part === part && row.outcome === outcome && row.position === position && row.reason === null,
    )?.count ?? 0
  const reasonsOf = (part: Part, outcome: ResultRow['outcome'], position: number | null = null) =>
    rows.flatMap((row) =>
      row.part === part && row.outcome === outcome && row.position === position && row.reason !== null
        ? [{ reason: row.reason, count: row.count }]
        : [],
    )
  return {
    from: from.toISOString(),
    runs: Math.min(runs, MAX_RESULT_RUNS),
    limited: runs > MAX_RESULT_RUNS,
    done: countOf('run', 'done'),
    skipped: countOf('run', 'skipped'),
    failed: countOf('run', 'failed'),
    active: countOf('run', 'waiting') + countOf('run', 'running'),
    notStarted: countOf('not started', null),
    notStartedReasons: reasonsOf('not started', null),
    otherSteps: countOf('other steps', null),
    steps: types.map((action, index) => {
      const position = index + 1
      const counts = {
        done: countOf('step', 'done', position),
        stopped: countOf('step', 'stopped', position),
        skipped: countOf('step', 'skipped', position),
        failed: countOf('step', 'failed', position),
        active: countOf('step', 'active', position),
      }
      return {
        action,
        reached: Object.values(counts).reduce((sum, count) => sum + count, 0),
        ...counts,
        skippedReasons: reasonsOf('step', 'skipped', position),
        failedReasons: reasonsOf('step', 'failed', position),
      }
    }),
  }
}
