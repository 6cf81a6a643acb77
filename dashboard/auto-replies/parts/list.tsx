/** Lists auto-replies by kind, in the order in which they are tried. */
import { useMutation } from '@tanstack/react-query'
import { TriangleAlert } from 'lucide-react'
import { Fragment } from 'react'
import type { AutoReply } from '../../../sdk/api.ts'
import { Section } from '../../kit/page.tsx'
import { Switch } from '../../kit/switch.tsx'
import { notify } from '../../kit/toasts.tsx'
import { OrderRow } from '../../settings/parts/order-row.tsx'
import { notifyError } from '../../shell/notify-error.ts'
import { changeAutoReply, KINDS, type Kind, orderAutoReplies } from '../queries.ts'
import { t } from '../texts.ts'
import { coveredKeywords, formatConditions } from './format.ts'
import { ValidityBadge } from './validity.tsx'

type Props = {
  replies: readonly AutoReply[]
  mayEdit: boolean
  onEdit: (reply: AutoReply) => void
  onRemove: (reply: AutoReply) => void
}

/** Returns the name of an auto-reply: its first keyword, otherwise its text. */
export const nameOf = ({ keywords, reply }: AutoReply): string => keywords[0] ?? reply.text.slice(0, 40)

/** Shows the place of the customer's name in a text. */
const withName = (text: string) =>
  text.split('{{contact.name}}').map((piece, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: pieces have only their place as an identity
    <Fragment key={index}>
      {index > 0 && <span className="rounded-sm bg-note-soft px-0.5 text-note">{t('list.name')}</span>}
      {piece}
    </Fragment>
  ))

type TextProps = {
  reply: AutoReply
  /** The auto-replies of the same kind that are tried before. */
  above: readonly AutoReply[]
  mayEdit: boolean
}

function ReplyText({ reply, above, mayEdit }: TextProps) {
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
      </div>
    </>
  )
}

function KindList({ kind, replies, mayEdit, onEdit, onRemove }: Props & { kind: Kind }) {
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
              <ReplyText reply={reply} above={replies.slice(0, index)} mayEdit />
            </OrderRow>
          ) : (
            <li
              key={reply.id}
              className="flex flex-wrap items-center gap-2 border-b px-3 py-1.5 last:border-0"
            >
              <ReplyText reply={reply} above={replies.slice(0, index)} mayEdit={false} />
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
