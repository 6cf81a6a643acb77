/** A message in its chat, of whatever kind. What customers wrote is text and never markup. */
import { MapPin, Reply, UserRound } from 'lucide-react'
import { memo, type ReactNode } from 'react'
import type { Message } from '../../../sdk/api.ts'
import { IconButton } from '../../kit/button.tsx'
import { classes } from '../../kit/classes.ts'
import { formatClock, formatFull } from '../../kit/time.tsx'
import { t } from '../words.ts'
import { Failure } from './failure.tsx'
import { captionOf, DocumentFile, MediaFile } from './media-file.tsx'
import { Ticks } from './ticks.tsx'

type Content = Record<string, unknown>
const contentOf = (message: Message): Content => message.content as Content
const textIn = (content: Content, name: string): string | undefined =>
  typeof content[name] === 'string' ? (content[name] as string) : undefined

const LINK = /(https?:\/\/[^\s<>"']+[^\s<>"'.,!?)\]])/g

/** Text with its addresses as links. */
export function Words({ text }: { text: string }) {
  return (
    <p dir="auto" className="whitespace-pre-wrap">
      {text.split(LINK).map((part, at) =>
        at % 2 === 1 ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text
          <a key={at} href={part} target="_blank" rel="noreferrer noopener" className="text-accent underline">
            {part}
          </a>
        ) : (
          part
        ),
      )}
    </p>
  )
}

function Location({ content }: { content: Content }) {
  const { latitude, longitude } = content as { latitude: number; longitude: number }
  return (
    <a
      href={`https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=16/${latitude}/${longitude}`}
      target="_blank"
      rel="noreferrer noopener"
      className="flex items-start gap-2"
    >
      <MapPin aria-hidden size={18} className="mt-px shrink-0 text-bad" />
      <span>
        <span className="block font-medium">{textIn(content, 'name') ?? t('bubble.location')}</span>
        <span className="block text-sm text-ink-2">
          {textIn(content, 'address') ?? `${latitude}, ${longitude}`}
        </span>
        <span className="text-sm text-accent underline">{t('bubble.map')}</span>
      </span>
    </a>
  )
}

type Card = { name?: { formatted_name?: string }; phones?: { phone?: string }[] }

const Cards = ({ content }: { content: Content }) => (
  <ul className="flex flex-col gap-2">
    {((content.contacts as Card[] | undefined) ?? []).map((card, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: cards of one message
      <li key={at} className="flex items-center gap-2">
        <UserRound aria-hidden size={18} className="text-ink-3" />
        <span>
          <span className="block font-medium">{card.name?.formatted_name ?? t('bubble.card')}</span>
          <span className="block text-sm text-ink-2">
            {card.phones?.map(({ phone }) => phone).join(', ')}
          </span>
        </span>
      </li>
    ))}
  </ul>
)

type Action = {
  button?: string
  buttons?: { reply?: { title?: string } }[]
  sections?: { title?: string; rows?: { title?: string }[] }[]
  parameters?: { display_text?: string }
}

/** Buttons or a list, ours or the one that was tapped. */
function Interactive({ message }: { message: Message }) {
  const content = contentOf(message)
  const tapped = (content.button_reply ?? content.list_reply) as
    | { title?: string; description?: string }
    | undefined
  if (tapped || content.nfm_reply)
    return (
      <>
        <p className="text-xs text-ink-3">{t(tapped ? 'bubble.tapped' : 'bubble.form')}</p>
        <Words text={tapped?.title ?? message.text ?? ''} />
      </>
    )
  const { action, header, footer } = content as {
    action?: Action
    header?: { text?: string }
    footer?: { text?: string }
  }
  const labels = [
    ...(action?.buttons?.map(({ reply }) => reply?.title) ?? []),
    ...(action?.sections?.flatMap(({ rows }) => rows?.map(({ title }) => title) ?? []) ?? []),
    action?.parameters?.display_text,
  ].filter((label) => label !== undefined)
  return (
    <>
      {header?.text && <p className="font-semibold">{header.text}</p>}
      <Words text={message.text ?? ''} />
      {footer?.text && <p className="text-xs text-ink-3">{footer.text}</p>}
      {labels.length > 0 && (
        <ul className="mt-1.5 flex flex-col gap-1">
          {labels.map((label) => (
            <li
              key={label}
              className="rounded-md border border-line bg-surface-1/60 px-3 py-1 text-center text-sm"
            >
              {label}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

/** What a message says. */
export function MessageBody({ message, workspace }: { message: Message; workspace: string }): ReactNode {
  const content = contentOf(message)
  const caption = captionOf(message)
  if (message.deletedAt) return <p className="text-ink-3 italic">{t('bubble.deleted')}</p>
  switch (message.type) {
    case 'text':
      return <Words text={message.text ?? ''} />
    case 'image':
    case 'video':
    case 'audio':
    case 'sticker':
      return (
        <div className="flex flex-col gap-1.5">
          <MediaFile message={message} workspace={workspace} kind={message.type} />
          {caption && <Words text={caption} />}
        </div>
      )
    case 'document':
      return (
        <div className="flex flex-col gap-1.5">
          <DocumentFile message={message} workspace={workspace} />
          {caption && <Words text={caption} />}
        </div>
      )
    case 'location':
      return <Location content={content} />
    case 'contacts':
      return <Cards content={content} />
    case 'interactive':
      return <Interactive message={message} />
    case 'template':
      return (
        <>
          <p className="text-xs text-ink-3">
            {t('bubble.template', { name: textIn(content, 'name') ?? '' })}
          </p>
          <Words text={message.text ?? ''} />
        </>
      )
    case 'order':
      return (
        <p>{t('bubble.order', { count: (content.product_items as unknown[] | undefined)?.length ?? 0 })}</p>
      )
    default:
      return message.text ? (
        <Words text={message.text} />
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

type Props = {
  message: Message
  workspace: string
  /** What it replies to, if that is known here. */
  quoted: Message | undefined
  reactions: readonly string[]
  /** The one with which it was sent again, or the failed one that it repeats. */
  linked: Message | undefined
  /** Brings another message into sight. */
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
          {quoted && (
            <blockquote className="mb-1.5 border-s-2 border-accent ps-2 text-sm text-ink-2">
              <button type="button" className="text-start" onClick={() => onShow(quoted.id)}>
                <span className="sr-only">{t('bubble.reply')} </span>
                <span className="line-clamp-2">
                  {quoted.text ?? t('bubble.other', { kind: quoted.type })}
                </span>
              </button>
            </blockquote>
          )}
          <MessageBody message={message} workspace={workspace} />
          <p className="mt-0.5 flex items-center justify-end gap-1 text-xs text-ink-3">
            {message.editedAt && <span>{t('bubble.edited')}</span>}
            <time dateTime={message.createdAt} title={formatFull(message.createdAt)}>
              {formatClock(message.createdAt)}
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
        {message.error && <Failure message={message} resentAs={linked} onShow={onShow} onResend={onResend} />}
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
      {onReply && message.chanmid && (
        <div
          className={classes(
            'opacity-0 group-focus-within:opacity-100 group-hover:opacity-100',
            isOurs && '-order-1',
          )}
        >
          <IconButton icon={Reply} size="sm" label={t('bubble.replyTo')} onClick={() => onReply(message)} />
        </div>
      )}
    </div>
  )
})
