/** Chooses an invoice or a quotation of the customer, and sends it into the chat. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { FilePlus2, FileText } from 'lucide-react'
import { useState } from 'react'
import type { Conversation } from '../../../../sdk/api.ts'
import { useAttempt } from '../../../api/attempt.ts'
import { messageOf } from '../../../api/errors.ts'
import { TextArea } from '../../../kit/field.tsx'
import { Finder } from '../../../kit/finder.tsx'
import { FormDialog } from '../../../kit/form-dialog.tsx'
import { notify } from '../../../kit/toasts.tsx'
import { moneyLocale } from '../../../texts.ts'
import { nameOf } from '../../person.ts'
import { t as inboxText } from '../../texts.ts'
import { customerDocumentsQuery, type Noun, type SalesDocument, sendToChat } from './customer-queries.ts'
import { t } from './texts.ts'

const MESSAGE_MAX = 1_000
/** Documents that customers have no use for. */
const CLOSED = ['cancelled', 'converted', 'declined', 'expired']

function amountOf({ totalMinor, currency }: SalesDocument): string {
  const format = new Intl.NumberFormat(moneyLocale(currency), { style: 'currency', currency })
  return format.format(totalMinor / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2))
}

type Props = {
  noun: Noun
  open: boolean
  onClose: () => void
  conversation: Conversation
  workspace: string
}

export function DocumentFinder({ noun, open, onClose, conversation, workspace }: Props) {
  const { contact } = conversation
  const navigate = useNavigate()
  const [chosen, setChosen] = useState<SalesDocument>()
  const { data = [], isPending } = useQuery({ ...customerDocumentsQuery(noun, contact.id), enabled: open })
  const go = (document: string, search: object = {}) =>
    void navigate({ to: `/w/${workspace}/${noun}/${document}`, search } as never)
  const items = data
    .filter(({ status }) => !CLOSED.includes(status))
    .map((document) => ({
      id: document.id,
      title: document.number ?? t('document.draft'),
      detail: document.number ? undefined : t('document.draft.open'),
      aside: amountOf(document),
      icon: FileText,
      // A draft has no number yet: it is issued on its page.
      run: () => (document.number ? setChosen(document) : go(document.id)),
    }))
  const name = nameOf(conversation)
  return (
    <>
      <Finder
        open={open}
        onClose={onClose}
        title={t(`document.${noun}`, { name })}
        placeholder={t(`document.${noun}`, { name })}
        empty={t('document.none')}
        groups={[
          ...(items.length > 0 ? [{ value: t(`document.${noun}`, { name }), items }] : []),
          {
            value: isPending ? t('document.loading') : t('document.new'),
            items: [
              {
                id: 'new',
                title: t(`document.${noun}.new`, { name }),
                icon: FilePlus2,
                always: true,
                run: () => go('new', { contact: contact.id }),
              },
            ],
          },
        ]}
      />
      {chosen && (
        <SendDocument
          document={chosen}
          noun={noun}
          conversation={conversation}
          onClose={() => setChosen(undefined)}
        />
      )}
    </>
  )
}

type SendProps = {
  document: SalesDocument
  noun: Noun
  conversation: Conversation
  onClose: () => void
}

function SendDocument({ document, noun, conversation, onClose }: SendProps) {
  const { contact } = conversation
  const [message, setMessage] = useState('')
  // If the request is sent again, the document is sent only once.
  const attempt = useAttempt()
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => {
      const body = {
        via: 'chat' as const,
        to: contact.phone === null ? `chan:${contact.userId}` : `contact:${contact.id}`,
        ...(message.trim() && { message: message.trim() }),
      }
      return attempt(body, (idempotencyKey) => sendToChat(noun, document.id, body, idempotencyKey))
    },
    onSuccess: () => {
      notify({ title: t('document.sent', { number: document.number ?? '' }), kind: 'good' })
      onClose()
    },
  })
  return (
    <FormDialog
      open
      onClose={onClose}
      title={t('document.send', { number: document.number ?? '', name: nameOf(conversation) })}
      action={inboxText('composer.send')}
      busy={isPending}
      fault={error ? { message: messageOf(error) } : undefined}
      onSubmit={() => mutate()}
    >
      <p>{t('document.send.text', { amount: amountOf(document) })}</p>
      <TextArea
        label={t('document.message')}
        dir="auto"
        maxLength={MESSAGE_MAX}
        value={message}
        onChange={(event) => setMessage(event.currentTarget.value)}
      />
    </FormDialog>
  )
}
