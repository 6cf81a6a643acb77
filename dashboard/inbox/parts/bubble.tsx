/** Shows a message of any kind in its chat. Customers' texts are shown as text and never as markup. */
import { Link } from '@tanstack/react-router'
import { Zap } from 'lucide-react'
import { memo, type ReactNode } from 'react'
import type { Message } from '../../../sdk/api.ts'
import { directOf } from '../../api/direct-messages.ts'
import { classes } from '../../kit/classes.ts'
import { formatClock, formatFull } from '../../kit/time.tsx'
import { sourceOf } from '../source.ts'
import { t } from '../texts.ts'
import { useSourceNames } from '../use-source-names.ts'
import { TappedOption } from './kinds/answer.tsx'
import type { Content } from './kinds/content.ts'
import { DirectContent } from './kinds/direct.tsx'
import { kindName } from './kinds/kind-name.ts'
import { Location } from './kinds/location.tsx'
import { Formatted } from './kinds/text.tsx'
import {
  BubbleActions,
  Cards,
  Failure,
  FileInPhone,
  Imported,
  Interactive,
  Order,
  Origin,
  Skipped,
  TemplateMessage,
  Unsupported,
} from './later.ts'
import { captionOf, DocumentFile, MediaFile } from './media-file.tsx'
import { sentTime } from './thread-entries.ts'
import { Ticks } from './ticks.tsx'

/** Shows the content of a message. */
function MessageBody({ message, workspace }: { message: Message; workspace: string }): ReactNode {
  const content = message.content as Content
  const caption = captionOf(message)
  if (message.deletedAt) return <p className="text-ink-3 italic">{t('bubble.deleted')}</p>
  switch (message.type) {
    case 'text':
      return <Formatted text={message.text ?? ''} />
    case 'image':
    case 'video':
    case 'audio':
    case 'sticker':
      return (
        <div className="flex flex-col gap-1.5">
          <MediaFile message={message} workspace={workspace} kind={message.type} />
          {caption && <Formatted text={caption} />}
        </div>
      )
    case 'document':
      return (
        <div className="flex flex-col gap-1.5">
          <DocumentFile message={message} workspace={workspace} />
          {caption && <Formatted text={caption} />}
        </div>
      )
    case 'location':
      return <Location content={content} />
    case 'contacts':
      return <Cards content={content} />
    case 'interactive':
      return <Interactive message={message} around={<Formatted text={message.text ?? ''} />} />
    case 'template':
      return <TemplateMessage message={message} around={<Formatted text={message.text ?? ''} />} />
    case 'button':
      return <TappedOption title={message.text ?? ''} />
    case 'order':
      return <Order content={content} />
    case 'unsupported':
      return <Unsupported content={content} isOurs={message.direction === 'outbound'} />
    case 'media_placeholder':
      return <FileInPhone />
    default:
      if (directOf(message)) return <DirectContent message={message} />
      return message.text ? (
        <Formatted text={message.text} />
      ) : (
        <p className="text-ink-3">{t('bubble.other', { kind: message.type })}</p>
      )
  }
}

const times = (message: Message): string | undefined =>
  message.sentAt
    ? t('status.times', {
        sent: formatFull(message.sentAt),
        delivered: message.deliveredAt ? formatFull(message.deliveredAt) : '–',
        read: message.readAt ? formatFull(message.readAt) : '–',
      })
    : undefined

/** A message counts as late if it arrived this long after it was written. */
const LATE_MS = 60_000

/** Returns the time a message was written, and its arrival if it was late. */
function timeTitle(message: Message): string {
  const writtenTime = sentTime(message)
  const isLate = Date.parse(message.createdAt) - Date.parse(writtenTime) > LATE_MS
  if (!isLate) return formatFull(writtenTime)
  return t('bubble.late', { sent: formatFull(writtenTime), arrived: formatFull(message.createdAt) })
}

/** Names the writer for screen readers, because the side of a message is not visible to them. */
export const Writer = ({ name }: { name: string }) => <p className="sr-only select-none">{name}</p>

