/** Defines the commands of the reviews page, for the palette and for keys. */
import type { Command } from '../commands.ts'
import type en from './en.json'
import type { View } from './queries.ts'

export type ReviewsAt = {
  mayAsk: boolean
  ask: () => void
  move: (by: 1 | -1) => void
  show: (view: View) => void
  showLow: () => void
}

export const REVIEWS_COMMANDS: readonly Command<ReviewsAt, Extract<keyof typeof en, `action.${string}`>>[] = [
  {
    id: 'reviews-ask',
    title: 'action.ask',
    keys: 'c',
    when: (context) => context.mayAsk,
    run: (context) => context.ask(),
  },
  { id: 'reviews-next', title: 'action.next', keys: 'j', run: (context) => context.move(1) },
  { id: 'reviews-previous', title: 'action.previous', keys: 'k', run: (context) => context.move(-1) },
  { id: 'reviews-low', title: 'action.low', run: (context) => context.showLow() },
  { id: 'reviews-requests', title: 'action.requests', run: (context) => context.show('requests') },
]
