/** Shows the reviews of a span in numbers: the average, the ratings, and their trend. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../kit/button.tsx'
import { classes } from '../../kit/classes.ts'
import { lazyComponent } from '../../kit/lazy.tsx'
import { type About, type Rating, summaryQuery } from '../queries.ts'
import { t } from '../texts.ts'
import { type Period, periodOf } from './periods.ts'
import { SummaryCard } from './summary.tsx'

const Trend = lazyComponent(() => import('./trend.tsx').then((module) => module.Trend))

type Props = {
  filter: { about?: About; from?: string }
  filters: { span?: string; by?: string }
  onFilter: (patch: { rating?: string; by?: string }) => void
  rating: Rating | undefined
  today: string
  /** The numbers are next to the list; otherwise the trend, and on a phone the ratings, are folded, so that the list is near. */
  isRoomy: boolean
}

export function ReviewNumbers({ filter, filters, onFilter, rating, today, isRoomy }: Props) {
  const [isUnfolded, setUnfolded] = useState(false)
  const period = periodOf(filters)
  const query = useQuery(summaryQuery({ ...filter, by: period }))
  const { data } = query
  if (!data || (data.total === 0 && data.asked === 0)) return null
  return (
    <div className={classes('flex flex-col gap-4', isRoomy && 'w-80 shrink-0')}>
      <SummaryCard
        data={data}
        chosen={rating}
        onChoose={(chosen) => onFilter({ rating: chosen ?? '' })}
        isFolded={!isRoomy && !isUnfolded}
      />
      {!isRoomy && data.total > 0 && (
        <Button
          size="sm"
          variant="ghost"
          className="self-start"
          aria-expanded={isUnfolded}
          onClick={() => setUnfolded(!isUnfolded)}
        >
          {t(isUnfolded ? 'numbers.fewer' : 'numbers.more')}
        </Button>
      )}
      {(isRoomy || isUnfolded) && data.total > 0 && (
        <Trend
          query={query}
          from={filter.from}
          today={today}
          period={period}
          onPeriod={(by: Period) => onFilter({ by })}
        />
      )}
    </div>
  )
}