type Props = {
  message: Message
  workspace: string
  /** The message it replies to, if known here. */
  quoted: Message | undefined
  reactions: readonly string[]
  /** The message that repeats this failed message, or the failed message that this message repeats. */
  linked: Message | undefined
  /** Scrolls to another message. */
  onShow: (id: string) => void
  onReply: ((message: Message) => void) | undefined
  onResend: ((message: Message) => void) | undefined
}

export const Bubble = memo(function Bubble({
  message,
  workspace,
  quoted,
  reactions,
  linked,
  onShow,
  onReply,
  onResend,
}: Props) {
  const isOurs = message.direction === 'outbound'
  const nameOf = useSourceNames(workspace)
  const source = sourceOf(message)
  const by = source && nameOf(source)
  return (
    <div
      className={classes('group flex items-end gap-1', isOurs ? 'justify-end' : 'justify-start')}
      data-message={message.id}
    >
      <div className={classes('flex max-w-[min(34rem,85%)] flex-col', isOurs ? 'items-end' : 'items-start')}>
        <div
          className={classes(
            'min-w-0 rounded-lg px-3 py-2',
            isOurs ? 'rounded-ee-sm bg-accent-soft' : 'rounded-es-sm bg-surface-3',
          )}
        >
          <Writer name={isOurs ? (by ?? t('source.ours')) : t('bubble.customer')} />
          {quoted && (
            <blockquote className="mb-1.5 border-s-2 border-accent ps-2 text-sm text-ink-2">
              <button type="button" className="text-start" onClick={() => onShow(quoted.id)}>
                <span className="sr-only">{t('bubble.reply')} </span>
                <span className="line-clamp-2">{quoted.text ?? kindName(quoted.type)}</span>
              </button>
            </blockquote>
          )}
          {message.context && <Origin context={message.context} />}
          <MessageBody message={message} workspace={workspace} />
          <p className="mt-0.5 flex items-center justify-end gap-1 text-xs text-ink-3">
            {message.automation && (
              <Link
                to={`/w/${workspace}/automations/${message.automation.id}`}
                search={{ run: message.automation.runId, contact: message.contactId } as never}
                aria-label={t('bubble.automation')}
                title={t('bubble.automation')}
                className="-m-1 flex items-center p-1 text-ink-2 hover:text-accent"
              >
                <Zap aria-hidden size={13} />
              </Link>
            )}
            {source && (
              <span aria-hidden dir="auto" title={by} data-source={source.kind} className="min-w-0 truncate">
                {by}
              </span>
            )}
            {source && <span aria-hidden>·</span>}
            {message.importedFrom && <Imported from={message.importedFrom} />}
            {message.editedAt && <span>{t('bubble.edited')}</span>}
            <time dateTime={sentTime(message)} title={timeTitle(message)}>
              {formatClock(sentTime(message))}
            </time>
            {isOurs && <Ticks status={message.status} title={times(message)} />}
          </p>
        </div>
        {reactions.length > 0 && (
          <p
            className="z-1 -mt-2 rounded-full border bg-surface-1 px-1.5 text-sm"
            title={t('bubble.reaction', { emoji: reactions.join(' ') })}
          >
            {reactions.join(' ')}
          </p>
        )}
        {directOf(message)?.status === 'unconfirmed' && (
          <p className="mt-1 text-sm text-warn">{t('bubble.unconfirmed')}</p>
        )}
        {message.skipReason && <Skipped reason={message.skipReason} />}
        {isOurs && message.error && (
          <Failure message={message} resentAs={linked} onShow={onShow} onResend={onResend} />
        )}
        {!message.error && linked && (
          <button
            type="button"
            className="mt-1 text-xs text-ink-3 underline pointer-coarse:min-h-11"
            onClick={() => onShow(linked.id)}
          >
            {t('failed.resend')}
          </button>
        )}
      </div>
      <BubbleActions message={message} workspace={workspace} onReply={onReply} />
    </div>
  )
})
