/**
 * Builds the conditions of an audience as SQL. Each statement contains only the conditions of its audience,
 * so PostgreSQL tests nothing else. There are few such texts, and values are always parameters.
 */
import type { Put } from '../../../../database/sql/sql.ts'
import { refusalCases } from '../../contacts/operations/refusal-rule.ts'
import { attributeOf } from '../../templates/operations/personal-values.ts'
import type { SegmentDefinition } from '../segment-schema.ts'

/** The conditions of an audience for the table of contacts. Times are the workspace's. */
export type Selection = {
  workspaceId: string
  segment: SegmentDefinition
  /** Selects contacts that existed at this moment; `lastSeenWithinDays` counts back from `seenSince`. */
  at: Date
  seenSince: Date | null
  /** Leaves out contacts with `max` marketing templates after `since`; null: no cap. */
  cap: { max: number; since: Date } | null
  needsNumber: boolean
  knownOnly: boolean
  /** Fields that a contact must have. */
  requiredFields: readonly string[]
}

export const LOWEST = '00000000-0000-0000-0000-000000000000'
export const HIGHEST = 'ffffffff-ffff-ffff-ffff-ffffffffffff'
/** Matches a contact `c` who ever messaged the business or has an opt-in. */
export const KNOWN = "(c.last_seen_at is not null or c.opt_in_status = 'opted_in')"

/** Matches a contact `c` without a field. */
function isMissing(field: string, put: Put): string {
  const key = attributeOf(field)
  if (key !== undefined) return `coalesce(trim(c.attributes ->> ${put(key)}::text), '') = ''`
  return field === 'contact.phone'
    ? "c.phone not like '+%'"
    : "coalesce(trim(c.display_name), '') = '' and coalesce(trim(c.profile_name), '') = ''"
}

/** Returns the first reason to skip a contact, in this order (DECISIONS.md "Audiences"), or null. */
export const reason = ({ cap, needsNumber, knownOnly, requiredFields }: Selection, put: Put): string => `case
  ${refusalCases('c')}
  ${cap ? "when m.contact_id is not null then 'marketing_cap'" : ''}
  ${needsNumber ? "when c.phone not like '+%' then 'no_number'" : ''}
  ${knownOnly ? `when not ${KNOWN} then 'known_only'` : ''}
  ${requiredFields.map((field) => `when ${isMissing(field, put)} then 'missing_value'`).join(' ')}
  end`

/** Returns the conditions of the segment for a contact `c`. */
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

/** Selects the contacts of a list, with one probe of the index each. */
export const listed = (ids: string): string =>
  `(select distinct id from unnest(${ids}::uuid[]) as w (id)) wanted cross join lateral (
     select * from contacts where contacts.workspace_id = $1 and contacts.id = wanted.id limit 1) c`
