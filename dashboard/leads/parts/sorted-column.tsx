import { ArrowDown, ArrowUp } from 'lucide-react'
import { t } from '../texts.ts'
import type { LeadsView, Sort } from '../view.ts'

type Props = {
  view: Pick<LeadsView, 'sort' | 'dir'>
  onView: (patch: { sort: Sort; dir: 'asc' | 'desc'; page: number }) => void
}

/** These columns begin with their smallest value; for the time in the stage, this is the longest. */
const ASCENDING_FIRST: readonly Sort[] = ['name', 'phone', 'nextFollowUpAt', 'stageChangedAt']

/** A column whose heading sorts the table, and sorts it the other way when pressed again. */
export function sortedColumn({ view, onView }: Props, sort: Sort, label: string) {
  const isSorted = view.sort === sort
  // The time in the stage rises as the time of the move falls.
  const isAscending = (view.dir === 'asc') !== (sort === 'stageChangedAt')
  const Icon = isAscending ? ArrowUp : ArrowDown
  const first = ASCENDING_FIRST.includes(sort) ? 'asc' : 'desc'
  const dir = !isSorted ? first : view.dir === 'desc' ? 'asc' : 'desc'
  return {
    ...(isSorted && { sorted: isAscending ? ('ascending' as const) : ('descending' as const) }),
    title: (
      <button
        type="button"
        aria-label={t('table.sort', { column: label })}
        onClick={() => onView({ sort, dir, page: 1 })}
        className="inline-flex min-h-6 items-center gap-1 rounded-sm hover:text-ink-1 pointer-coarse:min-h-11"
      >
        {label}
        {isSorted && <Icon aria-hidden size={13} />}
      </button>
    ),
  }
}
