/** Statements on what the operator told us and nobody has applied yet. */
import type { Query, Tx } from '../../core/context.ts'

/** The operator's webhook change, as it came. */
export type UpdateBody = {
  field: string
  value: unknown
  /** The operator's id of the account that the change was told of. */
  accountId?: string
  /** When the operator told it, ISO 8601; without, when it came in. */
  at?: string
}

export type NewUpdate = {
  workspaceId: string
  id: string
  phoneNumberId: string
  /** Whose messages it holds, as the operator calls them: they are applied in the order in which they came. */
  sender: string | null
  body: UpdateBody
  /** Our message that a simulated report is about. */
  reference: string | null
  /** Real time. */
  runAt: Date
  receivedAt: Date
}

/** The workspace is in it: no index that begins with the workspace alone is as good for finding a lane, nor taken for it. */
const laneOf = (workspaceId: string, sender: string): string => `${workspaceId} ${sender}`

/** Stores updates; nothing is done about them yet. As one document: a thousand of them are half the work of as many arrays. */
export const insertUpdates = (
  run: (statement: string, parameters: unknown[]) => Promise<unknown>,
  rows: NewUpdate[],
): Promise<unknown> =>
  run(
    `insert into operator_updates (workspace_id, id, phone_number_id, lane, body, reference, run_at, received_at)
     select workspace_id, id, phone_number_id, lane, body, reference, run_at, received_at
     from jsonb_to_recordset($1::jsonb) as r (workspace_id uuid, id uuid, phone_number_id uuid, lane text, body jsonb,
       reference uuid, run_at timestamptz, received_at timestamptz)`,
    [
      JSON.stringify(
        rows.map((row) => ({
          workspace_id: row.workspaceId,
          id: row.id,
          phone_number_id: row.phoneNumberId,
          lane: row.sender === null ? null : laneOf(row.workspaceId, row.sender),
          body: row.body,
          reference: row.reference,
          run_at: row.runAt,
          received_at: row.receivedAt,
        })),
      ),
    ],
  )

/** A body of many updates as it came, signed by `signers` (ids of numbers). */
export type NewPost = {
  workspaceId: string
  id: string
  raw: Buffer
  signers: string[]
  runAt: Date
  receivedAt: Date
}

/** Stores a body as it came; nothing is done about it yet. */
export const insertPost = (run: Tx['sql'], post: NewPost): Promise<unknown> =>
  run(
    `insert into operator_updates (workspace_id, id, lane, raw, signers, run_at, received_at)
     values ($1, $2, $3, $4, $5::uuid[], $6, $7)`,
    [
      post.workspaceId,
      post.id,
      laneOf(post.workspaceId, ''),
      post.raw,
      post.signers,
      post.runAt,
      post.receivedAt,
    ],
  )

/** What is due, under the claim of one worker. */
export type Claimed = {
  workspaceId: string
  id: string
  lane: string | null
  attempts: number
  receivedAt: Date
}
export type DueUpdate = Claimed & { phoneNumberId: string; body: UpdateBody }
export type DuePost = Claimed & { raw: Buffer; signers: string[] }

export const isPost = (row: DueUpdate | DuePost): row is DuePost => 'raw' in row && row.raw !== null

/** Bytes of updates, as they are stored, that are worked on at once; a bigger one is worked on alone. */
const CLAIM_BYTES = 4 * 1024 * 1024

/** The first of the lane of `u` that are not applied yet, as `e`; so many of them. */
const FIRST_OF_LANE = 'from operator_updates e where e.lane = u.lane order by e.received_at, e.id limit'

/**
 * Claims due updates, oldest first; a lease that its worker did not survive runs out. A simulated report waits for the
 * earlier ones of its message, so that none overtakes one that is still leased. Of a lane only the first ones are taken, as
 * many as are at hand without a gap: an update whose elder somebody else is applying waits, and so does one that came
 * after a body which is not split yet. Those that wait for an elder do not count to `limit`: they keep nobody else's out.
 * So does one that fell due before the first of its lane, as after a lease that ran out: it would stand in for that first
 * one in what is due, and neither could be taken. What waits is passed over each time, so the first of a lane is joined
 * and not asked for row by row: PostgreSQL remembers it for the rest of the lane.
 */
export const claimDueUpdates = (
  query: Query,
  claim: { now: Date; leaseUntil: Date; limit: number; workspaceId: string | undefined },
): Promise<(DueUpdate | DuePost)[]> =>
  query<DueUpdate | DuePost>(
    `with due as materialized (
       select workspace_id, u.id, run_at, lane, received_at, raw is not null as is_post,
              coalesce(pg_column_size(body), pg_column_size(raw)) as size
       from operator_updates u
         left join lateral (select e.run_at as first_run_at ${FIRST_OF_LANE} 1) first on true
         left join lateral (
           select e.received_at as post_at, e.id as post_id from operator_updates e
           where e.lane = u.workspace_id || ' ' order by e.received_at, e.id limit 1) post on true
       where failed_at is null and run_at <= $1 and ($4::uuid is null or workspace_id = $4)
         and (reference is null or not exists (
           select from operator_updates e where e.workspace_id = u.workspace_id and e.reference = u.reference
             and e.id < u.id and e.failed_at is null))
         and (lane is null or raw is not null or first_run_at <= run_at
           and (post_at is null or (post_at, post_id) > (received_at, u.id)))
       order by run_at, u.id limit $3 for update of u skip locked
     ), fitting as (
       select *, row_number() over (partition by lane order by received_at, id) as place, count(*) over (partition by lane) as many
       from (select *, sum(size) over (order by run_at, id) as total from due) sized where total - size < ${CLAIM_BYTES}
     ), with_lanes as materialized (
       select *, case when place = 1 and lane is not null and not is_post then array(select e.id ${FIRST_OF_LANE} u.many) end as first_ids
       from fitting u
     ), taken as (
       select workspace_id, id from (
         select *, first_value(first_ids) over (partition by lane order by place) as lane_ids from with_lanes
       ) beside_elders where lane is null or is_post or id = lane_ids[place]
     ), claimed as (
       update operator_updates u set leased_until = $2, run_at = $2, attempts = attempts + 1
       from taken due where u.workspace_id = due.workspace_id and u.id = due.id
       returning u.*
     )
     select workspace_id, id, phone_number_id, lane, body, raw, signers, attempts, received_at from claimed
     order by received_at, id`,
    [claim.now, claim.leaseUntil, claim.limit, claim.workspaceId ?? null],
  )

