import { useParams } from '@tanstack/react-router'
import { useWorkspaceSession } from '../../api/session.ts'
import { RatingSettingsPart } from './rating-settings.tsx'
import { ReviewSettingsPart } from './review-settings.tsx'

/** Edits the settings of ratings of chats, and reviews of purchases and visits. */
export function RatingsAndReviews() {
  const { workspace } = useParams({ strict: false }) as { workspace: string }
  return (
    <>
      <RatingSettingsPart />
      <ReviewSettingsPart openWorkspace={useWorkspaceSession(workspace).workspace} />
    </>
  )
}
