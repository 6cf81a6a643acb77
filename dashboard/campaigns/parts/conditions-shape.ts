/** The conditions of an audience, as fields show them and as a segment has them. */
import type { Api } from '../../../sdk/api.ts'

export type Definition = Api['POST /segments']['body']['segment']

export const OPT_INS = ['any', 'opted_in', 'unknown'] as const
export type Conditions = {
  tags: string[]
  excludeTags: string[]
  optIn: (typeof OPT_INS)[number] | 'opted_out'
  /** Only contacts who wrote within this number of days; empty: at any time. */
  seenDays: string
}

export const NO_CONDITIONS: Conditions = { tags: [], excludeTags: [], optIn: 'any', seenDays: '' }

/** Returns the conditions in the format of a segment. */
export function definitionOf({ tags, excludeTags, optIn, seenDays }: Conditions): Definition {
  const days = Number.parseInt(seenDays, 10)
  return {
    ...(tags.length > 0 ? { tags } : {}),
    ...(excludeTags.length > 0 ? { excludeTags } : {}),
    ...(optIn === 'any' ? {} : { optInStatus: optIn }),
    ...(days > 0 ? { lastSeenWithinDays: days } : {}),
  }
}

/** Returns the conditions of a segment as the fields show them. */
export const conditionsOf = ({
  tags = [],
  excludeTags = [],
  optInStatus,
  lastSeenWithinDays,
}: Definition): Conditions => ({
  tags,
  excludeTags,
  optIn: optInStatus ?? 'any',
  seenDays: lastSeenWithinDays === undefined ? '' : String(lastSeenWithinDays),
})
