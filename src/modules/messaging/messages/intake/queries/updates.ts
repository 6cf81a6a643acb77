/** Statements on stored reports of the operator that are not applied yet. */

import type { Selectable } from 'kysely'
import type { Query, Tx } from '../../../../../core/context.ts'
import { uuids } from '../../../../../database/sql/binary-arrays.ts'
import { rowArrays } from '../../../../../database/sql/row-arrays.ts'
import type { Tables } from '../../../../../database/sql/tables.ts'
import { identifiersIn } from '../../../../../operator/identifiers.ts'

/** The operator's webhook change. */
export type Report = { field: string; value: unknown }

/**
 * `change`: fields of the status that differ from the previous report; null for a field that it does not
 * have.
 */
export type LaterReport = { afterMs: number } & (Report | { change: Record<string, unknown> })

/** A change as received. */
export type UpdateBody = Report & {
  /** The operator's id of the account for which the change was reported. */
  accountId?: string
  /** When the operator reported it, ISO 8601; if absent, the time of arrival. */
  at?: string
  /**
   * The simulator's later reports, in order: each relative to the previous one, and `afterMs` milliseconds
   * after it.
   */
  next?: LaterReport[]
  /** The milliseconds that the update's receipts have waited for their messages. */
  waitedMs?: number
}

export type NewUpdate = {
  workspaceId: string
  id: string
  phoneNumberId: string
  /** The operator's id of the customer whose messages it contains; null if it contains none. */
  sender: string | null
  body: UpdateBody
  /** The message of ours that simulated reports are about. */
  reference: string | null
  /** Real time. */
  runAt: Date
  /**
   * The offset of the workspace's clock to which it is bound, if it is not due immediately (`runOffsetOf`).
   */
  runOffsetMs?: number | null
  receivedAt: Date
}

const ROW = rowArrays<NewUpdate>(
  {
    workspace_id: 'uuid',
    id: 'uuid',
    phone_number_id: 'uuid',
    sender: 'text',
    body: 'json',
    reference: 'uuid',
    run_at: 'timestamptz',
    run_offset_ms: 'int8',
    received_at: 'timestamptz',
  },
  [],
)

/** Stores updates without processing them. */
export const insertUpdates = (
  run: (statement: string, parameters: unknown[]) => Promise<unknown>,
  rows: NewUpdate[],
): Promise<unknown> =>
  run(
    `insert into operator_updates (${ROW.columns}) select ${ROW.columns} from ${ROW.rows}`,
    ROW.arraysOf(rows),
  )

/** A body as the operator posted it, signed by `signers` (ids of numbers). */
export type NewPost = {
  workspaceId: string
  id: string
  raw: Buffer
  signers: string[]
  runAt: Date
  receivedAt: Date
}

/**
 * Stores bodies as received, without processing them. Their bytes are sent as one value, because a list would
 * be encoded as text, with eight times the memory.
 */
export const insertPosts = (
  run: (statement: string, parameters: unknown[]) => Promise<unknown>,
  posts: NewPost[],
): Promise<unknown> => {
  let end = 0
  const ends = posts.map(({ raw }) => {
    end += raw.length
    return end
  })
  return run(
    `insert into operator_updates (workspace_id, id, raw, signers, run_at, received_at)
     select workspace_id, id, substring($3::bytea from ends - bytes + 1 for bytes), string_to_array(signers, ',')::uuid[], run_at, received_at
     from unnest($1::uuid[], $2::uuid[], $4::int4[], $5::int4[], $6::text[], $7::timestamptz[], $8::timestamptz[])
       as p (workspace_id, id, ends, bytes, signers, run_at, received_at)`,
    [
      posts.map((post) => post.workspaceId),
      posts.map((post) => post.id),
      posts.length === 1 ? posts[0]!.raw : Buffer.concat(posts.map((post) => post.raw)),
      ends,
      posts.map((post) => post.raw.length),
      posts.map((post) => post.signers.join()),
      posts.map((post) => post.runAt),
      posts.map((post) => post.receivedAt),
    ],
  )
}

/** Returns a report of each message that the simulator accepted before; undefined for the others. */
export const listUpdatesAbout = async (
  query: Query,
  messages: { workspaceId: string; reference: string }[],
): Promise<(UpdateBody | undefined)[]> =>
  (
    await query<Pick<Selectable<Tables['operatorUpdates']>, 'body'> & { body: UpdateBody | null }>(
      `select u.body from unnest($1::uuid[], $2::uuid[]) with ordinality as m (workspace_id, reference, place)
       left join lateral (
         select body from operator_updates u where u.workspace_id = m.workspace_id and u.reference = m.reference limit 1
       ) u on true
       order by place`,
      [
        uuids(messages.map((message) => message.workspaceId)),
        uuids(messages.map((message) => message.reference)),
      ],
    )
  ).map(({ body }) => body ?? undefined)

/**
 * An update with parts that were not understood or on which Parley does not act, and the names of these
 * parts.
 */
export type UnreadUpdate = Pick<NewUpdate, 'workspaceId' | 'id' | 'phoneNumberId' | 'body' | 'receivedAt'> & {
  fields: string[]
}

/** Keeps updates as received. */
export const insertUnreadUpdates = (tx: Tx, rows: UnreadUpdate[]): Promise<unknown> =>
  tx.sql(
    `insert into unread_updates (workspace_id, id, phone_number_id, body, fields, identifiers, received_at)
     select workspace_id, id, phone_number_id, body, array(select jsonb_array_elements_text(fields)),
       array(select jsonb_array_elements_text(identifiers)), received_at
     from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::jsonb[], $5::jsonb[], $6::jsonb[], $7::timestamptz[])
       as u (workspace_id, id, phone_number_id, body, fields, identifiers, received_at)`,
    [
      rows.map((row) => row.workspaceId),
      rows.map((row) => row.id),
      rows.map((row) => row.phoneNumberId),
      rows.map((row) => JSON.stringify(row.body)),
      rows.map((row) => JSON.stringify(row.fields)),
      rows.map((row) => JSON.stringify(identifiersIn(row.body.value))),
      rows.map((row) => row.receivedAt),
    ],
  )
