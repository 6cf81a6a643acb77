import { DAY_MS, later, realTime } from '../../../core/clock.ts'
import type { Context, Unit } from '../../../core/context.ts'
import { emit } from '../../../core/event.ts'
import { newId } from '../../../core/ids.ts'
import type { ContactInEvent } from '../../contacts/schema.ts'
import { conversationClosed, conversationOpened } from '../events.ts'
import {
  type ConversationRow,
  insertConversations,
  listConversationsOfForUpdate,
  touchConversations,
  updateAfterInbound,
} from '../queries.ts'
import { newConversations, partiesKey } from './parties.ts'

/** A customer's message as its conversation sees it; `at` is when they wrote, in the workspace's time. */
export type InboundNote = {
  ctx: Context
  contact: ContactInEvent
  phoneNumberId: string
  at: Date
}

/**
 * Takes customers' messages into their conversations, starting those that are missing: the 24-hour
 * window runs from the last message, a resolved conversation opens again, the chat moves to the top.
 * `conversation.opened` fires only where the window was closed (spec 3). Returns each message's
 * conversation, in order; undefined where the contact was erased meanwhile.
 */
export async function noteInbound(
  unit: Unit,
  notes: InboundNote[],
): Promise<(ConversationRow | undefined)[]> {
  const parties = notes.map((note) => ({
    workspaceId: note.ctx.workspace.id,
    contactId: note.contact.id,
    phoneNumberId: note.phoneNumberId,
  }))
  const rows = new Map(
    (await listConversationsOfForUpdate(unit.tx, parties)).map((row) => [partiesKey(row), row]),
  )
  const missing = notes.filter((_, i) => !rows.has(partiesKey(parties[i]!)))
  if (missing.length > 0) {
    await insertConversations(
      unit.tx,
      newConversations(missing.map((note) => ({ ...note, contactId: note.contact.id }))),
    )
    for (const row of await listConversationsOfForUpdate(unit.tx, parties)) rows.set(partiesKey(row), row)
  }
  for (const [i, note] of notes.entries()) {
    const before = rows.get(partiesKey(parties[i]!))
    if (before) rows.set(partiesKey(before), takeIn(before, note))
  }
  if (rows.size > 0) {
    await updateAfterInbound(unit.tx, [...rows.values()])
    await touchConversations(
      unit.tx,
      [...rows.values()].map((row) => ({
        workspaceId: row.workspaceId,
        conversationId: row.id,
        activityId: newId(),
        at: row.lastInboundAt ?? row.updatedAt,
      })),
    )
  }
  return parties.map((party) => rows.get(partiesKey(party)))
}

/** The conversation after one more message, with the events that this makes. */
function takeIn(before: ConversationRow, { ctx, contact, at }: InboundNote): ConversationRow {
  // An operator whose clock runs ahead cannot lengthen the window.
  const wrote = at > ctx.now ? ctx.now : at
  const expiry = latest(before.windowExpiresAt, later(wrote, DAY_MS))
  const about = { contactId: contact.id }
  let open = before.windowOpen
  if (open && before.windowExpiresAt !== null && before.windowExpiresAt <= wrote) {
    // The old window ran out before this message and nobody has said so yet.
    emit(ctx, conversationClosed, closing(before, contact, ctx.now), about)
    open = false
  }
  if (!open && expiry > ctx.now) {
    open = true
    emit(
      ctx,
      conversationOpened,
      {
        conversationId: before.id,
        contact,
        windowExpiresAt: expiry.toISOString(),
        freeEntryExpiresAt: before.freeEntryExpiresAt?.toISOString() ?? null,
        openedAt: wrote.toISOString(),
      },
      about,
    )
  }
  return {
    ...before,
    state: before.state === 'resolved' ? 'open' : before.state,
    windowExpiresAt: expiry,
    windowOpen: open,
    windowRunAt: open ? realTime(expiry, ctx.workspace) : null,
    lastInboundAt: latest(before.lastInboundAt, wrote),
    unreadCount: before.unreadCount + 1,
    updatedAt: ctx.now,
  }
}

const latest = (before: Date | null, at: Date): Date => (before !== null && before > at ? before : at)

/** What `conversation.closed` says of a window that ran out. */
export const closing = (
  conversation: Pick<ConversationRow, 'id' | 'windowExpiresAt'>,
  contact: ContactInEvent,
  now: Date,
) => ({
  conversationId: conversation.id,
  contact,
  windowExpiredAt: (conversation.windowExpiresAt ?? now).toISOString(),
  closedAt: now.toISOString(),
})
