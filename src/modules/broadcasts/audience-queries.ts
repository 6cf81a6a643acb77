/**
 * Statements that read whole audiences out of the contacts. Each is put together from what its audience asks for, so
 * that PostgreSQL tests nothing else a contact; there are few such texts, and values are parameters always.
 */
import type { Tx } from '../../core/context.ts'
import { listOf, uuids } from '../../core/sql.ts'
import type { SegmentDefinition } from './segment-schema.ts'

/** What an audience asks of contacts, in terms of the table. Times are the workspace's. */
export type Selection = {
  workspaceId: string
  segment: SegmentDefinition
  /** Contacts that were there at this moment; `lastSeenWithinDays` counts back from `seenSince`. */
  at: Date
  seenSince: Date | null
  /** Who had `most` marketing templates after `since` is left out; null: nobody for that. */
  cap: { most: number; since: Date } | null
  needsNumber: boolean
  knownOnly: boolean
}

/** Parameters of a statement, numbered as they are put in. */
function parameters(first: unknown[]): { values: unknown[]; put(value: unknown): string } {
  const values = [...first]
  return { values, put: (value) => `$${values.push(value)}` }
}
type Put = (value: unknown) => string

const LOWEST = '00000000-0000-0000-0000-000000000000'
/** Whether a contact `c` ever messaged the business or has an opt-in. */
export const KNOWN = "(c.last_seen_at is not null or c.opt_in_status = 'opted_in')"

/** Why a contact is left out: the first that holds, in this order (docs/decisions/segments.md); null: it is not. */
const reason = ({ cap, needsNumber, knownOnly }: Selection): string => `case
  when c.opt_in_status = 'opted_out' then 'opted_out'
  when c.blocked then 'blocked'
  ${cap ? "when m.contact_id is not null then 'marketing_cap'" : ''}
  ${needsNumber ? "when c.phone not like '+%' then 'no_number'" : ''}
  ${knownOnly ? `when not ${KNOWN} then 'known_only'` : ''}
  end`

/** What the segment itself asks of a contact `c`. */
function condition({ segment, seenSince }: Selection, put: Put): string {
  const { tags, excludeTags, optInStatus } = segment
  return [
    "c.channel = 'chat'",
    tags && `c.tags && ${put(tags)}::text[]`,
    excludeTags && excludeTags.length > 0 && `not c.tags && ${put(excludeTags)}::text[]`,
    optInStatus && `c.opt_in_status = ${put(optInStatus)}`,
    seenSince && `c.last_seen_at >= ${put(seenSince)}`,
  ]
    .filter(Boolean)
    .join(' and ')
}

const marks = ({ cap }: Selection, put: Put): string =>
  cap
    ? `left join marketing_marks m
         on m.workspace_id = c.workspace_id and m.contact_id = c.id and m.times[${put(cap.most)}::int] > ${put(cap.since)}`
    : ''

/** The contacts of a list, one probe of the index each. */
const listed = (ids: string): string =>
  `(select distinct id from unnest(${ids}::uuid[]) as w (id)) wanted cross join lateral (
     select * from contacts where contacts.workspace_id = $1 and contacts.id = wanted.id limit 1) c`

export type AudienceCount = { reason: string | null; known: boolean; people: number }

/**
 * How many contacts of the chat network there are for each reason to leave them out, and for none. A million contacts
 * are one walk along their key. Whoever had their measure of marketing is looked up from the marks, which are few as a
 * rule, and taken out of what the walk counted: all in one statement, so that both see the same people.
 */
export async function countAudienceRows(tx: Tx, selection: Selection): Promise<AudienceCount[]> {
  const { values, put } = parameters([selection.workspaceId])
  const ids = selection.segment.contactIds
  const uncapped = { ...selection, cap: null }
  const judged = `${reason(uncapped)} as reason, ${KNOWN} as known`
  const belongs = condition(selection, put)
  const all = ids
    ? `from ${listed(put(uuids(ids)))} where ${belongs}`
    : `from contacts c where c.workspace_id = $1 and c.id > '${LOWEST}' and ${belongs}`
  const texts = [
    `select reason, known, count(*) as people, false as capped from (select ${judged} ${all}) x group by 1, 2`,
  ]
  if (selection.cap)
    texts.push(`select reason, known, count(*) as people, true as capped from (
      select ${judged} from (
        select contact_id from marketing_marks
        where workspace_id = $1 and times[${put(selection.cap.most)}::int] > ${put(selection.cap.since)}
          ${ids ? `and contact_id = any (${put(uuids(ids))}::uuid[])` : ''}
      ) m cross join lateral (
        select * from contacts where contacts.workspace_id = $1 and contacts.id = m.contact_id limit 1
      ) c where ${belongs} and c.opt_in_status <> 'opted_out' and not c.blocked
    ) y group by 1, 2`)
  const rows = await tx.sql<AudienceCount & { capped: boolean }>(texts.join(' union all '), values)
  return movedToCap(rows)
}

