/**
 * Compares the answers that clients received with the database, row by row in SQL. Every acknowledged send
 * must be one message, every message must belong to one acknowledged key, and every counter must count the
 * messages correctly. Ids are read in pages, so memory is bounded.
 */
import type pg from 'pg'
import { idempotencyKeyOf, SERIAL_DIGITS } from '../../bench/ground/requests.ts'
import { onDatabase } from '../../src/database/on-database.ts'

/**
 * Returns the text of the request with a serial number. The bench's requests put the number where `SERIAL`
 * is.
 */
export const textOf = (serial: string): string => `message ${serial}`

/** A recipient in a workspace that has an allowance. */
type Chat = { workspaceId: string; phone: string }

export type AcknowledgedSends = {
  /** Requests by serial number: request n sends a message to `chats[n % chats.length]`. */
  chats: Chat[]
  requestCount: number
  /**
   * Returns 16 bytes for each id that answered the serial numbers from `from`; zeros where there was no
   * answer.
   */
  page(from: number, count: number): Promise<Uint8Array>
}

/** Counts. All except the first and the last must be 0. */
export type AcknowledgedLedger = {
  acknowledged: number
  /** Acknowledged sends without a message that has this id, text, and recipient. */
  lost: number
  /** Acknowledged sends whose idempotency key doesn't store this answer. */
  forgotten: number
  /** Messages without an acknowledged key, and keys with more than one message. */
  doubled: number
  /** Keys that store an answer which no client received. */
  unheard: number
  /** Workspaces whose monthly allowance counts a different number than their messages. */
  quotaOff: number
  /** Workspaces whose analytics count a different number than their messages. */
  analyticsOff: number
  /** Message states without an event, and events that were sent twice, too early, or out of order. */
  eventsMissing: number
  eventsWrong: number
  /** Messages that were submitted to the operator. */
  handedOver: number
}

const PAGE = 20_000
const ID_BYTES = 16
const NOBODY = '0'.repeat(2 * ID_BYTES)

const PREPARE = `
  set work_mem = '64MB';
  create temp table chats (place int, workspace_id uuid, phone text);
  create temp table answers (serial int, id uuid)`

const SERIAL_TEXT = `lpad(a.serial::text, ${SERIAL_DIGITS}, '0')`

// Every workspace in the ledger has exactly one API key.
const ACKNOWLEDGED = `
  create temp table acknowledged as
    select a.id, c.workspace_id, c.phone, '${textOf('')}' || ${SERIAL_TEXT} as body,
      left(encode(sha256(convert_to(k.id || e'\\n${idempotencyKeyOf('')}' || ${SERIAL_TEXT}, 'UTF8')), 'hex'), 32)::uuid as key_digest
    from answers a join chats c on c.place = a.serial % (select count(*) from chats)
    join api_keys k on k.workspace_id = c.workspace_id;
  create index on acknowledged (workspace_id, id);
  analyze acknowledged`

