/** Statements on the stretches of audiences that the fan-out has not walked yet. */

import type { Context } from '../../../../core/context.ts'
import { uuids } from '../../../../database/sql/binary-arrays.ts'
import type { Stretch } from './walk.ts'

export const insertStretches = (ctx: Context, broadcastId: string, stretches: Stretch[]): Promise<unknown> =>
  ctx.tx.sql(
    `insert into broadcast_stretches (workspace_id, broadcast_id, after_id, until_id)
     select $1, $2, s.after_id, s.until_id from unnest($3::uuid[], $4::uuid[]) as s (after_id, until_id)`,
    [
      ctx.workspace.id,
      broadcastId,
      uuids(stretches.map((stretch) => stretch.after)),
      uuids(stretches.map((stretch) => stretch.until)),
    ],
  )

/** Locks and returns the campaign's first stretch without a worker, until the transaction ends. */
export const claimStretch = async (ctx: Context, broadcastId: string): Promise<Stretch | undefined> =>
  (
    await ctx.tx.sql<Stretch>(
      `select after_id as after, until_id as until from broadcast_stretches
       where workspace_id = $1 and broadcast_id = $2 order by until_id limit 1 for update skip locked`,
      [ctx.workspace.id, broadcastId],
    )
  )[0]

/** Removes the processed people up to `reachedId` from the stretch; null: all of them. */
export const shortenStretch = (
  ctx: Context,
  broadcastId: string,
  { until }: Stretch,
  reachedId: string | null,
): Promise<unknown> =>
  reachedId === null
    ? ctx.tx.sql(
        'delete from broadcast_stretches where workspace_id = $1 and broadcast_id = $2 and until_id = $3',
        [ctx.workspace.id, broadcastId, until],
      )
    : ctx.tx.sql(
        `update broadcast_stretches set after_id = $4
         where workspace_id = $1 and broadcast_id = $2 and until_id = $3`,
        [ctx.workspace.id, broadcastId, until, reachedId],
      )

/** Counts the remaining stretches of a campaign, including those in work. */
export const countStretches = async (ctx: Context, broadcastId: string): Promise<number> =>
  (
    await ctx.tx.sql<{ count: number }>(
      'select count(*) as count from broadcast_stretches where workspace_id = $1 and broadcast_id = $2',
      [ctx.workspace.id, broadcastId],
    )
  )[0]!.count

/** Deletes the stretches of a campaign that no worker has. Returns how many are left. */
export const dropStretches = async (ctx: Context, broadcastId: string): Promise<number> => {
  await ctx.tx.sql(
    `delete from broadcast_stretches where (workspace_id, broadcast_id, until_id) in (
       select workspace_id, broadcast_id, until_id from broadcast_stretches
       where workspace_id = $1 and broadcast_id = $2 for update skip locked)`,
    [ctx.workspace.id, broadcastId],
  )
  return countStretches(ctx, broadcastId)
}
