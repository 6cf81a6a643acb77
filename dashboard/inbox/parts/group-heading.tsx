import { t } from '../texts.ts'
import type { Group } from '../use-headings.ts'

export const HEADING = 'bg-surface-2 px-4 py-1.5 text-xs font-medium text-ink-2'

/** Names a group of a search in the inbox. */
export const GroupHeading = ({ group }: { group: Group }) => (
  <h2 className={HEADING}>{t(group === 'open' ? 'found.open' : 'found.resolved')}</h2>
)
