/** Edits, deletions, reactions and seen marks, in any order, even before their message. */
import type { Context } from '../../../../../core/context.ts'
import { newId } from '../../../../../core/ids.ts'
import type { MessageChange } from '../../../../../social-network/port.ts'
import {
  insertWaitingChanges,
  listMessagesByMidForUpdate,
  type MessageRow,
  markSeen,
  takeWaitingChanges,
  updateMessages,
} from '../queries/messages.ts'
import { touchChat } from './touch-chat.ts'

/**
 * Applies changes in the given order. Those without their message wait for it. The caller must be the only
 * one to apply reports of the account, because changes and messages look for each other.
 */
export async function applyChanges(ctx: Context, changes: MessageChange[]): Promise<void> {
  if (changes.length === 0) return
  const rows = await listMessagesByMidForUpdate(
    ctx.tx,
    ctx.workspace.id,
    changes.map(({ mid }) => mid),
  )
  const byMid = Map.groupBy(rows, (row) => row.mid as string)
  const waitingChanges = changes.filter(({ mid }) => !byMid.has(mid))
  if (waitingChanges.length > 0)
    await insertWaitingChanges(
      ctx.tx,
      waitingChanges.map((body) => ({
        workspaceId: ctx.workspace.id,
        id: newId(),
        mid: body.mid,
        body,
        createdAt: ctx.now,
      })),
    )
  await change(ctx, byMid, changes)
}

/** Applies changes that waited for messages which have arrived. */
export async function applyWaitingChanges(ctx: Context, mids: string[]): Promise<void> {
  if (mids.length === 0) return
  const waitingChanges = await takeWaitingChanges(ctx.tx, ctx.workspace.id, mids)
  await applyChanges(
    ctx,
    waitingChanges.map(({ body }) => readStored(body as StoredChange)),
  )
}

/** A change as stored: times are strings. */
type StoredChange = Exclude<MessageChange, { kind: 'seen' }> | { kind: 'seen'; mid: string; at: string }

const readStored = (storedChange: StoredChange): MessageChange =>
  storedChange.kind === 'seen' ? { ...storedChange, at: new Date(storedChange.at) } : storedChange

async function change(
  ctx: Context,
  byMid: Map<string, MessageRow[]>,
  changes: MessageChange[],
): Promise<void> {
  const changedRows = new Map<string, MessageRow>()
  const seenUpTo = new Map<string, { upTo: MessageRow; at: Date }>()
  for (const change of changes) {
    const rows = (byMid.get(change.mid) ?? []).map((row) => changedRows.get(row.id) ?? row)
    const [first] = rows
    if (!first) continue
    if (change.kind === 'seen') {
      const latestSeen = seenUpTo.get(first.conversationId)
      if (!latestSeen || latestSeen.upTo.id < first.id)
        seenUpTo.set(first.conversationId, { upTo: first, at: change.at })
      continue
    }
    for (const row of change.kind === 'deleted' ? rows : [first]) {
      const after = MAKES[change.kind](row, change as never, ctx.now)
      if (after) changedRows.set(row.id, after)
    }
  }
  if (changedRows.size > 0) await updateMessages(ctx.tx, [...changedRows.values()])
  if (seenUpTo.size > 0) await markSeen(ctx.tx, [...seenUpTo.values()])
  const chatIds = [...[...changedRows.values()].map((row) => row.conversationId), ...seenUpTo.keys()]
  for (const id of new Set(chatIds)) touchChat(ctx, id)
}

type Of<Kind extends MessageChange['kind']> = Extract<MessageChange, { kind: Kind }>

/** Applies each kind of change to a message; undefined: no effect. A deletion outranks all later changes. */
const MAKES = {
  edited: (row: MessageRow, { text, edition }: Of<'edited'>, now: Date): MessageRow | undefined =>
    row.deletedAt || edition <= row.edition
      ? undefined
      : {
          ...row,
          content: { ...row.content, text },
          originalContent: row.originalContent ?? row.content,
          edition,
          editedAt: now,
        },
  deleted: (row: MessageRow, _: Of<'deleted'>, now: Date): MessageRow | undefined =>
    row.deletedAt
      ? undefined
      : { ...row, content: {}, originalContent: null, reaction: null, deletedAt: now },
  reaction: (row: MessageRow, { reaction }: Of<'reaction'>): MessageRow | undefined =>
    row.deletedAt ? undefined : { ...row, reaction },
}
