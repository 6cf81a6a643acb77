/** SQL for the ratings of chats. */

import type { Selectable } from 'kysely'
import type { Context, Unit } from '../../../core/context.ts'
import type { DueMoment } from '../../../core/due.ts'
import { instants, uuids } from '../../../database/sql/binary-arrays.ts'
import { dueRowsIn } from '../../../database/sql/due-rows.ts'
import { isDue } from '../../../database/sql/due-statements.ts'
import { db, plainList } from '../../../database/sql/sql.ts'
import type { Tables } from '../../../database/sql/tables.ts'
import type { RatingSettings } from './schema.ts'

type RatingRow = Selectable<Tables['conversationRatings']>

export const findRatingSettings = (ctx: Context): Promise<RatingSettings | undefined> =>
  ctx.tx.first(
    db
      .selectFrom('ratingSettings')
      .select(['enabled', 'question', 'templateId', 'delayMinutes'])
      .where('workspaceId', '=', ctx.workspace.id),
  )

export const upsertRatingSettings = (ctx: Context, to: RatingSettings): Promise<unknown> => {
  const { enabled, question, templateId, delayMinutes } = to
  const written = { enabled, question, templateId, delayMinutes, updatedAt: ctx.now }
  return ctx.tx.run(
    db
      .insertInto('ratingSettings')
      .values({ workspaceId: ctx.workspace.id, ...written })
      .onConflict((conflict) => conflict.column('workspaceId').doUpdateSet(written)),
  )
}

export type DueRating = Pick<RatingRow, 'conversationId'> &
  Pick<Selectable<Tables['conversations']>, 'contactId' | 'phoneNumberId' | 'state' | 'windowExpiresAt'>

/** Returns chats with a planned question, longest due first. */
export const listDueRatings = (ctx: Context, due: DueMoment, limit: number): Promise<DueRating[]> =>
  ctx.tx.sql<DueRating>(
    `select r.conversation_id, c.contact_id, c.phone_number_id, c.state, c.window_expires_at
     from conversation_ratings r
     join conversations c on c.workspace_id = r.workspace_id and c.id = r.conversation_id
     where r.workspace_id = $1 and r.run_at is not null
       and ${isDue('r.run_at', 'r.run_offset_ms', { now: '$3', by: '$2', offsetMs: '$4' })}
     order by r.run_at limit $5`,
    [ctx.workspace.id, due.by, due.now, due.offsetMs, limit],
  )

export const markAsked = (
  ctx: Context,
  requests: { conversationId: string; messageId: string }[],
): Promise<unknown> =>
  ctx.tx.sql(
    `update conversation_ratings r set status = 'asked', run_at = null, run_offset_ms = null, message_id = a.message_id, asked_at = $4
     from unnest($2::uuid[], $3::uuid[]) as a (conversation_id, message_id)
     where r.workspace_id = $1 and r.conversation_id = a.conversation_id and r.status = 'due'`,
    [
      ctx.workspace.id,
      uuids(requests.map((request) => request.conversationId)),
      uuids(requests.map((request) => request.messageId)),
      ctx.now,
    ],
  )

/** Deletes planned questions. The next time a chat is resolved, the question is planned again. */
export const deleteDueRatings = (ctx: Context, conversationIds: string[]): Promise<unknown> =>
  ctx.tx.sql(
    `delete from conversation_ratings where workspace_id = $1 and conversation_id = any($2::uuid[]) and status = 'due'`,
    [ctx.workspace.id, uuids(conversationIds)],
  )

/**
 * A customer's rating. `tapped`: by a button of the question; otherwise it counts only as their next message.
 */
export type RatingAnswer = {
  workspaceId: string
  conversationId: string
  messageId: string
  score: number
  tapped: boolean
  at: Date
}

type StoredScore = Pick<RatingRow, 'workspaceId' | 'conversationId' | 'messageId' | 'score'> & {
  messageId: string
  score: number
}

/**
 * Records the first rating of each chat that was asked about within the given time. Returns the ratings that
 * counted.
 */
export const storeScores = (unit: Unit, answers: RatingAnswer[], withinMs: number): Promise<StoredScore[]> =>
  unit.tx.sql(
    `update conversation_ratings r set status = 'rated', score = first.score, rated_at = first.at
     from (
       select distinct on (a.workspace_id, a.conversation_id) a.*
       from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::int4[], $5::boolean[], $6::timestamptz[])
         as a (workspace_id, conversation_id, message_id, score, tapped, at)
       join conversation_ratings asked
         on asked.workspace_id = a.workspace_id and asked.conversation_id = a.conversation_id and asked.status = 'asked'
       where asked.asked_at >= a.at - $7::float8 * interval '1 millisecond' and asked.asked_at <= a.at
         and (a.tapped or not exists (
           select from messages m
           where m.workspace_id = a.workspace_id and m.conversation_id = a.conversation_id and m.direction = 'inbound'
             and m.type <> 'reaction' and m.id > asked.message_id and m.id < a.message_id))
       order by a.workspace_id, a.conversation_id, a.message_id
     ) first
     where r.workspace_id = first.workspace_id and r.conversation_id = first.conversation_id and r.status = 'asked'
     returning r.workspace_id, r.conversation_id, first.message_id, r.score`,
    [
      uuids(answers.map((answer) => answer.workspaceId)),
      uuids(answers.map((answer) => answer.conversationId)),
      uuids(answers.map((answer) => answer.messageId)),
      plainList(answers.map((answer) => answer.score)),
      plainList(answers.map((answer) => answer.tapped)),
      instants(answers.map((answer) => answer.at)),
      withinMs,
    ],
  )

/** Returns how many chats asked about since `since` have each score; null: no score. */
export const countScores = (
  ctx: Context,
  since: Date,
): Promise<(Pick<RatingRow, 'score'> & { count: number })[]> =>
  ctx.tx.all(
    db
      .selectFrom('conversationRatings')
      .select(({ fn }) => ['score', fn.countAll<number>().as('count')])
      .where('workspaceId', '=', ctx.workspace.id)
      .where('askedAt', '>=', since)
      .groupBy('score'),
  )

/** Returns the newest ratings of chats. */
export const listScoresOf = (
  ctx: Context,
  conversationIds: string[],
  limit: number,
): Promise<Pick<RatingRow, 'conversationId' | 'score' | 'ratedAt'>[]> =>
  ctx.tx.sql(
    `select conversation_id, score, rated_at from conversation_ratings
     where workspace_id = $1 and conversation_id = any ($2::uuid[]) and status = 'rated'
     order by rated_at desc limit $3`,
    [ctx.workspace.id, uuids(conversationIds), limit],
  )

/** Chats with a planned question. */
export const dueRatings = dueRowsIn('conversation_ratings')
