import { t } from '../texts.ts'

const MAX_RATING = 5

/** Shows a rating from 1 to 5. */
export const Stars = ({ rating }: { rating: number }) => (
  <span
    role="img"
    aria-label={t('stars', { rating })}
    className="text-md leading-none tracking-wide whitespace-nowrap text-warn"
  >
    {'★'.repeat(rating)}
    <span className="text-ink-3">{'☆'.repeat(MAX_RATING - rating)}</span>
  </span>
)
