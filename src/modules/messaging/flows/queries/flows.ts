/** SQL for forms. */
import type { Selectable } from 'kysely'
import type { Context } from '../../../../core/context.ts'
import { db, json } from '../../../../database/sql/sql.ts'
import type { Tables } from '../../../../database/sql/tables.ts'

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
export async function claimSyncs(
  ctx: Context,
  accountIds: string[],
  { staleSince, triedSince }: { staleSince: Date; triedSince: Date },
): Promise<(Pick<Selectable<Tables['flowSyncs']>, 'accountId'> & { known: boolean })[]> {
  const [, claimed] = await Promise.all([
    ctx.tx.sql(
      `insert into flow_syncs (workspace_id, account_id, tried_at)
       select $1, a, '-infinity' from unnest($2::text[]) as t (a) order by a
       on conflict (workspace_id, account_id) do nothing`,
      [ctx.workspace.id, accountIds],
    ),
    ctx.tx.sql<Pick<Selectable<Tables['flowSyncs']>, 'accountId'> & { known: boolean }>(
      `update flow_syncs f set tried_at = $3
       from (select a from unnest($2::text[]) as t (a) order by a) t
       where f.workspace_id = $1 and f.account_id = t.a
         and (f.synced_at is null or (f.synced_at <= $4 and f.tried_at <= $5))
       returning f.account_id, f.synced_at is not null as known`,
      [ctx.workspace.id, accountIds, ctx.now, staleSince, triedSince],
    ),
  ])
  return claimed
}

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

export const findFlowByName = (
  ctx: Context,
  accountId: string,
  name: string,
): Promise<Pick<FlowRow, 'id'> | undefined> =>
  ctx.tx.first(
    db
      .selectFrom('flows')
      .select('id')
      .where('workspaceId', '=', ctx.workspace.id)
      .where('accountId', '=', accountId)
      .where('name', '=', name)
      .limit(1),
  )

/**
 * Reserves a name for a request that creates the form at the operator. Returns undefined while another request does, and
 * `mayExist` if an earlier request did not learn its result.
 */
export async function claimFlowName(
  ctx: Context,
  accountId: string,
  name: string,
  until: Date,
): Promise<{ mayExist: boolean } | undefined> {
  const values = [ctx.workspace.id, accountId, name, until]
  const inserted = await ctx.tx.sql(
    `insert into flow_claims (workspace_id, account_id, name, claimed_until) values ($1, $2, $3, $4)
     on conflict (workspace_id, account_id, name) do nothing returning name`,
    values,
  )
  if (inserted.length > 0) return { mayExist: false }
  const renewed = await ctx.tx.sql(
    `update flow_claims set claimed_until = $4
     where workspace_id = $1 and account_id = $2 and name = $3 and claimed_until <= $5 returning name`,
    [...values, ctx.now],
  )
  return renewed.length > 0 ? { mayExist: true } : undefined
}

/** Ends the reservation; the row stays and says that the operator may have the form. */
export const endFlowClaim = (ctx: Context, accountId: string, name: string): Promise<unknown> =>
  ctx.tx.run(
    db
      .updateTable('flowClaims')
      .set({ claimedUntil: ctx.now })
      .where('workspaceId', '=', ctx.workspace.id)
      .where('accountId', '=', accountId)
      .where('name', '=', name),
  )

export const deleteFlowClaim = (ctx: Context, accountId: string, name: string): Promise<unknown> =>
  ctx.tx.run(
    db
      .deleteFrom('flowClaims')
      .where('workspaceId', '=', ctx.workspace.id)
      .where('accountId', '=', accountId)
      .where('name', '=', name),
  )

type DesignedFlow = Pick<
  FlowRow,
  'id' | 'accountId' | 'operatorId' | 'name' | 'categories' | 'status' | 'screens' | 'faults'
>

/** Stores a form that was created at the operator. A read of the operator's list may have stored it already. */
export const saveDesignedFlow = async (ctx: Context, flow: DesignedFlow): Promise<FlowRow> =>
  (
    await ctx.tx.all(
      db
        .insertInto('flows')
        .values({
          ...flow,
          screens: json(flow.screens),
          faults: json(flow.faults),
          workspaceId: ctx.workspace.id,
          createdAt: ctx.now,
          updatedAt: ctx.now,
        })
        .onConflict((conflict) =>
          conflict.columns(['workspaceId', 'accountId', 'operatorId']).doUpdateSet((eb) => ({
            name: eb.ref('excluded.name'),
            categories: eb.ref('excluded.categories'),
            status: eb.ref('excluded.status'),
            screens: eb.ref('excluded.screens'),
            faults: eb.ref('excluded.faults'),
            updatedAt: eb.ref('excluded.updatedAt'),
          })),
        )
        .returningAll(),
    )
  )[0]!

/** Reserves a form for one request. Returns whether no other request has it. */
export const leaseFlow = async (ctx: Context, id: string, until: Date): Promise<boolean> =>
  (await ctx.tx.run(
    db
      .updateTable('flows')
      .set({ changingUntil: until })
      .where('workspaceId', '=', ctx.workspace.id)
      .where('id', '=', id)
      .where((eb) => eb.or([eb('changingUntil', 'is', null), eb('changingUntil', '<=', ctx.now)])),
  )) > 0

export const releaseFlow = (ctx: Context, id: string): Promise<unknown> =>
  ctx.tx.run(
    db
      .updateTable('flows')
      .set({ changingUntil: null })
      .where('workspaceId', '=', ctx.workspace.id)
      .where('id', '=', id),
  )

export const updateFlow = async (
  ctx: Context,
  { id, name, categories, status, screens, faults }: FlowRow,
): Promise<FlowRow | null> =>
  (
    await ctx.tx.all(
      db
        .updateTable('flows')
        .set({ name, categories, status, screens: json(screens), faults: json(faults), updatedAt: ctx.now })
        .where('workspaceId', '=', ctx.workspace.id)
        .where('id', '=', id)
        .returningAll(),
    )
  )[0] ?? null

export const deleteFlow = (ctx: Context, id: string): Promise<unknown> =>
  ctx.tx.run(db.deleteFrom('flows').where('workspaceId', '=', ctx.workspace.id).where('id', '=', id))