/** Removes applied updates; returns those that this claim still held. */
export async function deleteUpdates(tx: Tx, rows: Claimed[]): Promise<Set<string>> {
  const held = await tx.sql<{ id: string }>(
    `delete from operator_updates u using unnest($1::uuid[], $2::uuid[], $3::int4[]) as d(workspace_id, id, attempts)
     where u.workspace_id = d.workspace_id and u.id = d.id and u.attempts = d.attempts returning u.id`,
    [rows.map((row) => row.workspaceId), rows.map((row) => row.id), rows.map((row) => row.attempts)],
  )
  return new Set(held.map((row) => row.id))
}

/**
 * Puts an update that could not be applied back, or aside for good with its error. With `lane` null those that came after it
 * wait for it no longer.
 */
export const setBackUpdate = (
  query: Query,
  row: Claimed,
  error: string,
  next: { runAt: Date; lane: string | null; failedAt: Date | null },
) =>
  query(
    `update operator_updates set leased_until = null, last_error = $4, run_at = $5, lane = $6, failed_at = $7
     where workspace_id = $1 and id = $2 and attempts = $3`,
    [row.workspaceId, row.id, row.attempts, error, next.runAt, next.lane, next.failedAt],
  )

/** Lets updates go that were claimed and not tried: they are due when their lane is. */
export const letGoUpdates = (query: Query, rows: Claimed[], now: Date) =>
  query(
    `update operator_updates u set leased_until = null, run_at = $4
     from unnest($1::uuid[], $2::uuid[], $3::int4[]) as d(workspace_id, id, attempts)
     where u.workspace_id = d.workspace_id and u.id = d.id and u.attempts = d.attempts`,
    [rows.map((row) => row.workspaceId), rows.map((row) => row.id), rows.map((row) => row.attempts), now],
  )

/** When the next update falls due; one that waits for an elder of its lane falls due with that. */
export const findNextUpdateDue = async (
  query: Query,
  workspaceId: string,
  now: Date,
): Promise<Date | undefined> =>
  (
    await query<{ at: Date | null }>(
      `select min(run_at) as at from operator_updates u
       where workspace_id = $1 and failed_at is null and (leased_until is null or leased_until <= $2)
         and (lane is null or raw is not null or id = (select e.id ${FIRST_OF_LANE} 1))`,
      [workspaceId, now],
    )
  )[0]?.at ?? undefined

export const countUpdatesUnderWay = async (query: Query, workspaceId: string, now: Date): Promise<number> =>
  (
    await query<{ count: number }>(
      'select count(*) as count from operator_updates where workspace_id = $1 and failed_at is null and leased_until > $2',
      [workspaceId, now],
    )
  )[0]?.count ?? 0

/** Whether the update waits to be applied; one that was set aside with its error waits no longer. */
export const isUpdateWaiting = async (query: Query, workspaceId: string, id: string): Promise<boolean> =>
  (
    await query('select 1 from operator_updates where workspace_id = $1 and id = $2 and failed_at is null', [
      workspaceId,
      id,
    ])
  ).length > 0

export const shiftUpdates = (tx: Tx, workspaceId: string, ms: number) =>
  tx.sql(
    `update operator_updates set run_at = run_at - $2 * interval '1 millisecond'
     where workspace_id = $1 and failed_at is null and leased_until is null`,
    [workspaceId, ms],
  )

/** The report of a message that the simulator took before, if it did. */
export const findUpdateAbout = async (
  query: Query,
  workspaceId: string,
  reference: string,
): Promise<UpdateBody | undefined> =>
  (
    await query<{ body: UpdateBody }>(
      'select body from operator_updates where workspace_id = $1 and reference = $2 limit 1',
      [workspaceId, reference],
    )
  )[0]?.body

/** An update in which something was not understood or is not acted on, by the names of what. */
export type UnreadUpdate = Pick<DueUpdate, 'workspaceId' | 'id' | 'phoneNumberId' | 'body' | 'receivedAt'> & {
  fields: string[]
}

/** Keeps updates as they came. */
export const insertUnreadUpdates = (tx: Tx, rows: UnreadUpdate[]): Promise<unknown> =>
  tx.sql(
    `insert into unread_updates (workspace_id, id, phone_number_id, body, fields, received_at)
     select workspace_id, id, phone_number_id, body, array(select jsonb_array_elements_text(fields)), received_at
     from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::jsonb[], $5::jsonb[], $6::timestamptz[])
       as u (workspace_id, id, phone_number_id, body, fields, received_at)`,
    [
      rows.map((row) => row.workspaceId),
      rows.map((row) => row.id),
      rows.map((row) => row.phoneNumberId),
      rows.map((row) => JSON.stringify(row.body)),
      rows.map((row) => JSON.stringify(row.fields)),
      rows.map((row) => row.receivedAt),
    ],
  )
