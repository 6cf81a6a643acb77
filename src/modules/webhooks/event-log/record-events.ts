/** Writes the events of a transaction into the log beside the facts, and the first delivery of each to every endpoint that listens. */
import type { Clock } from '../../../core/clock.ts'
import type { Unit } from '../../../core/context.ts'
import { isFound } from '../../../core/sql.ts'
import { keyWorksSql } from '../../workspaces/operations/access-rules.ts'

/** The source of background work that sends deliveries. */
export const DELIVERIES = 'deliveries'

/** The event whose writing strips the personal data from what the log holds of that contact (spec 4.4, 6.3). */
const ERASURE = 'contact.deleted'

// One statement on the hottest path: where no endpoint listens, its second half is one index probe.
// A delivery's id takes the event's own time and sequence, so that ids order deliveries as their events happened.
const RECORD = `
with incoming as materialized (
  select * from jsonb_to_recordset($1::jsonb)
    as e(workspace_id uuid, id uuid, name text, data jsonb, created_at timestamptz, contact_id uuid)
), recorded as (
  insert into events (workspace_id, id, name, data, created_at, contact_id)
  select workspace_id, id, name, data, created_at, contact_id from incoming
), made as (
  insert into deliveries (workspace_id, id, endpoint_id, event_id, event, created_at, due_at, run_at)
  select e.workspace_id, (left(e.id::text, 26) || right(gen_random_uuid()::text, 10))::uuid,
    p.id, e.id, e.name, e.created_at, e.created_at, $2::timestamptz
  from incoming e
  join webhook_endpoints p on p.workspace_id = e.workspace_id
  where p.active and (p.events is null or e.name = any (p.events))
    and (p.key_id is null or ${isFound(`
      from api_keys k
      where k.workspace_id = p.workspace_id and k.id = p.key_id and ${keyWorksSql('k', 'e.created_at')}`)})
  returning 1
)
select exists (select from made) as made`

const STRIP = `
update events e set data = ids_only(e.data)
from unnest($1::uuid[], $2::uuid[], $3::uuid[]) as erased(workspace_id, contact_id, reported_by)
where e.workspace_id = erased.workspace_id and e.contact_id = erased.contact_id and e.id <> erased.reported_by`

/**
 * Makes the function that the database calls before each commit with the events that the
 * transaction announced. Fact, event and first deliveries commit together or not at all (spec 6.1).
 * An erasure that is announced leaves only ids in the contact's other events, so deliveries of them
 * that still wait carry no personal data.
 */
export const eventRecorder =
  (clock: Clock) =>
  async (unit: Unit): Promise<void> => {
    const { outbox, tx, wakes } = unit
    if (outbox.length === 0) return
    const rows = outbox.map((event) => ({
      workspace_id: event.workspaceId,
      id: event.id,
      name: event.name,
      data: event.data,
      created_at: event.createdAt,
      contact_id: event.contactId,
    }))
    const erasures = outbox.filter((event) => event.name === ERASURE && event.contactId !== null)
    // Both are sent at once: the commit follows them without waiting.
    const [recorded] = await Promise.all([
      tx.sql<{ made: boolean }>(RECORD, [JSON.stringify(rows), clock.now()]),
      erasures.length === 0
        ? undefined
        : tx.sql(STRIP, [
            erasures.map((event) => event.workspaceId),
            erasures.map((event) => event.contactId),
            erasures.map((event) => event.id),
          ]),
    ])
    if (recorded[0]?.made) wakes.add(DELIVERIES)
  }