/** The counts of the walk, with those who had their measure taken out of them and counted for that. */
function movedToCap(rows: (AudienceCount & { capped: boolean })[]): AudienceCount[] {
  const capped = rows.filter((row) => row.capped)
  const counts = rows
    .filter((row) => !row.capped)
    .map(({ reason, known, people }) => {
      const moved = capped.find((row) => row.reason === reason && row.known === known)?.people ?? 0
      return { reason, known, people: people - moved }
    })
  const moved = capped.map(({ known, people }) => ({ reason: 'marketing_cap', known, people }))
  return [...counts, ...moved].filter(({ people }) => people > 0)
}

/** How many of the audience would be sent to who are not known and whom a campaign wrote to after `since` as such. */
export async function countCoolingRows(tx: Tx, selection: Selection, since: Date): Promise<number> {
  const { values, put } = parameters([selection.workspaceId])
  const ids = selection.segment.contactIds
  const [row] = await tx.sql<{ people: number }>(
    `select count(*) as people from (
       select ${reason(selection)} as reason, ${KNOWN} as known
       from (
         select distinct contact_id from broadcast_recipients
         where workspace_id = $1 and new_at > ${put(since)} ${ids ? `and contact_id = any (${put(uuids(ids))}::uuid[])` : ''}
       ) r cross join lateral (
         select * from contacts where contacts.workspace_id = $1 and contacts.id = r.contact_id limit 1
       ) c ${marks(selection, put)}
       where ${condition(selection, put)}
     ) cooling where reason is null and not known`,
    values,
  )
  return row!.people
}

export type LookedAt = { id: string; known: boolean; reason: string | null }

/**
 * The next contacts of an audience after `after`, in the order of their ids: at most `limit`, from at most `look` looked
 * at. `reached`: the contact to go on after; null: there are no more. No more contacts are looked at than it takes, and
 * they come as three lists, not as rows.
 */
export async function walkAudienceRows(
  tx: Tx,
  selection: Selection,
  { after, limit, look }: { after: string | null; limit: number; look: number },
): Promise<{ rows: LookedAt[]; reached: string | null }> {
  const { values, put } = parameters([selection.workspaceId])
  const ids = selection.segment.contactIds
  const from = ids ? listed(put(uuids(ids))) : 'contacts c'
  const [begin, looked, most] = [put(after ?? LOWEST), `${put(look)}::int`, `${put(limit)}::int`]
  const next = (columns: string) =>
    `select ${columns} from ${from} where c.workspace_id = $1 and c.id > ${begin} order by c.id limit ${looked}`
  const belongs = `(c.created_at <= ${put(selection.at)} and ${condition(selection, put)}) as belongs`
  const [found] = await tx.sql<Record<'ids' | 'known' | 'reasons' | 'reached', string | null>>(
    `with met as materialized (
       select c.id, ${KNOWN} as known, ${reason(selection)} as reason
       from (
         select * from (
           ${next(`c.id, c.phone, c.opt_in_status, c.blocked, c.last_seen_at, c.workspace_id, ${belongs}`)}
         ) looked where belongs order by id limit ${most}
       ) c ${marks(selection, put)}
     )
     select array_agg(id)::text as ids,
            case when not bool_and(known) then array_agg(known)::text end as known,
            case when count(reason) > 0 then array_agg(reason)::text end as reasons,
            case when count(*) = ${most} then (select id from met order by id desc limit 1)
                 else (select id from (${next('c.id')}) all_looked order by id offset ${looked} - 1 limit 1) end as reached
     from (select * from met order by id) met`,
    values,
  )
  // Lists that say the same of everybody are left out.
  const [known, reasons] = [found!.known && listOf(found!.known), found!.reasons && listOf(found!.reasons)]
  const rows = listOf(found!.ids).map((id, i) => ({
    id: id!,
    known: known === null || known[i] === 't',
    reason: reasons && reasons[i]!,
  }))
  return { rows, reached: found!.reached }
}

/** Which of the contacts are on the chat network. */
export const listChatContactIds = (tx: Tx, workspaceId: string, ids: string[]): Promise<{ id: string }[]> =>
  tx.sql<{ id: string }>(
    `select c.id from (select distinct id from unnest($2::uuid[]) as w (id)) wanted cross join lateral (
       select id from contacts
       where contacts.workspace_id = $1 and contacts.id = wanted.id and contacts.channel = 'chat' limit 1) c`,
    [workspaceId, uuids(ids)],
  )

/** Contacts from which on counting a workspace takes long enough to be done once at a time. */
const MANY_CONTACTS = 20_000

/**
 * Whether contacts may be counted now: in a workspace of many, one transaction at a time does it, so that no burst of
 * such requests takes all connections.
 */
export const mayCountContacts = async (tx: Tx, workspaceId: string): Promise<boolean> => {
  const [many] = await tx.sql('select 1 as one from contacts where workspace_id = $1 offset $2 limit 1', [
    workspaceId,
    MANY_CONTACTS,
  ])
  if (!many) return true
  const [lock] = await tx.sql<{ taken: boolean }>(
    "select pg_try_advisory_xact_lock(hashtextextended('count contacts ' || $1, 0)) as taken",
    [workspaceId],
  )
  return lock!.taken
}
