/** SQL for the questions about cash on delivery. */
import type { Selectable } from 'kysely'
import type { Context, Unit } from '../../../../core/context.ts'
import type { DueMoment } from '../../../../core/due.ts'
import { instants, uuids } from '../../../../database/sql/binary-arrays.ts'
import { dueRowsIn } from '../../../../database/sql/due-rows.ts'
import { isDue } from '../../../../database/sql/due-statements.ts'
import { plainList } from '../../../../database/sql/sql.ts'
import type { Tables } from '../../../../database/sql/tables.ts'
import type { CodState } from '../order-schema.ts'
import type { OrderRow } from './orders.ts'

type MessageRow = Selectable<Tables['messages']>
type QuestionRow = Omit<Selectable<Tables['codQuestions']>, 'status'> & { status: CodState }
export type NewQuestion = Pick<QuestionRow, 'orderId' | 'contactId' | 'runOffsetMs'> & { runAt: Date }

/** Plans to ask about orders, each once. */
export const insertQuestions = (ctx: Context, rows: NewQuestion[]): Promise<unknown> =>
  ctx.tx.sql(
    `insert into cod_questions (workspace_id, order_id, contact_id, status, run_at, run_offset_ms, created_at)
     select $1, order_id, contact_id, 'waiting', run_at, run_offset_ms, $6
     from unnest($2::uuid[], $3::uuid[], $4::timestamptz[], $5::int8[]) as q (order_id, contact_id, run_at, run_offset_ms)
     on conflict (workspace_id, order_id) do nothing`,
    [
      ctx.workspace.id,
      uuids(rows.map((row) => row.orderId)),
      uuids(rows.map((row) => row.contactId)),
      instants(rows.map((row) => row.runAt)),
      plainList(rows.map((row) => row.runOffsetMs)),
      ctx.now,
    ],
  )

/** Cancels questions: no message is sent, and no answer counts. */
export const dropQuestions = (ctx: Context, orderIds: string[]): Promise<unknown> =>
  ctx.tx.sql(
    `update cod_questions set status = 'dropped', run_at = null, run_offset_ms = null
     where workspace_id = $1 and order_id = any($2::uuid[]) and status in ('waiting', 'asked')`,
    [ctx.workspace.id, uuids(orderIds)],
  )

export type DueQuestion = Pick<QuestionRow, 'orderId' | 'contactId' | 'status' | 'remindedAt' | 'expiresAt'> &
  Pick<OrderRow, 'integration' | 'reference' | 'customerName' | 'total' | 'currency'> & {
    status: 'waiting' | 'asked'
    /** It has been shipped, so no confirmation is needed. */
    shipped: boolean
  }

/** Returns questions with due work, longest due first. */
export const listDueQuestions = (ctx: Context, due: DueMoment, limit: number): Promise<DueQuestion[]> =>
  ctx.tx.sql<DueQuestion>(
    `select q.order_id, q.contact_id, q.status, q.reminded_at, q.expires_at, o.integration, o.reference, o.customer_name,
       o.total, o.currency, o.shipped_at is not null as shipped
     from cod_questions q join orders o on o.workspace_id = q.workspace_id and o.id = q.order_id
     where q.workspace_id = $1 and q.run_at is not null
       and ${isDue('q.run_at', 'q.run_offset_ms', { now: '$3', by: '$2', offsetMs: '$4' })}
     order by q.run_at limit $5`,
    [ctx.workspace.id, due.by, due.now, due.offsetMs, limit],
  )

/** The change of a due question. Null times keep the stored values. */
export type QuestionChange = Omit<QuestionRow, 'workspaceId' | 'contactId' | 'answeredAt' | 'createdAt'>

