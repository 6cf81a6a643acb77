/**
 * Decides which data of two contacts a merge keeps (DECISIONS.md "Merges"). Pure functions that
 * neither read nor write.
 */
import { isDeepStrictEqual } from 'node:util'
import { Refusal } from '../../../../core/errors.ts'
import type { ContactRow } from '../queries/contacts.ts'
import { TAGS_MAX } from '../schema.ts'
import { mergeAttributes } from './merge-attributes.ts'

type Consent = Pick<ContactRow, 'optInStatus' | 'optInSource' | 'refusedByCustomer' | 'consentAt'>

const strictness = ({ refusedByCustomer, optInStatus }: Consent): number =>
  refusedByCustomer ? 3 : optInStatus === 'opted_out' ? 2 : optInStatus === 'opted_in' ? 1 : 0

const timeOf = (time: Date | null): number => time?.getTime() ?? 0

/**
 * Returns the person's consent. Their own opt-out outranks the business's opt-out, and either outranks all
 * other states, at any time. An opt-in outranks unknown. Of two equal states, the later one applies.
 */
export function consentOf(kept: Consent, merged: Consent): Consent {
  const stricter = strictness(merged) - strictness(kept)
  const { optInStatus, optInSource, refusedByCustomer, consentAt } =
    stricter > 0 || (stricter === 0 && timeOf(merged.consentAt) > timeOf(kept.consentAt)) ? merged : kept
  return { optInStatus, optInSource, refusedByCustomer, consentAt }
}

const laterOf = (a: Date | null, other: Date | null): Date | null => (timeOf(a) >= timeOf(other) ? a : other)

const isHidden = ({ phone }: ContactRow): boolean => phone.startsWith('chan:')

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/**
 * Returns the contact after the merge, and a line of text for each value of the merged contact that is not
 * kept.
 */
export function mergedRow(
  kept: ContactRow,
  merged: ContactRow,
  now: Date,
): { row: ContactRow; lines: string[] } {
  const tags = [...new Set([...kept.tags, ...merged.tags])]
  const united = mergeAttributes(merged.attributes, kept.attributes, 'contact')
  const attributes = united instanceof Refusal ? kept.attributes : united
  const row: ContactRow = {
    ...kept,
    // A contact without a number takes the number of the other contact.
    phone: isHidden(kept) && !isHidden(merged) ? merged.phone : kept.phone,
    userId: kept.userId ?? merged.userId,
    username: kept.username ?? merged.username,
    displayName: kept.displayName ?? merged.displayName,
    profileName: kept.profileName ?? merged.profileName,
    language: kept.language ?? merged.language,
    tags: tags.slice(0, TAGS_MAX),
    attributes,
    ...consentOf(kept, merged),
    blocked: kept.blocked || merged.blocked,
    lastSeenAt: laterOf(kept.lastSeenAt, merged.lastSeenAt),
    updatedAt: now,
  }
  return { row, lines: linesOf(row, merged, tags.slice(TAGS_MAX)) }
}

function linesOf(row: ContactRow, merged: ContactRow, tagsLeft: string[]): string[] {
  const named = (label: string, value: string | null, keptValue: string | null) =>
    value === null || value === keptValue ? [] : [`${label}: ${value}`]
  return [
    ...named('Name', merged.displayName, row.displayName),
    ...named('Profile name', merged.profileName, row.profileName),
    ...named('Username', merged.username, row.username),
    ...named('Language', merged.language, row.language),
    ...(tagsLeft.length > 0 ? [`Tags: ${tagsLeft.join(', ')}`] : []),
    ...Object.entries(merged.attributes)
      .filter(([key, value]) => !isDeepStrictEqual(row.attributes[key], value))
      .map(([key, value]) => `${key}: ${textOf(value)}`),
  ]
}

/**
 * Returns the keys of the merged contact that the kept contact lacks: its number is a spelling of the
 * person's number, its user id an earlier one.
 */
export function namesOfMerged(row: ContactRow, merged: ContactRow): { key: string; isSpelling: boolean }[] {
  const userId = merged.userId === null ? [] : [`chan:${merged.userId}`]
  return [...new Set([merged.phone, ...userId])]
    .filter((key) => key !== row.phone && key !== `chan:${row.userId}`)
    .map((key) => ({ key, isSpelling: key.startsWith('+') }))
}

/**
 * Returns the contact with the lines in a custom field, because it has neither a lead nor a chat for a note.
 * If the contact has no space for the field, it stays as it is.
 */
export function withNote(row: ContactRow, phone: string, lines: string[]): ContactRow {
  const attributes = mergeAttributes(
    row.attributes,
    { [`Merged with ${phone}`]: lines.join('; ') },
    'contact',
  )
  return attributes instanceof Refusal ? row : { ...row, attributes }
}
