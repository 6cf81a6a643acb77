import { Link } from '@tanstack/react-router'
import { AlarmClock, AlarmClockCheck, Camera, CircleAlert, Clock } from 'lucide-react'
import { memo } from 'react'
import type { ListedConversation } from '../../../sdk/api.ts'
import { useUnsentState } from '../../api/outbox.ts'
import { useTagColors } from '../../api/tags.ts'
import { Avatar } from '../../kit/avatar.tsx'
import { Badge, Count } from '../../kit/badge.tsx'
import { classes } from '../../kit/classes.ts'
import { ColorMark } from '../../kit/color-mark.tsx'
import { formatClock, Time, useNow } from '../../kit/time.tsx'
import { useDraft } from '../draft.ts'
import { isNothing } from '../draft-shape.ts'
import { addressOf, isDirect, nameOf } from '../person.ts'
import { t } from '../texts.ts'
import { snoozeText } from '../use-actions.ts'
import { withoutHit } from '../view.ts'
import { windowStateAt } from '../window.ts'
import { kindName } from './kinds/kind-name.ts'
import { TeamSign } from './later.ts'
import { PresenceSign } from './presence.tsx'
import { Ticks } from './ticks.tsx'

type Props = {
  conversation: ListedConversation
  workspace: string
  /** True if this row is selected by keyboard. */
  current: boolean
  open: boolean
  /** The chat no longer matches the list, and stays until the rows may move. */
  isGone: boolean
  selected: boolean
  /** True if rows are being selected, so that each shows its checkbox. */
  selecting: boolean
  onSelect: ((id: string, isRange?: boolean) => void) | undefined
}

/** A ring that empties over the 24-hour window. */
function WindowRing({ conversation }: { conversation: ListedConversation }) {
  const now = useNow()
  const { open, leftMs, tone } = windowStateAt(conversation, now)
  if (!open || tone === 'quiet') return null
  const share = Math.max(0.04, leftMs / (4 * 3_600_000))
  const label = t('row.window.open', { time: formatClock(conversation.windowExpiresAt!) })
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox="0 0 16 16"
      className={classes('size-4 shrink-0 -rotate-90', tone === 'pressing' ? 'text-warn' : 'text-ink-3')}
    >
      <title>{label}</title>
      <circle cx="8" cy="8" r="6" fill="none" stroke="currentColor" strokeWidth="2" opacity="0.25" />
      <circle
        cx="8"
        cy="8"
        r="6"
        fill="none"
        stroke="currentColor"
        strokeWidth="2"
        strokeDasharray={`${share * 37.7} 37.7`}
      />
    </svg>
  )
}

const PRIORITY_TONES = { high: 'warn', urgent: 'bad' } as const

/** Shows the text under the name: the draft, otherwise the last message. */
function Snippet({ conversation }: { conversation: ListedConversation }) {
  const [draft] = useDraft(conversation.id)
  const stuck = useUnsentState(conversation.id)
  const { lastMessage } = conversation
  if (stuck) return <span className="truncate text-bad">{t(`row.${stuck}`)}</span>
  if (!isNothing(draft))
    return (
      <span className="truncate text-ink-3">
        <span className="text-bad">{t('row.draft')}</span> {draft.text || draft.files?.[0]?.filename}
      </span>
    )
  if (!lastMessage) return <span className="truncate text-ink-3">{addressOf(conversation)}</span>
  return (
    <span
      className={classes(
        'flex min-w-0 items-center gap-1',
        conversation.unreadCount > 0 ? 'text-ink-1' : 'text-ink-3',
      )}
    >
      {lastMessage.direction === 'outbound' && <Ticks status={lastMessage.status} />}
      <span dir="auto" className="truncate">
        {lastMessage.text ?? kindName(lastMessage.type)}
      </span>
    </span>
  )
}

/** Shows until when a chat is snoozed, or that it is back and unread. */
function SnoozeSign({ conversation }: { conversation: ListedConversation }) {
  const now = useNow()
  const { isSnoozed, snoozedUntil, snoozeEndedAt, unreadCount, lastReadAt } = conversation
  if (isSnoozed)
    return <AlarmClock aria-label={snoozeText(snoozedUntil, now)} size={14} className="shrink-0 text-ink-3" />
  const isBack = snoozeEndedAt !== null && unreadCount > 0 && (lastReadAt ?? '') < snoozeEndedAt
  return isBack ? (
    <AlarmClockCheck aria-label={t('row.back')} size={14} className="shrink-0 text-accent" />
  ) : null
}