export const updateQuestions = (ctx: Context, changes: QuestionChange[]): Promise<unknown> =>
  ctx.tx.sql(
    `update cod_questions q set status = c.status, run_at = c.run_at, run_offset_ms = c.run_offset_ms,
       message_id = coalesce(c.message_id, q.message_id), asked_at = coalesce(q.asked_at, c.asked_at),
       reminded_at = coalesce(c.reminded_at, q.reminded_at), expires_at = coalesce(q.expires_at, c.expires_at),
       failure = c.failure
     from jsonb_to_recordset($2::jsonb) as c (order_id uuid, status text, run_at timestamptz, run_offset_ms bigint,
       message_id uuid, asked_at timestamptz, reminded_at timestamptz, expires_at timestamptz, failure text)
     where q.workspace_id = $1 and q.order_id = c.order_id and q.status in ('waiting', 'asked')`,
    [
      ctx.workspace.id,
      JSON.stringify(
        changes.map((change) => ({
          order_id: change.orderId,
          status: change.status,
          run_at: change.runAt,
          run_offset_ms: change.runOffsetMs,
          message_id: change.messageId,
          asked_at: change.askedAt,
          reminded_at: change.remindedAt,
          expires_at: change.expiresAt,
          failure: change.failure,
        })),
      ),
    ],
  )

/** A customer's answer. `orderId` null: a word, about the last question. */
export type CodAnswer = Pick<MessageRow, 'workspaceId' | 'contactId' | 'conversationId'> & {
  messageId: MessageRow['id']
  orderId: QuestionRow['orderId'] | null
  confirmed: boolean
  at: Date
}

export type TakenAnswer = Pick<QuestionRow, 'workspaceId' | 'orderId'> &
  Pick<OrderRow, 'integration' | 'reference' | 'externalId'> &
  Pick<CodAnswer, 'messageId' | 'confirmed'>

/**
 * Records the first answer to each open question. Words count only as the next message, about the last
 * question. Returns the answers that counted.
 */
export const takeAnswers = (unit: Unit, answers: CodAnswer[]): Promise<TakenAnswer[]> =>
  unit.tx.sql<TakenAnswer>(
    `with said as (
       select * from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::uuid[], $6::boolean[], $7::timestamptz[])
         as a (workspace_id, contact_id, conversation_id, message_id, order_id, confirmed, at)
     ), meant as (
       select distinct on (a.workspace_id, q.order_id) a.*, q.order_id as meant_id
       from said a join lateral (
         select o.order_id, o.message_id from cod_questions o
         where o.workspace_id = a.workspace_id and o.contact_id = a.contact_id and o.status = 'asked' and o.expires_at > a.at
           and (a.order_id is null or o.order_id = a.order_id)
         order by o.message_id desc limit 1
       ) q on a.order_id is not null or not exists (
         select from messages m
         where m.workspace_id = a.workspace_id and m.conversation_id = a.conversation_id and m.direction = 'inbound'
           and m.type <> 'reaction' and m.id > q.message_id and m.id < a.message_id)
       order by a.workspace_id, q.order_id, a.message_id
     )
     update cod_questions q set status = case when m.confirmed then 'confirmed' else 'disowned' end, answered_at = m.at,
       run_at = null, run_offset_ms = null
     from meant m join orders o on o.workspace_id = m.workspace_id and o.id = m.meant_id
     where q.workspace_id = m.workspace_id and q.order_id = m.meant_id and q.status = 'asked'
     returning q.workspace_id, q.order_id, m.message_id, m.confirmed, o.integration, o.reference, o.external_id`,
    [
      uuids(answers.map((answer) => answer.workspaceId)),
      uuids(answers.map((answer) => answer.contactId)),
      uuids(answers.map((answer) => answer.conversationId)),
      uuids(answers.map((answer) => answer.messageId)),
      uuids(answers.map((answer) => answer.orderId)),
      plainList(answers.map((answer) => answer.confirmed)),
      instants(answers.map((answer) => answer.at)),
    ],
  )

/** Questions with planned work. */
export const dueQuestions = dueRowsIn('cod_questions')
