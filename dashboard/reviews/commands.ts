/** Defines the commands of the reviews page, for the palette and for keys. */
import type { Command } from '../commands.ts'
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
  { id: 'reviews-next', title: 'action.next', keys: 'j', run: (context) => context.move(1) },
  { id: 'reviews-previous', title: 'action.previous', keys: 'k', run: (context) => context.move(-1) },
  { id: 'reviews-low', title: 'action.low', run: (context) => context.showLowRatings() },
  { id: 'reviews-requests', title: 'action.requests', run: (context) => context.showView('requests') },
]
