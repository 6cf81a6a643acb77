/** SQL for leads, except their lists. */
import type { Selectable } from 'kysely'
import type { Context, Tx } from '../../../../core/context.ts'
import { instants, jsons, uuids } from '../../../../database/sql/binary-arrays.ts'
import { rowArrays } from '../../../../database/sql/row-arrays.ts'
import { db } from '../../../../database/sql/sql.ts'
import type { Tables } from '../../../../database/sql/tables.ts'

export type LeadRow = Omit<Selectable<Tables['leads']>, 'attributes'> & {
  attributes: Record<string, unknown>
}

/** The columns of a lead and their types. */
const COLUMN_TYPES = {
  workspace_id: 'uuid',
  id: 'uuid',
  contact_id: 'uuid',
  phone: 'text',
  name: 'text',
  email: 'text',
  stage_id: 'uuid',
  lost_reason_id: 'uuid',
  rating: 'integer',
  source: 'text',
  owner_id: 'uuid',
  deal_value: 'numeric(14,2)',
  paid_total: 'numeric(24,3)',
  tags: 'text[]',
  attributes: 'jsonb',
  next_follow_up_at: 'timestamptz',
  manual_follow_up_at: 'timestamptz',
  capture_count: 'integer',
  last_captured_at: 'timestamptz',
  stage_changed_at: 'timestamptz',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
}
const FIXED = ['workspace_id', 'id', 'contact_id', 'phone', 'created_at']
const {
  columns: COLUMNS,
  rows: ROWS,
  writtenBack: WRITTEN_BACK,
  arraysOf,
} = rowArrays<LeadRow>(COLUMN_TYPES, FIXED)

const TABLE = 'leads'

/**
 * Returns the leads of these contacts, locked in one order. Creating a lead locks its contact, so none is
 * missed.
 */
export const listLeadsByContactForUpdate = (
  tx: Tx,
  keys: { workspaceId: string; contactId: string }[],
): Promise<LeadRow[]> =>
  tx.sql<LeadRow>(
    `select l.* from (
       select distinct * from unnest($1::uuid[], $2::uuid[]) as w (workspace_id, contact_id) order by workspace_id, contact_id
     ) wanted cross join lateral (
       select * from ${TABLE} where leads.workspace_id = wanted.workspace_id and leads.contact_id = wanted.contact_id
       limit 1 for no key update
     ) l`,
    [uuids(keys.map((key) => key.workspaceId)), uuids(keys.map((key) => key.contactId))],
  )

export const insertLeadRows = (tx: Tx, rows: LeadRow[]): Promise<unknown> =>
  tx.sql(
    `insert into ${TABLE} (${COLUMNS}) select ${COLUMNS} from ${ROWS}
     order by workspace_id, id`,
    arraysOf(rows),
  )

/** Updates rows that the transaction has locked. Each is found by its key. */
export const updateLeadRows = (tx: Tx, rows: LeadRow[]): Promise<unknown> =>
  tx.sql(
    `insert into ${TABLE} (${COLUMNS}) select ${COLUMNS} from ${ROWS}
     on conflict (workspace_id, id) do update set ${WRITTEN_BACK}`,
    arraysOf(rows),
  )

/** Counts another capture of known leads. This update changes no index. */
export const countCaptures = (
  tx: Tx,
  rows: { workspaceId: string; id: string; captureCount: number; lastCapturedAt: Date }[],
): Promise<unknown> =>
  tx.sql(
    `update ${TABLE} l set capture_count = u.capture_count, last_captured_at = u.last_captured_at
     from unnest($1::uuid[], $2::uuid[], $3::int4[], $4::timestamptz[]) as u (workspace_id, id, capture_count, last_captured_at)
     where l.workspace_id = u.workspace_id and l.id = u.id`,
    [
      uuids(rows.map((row) => row.workspaceId)),
      uuids(rows.map((row) => row.id)),
      rows.map((row) => row.captureCount),
      instants(rows.map((row) => row.lastCapturedAt)),
    ],
  )

/** Updates the custom fields of leads that the transaction has locked. */
export const updateAttributes = (
  tx: Tx,
  rows: { workspaceId: string; id: string; attributes: object; lastCapturedAt: Date }[],
): Promise<unknown> =>
  tx.sql(
    `update ${TABLE} l set attributes = u.attributes, updated_at = u.at
     from unnest($1::uuid[], $2::uuid[], $3::jsonb[], $4::timestamptz[]) as u (workspace_id, id, attributes, at)
     where l.workspace_id = u.workspace_id and l.id = u.id`,
    [
      uuids(rows.map((row) => row.workspaceId)),
      uuids(rows.map((row) => row.id)),
      jsons(rows.map((row) => JSON.stringify(row.attributes))),
      instants(rows.map((row) => row.lastCapturedAt)),
    ],
  )

type LeadColumn = 'id' | 'phone' | 'contactId'

const byColumn = (ctx: Context, column: LeadColumn, value: string) =>
  db.selectFrom(TABLE).selectAll().where('workspaceId', '=', ctx.workspace.id).where(column, '=', value)

export const findLeadRow = (ctx: Context, column: LeadColumn, value: string): Promise<LeadRow | undefined> =>
  ctx.tx.first(byColumn(ctx, column, value)) as Promise<LeadRow | undefined>

/**
 * Returns the id of the lead that this one was merged into, if any
 * (src/modules/messaging/contacts/DECISIONS.md "Merges").
 */
export const findKeptLeadId = async (ctx: Context, id: string): Promise<string | undefined> =>
  (
    await ctx.tx.first(
      db
        .selectFrom('mergedLeads')
        .select('keptId')
        .where('workspaceId', '=', ctx.workspace.id)
        .where('id', '=', id),
    )
  )?.keptId

/** Locks the lead's contact, then the lead, in the common lock order. */
export const findLeadRowForUpdate = (ctx: Context, id: string): Promise<LeadRow | undefined> =>
  ctx.tx.first(byColumn(ctx, 'id', id).forNoKeyUpdate()) as Promise<LeadRow | undefined>

/** Returns leads by id, of the context's workspace. */
export const listLeadRowsById = (ctx: Context, ids: string[]): Promise<LeadRow[]> =>
  ctx.tx.sql<LeadRow>(
    `select l.* from unnest($2::uuid[]) as wanted (id) cross join lateral (
       select * from ${TABLE} where leads.workspace_id = $1 and leads.id = wanted.id limit 1
     ) l`,
    [ctx.workspace.id, uuids(ids)],
  )

/** Adds payments to the totals of leads that the transaction has locked. */
export const addPaidTotals = (
  tx: Tx,
  rows: { workspaceId: string; id: string; paid: number; at: Date }[],
): Promise<unknown> =>
  tx.sql(
    `update ${TABLE} l set paid_total = l.paid_total + u.paid, updated_at = u.at
     from (select workspace_id, id, sum(paid) as paid, max(at) as at
           from unnest($1::uuid[], $2::uuid[], $3::numeric[], $4::timestamptz[]) as p (workspace_id, id, paid, at)
           group by workspace_id, id) u
     where l.workspace_id = u.workspace_id and l.id = u.id`,
    [
      uuids(rows.map((row) => row.workspaceId)),
      uuids(rows.map((row) => row.id)),
      rows.map((row) => row.paid),
      instants(rows.map((row) => row.at)),
    ],
  )
