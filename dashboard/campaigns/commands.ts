import type { Broadcast } from '../../sdk/api.ts'
import { type Command, createCommand } from '../commands.ts'
import { EARLIER_KEYS, LATER_KEYS } from '../kit/calendar-keys.ts'
import type en from './en.json'
import type { CampaignAction } from './parts/state.tsx'

type Key = keyof typeof en

/** Defines the commands for the open campaign. */
export type CampaignContext = {
  can: (steering: CampaignAction) => boolean
  run: (steering: CampaignAction) => void
  copy: (() => void) | undefined
}

export const CAMPAIGN_COMMANDS: readonly Command<CampaignContext, Key>[] = [
  {
    id: 'start',
    title: 'start',
    when: (context) => context.can('start'),
    run: (context) => context.run('start'),
  },
  {
    id: 'pause',
    title: 'pause',
    keys: 'p',
    when: (context) => context.can('pause'),
    run: (context) => context.run('pause'),
  },
  {
    id: 'resume',
    title: 'resume',
    keys: 'p',
    when: (context) => context.can('resume'),
    run: (context) => context.run('resume'),
  },
  {
    id: 'cancel',
    title: 'cancel',
    when: (context) => context.can('cancel'),
    run: (context) => context.run('cancel'),
  },
  {
    id: 'copy',
    title: 'copy',
    when: (context) => context.copy !== undefined,
    run: (context) => context.copy?.(),
  },
]

export type View = 'list' | 'calendar'
export type ListContext = {
  mayWrite: boolean
  create: () => void
  showView: (view: View) => void
  search: () => void
}

export const LIST_COMMANDS: readonly Command<ListContext, Key>[] = [
  createCommand('create', 'create'),
  { id: 'search', title: 'search', keys: '/', run: (context) => context.search() },
  { id: 'campaigns-list', title: 'action.list', keys: '1', run: (context) => context.showView('list') },
  {
    id: 'campaigns-calendar',
    title: 'action.calendar',
    keys: '2',
    run: (context) => context.showView('calendar'),
  },
]

export type CalendarContext = {
  /** The focused scheduled campaign, if it can be moved. */
  campaign: Broadcast | undefined
  turn: (by: 1 | -1) => void
  showKind: (kind: 'month' | 'week') => void
  moveBy: (days: number) => void
  openMoveDialog: () => void
}

const canMove = ({ campaign }: CalendarContext): boolean => campaign !== undefined

export const CALENDAR_COMMANDS: readonly Command<CalendarContext, Key>[] = [
  { id: 'campaigns-before', title: 'action.before', keys: '[', run: (context) => context.turn(-1) },
  { id: 'campaigns-after', title: 'action.after', keys: ']', run: (context) => context.turn(1) },
  { id: 'campaigns-month', title: 'action.month', run: (context) => context.showKind('month') },
  { id: 'campaigns-week', title: 'action.week', run: (context) => context.showKind('week') },
  {
    id: 'campaigns-move',
    title: 'calendar.moveTo',
    keys: 'm',
    when: canMove,
    run: (context) => context.openMoveDialog(),
  },
  {
    id: 'campaigns-later',
    title: 'calendar.later',
    keys: LATER_KEYS,
    when: canMove,
    run: (context) => context.moveBy(1),
  },
  {
    id: 'campaigns-earlier',
    title: 'calendar.earlier',
    keys: EARLIER_KEYS,
    when: canMove,
    run: (context) => context.moveBy(-1),
  },
  {
    id: 'campaigns-week-later',
    title: 'calendar.weekLater',
    keys: 'Shift+ArrowDown',
    when: canMove,
    run: (context) => context.moveBy(7),
  },
  {
    id: 'campaigns-week-earlier',
    title: 'calendar.weekEarlier',
    keys: 'Shift+ArrowUp',
    when: canMove,
    run: (context) => context.moveBy(-7),
  },
]
