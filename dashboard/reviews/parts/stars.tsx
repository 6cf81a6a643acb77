import { t } from '../texts.ts'

const MAX_RATING = 5

/** Shows a rating from 1 to 5. */
export const Stars = ({ rating, label = t('stars', { rating }) }: { rating: number; label?: string }) => (
  <span
    role="img"
    aria-label={label}
    className="text-md leading-none tracking-wide whitespace-nowrap text-warn"
  >
    {'★'.repeat(rating)}
    <span className="text-ink-3">{'☆'.repeat(MAX_RATING - rating)}</span>
  </span>
)
