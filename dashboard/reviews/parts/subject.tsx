/** Shows the customer and the subject of a request or review, with links to both. */
import { Link, useNavigate } from '@tanstack/react-router'
import { MessageCircle } from 'lucide-react'
import type { Review, ReviewRequest } from '../../../sdk/api.ts'
import { queryClient } from '../../api/cache.ts'
import { chatsQuery, contactQuery } from '../../contacts/queries.ts'
import { IconButton } from '../../kit/button.tsx'
import { notify } from '../../kit/toasts.tsx'
import { notifyError } from '../../shell/notify-error.ts'
import { t } from '../words.ts'

type Of = { of: Review | ReviewRequest; workspace: string }

export const nameOf = ({ customerName }: Of['of']): string => customerName ?? t('customer.none')

/** Shows the customer, with a link to the contact if there is one. */
export const Customer = ({ of, workspace }: Of) =>
  of.contactId ? (
    <Link
      to={`/w/${workspace}/contacts/${of.contactId}` as string}
      data-review
      dir="auto"
      className="font-medium hover:underline"
    >
      {nameOf(of)}
    </Link>
  ) : (
    <span dir="auto" className="font-medium">
      {nameOf(of)}
    </span>
  )

/** Shows the invoice with a link, or the booked service. */
export const About = ({ of, workspace }: Of) => (
  <span className="text-sm text-ink-2">
    {t(`about.${of.about}`)}{' '}
    {of.about === 'invoice' ? (
      <Link
        to={`/w/${workspace}/invoices/${of.subjectId}` as string}
        className="text-accent underline hover:no-underline"
      >
        {of.subjectLabel}
      </Link>
    ) : (
      <span dir="auto">{of.subjectLabel}</span>
    )}
  </span>
)

/** Opens the latest chat with the customer. */
export function ChatButton({ of, workspace }: Of) {
  const navigate = useNavigate()
  const { contactId } = of
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
      label={t('chat.of', { name: nameOf(of) })}
      onClick={() => void open()}
    />
  )
}
