/** SQL for the pipeline and the assignment of new leads. Reads take lists of workspaces. */
import type { Selectable } from 'kysely'
import type { Tx } from '../../../../core/context.ts'
import { instants, uuids } from '../../../../database/sql/binary-arrays.ts'
import type { Tables } from '../../../../database/sql/tables.ts'
import type { StageKind } from '../schema.ts'

export type StageRow = Omit<Selectable<Tables['pipelineStages']>, 'kind'> & { kind: StageKind }
export type LostReasonRow = Selectable<Tables['lostReasons']>
export type AssignmentRow = Omit<Selectable<Tables['leadAssignment']>, 'mode' | 'turns'> & {
  mode: 'none' | 'round_robin' | 'fixed'
}

export const listStages = (tx: Tx, workspaceIds: string[]): Promise<StageRow[]> =>
  tx.sql<StageRow>(
    'select * from pipeline_stages where workspace_id = any($1::uuid[]) order by workspace_id, position, id',
    [uuids(workspaceIds)],
  )

export const listLostReasons = (tx: Tx, workspaceIds: string[]): Promise<LostReasonRow[]> =>
  tx.sql<LostReasonRow>(
    'select * from lost_reasons where workspace_id = any($1::uuid[]) order by workspace_id, position, id',
    [uuids(workspaceIds)],
  )

export const listAssignments = (tx: Tx, workspaceIds: string[]): Promise<AssignmentRow[]> =>
  tx.sql<AssignmentRow>(
    'select workspace_id, mode, member_ids::text[] as member_ids from lead_assignment where workspace_id = any($1::uuid[])',
    [uuids(workspaceIds)],
  )

/** Takes `count` turns of a workspace. Returns the number of the first. */
export const takeTurns = async (tx: Tx, workspaceId: string, count: number): Promise<number> =>
  (
    await tx.sql<{ first: number }>(
      'update lead_assignment set turns = turns + $2 where workspace_id = $1 returning turns - $2 as first',
      [workspaceId, count],
    )
  )[0]?.first ?? 0

/** Inserts stages whose names are free. */
export const insertStages = (tx: Tx, rows: StageRow[]): Promise<unknown> =>
  tx.sql(
    `insert into pipeline_stages (workspace_id, id, name, color, kind, position, created_at)
     select * from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::int4[], $7::timestamptz[])
     on conflict do nothing`,
    [
      uuids(rows.map((row) => row.workspaceId)),
      uuids(rows.map((row) => row.id)),
      rows.map((row) => row.name),
      rows.map((row) => row.color),
      rows.map((row) => row.kind),
      rows.map((row) => row.position),
      instants(rows.map((row) => row.createdAt)),
    ],
  )

/** Inserts lost reasons whose labels are free. */
export const insertLostReasons = (tx: Tx, rows: LostReasonRow[]): Promise<unknown> =>
  tx.sql(
    `insert into lost_reasons (workspace_id, id, label, position, created_at)
     select * from unnest($1::uuid[], $2::uuid[], $3::text[], $4::int4[], $5::timestamptz[])
     on conflict do nothing`,
    [
      uuids(rows.map((row) => row.workspaceId)),
      uuids(rows.map((row) => row.id)),
      rows.map((row) => row.label),
      rows.map((row) => row.position),
      instants(rows.map((row) => row.createdAt)),
    ],
  )

/** Locks a workspace's whole pipeline, because a change of one stage changes the order of all. */
export const lockStages = (tx: Tx, workspaceId: string): Promise<unknown> =>
  tx.sql(
    `select 1 from pipeline_stages where workspace_id = $1 and removed_at is null order by id for update`,
    [workspaceId],
  )

/** Updates stages that the transaction has locked. */
export const updateStages = (tx: Tx, rows: StageRow[]): Promise<unknown> =>
  tx.sql(
    `update pipeline_stages s set name = u.name, color = u.color, kind = u.kind, position = u.position,
            removed_at = u.removed_at, replaced_by = u.replaced_by
     from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::int4[], $7::timestamptz[], $8::uuid[])
       as u (workspace_id, id, name, color, kind, position, removed_at, replaced_by)
     where s.workspace_id = u.workspace_id and s.id = u.id`,
    [
      uuids(rows.map((row) => row.workspaceId)),
      uuids(rows.map((row) => row.id)),
      rows.map((row) => row.name),
      rows.map((row) => row.color),
      rows.map((row) => row.kind),
      rows.map((row) => row.position),
      instants(rows.map((row) => row.removedAt)),
      uuids(rows.map((row) => row.replacedBy)),
    ],
  )

/** Updates lost reasons. */
export const updateLostReasons = (tx: Tx, rows: LostReasonRow[]): Promise<unknown> =>
  tx.sql(
    `update lost_reasons r set label = u.label, position = u.position, removed_at = u.removed_at
     from unnest($1::uuid[], $2::uuid[], $3::text[], $4::int4[], $5::timestamptz[]) as u (workspace_id, id, label, position, removed_at)
     where r.workspace_id = u.workspace_id and r.id = u.id`,
    [
      uuids(rows.map((row) => row.workspaceId)),
      uuids(rows.map((row) => row.id)),
      rows.map((row) => row.label),
      rows.map((row) => row.position),
      instants(rows.map((row) => row.removedAt)),
    ],
  )

/** Sets the rule. Turns already taken stay taken. */
export const upsertAssignment = (tx: Tx, row: AssignmentRow): Promise<unknown> =>
  tx.sql(
    `insert into lead_assignment (workspace_id, mode, member_ids) values ($1, $2, $3::uuid[])
     on conflict (workspace_id) do update set mode = excluded.mode, member_ids = excluded.member_ids`,
    [row.workspaceId, row.mode, uuids(row.memberIds)],
  )
