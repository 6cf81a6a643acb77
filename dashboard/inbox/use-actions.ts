/** What is done with chats: at once on the screen, with a way back. */
import type { Api, Conversation } from '../../sdk/api.ts'
import { messageOf } from '../api/errors.ts'
import { call } from '../api/request.ts'
import { notify } from '../kit/toasts.tsx'
import { changeConversation, storeConversation } from './queries.ts'
import { t } from './words.ts'

export type ConversationPatch = Api['PATCH /conversations/:id']['body']

/** What of a chat a patch replaces. */
const before = (conversation: Conversation, patch: ConversationPatch): ConversationPatch =>
  Object.fromEntries(Object.keys(patch).map((key) => [key, conversation[key as keyof ConversationPatch]]))

/** Changes a chat, says so, and offers to take it back. */
export async function change(
  conversation: Conversation,
  patch: ConversationPatch,
  said: string,
): Promise<void> {
  const undo = before(conversation, patch)
  try {
    const changed = await changeConversation(conversation, patch)
    notify({
      title: said,
      kind: 'good',
      action: {
        label: t('done.undo'),
        run: () => void changeConversation(changed, undo).catch(report),
      },
    })
  } catch (error) {
    report(error)
  }
}

/** Changes several chats, one after the other as the limits allow, and offers to take all of it back. */
export async function changeMany(
  conversations: readonly Conversation[],
  patch: ConversationPatch,
): Promise<void> {
  const changed: [Conversation, ConversationPatch][] = []
  for (const conversation of conversations) {
    try {
      changed.push([await changeConversation(conversation, patch), before(conversation, patch)])
    } catch (error) {
      report(error)
      break
    }
  }
  if (changed.length === 0) return
  notify({
    title: t('done.many', { count: changed.length }),
    kind: 'good',
    action: {
      label: t('done.undo'),
      run: () => {
        for (const [conversation, undo] of changed) void changeConversation(conversation, undo).catch(report)
      },
    },
  })
}

export const report = (error: unknown): void => notify({ title: messageOf(error), kind: 'bad' })

/** Has a chat come back as unread. */
export async function markUnread(conversation: Conversation): Promise<void> {
  try {
    const answer = await call('POST /conversations/:id/unread', { params: { id: conversation.id } })
    storeConversation(answer.conversation)
    notify({ title: t('done.unread'), kind: 'good' })
  } catch (error) {
    report(error)
  }
}
