/** Defines the commands of the photo network's pages, for the palette and for keys. */
import type { SocialPost } from '../../sdk/api.ts'
import { type Command, createCommand, moveCommands } from '../commands.ts'
import { EARLIER_KEYS, LATER_KEYS } from '../kit/calendar-keys.ts'
import type en from './en.json'
import type { View } from './view.ts'

export type SocialContext = { move: (by: 1 | -1) => void; showView: (view: View) => void }

export const SOCIAL_COMMANDS: readonly Command<
  SocialContext,
  Extract<keyof typeof en, `action.${string}`>
>[] = [
  ...moveCommands('social'),
  {
    id: 'social-messages',
    title: 'action.messages',
    keys: '1',
    run: (context) => context.showView('messages'),
  },
  {
    id: 'social-comments',
    title: 'action.comments',
    keys: '2',
    run: (context) => context.showView('comments'),
  },
  { id: 'social-posts', title: 'action.posts', keys: '3', run: (context) => context.showView('posts') },
  {
    id: 'social-calendar',
    title: 'action.calendar',
    keys: '4',
    run: (context) => context.showView('calendar'),
  },
  {
    id: 'social-insights',
    title: 'action.insights',
    keys: '5',
    run: (context) => context.showView('insights'),
  },
]

export const POSTS_COMMANDS: readonly Command<
  Pick<CalendarContext, 'mayWrite' | 'create'>,
  Extract<keyof typeof en, `action.${string}`>
>[] = [createCommand('posts-create', 'action.create')]

export type CalendarContext = {
  /** The focused scheduled post, if it can be moved. */
  post: SocialPost | undefined
  mayWrite: boolean
  create: () => void
  turnMonth: (by: 1 | -1) => void
  movePost: (days: number) => void
  openMoveDialog: () => void
}

const canMove = ({ post }: CalendarContext): boolean => post !== undefined

export const CALENDAR_COMMANDS: readonly Command<
  CalendarContext,
  Extract<keyof typeof en, `action.${string}`>
>[] = [
  createCommand('calendar-create', 'action.create'),
  { id: 'calendar-before', title: 'action.monthBefore', keys: '[', run: (context) => context.turnMonth(-1) },
  { id: 'calendar-after', title: 'action.monthAfter', keys: ']', run: (context) => context.turnMonth(1) },
  {
    id: 'calendar-move',
    title: 'action.move',
    keys: 'm',
    when: canMove,
    run: (context) => context.openMoveDialog(),
  },
  {
    id: 'calendar-later',
    title: 'action.later',
    keys: LATER_KEYS,
    when: canMove,
    run: (context) => context.movePost(1),
  },
  {
    id: 'calendar-earlier',
    title: 'action.earlier',
    keys: EARLIER_KEYS,
    when: canMove,
    run: (context) => context.movePost(-1),
  },
  {
    id: 'calendar-week-later',
    title: 'action.weekLater',
    keys: 'Shift+ArrowDown',
    when: canMove,
    run: (context) => context.movePost(7),
  },
  {
    id: 'calendar-week-earlier',
    title: 'action.weekEarlier',
    keys: 'Shift+ArrowUp',
    when: canMove,
    run: (context) => context.movePost(-7),
  },
]
