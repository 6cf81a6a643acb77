/** Statements on payment requests. */
import type { Selectable } from 'kysely'
import type { Context, Query, Tx, Unit, Workspace } from '../../../../core/context.ts'
import { instants, uuids } from '../../../../database/sql/binary-arrays.ts'
import { type CountedRows, countedRows, ROW_COUNT } from '../../../../database/sql/counted-rows.ts'
import { db, json } from '../../../../database/sql/sql.ts'
import type { Tables } from '../../../../database/sql/tables.ts'
import type { Failure, FurtherPayment, PaymentItem, PaymentStatus } from '../schema.ts'

export type RequestRow = Omit<
  Selectable<Tables['paymentRequests']>,
  'status' | 'items' | 'failure' | 'furtherPayments'
> & {
  status: PaymentStatus
  items: PaymentItem[]
  failure: Failure | null
  furtherPayments: FurtherPayment[]
}

const TABLE = 'payment_requests'

/** The fields of a new request; its message has the recipient. */
export type NewRequest = Pick<
  RequestRow,
  | 'id'
  | 'messageId'
  | 'referenceId'
  | 'items'
  | 'shippingPaise'
  | 'totalPaise'
  | 'body'
  | 'expiresAt'
  | 'provider'
  | 'configuration'
>

/** Stores a request; this transaction must have stored its message before. */
export const insertRequest = async (ctx: Context, row: NewRequest): Promise<RequestRow> =>
  (
    await ctx.tx.sql<RequestRow>(
      `insert into ${TABLE} (workspace_id, id, conversation_id, contact_id, phone_number_id, message_id, reference_id, status,
                             items, shipping_paise, total_paise, body, expires_at, provider, configuration, created_at, updated_at)
       select workspace_id, $2, conversation_id, contact_id, phone_number_id, id, $4, 'created', $5, $6, $7, $8, $9, $10, $11,
              $12, $12
       from messages where workspace_id = $1 and id = $3
       returning *`,
      [
        ctx.workspace.id,
        row.id,
        row.messageId,
        row.referenceId,
        json(row.items),
        row.shippingPaise,
        row.totalPaise,
        row.body,
        row.expiresAt,
        row.provider,
        row.configuration,
        ctx.now,
      ],
    )
  )[0]!

const findOne = async (
  query: Query,
  { id }: Pick<Workspace, 'id'>,
  condition: string,
  value: string,
): Promise<RequestRow | undefined> =>
  (await query<RequestRow>(`select * from ${TABLE} where workspace_id = $1 and ${condition}`, [id, value]))[0]

export const findRequestRow = ({ tx, workspace }: Context, id: string) =>
  findOne(tx.sql, workspace, 'id = $2', id)
export const findRequestRowForUpdate = ({ tx, workspace }: Context, id: string) =>
  findOne(tx.sql, workspace, 'id = $2 for no key update', id)
export const findRequestRowByReference = (
  query: Query,
  workspace: Pick<Workspace, 'id'>,
  referenceId: string,
) => findOne(query, workspace, 'reference_id = $2', referenceId)

/** Lists a page of requests, newest first. */
export const listRequestRows = (
  ctx: Context,
  page: { limit: number; cursor?: string | undefined; status?: string | undefined },
): Promise<RequestRow[]> =>
  ctx.tx.all(
    db
      .selectFrom('paymentRequests')
      .selectAll()
      .where('workspaceId', '=', ctx.workspace.id)
      .$if(page.status !== undefined, (query) => query.where('status', '=', page.status!))
      .$if(page.cursor !== undefined, (query) => query.where('id', '<', page.cursor!))
      .orderBy('id', 'desc')
      .limit(page.limit + 1),
  ) as Promise<RequestRow[]>

/** Returns the newest requests of a contact. */
export const listRequestRowsOfContact = async (
  ctx: Context,
  contactId: string,
  limit: number,
): Promise<CountedRows<RequestRow>> =>
  countedRows<RequestRow>(
    await ctx.tx.sql(
      `select *, ${ROW_COUNT} from (select * from ${TABLE} where workspace_id = $1 and contact_id = $2 offset 0) of_contact
       order by id desc limit $3`,
      [ctx.workspace.id, contactId, limit],
    ),
  )

/**
 * The names of a request in a report: our id, the caller's order number, or the gateway's id of the payment
 * that counted.
 */
export type RequestKey = { workspaceId: string; id?: string; referenceId?: string; paymentId?: string }

type NamedRequest = Pick<RequestRow, 'id' | 'contactId' | 'status'>

/** Returns the request of each key, in order; locks nothing. */
export async function findNamedRequests(tx: Tx, keys: RequestKey[]): Promise<(NamedRequest | undefined)[]> {
  const rows = await tx.sql<NamedRequest & { place: number }>(
    `select k.place, r.id, r.contact_id, r.status
     from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[])
       with ordinality as k (workspace_id, id, reference_id, payment_id, place)
     cross join lateral (
       select * from ${TABLE} where workspace_id = k.workspace_id and id = k.id
       union all
       select * from ${TABLE} where workspace_id = k.workspace_id and reference_id = k.reference_id
       union all
       (select * from ${TABLE} where workspace_id = k.workspace_id and payment_id = k.payment_id limit 1)
     ) r`,
    [
      uuids(keys.map((key) => key.workspaceId)),
      uuids(keys.map((key) => key.id ?? null)),
      keys.map((key) => key.referenceId ?? null),
      keys.map((key) => key.paymentId ?? null),
    ],
  )
  const byPlace = new Map(rows.map(({ place, ...row }) => [Number(place), row]))
  return keys.map((_, i) => byPlace.get(i + 1))
}

