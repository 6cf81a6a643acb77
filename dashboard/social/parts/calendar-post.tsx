/** Shows a post in the calendar: its time and caption, and a menu of actions. */
import {
  CalendarClock,
  CircleAlert,
  CircleCheck,
  Clock,
  ExternalLink,
  Eye,
  type LucideIcon,
  Pencil,
  X,
} from 'lucide-react'
import type { SocialPost } from '../../../sdk/api.ts'
import { EARLIER_KEYS, LATER_KEYS } from '../../kit/calendar-keys.ts'
import { classes } from '../../kit/classes.ts'
import { useDraggable } from '../../kit/day-grid-drag.tsx'
import { Menu, type MenuEntry } from '../../kit/menu.tsx'
import { formatClockIn } from '../../kit/zone-times.tsx'
import { t } from '../texts.ts'
import { captionName } from './cut-caption.ts'
import { fileAddress, Thumbnail } from './thumbnail.tsx'

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
  edit: (post: SocialPost) => void
  open: (post: SocialPost) => void
  /** Receives the focused post. */
  onFocus: (post: SocialPost) => void
}

function entriesOf(
  post: SocialPost,
  { move, moveTo, cancel, edit, open }: PostActions,
  mayMove: boolean,
): MenuEntry[] {
  const show: MenuEntry = { label: t('posts.show'), icon: Eye, onSelect: () => open(post) }
  if (isWaiting(post) && mayMove)
    return [
      show,
      { label: t('posts.edit'), icon: Pencil, onSelect: () => edit(post) },
      { label: t('calendar.moveTo'), icon: CalendarClock, keys: 'm', onSelect: () => moveTo(post) },
      { label: t('calendar.later'), keys: LATER_KEYS, onSelect: () => move(post, 1) },
      { label: t('calendar.earlier'), keys: EARLIER_KEYS, onSelect: () => move(post, -1) },
      { label: t('calendar.weekLater'), keys: 'Shift+ArrowDown', onSelect: () => move(post, 7) },
      { label: t('calendar.weekEarlier'), keys: 'Shift+ArrowUp', onSelect: () => move(post, -7) },
      'line',
      { label: t('posts.cancel.action'), icon: X, danger: true, onSelect: () => cancel(post) },
    ]
  const { permalink } = post
  return [
    show,
    ...(permalink
      ? [
          {
            label: t('posts.see'),
            icon: ExternalLink,
            onSelect: () => void window.open(permalink, '_blank', 'noopener'),
          },
        ]
      : []),
  ]
}

type Props = {
  post: SocialPost
  at: string
  workspace: { id: string; timezone: string }
  mayMove: boolean
  actions: PostActions
}

export function CalendarPost({ post, at, workspace, mayMove, actions }: Props) {
  const caption = captionName(post.caption) || t('posts.noCaption')
  const state = t(`posts.state.${post.publishing ? 'publishing' : post.status}`)
  const clock = formatClockIn(workspace.timezone, at)
  const entries = entriesOf(post, actions, mayMove)
  const isMovable = isWaiting(post) && mayMove
  const { entry, isDragged } = useDraggable(post, isMovable)
  const { icon: Icon, className } = LOOKS[post.status] ?? SCHEDULED
  const body = (
    <>
      <Thumbnail
        src={post.media[0] && fileAddress(post.media[0], workspace.id)}
        kind={post.kind}
        className="size-8 rounded-sm"
      />
      {/* Screen readers read the caption first, then the time and the state. */}
      <span className="flex min-w-0 flex-1 flex-col-reverse">
        <span dir="auto" className="block truncate">
          {caption}
        </span>
        <span className="flex items-center gap-1 font-medium tabular-nums">
          <Icon aria-hidden size={12} className="shrink-0" />
          {clock}
          <span className="sr-only">{state}</span>
        </span>
      </span>
    </>
  )
  const entryClasses = classes(
    'flex w-full min-w-0 items-center gap-1.5 rounded-md p-1 text-start text-xs pointer-coarse:min-h-11 pointer-coarse:text-sm',
    className,
    isDragged && 'opacity-40',
  )
  const name = t('calendar.post', { caption, time: clock, state })
  return (
    <div ref={entry}>
      <Menu
        trigger={
          <button
            type="button"
            data-social
            data-post={post.id}
            title={name}
            className={entryClasses}
            onFocus={() => actions.onFocus(post)}
          >
            {body}
          </button>
        }
        entries={entries}
      />
    </div>
  )
}
