import { DAY_MS, later, realTime } from '../../../core/clock.ts'
import type { Context, Unit } from '../../../core/context.ts'
import { count } from '../../../core/count.ts'
import { runOffsetOf } from '../../../core/due.ts'
import { emit } from '../../../core/event.ts'
import { newId } from '../../../core/ids.ts'
import type { ContactInEvent } from '../../contacts/schema.ts'
import { conversationClosed, conversationOpened } from '../events.ts'
import {
  type ConversationRow,
  type InboundActivity,
  insertConversations,
  listConversationsOfForUpdate,
  touchAfterInbound,
  updateAfterInbound,
} from '../queries/conversations.ts'
import { isWindowOpen } from '../schema.ts'
import { newConversations, partiesKey } from './parties.ts'

/** What the operator reported of a chat, as its conversation sees it; `at` is when it happened, in the workspace's time. */
export type InboundNote = {
  ctx: Context
  contact: ContactInEvent
  phoneNumberId: string
  at: Date
  /** A customer's message unless said: a customer's reaction or call, or what our side typed in the phone app. */
  kind?: 'message' | 'reaction' | 'call' | 'echo'
  /** The customer came by an advertisement or a page's button. */
  referred?: boolean
}

/** A conversation after all notes, and when its customer wrote before this one. */
export type Noted = ConversationRow & { previousInboundAt: Date | null }

/**
 * Takes customers' messages into their conversations, starting those that are missing: the 24-hour
 * window runs from the last message, a resolved conversation opens again, the chat moves to the top.
 * `conversation.opened` fires only where the window was closed (spec 3). A reaction does the same to the window and
 * nothing else: no chat opens again, moves, counts as unread, or waits for it. A call keeps the window open silently, and what our side typed opens none (docs/decisions/conversations.md). Returns each
 * one's conversation, in order, and when the customer had written there before; undefined where the contact was erased
 * meanwhile.
 */
export async function noteInbound(unit: Unit, notes: InboundNote[]): Promise<(Noted | undefined)[]> {
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
  const written = new Map<string, InboundActivity>()
  const previous = new Map<InboundNote, Date | null>()
  for (const [i, note] of notes.entries()) {
    const before = rows.get(partiesKey(parties[i]!))
    if (!before) continue
    previous.set(note, before.lastInboundAt)
    rows.set(partiesKey(before), takers[note.kind ?? 'message'](before, note))
    if (note.kind !== 'call' && note.kind !== 'reaction')
      written.set(before.id, activityOf(before, note, written.get(before.id)))
  }
  if (rows.size > 0) await updateAfterInbound(unit.tx, [...rows.values()])
  if (written.size > 0) await touchAfterInbound(unit.tx, [...written.values()])
  return parties.map((party, i) => {
    const row = rows.get(partiesKey(party))
    return row && { ...row, previousInboundAt: previous.get(notes[i]!) ?? null }
  })
}

/** What each kind of note makes of its conversation. */
const takers = {
  message: takeMessage,
  reaction: takeIn,
  call: takeCall,
  echo: (before: ConversationRow) => before,
}

/** An operator whose clock runs ahead cannot lengthen the window. */
const happened = ({ ctx, at }: InboundNote): Date => (at > ctx.now ? ctx.now : at)

function activityOf(
  row: ConversationRow,
  note: InboundNote,
  earlier: InboundActivity | undefined,
): InboundActivity {
  const at = happened(note)
  const isOurs = note.kind === 'echo'
  return {
    workspaceId: row.workspaceId,
    conversationId: row.id,
    activityId: earlier?.activityId ?? newId(),
    at: latest(earlier?.at ?? null, at),
    answered: isOurs || (earlier?.answered ?? false),
    waitsSince: isOurs ? null : (earlier?.waitsSince ?? at),
    personAnsweredAt: isOurs
      ? latest(earlier?.personAnsweredAt ?? null, at)
      : (earlier?.personAnsweredAt ?? null),
  }
}

/** A call lets us answer for 24 hours, and nothing is announced (docs/formats.md section 17). */
function takeCall(before: ConversationRow, note: InboundNote): ConversationRow {
  const expiry = latest(before.windowExpiresAt, later(happened(note), DAY_MS))
  return {
    ...before,
    windowExpiresAt: expiry,
    ...(before.windowOpen && before.windowRunAt === null ? lookedAtWhen(expiry, note) : {}),
    updatedAt: note.ctx.now,
  }
}

/** The conversation after one more message, with the events that this makes. */
function takeMessage(before: ConversationRow, note: InboundNote): ConversationRow {
  const wrote = happened(note)
  return {
    ...takeIn(before, note),
    state: before.state === 'resolved' ? 'open' : before.state,
    lastInboundAt: latest(before.lastInboundAt, wrote),
    referredAt: note.referred ? latest(before.referredAt, wrote) : before.referredAt,
    unreadCount: before.unreadCount + 1,
  }
}

/** What everything that a customer sends does to the window, with the events that this makes. */
function takeIn(before: ConversationRow, note: InboundNote): ConversationRow {
  const { ctx, contact } = note
  const wrote = happened(note)
  const expiry = latest(before.windowExpiresAt, later(wrote, DAY_MS))
  const about = { contactId: contact.id }
  let open = before.windowOpen
  // While it stays open it keeps the moment at which it is looked at: moving that, which is indexed, with each message would
  // cost more than the rest of the row.
  let runAt = before.windowRunAt
  if (open && before.windowExpiresAt !== null && !isWindowOpen(before, wrote)) {
    // The old window ran out before this message and nobody has said so yet.
    emit(ctx, conversationClosed, closing(before, contact, ctx.now), about)
    open = false
    runAt = null
  }
  if (!open && expiry > ctx.now) {
    open = true
    count(ctx, 'opened', { phoneNumberId: before.phoneNumberId, at: wrote })
    emit(
      ctx,
      conversationOpened,
      {
        conversationId: before.id,
        contact,
        windowExpiresAt: expiry.toISOString(),
        freeEntryExpiresAt: stillAhead(before.freeEntryExpiresAt, ctx.now)?.toISOString() ?? null,
        openedAt: wrote.toISOString(),
      },
      about,
    )
  }
  return {
    ...before,
    windowExpiresAt: expiry,
    windowOpen: open,
    ...(!open ? { windowRunAt: null } : runAt === null ? lookedAtWhen(expiry, note) : {}),
    updatedAt: ctx.now,
  }
}

/** When it is looked at whether the window has expired: when it does. */
const lookedAtWhen = (expiry: Date, { ctx: { workspace } }: InboundNote) => ({
  windowRunAt: realTime(expiry, workspace),
  runOffsetMs: runOffsetOf(workspace),
})

const stillAhead = (at: Date | null, now: Date): Date | null => (at !== null && at > now ? at : null)

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
