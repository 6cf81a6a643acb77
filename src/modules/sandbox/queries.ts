import type { Query, Tx } from '../../core/context.ts'
import type { SimulatedObject } from '../../operator/simulator/store.ts'

/** Moves a sandbox's clock forward. */
/** Returns how far the clock is moved then; undefined when there is no such sandbox. */
export const moveClock = async (tx: Tx, workspaceId: string, ms: number): Promise<number | undefined> =>
  (
    await tx.sql<{ clockOffsetMs: number }>(
      `update workspaces set clock_offset_ms = clock_offset_ms + $2 where id = $1 and sandbox
       returning clock_offset_ms`,
      [workspaceId, ms],
    )
  )[0]?.clockOffsetMs

type KeptObject = SimulatedObject & { workspaceId: string }
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

/** Whether there is a living one. */
export const hasSimulatorObject = async (
  query: Query,
  of: { workspaceId: string; accountId: string; kind: string; id: string; now: Date },
): Promise<boolean> => {
  const found = await query(
    `select 1 as one from simulator_objects where workspace_id = $1 and kind = $2 and account_id = $3 and id = $4
       and (expires_at is null or expires_at > $5)`,
    [of.workspaceId, of.kind, of.accountId, of.id, of.now],
  )
  return found.length > 0
}

/** The living ones, oldest first, without their bytes. */
export const listSimulatorObjects = (
  query: Query,
  of: { workspaceId: string; accountId: string; kind: string; now: Date },
): Promise<KeptObject[]> =>
  query<KeptObject>(
    `select workspace_id, kind, id, account_id, value, null::bytea as bytes, expires_at from simulator_objects
     where workspace_id = $1 and kind = $2 and account_id = $3 and (expires_at is null or expires_at > $4)
     order by created_at, id`,
    [of.workspaceId, of.kind, of.accountId, of.now],
  )

export const deleteSimulatorObject = async (
  query: Query,
  of: { workspaceId: string; accountId: string; kind: string; id: string },
): Promise<boolean> => {
  const dropped = await query(
    'delete from simulator_objects where workspace_id = $1 and kind = $2 and account_id = $3 and id = $4 returning id',
    [of.workspaceId, of.kind, of.accountId, of.id],
  )
  return dropped.length > 0
}
