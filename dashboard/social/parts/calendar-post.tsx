/** Shows a post in the calendar: its time and caption, and a menu of actions. */
import {
  CalendarClock,
  CircleAlert,
  CircleCheck,
  Clock,
  ExternalLink,
  type LucideIcon,
  X,
} from 'lucide-react'
import type { SocialPost } from '../../../sdk/api.ts'
import { EARLIER_KEYS, LATER_KEYS } from '../../kit/calendar-keys.ts'
import { classes } from '../../kit/classes.ts'
import { Menu, type MenuEntry } from '../../kit/menu.tsx'
import { formatClock } from '../../kit/time.tsx'
import { t } from '../texts.ts'

/** Returns when a post was or will be published; posts without a time are not in the calendar. */
export const publishTime = ({ publishedAt, scheduledAt }: SocialPost): string | null =>
  publishedAt ?? scheduledAt

/** Returns whether the post still waits for its time. */
export const isWaiting = ({ status, publishing, scheduledAt }: SocialPost): boolean =>
  status === 'scheduled' && !publishing && scheduledAt !== null

type Look = { icon: LucideIcon; className: string }
const SCHEDULED: Look = { icon: Clock, className: 'bg-accent-soft text-accent' }
const LOOKS: Partial<Record<SocialPost['status'], Look>> = {
  published: { icon: CircleCheck, className: 'bg-good-soft text-good' },
  failed: { icon: CircleAlert, className: 'bg-bad-soft text-bad' },
}

export type PostActions = {
  move: (post: SocialPost, days: number) => void
  moveTo: (post: SocialPost) => void
  cancel: (post: SocialPost) => void
  /** Receives the focused post. */
  onFocus: (post: SocialPost) => void
}

function entriesOf(post: SocialPost, { move, moveTo, cancel }: PostActions, mayMove: boolean): MenuEntry[] {
  if (isWaiting(post) && mayMove)
    return [
      { label: t('calendar.moveTo'), icon: CalendarClock, keys: 'm', onSelect: () => moveTo(post) },
      { label: t('calendar.later'), keys: LATER_KEYS, onSelect: () => move(post, 1) },
      { label: t('calendar.earlier'), keys: EARLIER_KEYS, onSelect: () => move(post, -1) },
      { label: t('calendar.weekLater'), keys: 'Shift+ArrowDown', onSelect: () => move(post, 7) },
      { label: t('calendar.weekEarlier'), keys: 'Shift+ArrowUp', onSelect: () => move(post, -7) },
      'line',
      { label: t('posts.cancel.action'), icon: X, danger: true, onSelect: () => cancel(post) },
    ]
  const { permalink } = post
  return permalink
    ? [
        {
          label: t('posts.see'),
          icon: ExternalLink,
          onSelect: () => void open(permalink, '_blank', 'noopener'),
        },
      ]
    : []
}

type Props = { post: SocialPost; at: string; mayMove: boolean; actions: PostActions }

export function CalendarPost({ post, at, mayMove, actions }: Props) {
  const caption = post.caption || t('posts.noCaption')
  const state = t(`posts.state.${post.publishing ? 'publishing' : post.status}`)
  const entries = entriesOf(post, actions, mayMove)
  const { icon: Icon, className } = LOOKS[post.status] ?? SCHEDULED
  const body = (
    <>
      <Icon aria-hidden size={12} className="shrink-0" />
      <span className="shrink-0 font-medium tabular-nums">{formatClock(at)}</span>
      <span dir="auto" className="min-w-0 flex-1 truncate">
        {caption}
      </span>
    </>
  )
  const entryClasses = classes(
    'flex w-full min-w-0 items-center gap-1.5 rounded-md px-1.5 py-1 text-start text-xs pointer-coarse:min-h-11 pointer-coarse:text-sm',
    className,
  )
  const name = t('calendar.post', { caption, time: formatClock(at), state })
  if (entries.length === 0)
    return (
      <p title={name} className={entryClasses}>
        {body}
        <span className="sr-only">{state}</span>
      </p>
    )
  return (
    <Menu
      trigger={
        <button
          type="button"
          data-social
          data-post={post.id}
          aria-label={name}
          title={name}
          className={entryClasses}
          onFocus={() => actions.onFocus(post)}
        >
          {body}
        </button>
      }
      entries={entries}
    />
  )
}
