import type { Selectable } from 'kysely'
import type { Query, Tx } from '../../../core/context.ts'
import type { Tables } from '../../../database/sql/tables.ts'
import type { SimulatedObject } from '../../../operator/simulator/store.ts'

type WorkspaceRow = Selectable<Tables['workspaces']>
type ClockHolder = { workspaceId: string; mover: string }

/** Takes a sandbox's clock unless another call holds it; returns its offset. */
export const takeClock = async (
  query: Query,
  { workspaceId, mover, now, until }: ClockHolder & { now: Date; until: Date },
): Promise<number | undefined> =>
  (
    await query<Pick<WorkspaceRow, 'clockOffsetMs'>>(
      `update workspaces set clock_mover = $2, clock_moved_until = $4
       where id = $1 and sandbox and paused_at is null and (clock_mover is null or clock_moved_until <= $3) returning clock_offset_ms`,
      [workspaceId, mover, now, until],
    )
  )[0]?.clockOffsetMs

/** Extends the hold; returns false if another call has taken it over. */
export const holdClock = async (
  query: Query,
  { workspaceId, mover }: ClockHolder,
  until: Date,
): Promise<boolean> =>
  (
    await query(
      'update workspaces set clock_moved_until = $3 where id = $1 and clock_mover = $2 returning id',
      [workspaceId, mover, until],
    )
  ).length > 0

/** Moves it forward; returns its new offset, undefined if another call has taken it over. */
export const moveClock = async (
  tx: Tx,
  { workspaceId, mover }: ClockHolder,
  ms: number,
): Promise<number | undefined> =>
  (
    await tx.sql<Pick<WorkspaceRow, 'clockOffsetMs'>>(
      `update workspaces set clock_offset_ms = clock_offset_ms + $3 where id = $1 and clock_mover = $2
       returning clock_offset_ms`,
      [workspaceId, mover, ms],
    )
  )[0]?.clockOffsetMs

export const releaseClock = (query: Query, { workspaceId, mover }: ClockHolder) =>
  query(
    'update workspaces set clock_mover = null, clock_moved_until = null where id = $1 and clock_mover = $2',
    [workspaceId, mover],
  )

/** Lists clocks whose mover has died: its hold ended before `now`. */
export const listLostClocks = async (query: Query, now: Date, limit: number): Promise<string[]> =>
  (
    await query<Pick<WorkspaceRow, 'id'>>(
      `select id from workspaces where clock_mover is not null and clock_moved_until <= $1 and paused_at is null
       order by clock_moved_until limit $2`,
      [now, limit],
    )
  ).map(({ id }) => id)

type KeptObject = Omit<Selectable<Tables['simulatorObjects']>, 'value' | 'createdAt'> &
  Pick<SimulatedObject, 'value'>
const OBJECT = 'workspace_id, kind, id, account_id, value, bytes, expires_at'

export const upsertSimulatorObject = (
  query: Query,
  workspaceId: string,
  object: SimulatedObject & { createdAt: Date },
) =>
  query(
    `insert into simulator_objects (workspace_id, kind, id, account_id, value, bytes, expires_at, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8)
     on conflict (workspace_id, kind, id) do update
       set value = excluded.value, bytes = coalesce(excluded.bytes, simulator_objects.bytes), expires_at = excluded.expires_at`,
    [
      workspaceId,
      object.kind,
      object.id,
      object.accountId,
      JSON.stringify(object.value),
      object.bytes,
      object.expiresAt,
      object.createdAt,
    ],
  )

export const findSimulatorObject = async (query: Query, id: string): Promise<KeptObject | undefined> =>
  (await query<KeptObject>(`select ${OBJECT} from simulator_objects where id = $1 limit 1`, [id]))[0]

