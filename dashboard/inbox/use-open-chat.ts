/** Provides the actions of the open chat, for its header and for keys. */
import { useQueryClient } from '@tanstack/react-query'
import type { Conversation, ListedConversation } from '../../sdk/api.ts'
import type { WorkspaceSession } from '../api/session.ts'
import type { ChatActions } from './parts/chat.tsx'
import { conversationQuery, teamQuery, teamsQuery } from './queries.ts'
import { t } from './texts.ts'
import {
  type ConversationPatch,
  changeConversationWithUndo,
  markUnread,
  type Snooze,
  snoozeWithUndo,
} from './use-actions.ts'
import { PRIORITIES } from './view.ts'

type Options = {
  openId: string | undefined
  rows: readonly ListedConversation[]
  member: WorkspaceSession['member']
  /** Returns to the list. */
  close: () => void
  /** Opens the next chat of the list, otherwise the previous one, otherwise the list. */
  openNext: () => void
}

/** Returns the notice for a change. */
const noticeOf = (patch: ConversationPatch, nameOf: (id: string) => string): string => {
  if (patch.teamId !== undefined)
    return patch.teamId ? t('done.team', { name: nameOf(patch.teamId) }) : t('done.noTeam')
  if (patch.state)
    return t(
      patch.state === 'resolved'
        ? 'done.resolved'
        : patch.state === 'open'
          ? 'done.reopened'
          : 'done.pending',
    )
  if (patch.priority) return t('done.priority', { priority: t(`priority.${patch.priority}`) })
  if (patch.isArchived !== undefined) return t(patch.isArchived ? 'done.archived' : 'done.unarchived')
  return patch.assignedAgentId
    ? t('done.assigned', { name: nameOf(patch.assignedAgentId) })
    : t('done.unassigned')
}

export function useOpenChat({ openId, rows, member, close, openNext }: Options) {
  const client = useQueryClient()
  const conversation = (): Conversation | undefined =>
    openId
      ? (client.getQueryData(conversationQuery(openId).queryKey) ?? rows.find(({ id }) => id === openId))
      : undefined
  // The member or the team was chosen from these.
  const nameOf = (chosen: string): string =>
    [teamQuery, teamsQuery]
      .flatMap(({ queryKey }) => client.getQueryData<{ id: string; name: string }[]>(queryKey) ?? [])
      .find(({ id }) => id === chosen)?.name ?? ''
  const patchOpen = (patch: ConversationPatch, notice = noticeOf(patch, nameOf)) => {
    const found = conversation()
    if (found) void changeConversationWithUndo(found, patch, notice)
  }
  const snoozeOpen = (snooze: Snooze | null) => {
    const found = conversation()
    if (found) void snoozeWithUndo(found, snooze)
  }
  const actions: ChatActions = {
    resolve: () => patchOpen({ state: conversation()?.state === 'resolved' ? 'open' : 'resolved' }),
    resolveAndNext: () => {
      if (conversation()?.state !== 'resolved') patchOpen({ state: 'resolved' })
      openNext()
    },
    assignMe: () => patchOpen({ assignedAgentId: member.id }, t('done.assigned', { name: member.name })),
    markUnread: () => {
      const found = conversation()
      close()
      if (found) void markUnread(found)
    },
    archive: () => patchOpen({ isArchived: !conversation()?.isArchived }),
    change: (patch) => patchOpen(patch),
    snooze: snoozeOpen,
    unsnooze: () => snoozeOpen(null),
  }
  const raisePriority = () => {
    const index = PRIORITIES.indexOf(conversation()?.priority ?? 'normal')
    patchOpen({ priority: PRIORITIES[(index + 1) % PRIORITIES.length] })
  }
  return { conversation, actions, raisePriority }
}
