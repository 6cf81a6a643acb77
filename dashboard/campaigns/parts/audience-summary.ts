/** Describes an audience in one line. */
import type { Broadcast, Segment } from '../../../sdk/api.ts'
import { formatLocale } from '../../texts.ts'
import { t } from '../texts.ts'
import { conditionsOf, type Definition } from './conditions-shape.ts'

const anyOf = new Intl.ListFormat(formatLocale, { type: 'disjunction' })

/** Returns the conditions of a segment as one line. */
export function summaryOf({ contactIds, ...definition }: Definition): string {
  if (contactIds) return t('summary.list', { count: contactIds.length })
  const { tags, excludeTags, optIn, seenDays } = conditionsOf(definition)
  const parts = [
    tags.length > 0 && t('summary.tags', { tags: anyOf.format(tags) }),
    excludeTags.length > 0 && t('summary.without', { tags: anyOf.format(excludeTags) }),
    optIn !== 'any' && t(`optIn.${optIn}`),
    seenDays && t('summary.seen', { days: Number(seenDays) }),
  ].filter(Boolean)
  return parts.length > 0 ? parts.join(' · ') : t('summary.everyone')
}

const textOf = (definition: object): string => JSON.stringify(Object.entries(definition).toSorted())

/** Returns the saved segment with the conditions of a campaign: the campaign has no link to its segment. */
export const savedSegmentOf = (
  { segment }: Pick<Broadcast, 'segment'>,
  segments: readonly Segment[],
): Segment | undefined => segments.find((saved) => textOf(saved.segment) === textOf(segment))