/** Returns whether an object exists and is not deleted. */
export const hasSimulatorObject = async (
  query: Query,
  key: { workspaceId: string; accountId: string; kind: string; id: string; now: Date },
): Promise<boolean> => {
  const found = await query(
    `select 1 as one from simulator_objects where workspace_id = $1 and kind = $2 and account_id = $3 and id = $4
       and (expires_at is null or expires_at > $5)`,
    [key.workspaceId, key.kind, key.accountId, key.id, key.now],
  )
  return found.length > 0
}

/** Lists the objects that are not deleted, oldest first, without their bytes. */
export const listSimulatorObjects = (
  query: Query,
  scope: { workspaceId: string; accountId: string; kind: string; now: Date },
): Promise<KeptObject[]> =>
  query<KeptObject>(
    `select workspace_id, kind, id, account_id, value, null::bytea as bytes, expires_at from simulator_objects
     where workspace_id = $1 and kind = $2 and account_id = $3 and (expires_at is null or expires_at > $4)
     order by created_at, id`,
    [scope.workspaceId, scope.kind, scope.accountId, scope.now],
  )

export const deleteSimulatorObject = async (
  query: Query,
  key: { workspaceId: string; accountId: string; kind: string; id: string },
): Promise<boolean> => {
  const deletedRows = await query(
    'delete from simulator_objects where workspace_id = $1 and kind = $2 and account_id = $3 and id = $4 returning id',
    [key.workspaceId, key.kind, key.accountId, key.id],
  )
  return deletedRows.length > 0
}

/** Arms a fault, replacing an armed one of the same kind. */
export const upsertFault = (
  query: Query,
  fault: { workspaceId: string; target: string; kind: string; times: number; now: Date },
) =>
  query(
    `insert into simulator_objects (workspace_id, kind, id, account_id, value, created_at)
     values ($1, 'fault', $2, $3, $4, $5)
     on conflict (workspace_id, kind, id) do update set value = excluded.value, created_at = excluded.created_at`,
    [
      fault.workspaceId,
      `${fault.workspaceId} ${fault.target} ${fault.kind}`,
      fault.target,
      JSON.stringify({ kind: fault.kind, left: fault.times }),
      fault.now,
    ],
  )

/** Returns whether a fault is left for the target. */
export const hasFault = async (
  query: Query,
  key: { workspaceId: string; target: string },
): Promise<boolean> => {
  const found = await query(
    `select 1 as one from simulator_objects where workspace_id = $1 and account_id = $2 and kind = 'fault'
       and (value ->> 'left')::int > 0 limit 1`,
    [key.workspaceId, key.target],
  )
  return found.length > 0
}

/** Uses up one fault: of the remaining ones of `kinds`, the one armed first. */
export const useFault = async (
  query: Query,
  key: { workspaceId: string; target: string; kinds: readonly string[] },
): Promise<string | undefined> =>
  (
    await query<{ faultKind: string }>(
      `with armed as (
         select workspace_id, kind, id, to_jsonb((value ->> 'left')::int - 1) as left from simulator_objects
         where workspace_id = $1 and account_id = $2 and kind = 'fault' and value ->> 'kind' = any($3::text[])
           and (value ->> 'left')::int > 0
         order by created_at, id limit 1 for update
       )
       update simulator_objects o set value = jsonb_set(o.value, '{left}', armed.left)
       from armed where o.workspace_id = armed.workspace_id and o.kind = armed.kind and o.id = armed.id
       returning o.value ->> 'kind' as fault_kind`,
      [key.workspaceId, key.target, key.kinds],
    )
  )[0]?.faultKind

/** Lists objects of a kind of one account, newest first. */
export const listSimulatorObjectsNewestFirst = (
  query: Query,
  scope: { workspaceId: string; accountId: string; kind: string },
): Promise<Pick<KeptObject, 'value'>[]> =>
  query(
    `select value from simulator_objects where workspace_id = $1 and kind = $2 and account_id = $3
     order by created_at desc, id desc`,
    [scope.workspaceId, scope.kind, scope.accountId],
  )
