/** Changes chats immediately on the screen, with undo. */
import type { Api, Conversation, ListedConversation } from '../../sdk/api.ts'
import { queryClient } from '../api/cache.ts'
import { call } from '../api/request.ts'
import { notify } from '../kit/toasts.tsx'
import { notifyError } from '../shell/notify-error.ts'
import { changeConversation, storeConversation } from './queries.ts'
import { t } from './texts.ts'

export type ConversationPatch = Api['PATCH /conversations/{id}']['body']

/** Returns the values of a chat that a patch replaces. */
const previousValues = (conversation: Conversation, patch: ConversationPatch): ConversationPatch =>
  Object.fromEntries(Object.keys(patch).map((key) => [key, conversation[key as keyof ConversationPatch]]))

/** Changes a chat, shows a notice, and offers undo. */
export async function changeConversationWithUndo(
  conversation: Conversation,
  patch: ConversationPatch,
  notice: string,
): Promise<void> {
  const undo = previousValues(conversation, patch)
  try {
    const changed = await changeConversation(conversation, patch)
    notify({
      title: notice,
      kind: 'good',
      action: {
        label: t('done.undo'),
        run: () => void changeConversation(changed, undo).catch(notifyError),
      },
    })
  } catch (error) {
    notifyError(error)
  }
}

type Change = readonly [Conversation, ConversationPatch]

/**
 * Applies changes in turn, as the rate limits allow, and stops at the first error. Returns the changes that
 * were applied, with their undo.
 */
async function applyAll(changes: readonly Change[]): Promise<Change[]> {
  const undo: Change[] = []
  try {
    for (const [conversation, patch] of changes)
      undo.push([await changeConversation(conversation, patch), previousValues(conversation, patch)])
  } catch (error) {
    notifyError(error)
  }
  return undo
}

/** Changes several chats and offers to undo all changes. */
export async function changeConversationsWithUndo(
  conversations: readonly Conversation[],
  patch: ConversationPatch,
): Promise<void> {
  const undo = await applyAll(conversations.map((conversation) => [conversation, patch]))
  if (undo.length === 0) return
  notify({
    title: t('done.many', { count: undo.length }),
    kind: 'good',
    action: { label: t('done.undo'), run: () => void applyAll(undo) },
  })
}

type Tags = { addTags: string[] } | { removeTags: string[] }

const tagContacts = async (contactIds: string[], tags: Tags): Promise<number> => {
  const { updated } = await call('POST /contacts/bulk-tags', { body: { contactIds, ...tags } })
  void queryClient.invalidateQueries({ queryKey: ['contact'] })
  void queryClient.invalidateQueries({ queryKey: ['conversation', 'list'] })
  return updated
}

/** Tags the customers of several chats. Undo removes the tag from those who did not have it before. */
export async function tagMany(conversations: readonly ListedConversation[], tag: string): Promise<void> {
  const ids = new Set(
    conversations.filter(({ tags }) => !tags.includes(tag)).map(({ contact }) => contact.id),
  )
  try {
    const count = ids.size === 0 ? 0 : await tagContacts([...ids], { addTags: [tag] })
    notify({
      title: t('done.tagged', { count, tag }),
      kind: 'good',
      ...(count > 0 && {
        action: {
          label: t('done.undo'),
          run: () => void tagContacts([...ids], { removeTags: [tag] }).catch(notifyError),
        },
      }),
    })
  } catch (error) {
    notifyError(error)
  }
}

/** Marks a chat as unread. */
export async function markUnread(conversation: Conversation): Promise<void> {
  try {
    const response = await call('POST /conversations/{id}/unread', { params: { id: conversation.id } })
    storeConversation(response.conversation)
    notify({ title: t('done.unread'), kind: 'good' })
  } catch (error) {
    notifyError(error)
  }
}
