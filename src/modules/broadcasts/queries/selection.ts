/**
 * What an audience asks of contacts, as SQL. Each statement is put together from what its audience asks for, so that
 * PostgreSQL tests nothing else a contact; there are few such texts, and values are parameters always.
 */
import type { Put } from '../../../core/sql.ts'
import { refusalCases } from '../../contacts/operations/refusal-rule.ts'
import type { SegmentDefinition } from '../segment-schema.ts'

/** What an audience asks of contacts, in terms of the table. Times are the workspace's. */
export type Selection = {
  workspaceId: string
  segment: SegmentDefinition
  /** Contacts that were there at this moment; `lastSeenWithinDays` counts back from `seenSince`. */
  at: Date
  seenSince: Date | null
  /** Who had `max` marketing templates after `since` is left out; null: nobody for that. */
  cap: { max: number; since: Date } | null
  needsNumber: boolean
  knownOnly: boolean
}

export const LOWEST = '00000000-0000-0000-0000-000000000000'
export const HIGHEST = 'ffffffff-ffff-ffff-ffff-ffffffffffff'
/** Whether a contact `c` ever messaged the business or has an opt-in. */
export const KNOWN = "(c.last_seen_at is not null or c.opt_in_status = 'opted_in')"

/** Why a contact is left out: the first that holds, in this order (docs/decisions/audiences.md); null: it is not. */
export const reason = ({ cap, needsNumber, knownOnly }: Selection): string => `case
  ${refusalCases('c')}
  ${cap ? "when m.contact_id is not null then 'marketing_cap'" : ''}
  ${needsNumber ? "when c.phone not like '+%' then 'no_number'" : ''}
  ${knownOnly ? `when not ${KNOWN} then 'known_only'` : ''}
  end`

/** What the segment itself asks of a contact `c`. */
export function condition({ segment, seenSince }: Selection, put: Put): string {
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

export const marks = ({ cap }: Selection, put: Put): string =>
  cap
    ? `left join marketing_marks m
         on m.workspace_id = c.workspace_id and m.contact_id = c.id and m.times[${put(cap.max)}::int] > ${put(cap.since)}`
    : ''

/** The contacts of a list, one probe of the index each. */
export const listed = (ids: string): string =>
  `(select distinct id from unnest(${ids}::uuid[]) as w (id)) wanted cross join lateral (
     select * from contacts where contacts.workspace_id = $1 and contacts.id = wanted.id limit 1) c`
