/** Records the changes of a chat that its thread shows, and lists them (DECISIONS.md). */
import type { Context } from '../../../../core/context.ts'
import { newId } from '../../../../core/ids.ts'
import { type CursorQuery, cutPage } from '../../../../core/paging.ts'
import { columnsOfSource, sourceOf } from '../../../../core/source.ts'
import { listTagChanges } from '../../contacts/operations/contact-tags.ts'
import type { ChangeAction } from '../change-schema.ts'
import { type ChangeRow, insertChanges, listChangeRows } from '../queries/changes.ts'
import type { Changeable } from '../queries/conversations.ts'
import type { ConversationPatch } from '../schema.ts'
import { getInboxConversation } from './read-conversations.ts'

type Change = Pick<ChangeRow, 'action' | 'value' | 'valueName'>

/** Returns a change without a value. */
export const plain = (action: ChangeAction): Change => ({ action, value: null, valueName: null })

const STATE_ACTIONS = { resolved: 'resolved', pending: 'pending', open: 'reopened' } as const

/** Returns the changes that a patch makes. `names`: the names of the new assignee and of the new team. */
export function changesOf(
  before: Changeable,
  patch: ConversationPatch,
  names: { assignee: string | null; team: string | null },
): Change[] {
  const { state, priority, isArchived, assignedAgentId, teamId } = patch
  const changes: Change[] = []
  if (teamId !== undefined && teamId !== before.teamId)
    changes.push(
      teamId === null ? plain('left_team') : { action: 'joined_team', value: teamId, valueName: names.team },
    )
  if (assignedAgentId !== undefined && assignedAgentId !== before.assignedAgentId)
    changes.push(
      assignedAgentId === null
        ? plain('unassigned')
        : { action: 'assigned', value: assignedAgentId, valueName: names.assignee },
    )
  if (priority !== undefined && priority !== before.priority)
    changes.push({ action: 'priority', value: priority, valueName: null })
  if (isArchived !== undefined && isArchived !== before.isArchived)
    changes.push(plain(isArchived ? 'archived' : 'unarchived'))
  if (state !== undefined && state !== before.state) changes.push(plain(STATE_ACTIONS[state]))
  return changes
}

/** Records changes of several chats in the transaction that makes them. */
export const recordChangesOf = (
  ctx: Context,
  changes: { conversationId: string; change: Change }[],
): Promise<unknown> =>
  changes.length === 0
    ? Promise.resolve()
    : insertChanges(
        ctx.tx,
        changes.map(({ conversationId, change }) => ({
          workspaceId: ctx.workspace.id,
          id: newId(),
          conversationId,
          ...change,
          ...columnsOfSource(sourceOf(ctx)),
          createdAt: ctx.now,
        })),
      )

/** Records changes of a chat in the transaction that makes them. */
export const recordChanges = (ctx: Context, conversationId: string, changes: Change[]): Promise<unknown> =>
  recordChangesOf(
    ctx,
    changes.map((change) => ({ conversationId, change })),
  )

/** Returns the row for a resolved or snoozed chat that came back because its customer wrote. */
export const changedByCustomer = (
  ctx: Context,
  conversationId: string,
  action: 'reopened' | 'unsnoozed',
): ChangeRow => ({
  workspaceId: ctx.workspace.id,
  id: newId(),
  conversationId,
  ...plain(action),
  ...columnsOfSource({ kind: 'customer', id: null, name: null }),
  createdAt: ctx.now,
})

type TagChange = Awaited<ReturnType<typeof listTagChanges>>[number]

const changeOfTag = ({ contactId: _, tag, added, ...row }: TagChange, conversationId: string): ChangeRow => ({
  ...row,
  conversationId,
  action: added ? 'tagged' : 'untagged',
  value: tag,
  valueName: null,
})

/** Returns one page of a chat's changes, and of its contact's tags, newest first. */
export async function listChanges(
  ctx: Context,
  conversationId: string,
  page: CursorQuery,
): Promise<{ rows: ChangeRow[]; nextCursor: string | null }> {
  const { id, contactId } = await getInboxConversation(ctx, conversationId)
  const [changes, tagChanges] = await Promise.all([
    listChangeRows(ctx, id, page),
    listTagChanges(ctx, contactId, page),
  ])
  const rows = [...changes, ...tagChanges.map((row) => changeOfTag(row, id))]
  rows.sort((a, b) => (a.id < b.id ? 1 : -1))
  return cutPage(rows.slice(0, page.limit + 1), page.limit, (row) => row.id)
}