const MAX_DOTS = 3

/** Shows the colors of the customer's tags. */
function TagDots({ tags }: { tags: readonly string[] }) {
  const colors = useTagColors()
  const dots = tags.filter((tag) => colors.has(tag)).slice(0, MAX_DOTS)
  if (dots.length === 0) return null
  const label = t('row.tags', { tags: tags.join(', ') })
  return (
    <span role="img" aria-label={label} title={label} className="flex shrink-0 items-center gap-1">
      {dots.map((tag) => (
        <ColorMark key={tag} color={colors.get(tag)!} />
      ))}
    </span>
  )
}

/** Shows a chat in the list. */
export const ConversationRow = memo(function ConversationRow(props: Props) {
  const { conversation, workspace, current, open, isGone, selected, selecting, onSelect } = props
  const name = nameOf(conversation)
  const { priority, unreadCount, lastMessageAt, state } = conversation
  return (
    <div
      className={classes(
        'group relative h-chat border-b',
        open ? 'bg-accent-soft' : selected ? 'bg-surface-3' : 'hover:bg-surface-2',
      )}
    >
      <Link
        to={`/w/${workspace}/inbox/${conversation.id}`}
        search={withoutHit as never}
        aria-current={open || undefined}
        data-conversation={conversation.id}
        className={classes(
          'flex h-full items-center gap-3 ps-4 pe-3 focus-visible:-outline-offset-2',
          isGone && 'opacity-60',
          current &&
            'shadow-[inset_3px_0_0_var(--color-accent)] rtl:shadow-[inset_-3px_0_0_var(--color-accent)]',
        )}
      >
        <Avatar name={name} />
        <span className="flex min-w-0 flex-1 flex-col">
          <span className="flex items-center gap-2">
            <span className="flex min-w-0 flex-1 items-center gap-1.5">
              {isDirect(conversation) && (
                <Camera aria-label={t('row.direct')} size={14} className="shrink-0 text-ink-3" />
              )}
              {/* Cut at its end, in both writing directions. */}
              <span
                dir="auto"
                className={classes('truncate', unreadCount > 0 ? 'font-semibold' : 'font-medium')}
              >
                {name}
              </span>
            </span>
            {conversation.tags.length > 0 && <TagDots tags={conversation.tags} />}
            {lastMessageAt && (
              <Time
                at={lastMessageAt}
                className={classes('shrink-0 text-xs', unreadCount > 0 ? 'text-accent' : 'text-ink-3')}
              />
            )}
          </span>
          <span className="flex h-5 items-center gap-1.5 text-sm">
            <span className="flex min-w-0 flex-1">
              <Snippet conversation={conversation} />
            </span>
            {conversation.teamId && <TeamSign id={conversation.teamId} />}
            {state === 'pending' && (
              <Clock aria-label={t('state.pending')} size={14} className="shrink-0 text-ink-3" />
            )}
            <SnoozeSign conversation={conversation} />
            {priority !== 'normal' && priority !== 'low' && (
              <Badge tone={PRIORITY_TONES[priority]}>
                <CircleAlert aria-hidden size={12} />
                {t(`priority.${priority}`)}
              </Badge>
            )}
            <PresenceSign conversationId={conversation.id} workspace={workspace} />
            <WindowRing conversation={conversation} />
            <Count value={unreadCount} label={t('row.unread', { count: unreadCount })} />
          </span>
        </span>
      </Link>
      {onSelect && (
        <input
          type="checkbox"
          checked={selected}
          onChange={({ nativeEvent }) =>
            onSelect(conversation.id, (nativeEvent as unknown as MouseEvent).shiftKey)
          }
          aria-label={t('row.select', { name })}
          className={classes(
            'absolute start-5.5 top-1/2 size-6 -translate-y-1/2 accent-accent',
            selecting
              ? ''
              : 'opacity-0 group-hover:opacity-100 focus-visible:opacity-100 pointer-coarse:hidden',
          )}
        />
      )}
    </div>
  )
})
