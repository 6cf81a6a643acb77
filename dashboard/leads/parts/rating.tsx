import { Star } from 'lucide-react'
import { classes } from '../../kit/classes.ts'
import { t } from '../texts.ts'

const STARS = [1, 2, 3, 4, 5]

/** Shows how promising a lead is. */
export const Rating = ({ rating }: { rating: number }) =>
  rating === 0 ? null : (
    <span
      role="img"
      aria-label={t('rating', { rating })}
      className="inline-flex items-center gap-0.5 text-xs text-ink-2 tabular-nums"
    >
      <Star aria-hidden size={12} className="fill-current text-warn" />
      {rating}
    </span>
  )

type Props = { rating: number; onChange: (rating: number) => void; disabled: boolean }

/** Edits the rating; clicking the current star again removes the rating. */
export const RatingField = ({ rating, onChange, disabled }: Props) => (
  <fieldset className="flex" disabled={disabled}>
    <legend className="sr-only">{t('field.rating')}</legend>
    {STARS.map((star) => (
      <button
        key={star}
        type="button"
        aria-label={t('rating', { rating: star })}
        aria-pressed={star === rating}
        onClick={() => onChange(star === rating ? 0 : star)}
        className="flex size-7 items-center justify-center rounded-md enabled:hover:bg-surface-3 pointer-coarse:size-11"
      >
        <Star
          aria-hidden
          size={16}
          className={classes(star <= rating ? 'fill-current text-warn' : 'text-ink-3')}
        />
      </button>
    ))}
  </fieldset>
)
