import { useParams } from '@tanstack/react-router'
import { useHere } from '../../api/session.ts'
import { RatingSettingsPart } from './rating-settings.tsx'
import { ReviewSettingsPart } from './review-settings.tsx'

/** How customers are asked what they think: of a chat, of what they bought, of a visit. */
export function RatingsAndReviews() {
  const { workspace } = useParams({ strict: false }) as { workspace: string }
  return (
    <>
      <RatingSettingsPart />
      <ReviewSettingsPart here={useHere(workspace).workspace} />
    </>
  )
}
