/** Defines the commands of the reviews page, for the palette and for keys. */
import { type Command, moveCommands } from '../commands.ts'
import type en from './en.json'
import type { View } from './queries.ts'

export type ReviewsContext = {
  mayRequest: boolean
  requestReview: () => void
  move: (by: 1 | -1) => void
  showView: (view: View) => void
  showLowRatings: () => void
}

export const REVIEWS_COMMANDS: readonly Command<
  ReviewsContext,
  Extract<keyof typeof en, `action.${string}`>
>[] = [
  {
    id: 'reviews-ask',
    title: 'action.ask',
    keys: 'c',
    when: (context) => context.mayRequest,
    run: (context) => context.requestReview(),
  },
  ...moveCommands('reviews'),
  { id: 'reviews-low', title: 'action.low', run: (context) => context.showLowRatings() },
  { id: 'reviews-requests', title: 'action.requests', run: (context) => context.showView('requests') },
]
