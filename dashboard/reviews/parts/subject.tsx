/** Shows the customer and the subject of a request or review, with links to both. */
import { Link, useNavigate } from '@tanstack/react-router'
import { MessageCircle } from 'lucide-react'
import type { Review, ReviewRequest } from '../../../sdk/api.ts'
import { queryClient } from '../../api/cache.ts'
import { chatsQuery, contactQuery } from '../../contacts/queries.ts'
import { IconButton } from '../../kit/button.tsx'
import { notify } from '../../kit/toasts.tsx'
import { notifyError } from '../../shell/notify-error.ts'
import { t } from '../texts.ts'

type Of = { entry: Review | ReviewRequest; workspace: string }

export const nameOf = ({ customerName }: Of['entry']): string => customerName ?? t('customer.none')

/** Shows the customer, with a link to the contact if there is one. */
export const Customer = ({ entry, workspace }: Of) =>
  entry.contactId ? (
    <Link
      to={`/w/${workspace}/contacts/${entry.contactId}` as string}
      data-review
      dir="auto"
      className="font-medium hover:underline"
    >
      {nameOf(entry)}
    </Link>
  ) : (
    <span dir="auto" className="font-medium">
      {nameOf(entry)}
    </span>
  )

/** Shows the invoice with a link, or the booked service. */
export const About = ({ entry, workspace }: Of) => (
  <span className="text-sm text-ink-2">
    {t(`about.${entry.about}`)}{' '}
    {entry.about === 'invoice' ? (
      <Link
        to={`/w/${workspace}/invoices/${entry.subjectId}` as string}
        className="text-accent underline hover:no-underline"
      >
        {entry.subjectLabel}
      </Link>
    ) : (
      <span dir="auto">{entry.subjectLabel}</span>
    )}
  </span>
)

/** Opens the latest chat with the customer. */
export function ChatButton({ entry, workspace }: Of) {
  const navigate = useNavigate()
  const { contactId } = entry
  if (contactId === null) return null
  const open = async () => {
    try {
      const contact = await queryClient.fetchQuery(contactQuery(contactId))
      const [chat] = await queryClient.fetchQuery(chatsQuery(contact))
      if (chat) void navigate({ to: `/w/${workspace}/inbox/${chat.id}` } as never)
      else notify({ title: t('chat.none'), kind: 'bad' })
    } catch (error) {
      notifyError(error)
    }
  }
  return (
    <IconButton
      icon={MessageCircle}
      size="sm"
      label={t('chat.of', { name: nameOf(entry) })}
      onClick={() => void open()}
    />
  )
}
