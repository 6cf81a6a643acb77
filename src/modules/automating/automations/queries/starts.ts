/**
 * Every statement on starts. An event writes one narrow row in its transaction, for any number of listening
 * automations; the worker turns the row into runs.
 */
import type { Selectable } from 'kysely'
import type { Context, Unit } from '../../../../core/context.ts'
import { uuids } from '../../../../database/sql/binary-arrays.ts'
import { isFound, READS_FIRST } from '../../../../database/sql/sql.ts'
import type { Tables } from '../../../../database/sql/tables.ts'

/** The max length of a chain of automations that cause each other. */
const MAX_DEPTH = 5
export const OWN_CHAIN = 'This automation led to this event itself.'
const TOO_DEEP = `${MAX_DEPTH} automations led to this event, one after another.`

export type HeardEvent = {
  workspaceId: string
  id: string
  name: string
  contactId: string | null
  imported: boolean
  causes: readonly string[] | null
  /** The message of an event about a message, which knows its cause. */
  messageId: string | null
  createdAt: Date
}

// Runs in the transaction of every event, so it must be fast. Automations are looked up once for each event
// name and stored in the row, so that later changes of automations don't affect earlier events.
const START = `
with made as (
  insert into automation_starts (workspace_id, id, contact_id, automation_ids, causes, run_at, created_at)
  select e.workspace_id, e.id, e.contact_id, l.automation_ids, coalesce(e.causes, (
      select array(select json_array_elements_text(m.origin -> 'chain'))::uuid[] from messages m
      where m.workspace_id = e.workspace_id and m.id = e.message_id and m.origin is not null
    ), '{}'), $2, e.created_at
  from jsonb_to_recordset($1::jsonb) as e (
    workspace_id uuid, id uuid, name text, contact_id uuid, imported boolean, causes uuid[], message_id uuid, created_at timestamptz)
  join (
    select asked.workspace_id, asked.name, asked.imported, array_agg(a.id order by a.id) as automation_ids
    from (
      select distinct workspace_id, name, imported
      from jsonb_to_recordset($1::jsonb) as e (workspace_id uuid, name text, imported boolean)) asked
    join automations a on a.workspace_id = asked.workspace_id and a.event = asked.name and a.enabled
    where a.include_imports or not asked.imported
    group by 1, 2, 3
  ) l using (workspace_id, name, imported)
  where ${READS_FIRST}
  on conflict (workspace_id, id) do nothing
  returning id
)
select count(*) > 0 as made from made`

/** Stores which automations will run for these events. Returns whether there are any. `now` is real time. */
export const insertStarts = async (
  { tx }: Pick<Unit, 'tx'>,
  events: HeardEvent[],
  now: Date,
): Promise<boolean> =>
  (
    await tx.sql<{ made: boolean }>(START, [
      JSON.stringify(
        events.map((event) => ({
          workspace_id: event.workspaceId,
          id: event.id,
          name: event.name,
          contact_id: event.contactId,
          imported: event.imported,
          causes: event.causes,
          message_id: event.messageId,
          created_at: event.createdAt,
        })),
      ),
      now,
    ])
  )[0]?.made ?? false

// A run's id contains the time and sequence of its event, then the automation's place, so that ids sort runs
// in the order to run. Runs that would continue their own chain are stored as skipped, so that the log shows
// them.
const SPREAD = `
insert into automation_runs (workspace_id, id, automation_id, occasion, event_id, contact_id, lane, causes, status, reason, run_at,
                             created_at, finished_at)
select $1, (left(id::text, 26) || lpad(to_hex(place), 2, '0') || right(gen_random_uuid()::text, 8))::uuid, automation_id,
  id::text, id, contact_id, coalesce(contact_id, id), causes, case when refusal is null then 'waiting' else 'skipped' end, refusal,
  case when refusal is null then $2::timestamptz end, created_at, case when refusal is not null then created_at end
from (
  select s.*, automation_id, place,
    case when automation_id = any (causes) then '${OWN_CHAIN}' when cardinality(causes) >= ${MAX_DEPTH} then '${TOO_DEEP}' end as refusal
  from automation_starts s cross join unnest(s.automation_ids) with ordinality as a (automation_id, place)
  where s.workspace_id = $1 and s.id = any ($3::uuid[])
    and ${isFound('from automations a where a.workspace_id = $1 and a.id = automation_id')}
) judged
on conflict (workspace_id, automation_id, occasion) do nothing`

/**
 * Creates the runs of the workspace's oldest `max` starts, in the order of events. Returns how many starts it
 * took; 0 if another process is doing so. `now` is real time.
 */
export async function spreadStarts({ tx, workspace }: Context, now: Date, max: number): Promise<number> {
  const [[lock], starts] = await Promise.all([
    tx.sql<{ taken: boolean }>(
      `select pg_try_advisory_xact_lock(hashtextextended('automation starts ' || $1::text, 0)) as taken`,
      [workspace.id],
    ),
    tx.sql<Pick<Selectable<Tables['automationStarts']>, 'id'>>(
      'select id from automation_starts where workspace_id = $1 order by id limit $2',
      [workspace.id, max],
    ),
  ])
  if (!lock!.taken || starts.length === 0) return 0
  const ids = uuids(starts.map((start) => start.id))
  await Promise.all([
    tx.sql(SPREAD, [workspace.id, now, ids]),
    tx.sql('delete from automation_starts where workspace_id = $1 and id = any ($2::uuid[])', [
      workspace.id,
      ids,
    ]),
  ])
  return starts.length
}
