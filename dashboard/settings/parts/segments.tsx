import { useInfiniteQuery } from '@tanstack/react-query'
import { Filter } from 'lucide-react'
import { call } from '../../api/request.ts'
import { summaryOf } from '../../campaigns/parts/audience-summary.ts'
import { SegmentDialog } from '../../campaigns/parts/segment-dialog.tsx'
import { formatNumber } from '../../kit/chart.tsx'
import { segmentsQuery } from '../queries.ts'
import { t } from '../texts.ts'
import { ListSection } from './list-section.tsx'

const READS = ['segment']

/** Edits the saved segments of contacts. */
export const SegmentsSettings = () => (
  <ListSection
    name="segments"
    icon={Filter}
    query={useInfiniteQuery(segmentsQuery)}
    nameOf={({ name }) => name}
    remove={({ id }) => call('DELETE /segments/{id}', { params: { id } })}
    reads={READS}
    form={(segment, onClose) => <SegmentDialog segment={segment} onClose={onClose} />}
    columns={[
      {
        id: 'name',
        title: t('name'),
        cell: ({ name, segment }) => (
          <span className="flex flex-col py-1">
            <span className="font-medium">{name}</span>
            <span className="text-sm text-ink-2">{summaryOf(segment)}</span>
          </span>
        ),
      },
      {
        id: 'matched',
        title: t('segments.matched'),
        isNamed: true,
        end: true,
        hideBelow: 'sm',
        cell: ({ matched }) => (matched === null ? '–' : formatNumber(matched)),
      },
    ]}
  />
)
