/** Describes how often a form was sent and answered in the last 30 days. */
import type { Flow } from '../queries.ts'
import { t } from '../texts.ts'
import { formatShare } from './format-value.ts'

/** The list counts no more sends than this. */
const MAX_COUNTED = 10_000

/** Returns the counts as text; the share is unknown if there are more sends than are counted. */
export function formatCounts({ sent, answered }: Flow): string {
  if (sent === 0) return t('counts.none')
  return sent < MAX_COUNTED
    ? t('counts', { sent, answered, share: formatShare(answered, sent) })
    : t('counts.many', { sent, answered })
}
