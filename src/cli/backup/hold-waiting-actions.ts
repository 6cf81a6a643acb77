/**
 * Messages and other actions that were waiting to reach customers when the backup was made: they may have been sent since, and
 * must not be sent twice (docs/decisions/database.md).
 */
import type pg from 'pg'
import { systemClock } from '../../core/clock.ts'
import type { Manifest } from './manifest.ts'

const REASON = 'The installation was restored from a backup. This may have been sent after the backup.'
const OF_REAL_NUMBER = `workspace_id in (select workspace_id from phone_numbers where operator = 'cloud')`

/** The number of rows held back, by kind. */
export type Held = Record<string, number>

/**
 * `tables`: the tables that `hold` names; an older backup may lack some. `hold` takes the moment of the restore as $1 and the
 * reason as $2; `parameterCount` says how many of these parameters it has.
 */
type Kind = { name: string; tables: string[]; hold: string; parameterCount: 0 | 1 | 2 }

const KINDS: Kind[] = [
  {
    // The worker skips waiting messages. A message that was being handed over ends as unconfirmed
    // (src/modules/messaging/messages/handover/DECISIONS.md).
    name: 'messages',
    tables: ['messages', 'phone_numbers', 'broadcasts'],
    hold: `update messages m set run_at = least(m.run_at, $1::timestamptz),
        leased_until = case when m.leased_until is not null then $1::timestamptz end,
        skip_reason = case when m.leased_until is null then 'restored' end
      from phone_numbers n
      where n.workspace_id = m.workspace_id and n.id = m.phone_number_id and n.operator = 'cloud'
        and m.run_at is not null and m.broadcast_id is null`,
    parameterCount: 1,
  },
  {
    name: 'campaigns',
    tables: ['broadcasts', 'messages', 'phone_numbers'],
    hold: `update broadcasts b set status = 'paused', paused_reason = $2, sending = false, run_at = null, run_offset_ms = null
      from phone_numbers n
      where n.workspace_id = b.workspace_id and n.id = b.phone_number_id and n.operator = 'cloud'
        and (b.status = 'running' or b.status = 'paused' and b.run_at is not null
          or b.status = 'scheduled' and b.run_at <= $1::timestamptz
          or b.status = 'completed' and exists (select from messages m
            where m.workspace_id = b.workspace_id and m.broadcast_id = b.id and m.status = 'queued' and m.run_at is not null))`,
    parameterCount: 2,
  },
  {
    // Their messages wait for the gateway's link. They are skipped like messages, and their jobs must not create the link that
    // would release them.
    name: 'paymentRequests',
    tables: ['payment_requests', 'messages', 'jobs', 'phone_numbers'],
    hold: `with held as (
        update messages m set run_at = $1::timestamptz, skip_reason = 'restored'
        from payment_requests r, phone_numbers n
        where n.workspace_id = m.workspace_id and n.id = m.phone_number_id and n.operator = 'cloud'
          and r.workspace_id = m.workspace_id and r.message_id = m.id and r.link_id is null and r.configuration is null
          and m.status = 'queued' and m.run_at is null and m.chanmid is null
        returning r.workspace_id, r.id
      ), ended as (
        delete from jobs j using held
        where j.workspace_id = held.workspace_id and j.name = 'makePaymentLink'
          and j.payload ->> 'paymentRequestId' = held.id::text
      )
      select from held`,
    parameterCount: 1,
  },
  {
    name: 'automationRuns',
    tables: ['automation_runs', 'phone_numbers'],
    hold: `update automation_runs set status = 'skipped', reason = $2, run_at = null, run_offset_ms = null, finished_at = $1::timestamptz
      where ${OF_REAL_NUMBER} and status in ('waiting', 'running') and (run_at is null or run_at <= $1::timestamptz)`,
    parameterCount: 2,
  },
  {
    name: 'automationStarts',
    tables: ['automation_starts', 'phone_numbers'],
    hold: `delete from automation_starts where ${OF_REAL_NUMBER}`,
    parameterCount: 0,
  },
  {
    // Marked as asked: an answer counts, and no chat is asked twice.
    name: 'chatRatings',
    tables: ['conversation_ratings', 'phone_numbers'],
    hold: `update conversation_ratings set status = 'asked', asked_at = $1::timestamptz, run_at = null, run_offset_ms = null
      where ${OF_REAL_NUMBER} and run_at <= $1::timestamptz`,
    parameterCount: 1,
  },
  {
    name: 'reviewRequests',
    tables: ['review_requests', 'phone_numbers'],
    hold: `update review_requests set status = 'failed', failure = $2, run_at = null, run_offset_ms = null
      where ${OF_REAL_NUMBER} and status = 'queued' and run_at <= $1::timestamptz`,
    parameterCount: 2,
  },
  {
    name: 'cashQuestions',
    tables: ['cod_questions', 'phone_numbers'],
    hold: `update cod_questions set status = 'failed', failure = $2, run_at = null, run_offset_ms = null
      where ${OF_REAL_NUMBER} and run_at <= $1::timestamptz`,
    parameterCount: 2,
  },
  {
    // They join the jobs that failed for good, which parley doctor shows.
    name: 'bookingReminders',
    tables: ['jobs', 'phone_numbers'],
    hold: `update jobs set failed_at = $1::timestamptz, last_error = $2
      where ${OF_REAL_NUMBER} and name = 'remindOfBooking' and failed_at is null and run_at <= $1::timestamptz`,
    parameterCount: 2,
  },
  {
    // The chat waits for its customer's next message.
    name: 'assistantAnswers',
    tables: ['jobs', 'phone_numbers'],
    hold: `update jobs set failed_at = $1::timestamptz, last_error = $2
      where ${OF_REAL_NUMBER} and name = 'askAssistant' and failed_at is null`,
    parameterCount: 2,
  },
  {
    // A post without a time was to be published immediately.
    name: 'posts',
    tables: ['social_posts', 'social_accounts'],
    hold: `update social_posts set status = 'failed', failure = $2, run_id = null
      where workspace_id in (select workspace_id from social_accounts where network = 'graph')
        and status = 'scheduled' and (scheduled_at is null or scheduled_at <= $1::timestamptz)`,
    parameterCount: 2,
  },
]

/**
 * Holds back actions that were waiting to reach customers at a real operator or network when the backup was made, and counts
 * them.
 */
export async function holdWaitingActions(client: pg.Client, { tables }: Manifest): Promise<Held> {
  const now = systemClock.now()
  const held: Held = {}
  for (const kind of KINDS) {
    if (!kind.tables.every((name) => tables.some((table) => table.name === name))) continue
    const { rowCount } = await client.query(kind.hold, [now, REASON].slice(0, kind.parameterCount))
    if (rowCount) held[kind.name] = rowCount
  }
  return held
}
