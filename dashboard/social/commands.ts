/** Defines the commands of the photo network's pages, for the palette and for keys. */
import type { SocialPost } from '../../sdk/api.ts'
import type { Command } from '../commands.ts'
import type en from './en.json'
import type { View } from './view.ts'

export type SocialAt = { move: (by: 1 | -1) => void; show: (view: View) => void }

export const SOCIAL_COMMANDS: readonly Command<SocialAt, Extract<keyof typeof en, `action.${string}`>>[] = [
  { id: 'social-next', title: 'action.next', keys: 'j', run: (context) => context.move(1) },
  { id: 'social-previous', title: 'action.previous', keys: 'k', run: (context) => context.move(-1) },
  { id: 'social-messages', title: 'action.messages', keys: '1', run: (context) => context.show('messages') },
  { id: 'social-comments', title: 'action.comments', keys: '2', run: (context) => context.show('comments') },
  { id: 'social-posts', title: 'action.posts', keys: '3', run: (context) => context.show('posts') },
  { id: 'social-calendar', title: 'action.calendar', keys: '4', run: (context) => context.show('calendar') },
  { id: 'social-insights', title: 'action.insights', keys: '5', run: (context) => context.show('insights') },
]

export type CalendarAt = {
  /** The focused scheduled post, if it can be moved. */
  post: SocialPost | undefined
  mayWrite: boolean
  create: () => void
  turn: (by: 1 | -1) => void
  move: (days: number) => void
  moveTo: () => void
}

const canMove = ({ post }: CalendarAt): boolean => post !== undefined

export const CALENDAR_COMMANDS: readonly Command<CalendarAt, Extract<keyof typeof en, `action.${string}`>>[] =
  [
    {
      id: 'calendar-create',
      title: 'action.create',
      keys: 'c',
      when: (context) => context.mayWrite,
      run: (context) => context.create(),
    },
    { id: 'calendar-before', title: 'action.monthBefore', keys: '[', run: (context) => context.turn(-1) },
    { id: 'calendar-after', title: 'action.monthAfter', keys: ']', run: (context) => context.turn(1) },
    {
      id: 'calendar-move',
      title: 'action.move',
      keys: 'm',
      when: canMove,
      run: (context) => context.moveTo(),
    },
    {
      id: 'calendar-later',
      title: 'action.later',
      keys: 'Shift+ArrowRight',
      when: canMove,
      run: (context) => context.move(1),
    },
    {
      id: 'calendar-earlier',
      title: 'action.earlier',
      keys: 'Shift+ArrowLeft',
      when: canMove,
      run: (context) => context.move(-1),
    },
    {
      id: 'calendar-week-later',
      title: 'action.weekLater',
      keys: 'Shift+ArrowDown',
      when: canMove,
      run: (context) => context.move(7),
    },
    {
      id: 'calendar-week-earlier',
      title: 'action.weekEarlier',
      keys: 'Shift+ArrowUp',
      when: canMove,
      run: (context) => context.move(-7),
    },
  ]
