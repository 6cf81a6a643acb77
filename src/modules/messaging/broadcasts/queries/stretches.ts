/** Statements on the stretches of audiences that the fan-out has not walked yet. */

import type { Context } from '../../../../core/context.ts'
import { uuids } from '../../../../database/sql/binary-arrays.ts'
import { db } from '../../../../database/sql/sql.ts'
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
export const claimStretch = (ctx: Context, broadcastId: string): Promise<Stretch | undefined> =>
  ctx.tx.first(
    db
      .selectFrom('broadcastStretches')
      .select(['afterId as after', 'untilId as until'])
      .where('workspaceId', '=', ctx.workspace.id)
      .where('broadcastId', '=', broadcastId)
      .orderBy('untilId')
      .limit(1)
      .forUpdate()
      .skipLocked(),
  )

/** Removes the processed people up to `reachedId` from the stretch; null: all of them. */
export const shortenStretch = (
  ctx: Context,
  broadcastId: string,
  { until }: Stretch,
  reachedId: string | null,
): Promise<unknown> =>
  reachedId === null
    ? ctx.tx.run(
        db
          .deleteFrom('broadcastStretches')
          .where('workspaceId', '=', ctx.workspace.id)
          .where('broadcastId', '=', broadcastId)
          .where('untilId', '=', until),
      )
    : ctx.tx.run(
        db
          .updateTable('broadcastStretches')
          .set({ afterId: reachedId })
          .where('workspaceId', '=', ctx.workspace.id)
          .where('broadcastId', '=', broadcastId)
          .where('untilId', '=', until),
      )

/** Counts the remaining stretches of a campaign, including those in work. */
export const countStretches = async (ctx: Context, broadcastId: string): Promise<number> =>
  (await ctx.tx.first(
    db
      .selectFrom('broadcastStretches')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('workspaceId', '=', ctx.workspace.id)
      .where('broadcastId', '=', broadcastId),
  ))!.count

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
