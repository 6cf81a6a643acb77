/**
 * Edits and deletions of messages (src/modules/messaging/messages/DECISIONS.md). They may arrive in any
 * order, even before their message, so all known changes of a message are kept and read together. No event
 * reports them.
 */
import type { Unit } from '../../../../../core/context.ts'
import { retract, touch } from '../../../../../core/event.ts'
import { eraseFilesOfMessages } from '../../../media/operations/erase-files.ts'
import { flowCompleted, messageReceived } from '../../events.ts'
import { indexedWords } from '../../reading/operations/search-words.ts'
import { updateMessageWords } from '../../reading/queries/message-words.ts'
import {
  type ChangeableMessage,
  type ChangeRow,
  deleteReportsNaming,
  emptyChangesOf,
  insertChanges,
  listChangesOf,
  lockMessagesByChanmid,
  updateChangedMessages,
} from '../queries/reported-messages.ts'
import type { Reported } from './update-items.ts'

/** Applies changes, and earlier changes that waited for the new `messages`. */
export async function applyChanges(
  unit: Unit,
  items: Reported<'change'>[],
  messages: Reported<'inbound' | 'echo'>[],
): Promise<void> {
  const reported = items.map(({ ctx, report: change }) => ({
    workspaceId: ctx.workspace.id,
    chanmid: change.chanmid,
    original: change.of,
    people: change.people,
    content: change.content,
    at: change.at,
    createdAt: ctx.now,
  }))
  if (reported.length > 0) await insertChanges(unit.tx, reported)
  const concerned = [
    ...reported.map(({ workspaceId, original }) => ({ workspaceId, chanmid: original })),
    ...messages.map(({ ctx, report }) => ({ workspaceId: ctx.workspace.id, chanmid: report.chanmid })),
  ]
  if (concerned.length === 0) return
  const changes = Map.groupBy(await listChangesOf(unit.tx, concerned), keyOfOriginal)
  if (changes.size === 0) return
  const keys = [...changes.values()].map(([change]) => ({
    workspaceId: change!.workspaceId,
    chanmid: change!.original,
  }))
  const rows = await lockMessagesByChanmid(unit.tx, keys)
  const changed = rows.map((row) =>
    changedMessage(row, changes.get(`${row.workspaceId} ${row.chanmid}`) ?? []),
  )
  if (changed.length > 0) {
    await updateChangedMessages(unit.tx, changed)
    await updateMessageWords(
      unit.tx,
      changed.map((row) => ({ ...row, words: row.deletedAt === null ? indexedWords(row) : '' })),
    )
  }
  const contexts = new Map(items.map(({ ctx }) => [ctx.workspace.id, ctx]))
  for (const { workspaceId, id, conversationId } of changed) {
    const ctx = contexts.get(workspaceId)
    if (ctx) touch(ctx, { message: id, conversation: conversationId })
  }
  const deleted = changed.filter((row) => row.deletedAt !== null)
  await eraseFilesOfMessages(unit, deleted)
  for (const { workspaceId, contactId, id } of deleted)
    retract(unit, { workspaceId, contactId, message: { id, kinds: SAYING } })
  const revoked = [...changes.values()].filter((of) => of.some(({ content }) => content === null))
  const emptied = [
    ...deleted,
    ...revoked.map(([change]) => ({ workspaceId: change!.workspaceId, chanmid: change!.original })),
  ]
  if (emptied.length > 0)
    await Promise.all([emptyChangesOf(unit.tx, emptied), deleteReportsNaming(unit.tx, emptied)])
}

/** The events that contain the text of a message. */
const SAYING = [messageReceived, flowCompleted]

const keyOfOriginal = ({ workspaceId, original }: ChangeRow): string => `${workspaceId} ${original}`

/** Returns the message after all its changes, oldest first. A deleted message keeps no content. */
function changedMessage(row: ChangeableMessage, changes: ChangeRow[]): ChangeableMessage {
  const edit = changes.findLast((change) => change.content !== null)
  const deletion = changes.find((change) => change.content === null)
  const editedAt = latest(row.editedAt, edit?.at)
  const deletedAt = row.deletedAt ?? deletion?.at ?? null
  if (deletedAt !== null) return { ...row, content: {}, originalContent: null, editedAt, deletedAt }
  // An edit older than the last known edit is ignored, even if the changes themselves are no longer stored.
  if (!edit?.content || (row.editedAt !== null && edit.at < row.editedAt)) return row
  return {
    ...row,
    content: withOurFile(edit.content, row.content),
    originalContent: row.originalContent ?? row.content,
    editedAt,
  }
}

const latest = (current: Date | null, reported: Date | undefined): Date | null =>
  reported === undefined || (current !== null && current > reported) ? current : reported

/** Keeps our id of the file: an edit changes only the caption, never the file. */
function withOurFile(
  edited: Record<string, unknown>,
  before: Record<string, unknown>,
): Record<string, unknown> {
  if (typeof edited.id !== 'string' || typeof before.id !== 'string') return edited
  const { url: _, ...reported } = edited
  return { ...reported, id: before.id }
}
