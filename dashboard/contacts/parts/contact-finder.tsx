import { useQuery } from '@tanstack/react-query'
import { UserRound } from 'lucide-react'
import { useState } from 'react'
import type { Contact } from '../../../sdk/api.ts'
import { Finder } from '../../kit/finder.tsx'
import { contactSearchQuery } from '../queries.ts'
import { t } from '../texts.ts'
import { nameOf } from './person.tsx'

type Props = {
  open: boolean
  onClose: () => void
  onChoose: (contact: Contact) => void
  title?: string
  /** Returns whether a contact can be chosen; by default, every contact can. */
  mayChoose?: (contact: Contact) => boolean
}

/** Finds a contact by name or number. */
export function ContactFinder({ open, onClose, onChoose, title = t('finder.title'), mayChoose }: Props) {
  const [text, setText] = useState('')
  const { data = [] } = useQuery({ ...contactSearchQuery(text.trim()), enabled: open })
  const items = data
    .filter((contact) => mayChoose?.(contact) ?? true)
    .map((contact) => ({
      id: contact.id,
      title: nameOf(contact),
      detail: contact.phone,
      icon: UserRound,
      always: true,
      run: () => onChoose(contact),
    }))
  return (
    <Finder
      open={open}
      onClose={onClose}
      title={title}
      placeholder={t('finder.search')}
      empty={t('finder.none')}
      groups={items.length > 0 ? [{ value: t('title'), items }] : []}
      text={text}
      onText={setText}
    />
  )
}
