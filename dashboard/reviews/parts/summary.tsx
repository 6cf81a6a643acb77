/** Shows the reviews in numbers: the average, the reviews by rating, and the share of answered requests. */
import { classes } from '../../kit/classes.ts'
import { formatLocale } from '../../texts.ts'
import { RATINGS, type Rating, type ReviewSummary } from '../queries.ts'
import { t } from '../texts.ts'
import { Stars } from './stars.tsx'

const oneDigit = new Intl.NumberFormat(formatLocale, { minimumFractionDigits: 1, maximumFractionDigits: 1 })
const percent = new Intl.NumberFormat(formatLocale, { style: 'percent', maximumFractionDigits: 0 })

type BarProps = { rating: Rating; count: number; total: number; isChosen: boolean; onChoose: () => void }

/** The share of one rating; a click shows its reviews. */
const RatingBar = ({ rating, count, total, isChosen, onChoose }: BarProps) => (
  <button
    type="button"
    aria-pressed={isChosen}
    onClick={onChoose}
    className={classes(
      'flex min-h-6 w-full items-center gap-2 rounded-sm px-1.5 text-sm tabular-nums hover:bg-surface-3 pointer-coarse:min-h-11',
      isChosen && 'bg-accent-soft text-accent',
    )}
  >
    <span className="sr-only">{t('summary.rating', { rating: Number(rating), count })}</span>
    <span aria-hidden className="w-7 shrink-0 text-end">
      {Number(rating)} ★
    </span>
    <span aria-hidden className="h-2 min-w-0 flex-1 overflow-hidden rounded-full bg-surface-4">
      <span
        className="block h-full rounded-full bg-warn"
        style={{ width: `${total === 0 ? 0 : (100 * count) / total}%` }}
      />
    </span>
    <span aria-hidden className="w-10 shrink-0 text-end">
      {count}
    </span>
  </button>
)

type Props = {
  data: ReviewSummary
  /** The rating whose reviews are listed. */
  chosen: Rating | undefined
  onChoose: (rating: Rating | undefined) => void
  /** Leaves out the bars where they would be below the other numbers, so that the list is near. */
  isFolded: boolean
}

export function SummaryCard({ data, chosen, onChoose, isFolded }: Props) {
  const { total, average, byRating, asked, answered } = data
  const countOf = (rating: Rating) => byRating.find((row) => row.rating === Number(rating))?.count ?? 0
  return (
    <section aria-label={t('summary')} className="@container rounded-lg border p-4">
      <div className="grid grid-cols-2 items-center gap-x-8 gap-y-4 @lg:grid-cols-[auto_minmax(0,1fr)_auto]">
        <div className="flex flex-col gap-1">
          <span className="text-xl font-semibold tabular-nums">
            {average === null ? '—' : oneDigit.format(average)}
          </span>
          {average !== null && (
            <Stars rating={Math.round(average)} label={t('summary.average', { average })} />
          )}
          <span className="text-sm text-ink-2">{t('summary.total', { count: total })}</span>
        </div>
        <ul
          className={classes(
            'order-last col-span-2 @lg:order-none @lg:col-span-1',
            isFolded && '@max-lg:hidden',
          )}
        >
          {RATINGS.map((rating) => (
            <li key={rating}>
              <RatingBar
                rating={rating}
                count={countOf(rating)}
                total={total}
                isChosen={rating === chosen}
                onChoose={() => onChoose(rating === chosen ? undefined : rating)}
              />
            </li>
          ))}
        </ul>
        <div className="flex flex-col gap-1">
          <span className="text-xl font-semibold tabular-nums">
            {asked === 0 ? '—' : percent.format(answered / asked)}
          </span>
          <span className="text-sm text-ink-2">{t('summary.answered', { answered, asked })}</span>
        </div>
      </div>
    </section>
  )
}