// A message's events commit in the transaction of its state. So comparing at one moment is enough, even while
// work is under way.
const COMPARE = `
  with reported as (
    select workspace_id, (data->>'messageId')::uuid as id,
           array_agg(case name when 'message.status' then data->>'status' else name end order by id) as states
    from events where name in ('message.status', 'message.failed') group by 1, 2),
  due as (
    select m.workspace_id, m.id, coalesce(t.states, '{}') as states,
           case m.status when 'queued' then '{}' when 'sent' then '{sent}' when 'delivered' then '{sent,delivered}'
             when 'read' then '{sent,delivered,read}' when 'failed' then '{sent,failed,message.failed}' end::text[] as owed
    from messages m left join reported t using (workspace_id, id) where m.direction = 'outbound'),
  used as (
    select w.id as workspace_id, coalesce(u.messages, 0) as counted,
           (select count(*) from messages m where m.workspace_id = w.id and m.direction = 'outbound'
            and to_char(m.created_at at time zone w.timezone, 'YYYY-MM') = u.month) as stored
    from workspaces w left join workspace_usage u on u.workspace_id = w.id
    where w.id in (select workspace_id from chats)),
  reckoned as (
    select workspace_id, sum(sent) as sent, sum(delivered) as delivered, sum(read) as read, sum(failed) as failed
    from (select workspace_id, sent, delivered, read, failed from activity_days
          union all select workspace_id, sent, delivered, read, failed from activity_deltas) c group by 1),
  happened as (
    select workspace_id, count(sent_at) as sent, count(delivered_at) as delivered, count(read_at) as read,
           count(failed_at) as failed
    from messages where direction = 'outbound' group by 1)
  select (select count(*) from acknowledged) as acknowledged,
    (select count(*) from acknowledged a where not exists (
       select from messages m join contacts c on c.workspace_id = m.workspace_id and c.id = m.contact_id
       where m.workspace_id = a.workspace_id and m.id = a.id and m.direction = 'outbound'
         and m.content->>'body' = a.body and c.phone = a.phone)) as lost,
    (select count(*) from acknowledged a where not exists (
       select from idempotency_keys k where k.workspace_id = a.workspace_id and k.key_digest = a.key_digest and k.status = 200
         and (convert_from(k.answer, 'UTF8')::json->>'messageId')::uuid = a.id)) as forgotten,
    (select count(*) from messages m where m.direction = 'outbound' and not exists (
       select from acknowledged a where a.workspace_id = m.workspace_id and a.id = m.id))
      + (select count(*) - count(distinct id) from acknowledged) as doubled,
    (select count(*) from idempotency_keys k where not exists (
       select from acknowledged a where a.workspace_id = k.workspace_id and a.key_digest = k.key_digest)) as unheard,
    (select count(*) from used where counted is distinct from stored) as "quotaOff",
    (select count(*) from happened h left join reckoned r using (workspace_id)
     where (h.sent, h.delivered, h.read, h.failed)
       is distinct from (coalesce(r.sent, 0), coalesce(r.delivered, 0), coalesce(r.read, 0), coalesce(r.failed, 0))) as "analyticsOff",
    (select coalesce(sum(greatest(0, cardinality(owed) - cardinality(states))), 0) from due) as "eventsMissing",
    (select count(*) from due where states <> owed and cardinality(states) >= cardinality(owed)) as "eventsWrong",
    (select count(*) from messages where direction = 'outbound' and chanmid is not null) as "handedOver"`

async function copyChats(client: pg.Client, chats: Chat[]): Promise<void> {
  await client.query(
    'insert into chats select ord - 1, w, p from unnest($1::uuid[], $2::text[]) with ordinality as c(w, p, ord)',
    [chats.map((chat) => chat.workspaceId), chats.map((chat) => chat.phone)],
  )
}

async function copyAnswers(client: pg.Client, { requestCount, page }: AcknowledgedSends): Promise<void> {
  for (let from = 0; from < requestCount; from += PAGE) {
    const digits = Buffer.from(await page(from, Math.min(PAGE, requestCount - from))).toString('hex')
    const ids = digits.match(/.{32}/g) ?? []
    const answered = ids.map((id, i) => ({ id, serial: from + i })).filter(({ id }) => id !== NOBODY)
    await client.query('insert into answers select * from unnest($1::int4[], $2::uuid[])', [
      answered.map(({ serial }) => serial),
      answered.map(({ id }) => id),
    ])
  }
}

/** Compares everything at one moment. The service may keep running, but nothing may be sent meanwhile. */
export const acknowledgedLedger = (url: string, sends: AcknowledgedSends): Promise<AcknowledgedLedger> =>
  onDatabase(url, async (client) => {
    await client.query(PREPARE)
    await copyChats(client, sends.chats)
    await copyAnswers(client, sends)
    await client.query(ACKNOWLEDGED)
    await client.query('analyze messages, idempotency_keys, events')
    const [row] = (await client.query<Record<string, string>>(COMPARE)).rows
    return Object.fromEntries(
      Object.entries(row!).map(([name, value]) => [name, Number(value)]),
    ) as AcknowledgedLedger
  })
