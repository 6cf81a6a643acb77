/** Statements that read the history of one message across the tables that have a part of it. */
import type { Selectable } from 'kysely'
import type { Context } from '../../../core/context.ts'
import { db, isFound } from '../../../database/sql/sql.ts'
import type { Tables } from '../../../database/sql/tables.ts'
import { MAX_DELIVERIES } from './schema.ts'

type StoredMessage = Selectable<Tables['messages']>
type NumberRow = Selectable<Tables['phoneNumbers']>
type LaneRow = Selectable<Tables['numberLanes']>
type Campaign = Selectable<Tables['broadcasts']>
type Delivery = Selectable<Tables['deliveries']>

/** The message's trace, and the number, lane, and campaign that decide what it waits for. */
export type TracedRow = Pick<StoredMessage, 'trace' | 'runAt' | 'leasedUntil'> & {
  operator: NumberRow['operator'] | null
  state: NumberRow['state'] | null
  stateAt: NumberRow['stateAt'] | null
  stateReason: NumberRow['stateReason'] | null
  pausedUntil: LaneRow['pausedUntil'] | null
  pauseReason: LaneRow['pauseReason'] | null
  laneLeasedUntil: LaneRow['leasedUntil'] | null
  campaignSending: Campaign['sending'] | null
  campaignUpdatedAt: Campaign['updatedAt'] | null
  /** Whether an earlier message of the chat waits too. */
  hasEarlier: boolean
}

/** The messages before it in its chat that are checked. */
const EARLIER = 100

export const findTraced = async (ctx: Context, id: string): Promise<TracedRow | undefined> =>
  (
    await ctx.tx.sql<TracedRow>(
      `select m.trace, m.run_at, m.leased_until, n.operator, n.state, n.state_at, n.state_reason,
              l.paused_until, l.pause_reason, l.leased_until as lane_leased_until,
              b.sending as campaign_sending, b.updated_at as campaign_updated_at,
              case when m.status = 'queued' then ${isFound(`from (
                  select o.status, o.run_at from messages o
                  where o.workspace_id = $1 and o.conversation_id = m.conversation_id and o.id < m.id
                  order by o.id desc limit ${EARLIER}) o
                where o.status = 'queued' and o.run_at is not null`)} else false end as has_earlier
       from messages m
       left join phone_numbers n on n.workspace_id = m.workspace_id and n.id = m.phone_number_id
       left join number_lanes l on l.workspace_id = m.workspace_id and l.phone_number_id = m.phone_number_id
       left join broadcasts b on b.workspace_id = m.workspace_id and b.id = m.broadcast_id
       where m.workspace_id = $1 and m.id = $2`,
      [ctx.workspace.id, id],
    )
  )[0]

/** Returns the pause of a number's lane; undefined for a number that never sent. */
export const findPause = (
  ctx: Context,
  phoneNumberId: string,
): Promise<Pick<LaneRow, 'pausedUntil' | 'pauseReason'> | undefined> =>
  ctx.tx.first(
    db
      .selectFrom('numberLanes')
      .select(['pausedUntil', 'pauseReason'])
      .where('workspaceId', '=', ctx.workspace.id)
      .where('phoneNumberId', '=', phoneNumberId),
  )

export type MessageEvent = Pick<Selectable<Tables['events']>, 'id' | 'name' | 'createdAt'>

/** Lists the logged events of these names about a message of the contact. */
export const listMessageEvents = (
  ctx: Context,
  { id, contactId, createdAt }: Pick<StoredMessage, 'id' | 'contactId' | 'createdAt'>,
  names: string[],
): Promise<MessageEvent[]> =>
  ctx.tx.sql<MessageEvent>(
    `select id, name, created_at from events
     where workspace_id = $1 and contact_id = $2 and created_at >= $3 and name = any ($4::text[]) and data ->> 'messageId' = $5
     order by id limit 20`,
    [ctx.workspace.id, contactId, createdAt, names, id],
  )

export type DeliveryRow = Pick<
  Delivery,
  | 'id'
  | 'endpointId'
  | 'event'
  | 'attempt'
  | 'status'
  | 'createdAt'
  | 'attemptedAt'
  | 'dueAt'
  | 'nextAt'
  | 'httpStatus'
  | 'latencyMs'
  | 'error'
> &
  Pick<Selectable<Tables['webhookEndpoints']>, 'keyId'>

// A first delivery's id begins like its event's; the index deliveries_again finds the others.
const DELIVERIES = `
select d.id, d.endpoint_id, d.event, d.attempt, d.status, d.created_at, d.attempted_at, d.due_at, d.next_at, d.http_status,
       d.latency_ms, d.error, p.key_id
from unnest($2::uuid[]) as e (id)
cross join lateral (
  select * from deliveries
  where workspace_id = $1 and event_id = e.id
    and id >= (left(e.id::text, 26) || '0000000000')::uuid and id <= (left(e.id::text, 26) || 'ffffffffff')::uuid
  union all
  select * from deliveries
  where workspace_id = $1 and event_id = e.id and (attempt > 1 or manual or replayed)
    and not (id >= (left(e.id::text, 26) || '0000000000')::uuid and id <= (left(e.id::text, 26) || 'ffffffffff')::uuid)
) d
join webhook_endpoints p on p.workspace_id = $1 and p.id = d.endpoint_id
where $3 or p.key_id = $4
order by d.due_at, d.id limit ${MAX_DELIVERIES + 1}`

/** Lists the attempts to deliver these events: to all endpoints, or to those that the key registered. */
export const listDeliveriesOf = (
  ctx: Context,
  eventIds: string[],
  { isAdmin, keyId }: { isAdmin: boolean; keyId: string | null },
): Promise<DeliveryRow[]> => ctx.tx.sql<DeliveryRow>(DELIVERIES, [ctx.workspace.id, eventIds, isAdmin, keyId])

export type RunRow = Pick<
  Selectable<Tables['automationRuns']>,
  'id' | 'automationId' | 'status' | 'createdAt'
>

/** Lists the runs that these events about the contact started. */
export const listRunsOfEvents = (ctx: Context, contactId: string, eventIds: string[]): Promise<RunRow[]> =>
  ctx.tx.sql<RunRow>(
    `select id, automation_id, status, created_at from automation_runs
     where workspace_id = $1 and contact_id = $2 and event_id = any ($3::uuid[]) order by id limit 50`,
    [ctx.workspace.id, contactId, eventIds],
  )

export type NextMessage = Pick<
  StoredMessage,
  'id' | 'direction' | 'createdAt' | 'sourceKind' | 'sourceId' | 'sourceName'
>

/** Lists the messages after a message in its chat. */
export const listMessagesAfterIt = (
  ctx: Context,
  { id, conversationId }: Pick<StoredMessage, 'id' | 'conversationId'>,
): Promise<NextMessage[]> =>
  ctx.tx.sql<NextMessage>(
    `select id, direction, created_at, source_kind, source_id, source_name from messages
     where workspace_id = $1 and conversation_id = $2 and id > $3 order by id limit 20`,
    [ctx.workspace.id, conversationId, id],
  )
