import type { Review } from '../../../sdk/api.ts'
import { Badge } from '../../kit/badge.tsx'
import { Time } from '../../kit/time.tsx'
import { t } from '../texts.ts'
import { Stars } from './stars.tsx'
import { About, ChatButton, Customer } from './subject.tsx'

const Row = ({ review, workspace }: { review: Review; workspace: string }) => (
  <li className="flex flex-wrap items-start gap-x-3 gap-y-2 px-4 py-3">
    <div className="min-w-56 flex-1">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Stars rating={review.rating} />
        {review.low && <Badge tone="bad">{t('low')}</Badge>}
        <Customer entry={review} workspace={workspace} />
        <Time at={review.answeredAt} className="text-sm text-ink-3" />
      </p>
      {review.comment ? (
        <p dir="auto" className="mt-1.5 break-words whitespace-pre-line">
          {review.comment}
        </p>
      ) : (
        <p className="mt-1.5 text-ink-3">{t('comment.none')}</p>
      )}
      <p className="mt-1.5">
        <About entry={review} workspace={workspace} />
      </p>
    </div>
    <ChatButton entry={review} workspace={workspace} isLabeled />
  </li>
)

/** Lists reviews, newest first. */
export const ReviewList = ({ reviews, workspace }: { reviews: Review[]; workspace: string }) => (
  <ul aria-label={t('title')} className="divide-y rounded-lg border">
    {reviews.map((review) => (
      <Row key={review.id} review={review} workspace={workspace} />
    ))}
  </ul>
)
