/** Statements on trials of plans. */
import type { Plan, Query, Tx } from '../../../../core/context.ts'

/**
 * `fallsTo`: the plan after the trial; by default the current one. Returns false if the workspace already had
 * its trial.
 */
export const beginTrial = async (
  tx: Tx,
  id: string,
  { plan, endsAt, fallsTo }: { plan: Plan; endsAt: Date; fallsTo?: Plan },
): Promise<boolean> =>
  (
    await tx.sql(
      `update workspaces set plan = $2, trial_ends_at = $3, trial_falls_to = coalesce($4, plan), trial_used = true
       where id = $1 and not trial_used returning 1`,
      [id, plan, endsAt, fallsTo ?? null],
    )
  ).length > 0

/** Gives workspaces with an expired trial their earlier plan; returns how many. */
export const endTrials = async (query: Query, now: Date, max: number): Promise<number> =>
  (
    await query(
      `update workspaces w set plan = w.trial_falls_to, trial_ends_at = null, trial_falls_to = null
       from (select id from workspaces where trial_ends_at <= $1 and paused_at is null order by trial_ends_at limit $2 for update skip locked) over
       where w.id = over.id returning 1`,
      [now, max],
    )
  ).length
