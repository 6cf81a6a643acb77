import { useNavigate } from '@tanstack/react-router'
import { queryClient } from '../../api/cache.ts'
import { notify } from '../../kit/toasts.tsx'
import { notifyError } from '../../shell/notify-error.ts'
import { chatsQuery, contactQuery } from '../queries.ts'
import { t } from '../texts.ts'

/** Returns a function that opens the latest chat with a contact. */
export function useOpenChat(workspace: string): (contactId: string) => Promise<void> {
  const navigate = useNavigate()
  return async (contactId) => {
    try {
      const contact = await queryClient.fetchQuery(contactQuery(contactId))
      const [chat] = await queryClient.fetchQuery(chatsQuery(contact))
      if (chat) void navigate({ to: `/w/${workspace}/inbox/${chat.id}` } as never)
      else notify({ title: t('chat.none'), kind: 'bad' })
    } catch (error) {
      notifyError(error)
    }
  }
}
