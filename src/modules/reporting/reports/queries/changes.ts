/** Statements on the changes of chats in a period, over the primary key: ids contain the time. */
import type { Selectable } from 'kysely'
import type { Context } from '../../../../core/context.ts'
import type { Tables } from '../../../../database/sql/tables.ts'
import type { Bounds } from './messages.ts'

type ChangeRow = Selectable<Tables['conversationChanges']>

/** The first change of a kind in a case, the customer's message that began the case, and the team of the chat now. */
export type CaseChange = Pick<ChangeRow, 'value' | 'sourceKind' | 'sourceId'> &
  Pick<Selectable<Tables['conversations']>, 'teamId'> & {
    at: ChangeRow['createdAt']
    beganAt: ChangeRow['createdAt']
  }

/**
 * Returns the newest `max` changes with `action` from `start` to `end`, each the first of its case. A case begins with the
 * customer's first message after the chat was last resolved, at most `lookBackMs` before the change.
 */
export const listCaseChanges = (
  ctx: Context,
  {
    action,
    firstId,
    endId,
    start,
    end,
    max,
    lookBackMs,
    oldestId,
  }: Bounds & { action: 'assigned' | 'resolved'; lookBackMs: number; oldestId: string },
): Promise<CaseChange[]> =>
  ctx.tx.sql(
    `select c.value, c.source_kind, c.source_id, c.created_at as at, began.created_at as began_at, chat.team_id
     from (select conversation_id, id, value, source_kind, source_id, created_at from conversation_changes
           where workspace_id = $1 and id >= $2 and id < $3 and created_at >= $4 and created_at < $5 and action = $6
           order by workspace_id desc, id desc limit $7) c
     left join lateral (
       select p.id from conversation_changes p
       where p.workspace_id = $1 and p.conversation_id = c.conversation_id and p.id < c.id and p.action = 'resolved'
       order by p.workspace_id desc, p.conversation_id desc, p.id desc limit 1) resolved on true
     cross join lateral (
       select m.created_at from messages m
       where m.workspace_id = $1 and m.conversation_id = c.conversation_id and m.id >= coalesce(resolved.id, $9) and m.id < c.id
         and m.direction = 'inbound' and m.imported_from is null and m.type <> 'reaction'
         and m.created_at >= c.created_at - $8::float8 * interval '1 millisecond' and m.created_at <= c.created_at
       order by m.workspace_id, m.conversation_id, m.id limit 1) began
     left join conversations chat on chat.workspace_id = $1 and chat.id = c.conversation_id
     where not exists (
       select from conversation_changes e
       where e.workspace_id = $1 and e.conversation_id = c.conversation_id and e.id >= coalesce(resolved.id, $9) and e.id < c.id
         and e.action = 'assigned' and $6 = 'assigned')
     order by c.id`,
    [ctx.workspace.id, firstId, endId, start, end, action, max, lookBackMs, oldestId],
  )

type RatingRow = Selectable<Tables['conversationRatings']>
export type AskedRating = Pick<RatingRow, 'score'> &
  Pick<ChangeRow, 'sourceKind' | 'sourceId'> & { askedAt: NonNullable<RatingRow['askedAt']> }

/** Returns the newest `max` rating requests from `start` to `end`, with the one who had resolved the chat. */
export const listAskedRatings = (
  ctx: Context,
  { start, end, max }: Pick<Bounds, 'start' | 'end' | 'max'>,
): Promise<AskedRating[]> =>
  ctx.tx.sql(
    `select r.score, r.asked_at, resolved.source_kind, resolved.source_id
     from (select conversation_id, score, asked_at from conversation_ratings
           where workspace_id = $1 and asked_at >= $2 and asked_at < $3
           order by workspace_id desc, asked_at desc limit $4) r
     left join lateral (
       select c.source_kind, c.source_id from conversation_changes c
       where c.workspace_id = $1 and c.conversation_id = r.conversation_id and c.action = 'resolved'
         and c.created_at <= r.asked_at
       order by c.workspace_id desc, c.conversation_id desc, c.id desc limit 1) resolved on true
     order by r.asked_at`,
    [ctx.workspace.id, start, end, max],
  )
