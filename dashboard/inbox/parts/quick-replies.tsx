import { useQuery } from '@tanstack/react-query'
import type { RefObject } from 'react'
import type { Contact } from '../../../sdk/api.ts'
import { quickRepliesQuery } from '../queries.ts'
import { SavedReplies, type SavedReply } from './saved-replies.tsx'

type Props = {
  text: string
  field: RefObject<HTMLTextAreaElement | null>
  contact: Contact | undefined
  onChoose: (text: string) => void
}

/** Suggests saved replies for the text after a slash. */
export function QuickReplies({ text, field, contact, onChoose }: Props) {
  const isAsking = text.startsWith('/') && !/\s/.test(text)
  const { data = [], isLoading } = useQuery({ ...quickRepliesQuery, enabled: isAsking })
  if (!isAsking) return null
  const typed = text.slice(1).toLowerCase()
  const fitting = data.filter(
    (reply) => reply.shortcut.toLowerCase().startsWith(typed) || reply.text.toLowerCase().includes(typed),
  )
  const choose = (reply: SavedReply) => {
    onChoose(
      reply.text
        .replaceAll('{{name}}', contact?.displayName ?? '')
        .replaceAll('{{phone}}', contact?.channel === 'chat' ? contact.phone : ''),
    )
    field.current?.focus()
  }
  return <SavedReplies replies={fitting} isLoading={isLoading} field={field} onChoose={choose} />
}
