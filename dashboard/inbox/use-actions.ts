/** Changes chats immediately on the screen, with undo. */
import type { Api, Conversation, ListedConversation } from '../../sdk/api.ts'
import { applyChanges, queryClient } from '../api/cache.ts'
import { ApiError } from '../api/errors.ts'
import { call } from '../api/request.ts'
import { formatDue, workspaceNow } from '../kit/time.tsx'
import { notify } from '../kit/toasts.tsx'
import { notifyError } from '../shell/notify-error.ts'
import { nameOf } from './person.ts'
import { changeConversation, refreshMessages, storeConversation } from './queries.ts'
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

/** Assigns the unassigned chat with the longest wait to the member; returns its ID. */
export async function takeNext(): Promise<string | undefined> {
  try {
    const { conversation } = await call('POST /conversations/take-next', { body: { channel: 'all' } })
    storeConversation(conversation)
    applyChanges({ conversation: [conversation.id] })
    notify({ title: t('take.done', { name: nameOf(conversation) }), kind: 'good' })
    return conversation.id
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') notify({ title: t('take.none') })
    else notifyError(error)
    return undefined
  }
}

/** Runs a macro on a chat. */
export async function runMacro(
  conversation: Conversation,
  macro: { id: string; name: string },
): Promise<void> {
  try {
    const answer = await call('POST /conversations/{id}/run-macro', {
      params: { id: conversation.id },
      body: { macroId: macro.id },
    })
    storeConversation(answer.conversation)
    applyChanges({ conversation: [conversation.id], contact: [conversation.contact.id] })
    void refreshMessages(conversation.id).catch(() => {})
    notify({ title: t('macro.done', { name: macro.name }), kind: 'good' })
  } catch (error) {
    if (error instanceof ApiError && error.code === 'outside_24h_window')
      notify({ title: t('macro.closed', { name: macro.name }), kind: 'bad' })
    else notifyError(error)
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

export type Snooze = Api['POST /conversations/{id}/snooze']['body']

/** Returns the notice for a snooze. */
export const snoozeText = (until: string | null | undefined, now = workspaceNow()): string =>
  until ? t('done.snoozed', { time: formatDue(until, now) }) : t('done.snoozed.reply')

/** Sends a change of the snooze: immediately on the screen, and back again if the server rejects it. */
async function storeSnooze(conversation: Conversation, snooze: Snooze | null): Promise<void> {
  const { until = null, untilReply = false } = snooze ?? {}
  const params = { id: conversation.id }
  storeConversation({
    ...conversation,
    isSnoozed: snooze !== null,
    snoozedUntil: until,
    snoozedUntilReply: untilReply,
  })
  try {
    const answer = snooze
      ? await call('POST /conversations/{id}/snooze', { params, body: snooze })
      : await call('DELETE /conversations/{id}/snooze', { params })
    storeConversation(answer.conversation)
  } catch (error) {
    storeConversation(conversation)
    throw error
  } finally {
    applyChanges({ conversation: [conversation.id] })
  }
}

/** Snoozes a chat, or ends its snooze (`null`), and offers undo. */
export async function snoozeWithUndo(conversation: Conversation, snooze: Snooze | null): Promise<void> {
  const { isSnoozed, snoozedUntil, snoozedUntilReply } = conversation
  const undo: Snooze | null = isSnoozed
    ? { ...(snoozedUntil && { until: snoozedUntil }), untilReply: snoozedUntilReply }
    : null
  try {
    await storeSnooze(conversation, snooze)
    notify({
      title: snooze ? snoozeText(snooze.until) : t('done.unsnoozed'),
      kind: 'good',
      action: {
        label: t('done.undo'),
        run: () => void storeSnooze(conversation, undo).catch(notifyError),
      },
    })
  } catch (error) {
    notifyError(error)
  }
}
