import { useQuery } from '@tanstack/react-query'
import { UserRound } from 'lucide-react'
import { useState } from 'react'
import type { Contact } from '../../../sdk/api.ts'
import { Finder } from '../../kit/finder.tsx'
import { contactsFoundQuery } from '../queries.ts'
import { t } from '../words.ts'

type Props = { open: boolean; onClose: () => void; onChoose: (contact: Contact) => void }

/** Finds a contact by name or number. */
export function ContactFinder({ open, onClose, onChoose }: Props) {
  const [text, setText] = useState('')
  const { data = [] } = useQuery({ ...contactsFoundQuery(text.trim()), enabled: open })
  const items = data.map((contact) => ({
    id: contact.id,
    title: contact.displayName ?? contact.phone ?? t('customer.none'),
    detail: contact.phone,
    icon: UserRound,
    always: true,
    run: () => onChoose(contact),
  }))
  return (
    <Finder
      open={open}
      onClose={onClose}
      title={t('contact.choose')}
      placeholder={t('contact.search')}
      empty={t('contact.nobody')}
      groups={items.length > 0 ? [{ value: t('contact.found'), items }] : []}
      text={text}
      onText={setText}
    />
  )
}
