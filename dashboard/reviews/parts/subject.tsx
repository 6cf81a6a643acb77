/** Shows the customer and the subject of a request or review, with links to both. */
import { Link } from '@tanstack/react-router'
import { MessageCircle } from 'lucide-react'
import type { Review, ReviewRequest } from '../../../sdk/api.ts'
import { useOpenChat } from '../../contacts/parts/use-open-chat.ts'
import { Button, IconButton } from '../../kit/button.tsx'
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

/** Shows the invoice or the booked service, with a link. */
export const About = ({ entry, workspace }: Of) => (
  <span className="text-sm text-ink-2">
    {t(`about.${entry.about}`)}{' '}
    <Link
      to={
        `/w/${workspace}/${entry.about === 'invoice' ? `invoices/${entry.subjectId}` : 'bookings'}` as string
      }
      search={(entry.about === 'invoice' ? {} : { booking: entry.subjectId }) as never}
      dir="auto"
      className="text-accent underline hover:no-underline"
    >
      {entry.subjectLabel}
    </Link>
  </span>
)

/** Opens the latest chat with the customer. */
export function ChatButton({ entry, workspace, isLabeled }: Of & { isLabeled?: boolean }) {
  const openChat = useOpenChat(workspace)
  const { contactId } = entry
  if (contactId === null) return null
  const open = () => openChat(contactId)
  if (isLabeled)
    return (
      <Button size="sm" icon={MessageCircle} onClick={() => void open()}>
        {t('chat.open')}
        <span className="sr-only">{nameOf(entry)}</span>
      </Button>
    )
  return (
    <IconButton
      icon={MessageCircle}
      size="sm"
      label={t('chat.of', { name: nameOf(entry) })}
      onClick={() => void open()}
    />
  )
}
