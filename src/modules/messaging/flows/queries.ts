/** SQL for forms. */
import type { Selectable } from 'kysely'
import type { Context } from '../../../core/context.ts'
import { db } from '../../../database/sql/sql.ts'
import type { Tables } from '../../../database/sql/tables.ts'

export type FlowRow = Selectable<Tables['flows']>

/** Returns the forms of the accounts, newest first. */
export const listFlowRows = (ctx: Context, accountIds: string[]): Promise<FlowRow[]> =>
  accountIds.length === 0
    ? Promise.resolve([])
    : ctx.tx.all(
        db
          .selectFrom('flows')
          .selectAll()
          .where('workspaceId', '=', ctx.workspace.id)
          .where('accountId', 'in', accountIds)
          .orderBy('id', 'desc'),
      )

/** Returns a form by our id or the operator's. */
export const findFlowRow = (
  ctx: Context,
  column: 'id' | 'operatorId',
  value: string,
): Promise<FlowRow | undefined> =>
  ctx.tx.first(
    db
      .selectFrom('flows')
      .selectAll()
      .where('workspaceId', '=', ctx.workspace.id)
      .where(column, '=', value)
      .orderBy('id')
      .limit(1),
  )

/**
 * Claims the sync of accounts that have no answer, or none since `staleSince`, and that no other process
 * requested since `triedSince`. Returns them, and whether an answer is stored.
 */
export const claimSyncs = (
  ctx: Context,
  accountIds: string[],
  { staleSince, triedSince }: { staleSince: Date; triedSince: Date },
): Promise<(Pick<Selectable<Tables['flowSyncs']>, 'accountId'> & { known: boolean })[]> =>
  ctx.tx.sql(
    `insert into flow_syncs (workspace_id, account_id, tried_at)
     select $1, a, $3 from unnest($2::text[]) as t (a) order by a
     on conflict (workspace_id, account_id) do update set tried_at = excluded.tried_at
     where flow_syncs.synced_at is null or (flow_syncs.synced_at <= $4 and flow_syncs.tried_at <= $5)
     returning account_id, synced_at is not null as known`,
    [ctx.workspace.id, accountIds, ctx.now, staleSince, triedSince],
  )

/** Returns the time of the operator's last answer: the earliest among the accounts, null if one has none. */
export const findSyncedAt = async (ctx: Context, accountIds: string[]): Promise<Date | null> =>
  (
    await ctx.tx.sql<{ at: Date | null }>(
      `select case when count(s.synced_at) = count(*) then min(s.synced_at) end as at
       from unnest($2::text[]) as t (a)
       left join flow_syncs s on s.workspace_id = $1 and s.account_id = t.a`,
      [ctx.workspace.id, accountIds],
    )
  )[0]?.at ?? null

/** Records the operator's answer. Other answers for the account wait until the transaction ends. */
export const saveSync = (ctx: Context, accountId: string): Promise<unknown> =>
  ctx.tx.run(
    db
      .insertInto('flowSyncs')
      .values({ workspaceId: ctx.workspace.id, accountId, triedAt: ctx.now, syncedAt: ctx.now })
      .onConflict((conflict) =>
        conflict.columns(['workspaceId', 'accountId']).doUpdateSet({ syncedAt: ctx.now }),
      ),
  )

export type ReportedFlow = Pick<FlowRow, 'id' | 'operatorId' | 'name' | 'status' | 'categories'>

/** Stores forms as the operator reported them. Unchanged rows aren't written. */
export const upsertFlowRows = (ctx: Context, accountId: string, flows: ReportedFlow[]): Promise<unknown> =>
  ctx.tx.sql(
    `insert into flows (workspace_id, account_id, id, operator_id, name, status, categories, created_at, updated_at)
     select $1, $2, f.id, f.operator_id, f.name, f.status, f.categories, $4, $4
     from jsonb_to_recordset($3::jsonb) as f (id uuid, operator_id text, name text, status text, categories text[])
     on conflict (workspace_id, account_id, operator_id) do update
     set name = excluded.name, status = excluded.status, categories = excluded.categories, updated_at = excluded.updated_at
     where (flows.name, flows.status, flows.categories)
       is distinct from (excluded.name, excluded.status, excluded.categories)`,
    [
      ctx.workspace.id,
      accountId,
      JSON.stringify(
        flows.map(({ id, operatorId, name, status, categories }) => ({
          id,
          operator_id: operatorId,
          name,
          status,
          categories,
        })),
      ),
      ctx.now,
    ],
  )

/** Deletes the account's forms that are not in this list. */
export const deleteOtherFlowRows = (
  ctx: Context,
  accountId: string,
  operatorIds: string[],
): Promise<unknown> =>
  ctx.tx.sql(
    'delete from flows where workspace_id = $1 and account_id = $2 and operator_id <> all($3::text[])',
    [ctx.workspace.id, accountId, operatorIds],
  )
