/** Lists auto-replies by kind, in the order in which they are tried. */
import { useMutation } from '@tanstack/react-query'
import { TriangleAlert } from 'lucide-react'
import type { AutoReply } from '../../../sdk/api.ts'
import { Section } from '../../kit/page.tsx'
import { Switch } from '../../kit/switch.tsx'
import { formatShort, useNow } from '../../kit/time.tsx'
import { notify } from '../../kit/toasts.tsx'
import { OrderRow } from '../../settings/parts/order-row.tsx'
import { notifyError } from '../../shell/notify-error.ts'
import { type AnswerCount, changeAutoReply, KINDS, type Kind, orderAutoReplies } from '../queries.ts'
import { t } from '../texts.ts'
import { coveredKeywords, formatConditions } from './format.ts'
import { ValidityBadge } from './validity.tsx'
import { withName } from './with-name.tsx'

type Props = {
  replies: readonly AutoReply[]
  counts: ReadonlyMap<string, AnswerCount> | undefined
  mayEdit: boolean
  onEdit: (reply: AutoReply) => void
  onRemove: (reply: AutoReply) => void
}

/** Returns the name of an auto-reply: its first keyword, otherwise its text. */
export const nameOf = ({ keywords, reply }: AutoReply): string => keywords[0] ?? reply.text.slice(0, 40)

/** Shows how often an auto-reply answered. */
function AnswerCountLine({ count }: { count: AnswerCount | undefined }) {
  const now = useNow()
  if (!count) return <p className="text-sm text-ink-3">{t('count.none')}</p>
  return (
    <p className="text-sm text-ink-3">
      {t('count.some', { count: count.sent })} ·{' '}
      {t('count.last', { time: formatShort(count.lastSentAt, now) })}
    </p>
  )
}

type TextProps = {
  reply: AutoReply
  /** The auto-replies of the same kind that are tried before. */
  above: readonly AutoReply[]
  counts: Props['counts']
  mayEdit: boolean
}

function ReplyText({ reply, above, counts, mayEdit }: TextProps) {
  const { when, besides } = formatConditions(reply)
  const covered = coveredKeywords(reply, above)
  const { mutate, isPending } = useMutation({
    mutationFn: (enabled: boolean) => changeAutoReply(reply.id, { enabled }),
    onSuccess: (_, enabled) => notify({ title: t(enabled ? 'switched.on' : 'switched.off'), kind: 'good' }),
    onError: notifyError,
  })
  return (
    <>
      <span className="-ms-3">
        <Switch
          label={<span className="sr-only">{t('on', { name: nameOf(reply) })}</span>}
          checked={reply.enabled}
          onChange={mutate}
          disabled={!mayEdit || isPending}
        />
      </span>
      <div className="min-w-0 flex-1 basis-28 py-1">
        <p className="font-medium break-words">
          {when} <ValidityBadge {...reply} />
        </p>
        <p dir="auto" className="line-clamp-2 whitespace-pre-line text-ink-2">
          {withName(reply.reply.text)}
        </p>
        {covered.length > 0 && (
          <p className="flex gap-1.5 text-sm text-warn">
            <TriangleAlert aria-hidden size={14} className="mt-0.5 shrink-0" />
            <span className="min-w-0 break-words">
              {t('covered', {
                count: covered.length,
                keywords: covered.map((keyword) => `“${keyword}”`).join(', '),
              })}
            </span>
          </p>
        )}
        {besides.length > 0 && <p className="text-sm text-ink-3">{besides.join(' · ')}</p>}
        {counts && <AnswerCountLine count={counts.get(reply.id)} />}
      </div>
    </>
  )
}

function KindList({ kind, replies, counts, mayEdit, onEdit, onRemove }: Props & { kind: Kind }) {
  const { mutate, isPending } = useMutation({ mutationFn: orderAutoReplies, onError: notifyError })
  const move = (from: number, to: number) => {
    const rest = replies.filter((_, index) => index !== from)
    mutate(rest.toSpliced(to, 0, replies[from]!))
  }
  return (
    <Section title={t(`kind.${kind}`)} description={t(`kind.${kind}.text`)}>
      <ul aria-label={t(`kind.${kind}`)} className="rounded-lg border bg-surface-1">
        {replies.map((reply, index) =>
          mayEdit ? (
            <OrderRow
              key={reply.id}
              long
              name={nameOf(reply)}
              index={index}
              count={replies.length}
              busy={isPending}
              onMove={(to) => move(index, to)}
              onEdit={() => onEdit(reply)}
              onRemove={() => onRemove(reply)}
            >
              <ReplyText reply={reply} above={replies.slice(0, index)} counts={counts} mayEdit />
            </OrderRow>
          ) : (
            <li
              key={reply.id}
              className="flex flex-wrap items-center gap-2 border-b px-3 py-1.5 last:border-0"
            >
              <ReplyText reply={reply} above={replies.slice(0, index)} counts={counts} mayEdit={false} />
            </li>
          ),
        )}
      </ul>
    </Section>
  )
}

export const AutoReplyList = ({ replies, ...rest }: Props) =>
  KINDS.map((kind) => {
    const own = replies.filter((reply) => reply.kind === kind)
    return own.length > 0 && <KindList key={kind} kind={kind} replies={own} {...rest} />
  })
