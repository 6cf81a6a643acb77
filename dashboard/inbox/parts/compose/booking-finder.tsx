/** Chooses a booking of the customer, and writes its link into the text field. */
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { CalendarCheck, CalendarPlus, Link2 } from 'lucide-react'
import type { Conversation } from '../../../../sdk/api.ts'
import { Finder } from '../../../kit/finder.tsx'
import { workspaceNow } from '../../../kit/time.tsx'
import { nameOf } from '../../person.ts'
import { bookingPageQuery, customerBookingsQuery } from './customer-queries.ts'
import { t } from './texts.ts'

type Props = {
  open: boolean
  onClose: () => void
  conversation: Conversation
  workspace: string
  /** Adds a text to the draft. */
  onText: (text: string) => void
}

export function BookingFinder({ open, onClose, conversation, workspace, onText }: Props) {
  const { contact } = conversation
  const navigate = useNavigate()
  const { data: bookings = [], isPending } = useQuery({ ...customerBookingsQuery(contact.id), enabled: open })
  const { data: page } = useQuery({ ...bookingPageQuery, enabled: open })
  const name = nameOf(conversation)
  const now = new Date(workspaceNow()).toISOString()
  const items = bookings
    .filter(({ status, url }) => url !== null && (status === 'held' || status === 'confirmed'))
    .toSorted((a, b) => Number(a.endAt < now) - Number(b.endAt < now) || (a.startAt < b.startAt ? -1 : 1))
    .map(({ id, summary, url }) => ({
      id,
      title: summary,
      icon: CalendarCheck,
      run: () => onText(`${summary}\n${url}`),
    }))
  return (
    <Finder
      open={open}
      onClose={onClose}
      title={t('booking.title', { name })}
      placeholder={t('booking.title', { name })}
      empty={t('document.none')}
      groups={[
        ...(items.length > 0 ? [{ value: t('booking.title', { name }), items }] : []),
        {
          value: isPending ? t('document.loading') : t('document.new'),
          items: [
            ...(page
              ? [
                  {
                    id: 'page',
                    title: t('booking.page'),
                    detail: page,
                    icon: Link2,
                    always: true,
                    run: () => onText(page),
                  },
                ]
              : []),
            {
              id: 'new',
              title: t('booking.new', { name }),
              icon: CalendarPlus,
              always: true,
              run: () =>
                void navigate({ to: `/w/${workspace}/bookings`, search: { contact: contact.id } } as never),
            },
          ],
        },
      ]}
    />
  )
}