/** Locks requests in a fixed order, so that two transactions cannot deadlock. */
export const listRequestsForUpdate = (
  tx: Tx,
  keys: { workspaceId: string; id: string }[],
): Promise<RequestRow[]> =>
  tx.sql<RequestRow>(
    `select r.* from (
       select distinct * from unnest($1::uuid[], $2::uuid[]) as k (workspace_id, id) order by workspace_id, id
     ) wanted cross join lateral (
       select * from ${TABLE} where ${TABLE}.workspace_id = wanted.workspace_id and ${TABLE}.id = wanted.id
       limit 1 for no key update
     ) r`,
    [uuids(keys.map((key) => key.workspaceId)), uuids(keys.map((key) => key.id))],
  )

/** Updates the variable fields of requests that the transaction has locked. */
export const updateRequests = (tx: Tx, rows: RequestRow[]): Promise<unknown> =>
  tx.sql(
    `update ${TABLE} r
     set status = u.status, link_asked_at = u.link_asked_at, link_id = u.link_id, link_url = u.link_url,
         failure = nullif(u.failure, 'null'::jsonb), paid_at = u.paid_at, paid_paise = u.paid_paise,
         payment_method = u.payment_method, payment_id = u.payment_id, refunded_paise = u.refunded_paise,
         further_payments = u.further_payments, updated_at = u.updated_at
     from jsonb_to_recordset($1::jsonb) as u (
       workspace_id uuid, id uuid, status text, link_asked_at timestamptz, link_id text, link_url text, failure jsonb,
       paid_at timestamptz, paid_paise integer, payment_method text, payment_id text, refunded_paise integer,
       further_payments jsonb, updated_at timestamptz)
     where r.workspace_id = u.workspace_id and r.id = u.id`,
    [
      JSON.stringify(
        rows.map((row) => ({
          workspace_id: row.workspaceId,
          id: row.id,
          status: row.status,
          link_asked_at: row.linkAskedAt,
          link_id: row.linkId,
          link_url: row.linkUrl,
          failure: row.failure,
          paid_at: row.paidAt,
          paid_paise: row.paidPaise,
          payment_method: row.paymentMethod,
          payment_id: row.paymentId,
          refunded_paise: row.refundedPaise,
          further_payments: row.furtherPayments,
          updated_at: row.updatedAt,
        })),
      ),
    ],
  )

/**
 * Updates requests whose messages were sent, failed, or were skipped, with one statement that reads the
 * messages. If the payment was reported before, only the time of sending is added.
 */
export const followMessageRows = (
  unit: Unit,
  keys: { workspaceId: string; messageId: string; at: Date }[],
): Promise<unknown> =>
  unit.tx.sql(
    `with asked as materialized (
       select r.workspace_id, r.id, r.status in ('created', 'sent') as follows, m.status in ('failed', 'skipped') as failed,
              m.sent_at,
              f.failed_at,
              case when m.status in ('failed', 'skipped') then jsonb_build_object(
                'source', 'message', 'code', coalesce(m.skip_reason, m.error ->> 'code', '0'),
                'message', coalesce(m.error ->> 'message', 'Parley did not send the message: ' || m.skip_reason || '.', ''),
                'at', to_char(f.failed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) end as failure
       from (select workspace_id, message_id, max(at) as at
             from unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) as k (workspace_id, message_id, at) group by 1, 2) k
       join ${TABLE} r on r.workspace_id = k.workspace_id and r.message_id = k.message_id
       join messages m on m.workspace_id = k.workspace_id and m.id = k.message_id
       cross join lateral (
         select case when m.status = 'failed' then m.failed_at when m.status = 'skipped' then k.at end as failed_at) f
       where r.status in ('created', 'sent') or (r.sent_at is null and m.sent_at is not null)
       order by r.workspace_id, r.id for no key update of r
     )
     update ${TABLE} r
     set status = case when not asked.follows then r.status when asked.failed then 'failed' else 'sent' end,
         sent_at = coalesce(r.sent_at, asked.sent_at),
         failure = case when not asked.follows then r.failure when asked.failed then asked.failure end,
         updated_at = greatest(r.updated_at, asked.failed_at, asked.sent_at)
     from asked where r.workspace_id = asked.workspace_id and r.id = asked.id`,
    [
      uuids(keys.map((key) => key.workspaceId)),
      uuids(keys.map((key) => key.messageId)),
      instants(keys.map((key) => key.at)),
    ],
  )

/**
 * Moves the next check of each open payment forward, `eachMs` apart, within `maxMs` at most. Earlier checks
 * stay.
 */
export const advanceChecks = (
  query: Query,
  job: string,
  spread: { now: Date; eachMs: number; maxMs: number },
): Promise<unknown> =>
  query(
    `with far as materialized (
       select workspace_id, id, least(row_number() over () * $3::bigint, $4::bigint) as wait_ms
       from jobs where name = $1 and failed_at is null and outside and leased_until is null
         and run_at > $2::timestamptz
     )
     update jobs j set run_at = after_ms($2, far.wait_ms)
     from far where j.workspace_id = far.workspace_id and j.id = far.id and j.leased_until is null
       and j.run_at > after_ms($2, far.wait_ms)`,
    [job, spread.now, spread.eachMs, spread.maxMs],
  )
