import { useInfiniteQuery } from '@tanstack/react-query'
import { Star } from 'lucide-react'
import type { ReactNode } from 'react'
import { useWorkspaceSession } from '../../api/session.ts'
import { classes } from '../../kit/classes.ts'
import { LoadMore } from '../../kit/load-more.tsx'
import { LoadedRows } from '../../kit/loaded-rows.tsx'
import { Select } from '../../kit/select.tsx'
import { Empty, SkeletonRows } from '../../kit/states.tsx'
import { useNow } from '../../kit/time.tsx'
import { useIsRoomy } from '../../kit/width.ts'
import { localOf } from '../../kit/zone.ts'
import { type About, RATINGS, requestsQuery, reviewsQuery } from '../queries.ts'
import { t } from '../texts.ts'
import { firstDayOf, SPANS, spanOf } from './periods.ts'
import { REQUEST_STATUSES, RequestTable } from './request-table.tsx'
import { ReviewList } from './review-list.tsx'
import { ReviewNumbers } from './review-numbers.tsx'

const ABOUT = ['all', 'invoice', 'booking'] as const

/** The filters in the address. */
export type Filters = { rating?: string; about?: string; status?: string; span?: string; by?: string }
type Props = {
  filters: Filters
  onFilter: (patch: Filters) => void
  workspace: string
  /** The action shown with an empty list. */
  action: ReactNode
}

const aboutOf = ({ about }: Filters): About | undefined =>
  about === 'invoice' || about === 'booking' ? about : undefined

const AboutFilter = ({ filters, onFilter }: Pick<Props, 'filters' | 'onFilter'>) => (
  <Select
    name={t('filter.about')}
    className="min-w-0 max-sm:flex-1 max-sm:basis-36 sm:w-44"
    value={aboutOf(filters) ?? 'all'}
    onChange={(next) => onFilter({ about: next === 'all' ? '' : next })}
    choices={ABOUT.map((value) => ({ value, label: t(`filter.about.${value}`) }))}
  />
)

/** Shows reviews, and their numbers: next to the list if there is room, otherwise above it. */
export function ReviewsView({ filters, onFilter, workspace, action }: Props) {
  const about = aboutOf(filters)
  const isLow = filters.rating === 'low'
  // The address has a number, or a text that is one.
  const rating = RATINGS.find((candidate) => candidate === String(filters.rating))
  const { timezone } = useWorkspaceSession(workspace).workspace
  const today = localOf(timezone, useNow()).day
  const span = spanOf(filters)
  const from = firstDayOf(span, today)
  const narrowed = { ...(about && { about }), ...(from && { from }) }
  const query = useInfiniteQuery(
    reviewsQuery({ ...narrowed, ...(isLow && { low: 'true' }), ...(rating && { rating }) }),
  )
  const reviews = query.data?.pages.flatMap((page) => page.reviews) ?? []
  const isNarrowed = isLow || rating !== undefined || about !== undefined || from !== undefined
  const isRoomy = useIsRoomy()
  const numbers = <ReviewNumbers filter={narrowed} {...{ filters, onFilter, rating, today, isRoomy }} />
  return (
    <>
      <div className="my-4 flex flex-wrap gap-2">
        <Select
          name={t('filter.span')}
          className="min-w-0 max-sm:flex-1 max-sm:basis-36 sm:w-44"
          value={span}
          onChange={(next) => onFilter({ span: next === 'always' ? '' : next, by: '' })}
          choices={SPANS.map((value) => ({ value, label: t(`filter.span.${value}`) }))}
        />
        <AboutFilter filters={filters} onFilter={onFilter} />
        <Select
          name={t('filter.rating')}
          className="min-w-0 max-sm:flex-1 max-sm:basis-36 sm:w-44"
          value={isLow ? 'low' : (rating ?? 'all')}
          onChange={(next) => onFilter({ rating: next === 'all' ? '' : next })}
          choices={(['all', 'low', ...RATINGS] as const).map((value) => ({
            value,
            label:
              value === 'all' || value === 'low'
                ? t(`filter.rating.${value}`)
                : t('stars.short', { rating: Number(value) }),
          }))}
        />
      </div>
      <div className={classes('flex gap-4', isRoomy ? 'items-start gap-6' : 'flex-col')}>
        {!isRoomy && numbers}
        <div className="min-w-0 flex-1">
          <LoadedRows
            query={query}
            rows={reviews}
            outline={<SkeletonRows tall />}
            empty={
              <Empty
                icon={Star}
                title={t(isNarrowed ? 'empty.narrowed' : 'empty')}
                action={isNarrowed ? undefined : action}
              >
                {t(isNarrowed ? 'empty.narrowed.text' : 'empty.text')}
              </Empty>
            }
          >
            <ReviewList reviews={reviews} workspace={workspace} />
            <LoadMore query={query}>{t('more')}</LoadMore>
          </LoadedRows>
        </div>
        {isRoomy && numbers}
      </div>
    </>
  )
}

/** Shows review requests. */
export function RequestsView({ filters, onFilter, workspace, action }: Props) {
  const about = aboutOf(filters)
  const status = REQUEST_STATUSES.find((candidate) => candidate === filters.status)
  const query = useInfiniteQuery(requestsQuery({ ...(status && { status }), ...(about && { about }) }))
  const requests = query.data?.pages.flatMap((page) => page.reviewRequests) ?? []
  const isNarrowed = status !== undefined || about !== undefined
  return (
    <>
      <div className="my-4 flex flex-wrap gap-2">
        <Select
          name={t('filter.status')}
          className="min-w-0 max-sm:flex-1 max-sm:basis-36 sm:w-44"
          value={status ?? 'all'}
          onChange={(next) => onFilter({ status: next === 'all' ? '' : next })}
          choices={(['all', ...REQUEST_STATUSES] as const).map((value) => ({
            value,
            label: t(value === 'all' ? 'filter.status.all' : `status.${value}`),
          }))}
        />
        <AboutFilter filters={filters} onFilter={onFilter} />
      </div>
      <LoadedRows
        query={query}
        rows={requests}
        outline={<SkeletonRows tall />}
        empty={
          <Empty
            icon={Star}
            title={t(isNarrowed ? 'requests.empty.narrowed' : 'requests.empty')}
            action={isNarrowed ? undefined : action}
          >
            {t(isNarrowed ? 'requests.empty.narrowed.text' : 'requests.empty.text')}
          </Empty>
        }
      >
        <RequestTable requests={requests} workspace={workspace} />
        <LoadMore query={query}>{t('more')}</LoadMore>
      </LoadedRows>
    </>
  )
}
