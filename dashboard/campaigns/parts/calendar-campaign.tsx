/** Shows a campaign in the calendar: its time, name, and state. A scheduled one can be moved. */
import { Link } from '@tanstack/react-router'
import {
  CalendarClock,
  CircleAlert,
  CircleCheck,
  Clock,
  Forward,
  GitCompareArrows,
  type LucideIcon,
  Megaphone,
  Pause,
  Send,
  X,
} from 'lucide-react'
import type { Broadcast } from '../../../sdk/api.ts'
import { EARLIER_KEYS, LATER_KEYS } from '../../kit/calendar-keys.ts'
import { classes } from '../../kit/classes.ts'
import { useDraggable } from '../../kit/day-grid-drag.tsx'
import { Menu } from '../../kit/menu.tsx'
import { formatClockIn } from '../../kit/zone-times.tsx'
import { t } from '../texts.ts'
import { type ShownState, stateOf } from './state.tsx'

/** Returns when a campaign started or will start; drafts have no time. */
export const startOf = ({ startedAt, scheduledAt }: Broadcast): string | null => startedAt ?? scheduledAt

type Look = { icon: LucideIcon; className: string }
const QUIET = 'bg-surface-3 text-ink-2'
const LOOKS: Record<ShownState, Look> = {
  draft: { icon: Clock, className: QUIET },
  scheduled: { icon: Clock, className: 'bg-accent-soft text-accent' },
  preparing: { icon: Send, className: 'bg-warn-soft text-warn' },
  sending: { icon: Send, className: 'bg-warn-soft text-warn' },
  comparing: { icon: GitCompareArrows, className: 'bg-accent-soft text-accent' },
  paused: { icon: Pause, className: 'bg-note-soft text-note' },
  sent: { icon: CircleCheck, className: 'bg-good-soft text-good' },
  notSent: { icon: CircleAlert, className: 'bg-bad-soft text-bad' },
  cancelled: { icon: X, className: QUIET },
}

export type CampaignActions = {
  open: (campaign: Broadcast) => void
  /** Asks for the new time, with a proposal. */
  moveBy: (campaign: Broadcast, days: number) => void
  moveTo: (campaign: Broadcast) => void
  /** Receives the focused campaign. */
  onFocus: (campaign: Broadcast) => void
}

type Props = { campaign: Broadcast; zone: string; path: string; mayMove: boolean; actions: CampaignActions }

export function CalendarCampaign({ campaign, zone, path, mayMove, actions }: Props) {
  const isMovable = mayMove && campaign.status === 'scheduled'
  const { entry, isDragged } = useDraggable(campaign, isMovable)
  const state = stateOf(campaign)
  const { icon: Icon, className } = LOOKS[state]
  const time = formatClockIn(zone, startOf(campaign)!)
  const details = t(campaign.followUpOf ? 'calendar.details.followUp' : 'calendar.details', {
    state: t(`state.${state}`),
  })
  const body = (
    <>
      <Icon aria-hidden size={12} className="shrink-0" />
      <span className="shrink-0 font-medium tabular-nums">{time}</span>{' '}
      {campaign.followUpOf && <Forward aria-hidden size={12} className="shrink-0" />}
      <span dir="auto" className="min-w-24 flex-1 truncate">
        {campaign.name}
      </span>
      <span className="sr-only">{details}</span>
    </>
  )
  const shared = {
    'data-campaign': campaign.id,
    title: `${time} ${campaign.name} ${details}`,
    onFocus: () => actions.onFocus(campaign),
    className: classes(
      'flex w-full min-w-0 flex-wrap items-center gap-x-1.5 rounded-md px-1.5 py-1 text-start text-xs pointer-coarse:min-h-11 pointer-coarse:text-sm',
      className,
      isDragged && 'opacity-40',
    ),
  }
  if (!isMovable)
    return (
      <Link to={`${path}/${campaign.id}` as never} {...shared}>
        {body}
      </Link>
    )
  return (
    <div ref={entry}>
      <Menu
        trigger={
          <button type="button" {...shared}>
            {body}
          </button>
        }
        entries={[
          { label: t('calendar.open'), icon: Megaphone, onSelect: () => actions.open(campaign) },
          'line',
          {
            label: t('calendar.moveTo'),
            icon: CalendarClock,
            keys: 'm',
            onSelect: () => actions.moveTo(campaign),
          },
          {
            label: t('calendar.later'),
            keys: LATER_KEYS,
            onSelect: () => actions.moveBy(campaign, 1),
          },
          {
            label: t('calendar.earlier'),
            keys: EARLIER_KEYS,
            onSelect: () => actions.moveBy(campaign, -1),
          },
          {
            label: t('calendar.weekLater'),
            keys: 'Shift+ArrowDown',
            onSelect: () => actions.moveBy(campaign, 7),
          },
          {
            label: t('calendar.weekEarlier'),
            keys: 'Shift+ArrowUp',
            onSelect: () => actions.moveBy(campaign, -7),
          },
        ]}
      />
    </div>
  )
}
