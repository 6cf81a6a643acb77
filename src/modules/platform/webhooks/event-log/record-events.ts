/**
 * Writes the events of a transaction into the log together with the facts, and the first delivery of each
 * event to every subscribed endpoint.
 */

import type { Clock } from '../../../../core/clock.ts'
import type { Unit } from '../../../../core/context.ts'
import { idShapeOf } from '../../../../core/declared-ids.ts'
import { type EventKind, type Retraction, SCREEN_CHANGED } from '../../../../core/event.ts'
import { instants, jsonTexts, texts, uuids } from '../../../../database/sql/binary-arrays.ts'
import { isFound } from '../../../../database/sql/sql.ts'
import { keyWorksSql } from '../../workspaces/operations/access-rules.ts'

/** The source of background work that sends deliveries. */
export const DELIVERIES = 'deliveries'

const RECORD = `
insert into events (workspace_id, id, name, data, created_at, contact_id)
select * from unnest($1::uuid[], $2::uuid[], $3::text[], $4::json[], $5::timestamptz[], $6::uuid[])
  as e (workspace_id, id, name, data, created_at, contact_id)`

// Without subscribed endpoints, this is one index lookup for each event. A delivery's id contains the event's time and
// sequence, so that ids sort deliveries in the order of their events.
const DELIVER = `
with made as (
  insert into deliveries (workspace_id, id, endpoint_id, event_id, event, created_at, due_at, run_at)
  select e.workspace_id, (left(e.id::text, 26) || right(gen_random_uuid()::text, 10))::uuid,
    p.id, e.id, e.name, e.created_at, e.created_at, $5::timestamptz
  from unnest($1::uuid[], $2::uuid[], $3::text[], $4::timestamptz[]) as e (workspace_id, id, name, created_at)
  join webhook_endpoints p on p.workspace_id = e.workspace_id
  where p.active and e.name <> '${SCREEN_CHANGED}' and (p.events is null or e.name = any (p.events))
    and (p.key_id is null or ${isFound(`
      from api_keys k
      where k.workspace_id = p.workspace_id and k.id = p.key_id and ${keyWorksSql('k', 'e.created_at')}`)})
  returning 1
)
select exists (select from made) as made`

// A first delivery's id begins like its event's (RECORD); the index deliveries_again finds the others.
const RETRACT = `
with retracted as (
  update events e set data = ids_only(e.data::jsonb, coalesce($5::jsonb -> e.name, '{}'))
  from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[])
    as r (workspace_id, contact_id, message_id, names)
  where e.workspace_id = r.workspace_id and e.contact_id = r.contact_id and e.name <> all ($6::text[])
    and (r.message_id is null or (e.name = any (string_to_array(r.names, ',')) and e.data ->> 'messageId' = r.message_id::text))
  returning e.workspace_id, e.id
)
update deliveries d set retracted = true, response = null
from retracted e cross join lateral (
  select id from deliveries
  where workspace_id = e.workspace_id and event_id = e.id
    and id >= (left(e.id::text, 26) || '0000000000')::uuid and id <= (left(e.id::text, 26) || 'ffffffffff')::uuid
  union
  select id from deliveries
  where workspace_id = e.workspace_id and event_id = e.id and (attempt > 1 or manual or replayed)
) attempt
where d.workspace_id = e.workspace_id and d.id = attempt.id`

/** The positions of ids by kind, as text. They take a tenth of a second to find, and only retractions need them. */
const shapesOf = memoized((kinds: readonly EventKind[]) =>
  JSON.stringify(Object.fromEntries(kinds.map((kind) => [kind.name, idShapeOf(kind.data)]))),
)

function memoized<Key extends object>(find: (key: Key) => string): (key: Key) => string {
  const found = new WeakMap<Key, string>()
  return (key) => {
    const text = found.get(key) ?? find(key)
    found.set(key, text)
    return text
  }
}

/**
 * Builds the function that the database calls before each commit with the transaction's events and the
 * retracted ones. Fact, event and first deliveries commit together or not at all (spec 6.1). Retracted events
 * keep only ids, even in the same transaction, so that waiting deliveries contain no personal data.
 */
export function eventRecorder(clock: Clock, kinds: readonly EventKind[]): (unit: Unit) => Promise<void> {
  const survivingKinds = kinds.filter((kind) => kind.outlivesErasure).map((kind) => kind.name)
  const record = async ({ tx, outbox }: Unit) => {
    const keys = [
      uuids(outbox.map((event) => event.workspaceId)),
      uuids(outbox.map((event) => event.id)),
      texts(outbox.map((event) => event.name)),
    ]
    const times = instants(outbox.map((event) => event.createdAt))
    const [, deliveries] = await Promise.all([
      tx.sql(RECORD, [
        ...keys,
        jsonTexts(outbox.map((event) => JSON.stringify(event.data))),
        times,
        uuids(outbox.map((event) => event.contactId)),
      ]),
      tx.sql<{ made: boolean }>(DELIVER, [...keys, times, clock.now()]),
    ])
    return deliveries
  }
  const retractAll = ({ tx, retractions }: Unit) =>
    tx.sql(RETRACT, [...columnsOf(retractions), shapesOf(kinds), survivingKinds])
  return async (unit) => {
    // All statements are sent together: the commit follows without waiting.
    const [eventRows] = await Promise.all([
      unit.outbox.length > 0 ? record(unit) : [],
      unit.retractions.length > 0 ? retractAll(unit) : [],
    ])
    if (eventRows[0]?.made) unit.wakes.add(DELIVERIES)
  }
}

const columnsOf = (retractions: Retraction[]): unknown[] => [
  uuids(retractions.map((retraction) => retraction.workspaceId)),
  uuids(retractions.map((retraction) => retraction.contactId)),
  uuids(retractions.map((retraction) => retraction.message?.id ?? null)),
  retractions.map((retraction) => retraction.message?.kinds.map((kind) => kind.name).join() ?? null),
]
