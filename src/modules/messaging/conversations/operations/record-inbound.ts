import { DAY_MS, later, realTime } from '../../../../core/clock.ts'
import { beforeCommit, type Context, type Unit } from '../../../../core/context.ts'
import { count } from '../../../../core/count.ts'
import { runOffsetOf } from '../../../../core/due.ts'
import { emit } from '../../../../core/event.ts'
import { newId } from '../../../../core/ids.ts'
import type { ContactInEvent } from '../../contacts/schema.ts'
import { conversationClosed, conversationOpened } from '../events.ts'
import { type ChangeRow, insertChanges } from '../queries/changes.ts'
import {
  type ConversationRow,
  endSnoozesOf,
  type InboundActivity,
  insertConversations,
  listConversationsOfForUpdate,
  touchAfterInbound,
  updateAfterInbound,
} from '../queries/conversations.ts'
import { AWAKE, isWindowOpen } from '../schema.ts'
import { changedByCustomer } from './changes.ts'
import { newConversations, partiesKey } from './parties.ts'
import { type OpenedChat, routeChats } from './route-chats.ts'

/** An operator's report about a chat. `at` is when it happened, in the workspace's time. */
export type InboundNote = {
  ctx: Context
  contact: ContactInEvent
  /** Our number; the account, in a chat of the photo network. */
  phoneNumberId: string
  at: Date
  /**
   * A customer's message by default; or a customer's reaction or call, or a message that our side typed in
   * the phone app.
   */
  kind?: 'message' | 'reaction' | 'call' | 'echo'
  /** The customer came through an advertisement or a button on a page. */
  referred?: boolean
}

/** A conversation after all notes, and the time of its customer's previous message. */
export type Noted = ConversationRow & { previousInboundAt: Date | null }

/**
 * Applies customers' messages to their conversations, and starts missing ones. The 24-hour window runs from
 * the last message, a resolved conversation reopens, a snooze until the customer writes ends, and the chat
 * moves to the top. `conversation.opened` fires only if the window was closed (spec 3).
 *
 * A reaction changes only the window: the chat doesn't reopen, move, count as unread, or wait. A call keeps
 * the window open without an event, and our own message opens none (DECISIONS.md).
 *
 * Returns each conversation, in order, and when the customer wrote there before; undefined if the contact was
 * erased meanwhile.
 */
export async function recordInbound(unit: Unit, notes: InboundNote[]): Promise<(Noted | undefined)[]> {
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
  const changes: ChangeRow[] = []
  const awake = new Map<string, ConversationRow>()
  const opened = new Map<string, OpenedChat>()
  const started = new Set(missing)
  for (const [i, note] of notes.entries()) {
    const before = rows.get(partiesKey(parties[i]!))
    if (!before) continue
    previous.set(note, before.lastInboundAt)
    const after = takers[note.kind ?? 'message'](before, note)
    if (before.state === 'resolved' && after.state === 'open')
      changes.push(changedByCustomer(note.ctx, before.id, 'reopened'))
    const starts = started.has(note) && (note.kind ?? 'message') === 'message'
    if (starts || (before.state === 'resolved' && after.state === 'open'))
      opened.set(before.id, { ctx: note.ctx, row: before, reopens: !starts })
    if (before.snoozedAt !== null && after.snoozedAt === null) {
      changes.push(changedByCustomer(note.ctx, before.id, 'unsnoozed'))
      awake.set(before.id, after)
      if (!opened.has(before.id)) opened.set(before.id, { ctx: note.ctx, row: before, reopens: true })
    }
    rows.set(partiesKey(before), after)
    if (note.kind !== 'call' && note.kind !== 'reaction')
      written.set(before.id, activityFrom(before, note, written.get(before.id)))
  }
  // Without waiting, so that they go in one round trip with the statements that store the messages.
  if (rows.size > 0) beforeCommit(unit, updateAfterInbound(unit.tx, [...rows.values()]))
  if (awake.size > 0) beforeCommit(unit, endSnoozesOf(unit.tx, [...awake.values()]))
  if (changes.length > 0) beforeCommit(unit, insertChanges(unit.tx, changes))
  if (opened.size > 0) await routeChats(unit, [...opened.values()])
  if (written.size > 0) beforeCommit(unit, touchAfterInbound(unit.tx, [...written.values()]))
  return parties.map((party, i) => {
    const row = rows.get(partiesKey(party))
    return row && { ...row, previousInboundAt: previous.get(notes[i]!) ?? null }
  })
}

/** The change to the conversation for each kind of note. */
const takers = {
  message: takeMessage,
  reaction: afterMessage,
  call: takeCall,
  echo: (before: ConversationRow) => before,
}

/** Limits the time to now, so that an operator's clock that is ahead can't extend the window. */
const timeOf = ({ ctx, at }: InboundNote): Date => (at > ctx.now ? ctx.now : at)

function activityFrom(
  row: ConversationRow,
  note: InboundNote,
  earlier: InboundActivity | undefined,
): InboundActivity {
  const time = timeOf(note)
  const isOurs = note.kind === 'echo'
  return {
    workspaceId: row.workspaceId,
    conversationId: row.id,
    activityId: earlier?.activityId ?? newId(),
    at: latest(earlier?.at ?? null, time),
    answered: isOurs || (earlier?.answered ?? false),
    waitsSince: isOurs ? null : (earlier?.waitsSince ?? time),
    personAnsweredAt: isOurs
      ? latest(earlier?.personAnsweredAt ?? null, time)
      : (earlier?.personAnsweredAt ?? null),
  }
}

/**
 * Extends the window by a call, which lets us answer for 24 hours. Fires no event (docs/formats.md section
 * 17).
 */
function takeCall(before: ConversationRow, note: InboundNote): ConversationRow {
  const expiry = latest(before.windowExpiresAt, later(timeOf(note), DAY_MS))
  return {
    ...before,
    windowExpiresAt: expiry,
    ...(before.windowOpen && before.windowRunAt === null ? dueFields(expiry, note) : {}),
    updatedAt: note.ctx.now,
  }
}

/** Returns the conversation after another message, and fires the events for it. */
function takeMessage(before: ConversationRow, note: InboundNote): ConversationRow {
  const sentAt = timeOf(note)
  return {
    ...afterMessage(before, note),
    ...(before.snoozedUntilReply && AWAKE),
    state: before.state === 'resolved' ? 'open' : before.state,
    lastInboundAt: latest(before.lastInboundAt, sentAt),
    referredAt: note.referred ? latest(before.referredAt, sentAt) : before.referredAt,
    unreadCount: before.unreadCount + 1,
  }
}

/** Extends the window, as every kind of customer activity does, and fires the events for it. */
function afterMessage(before: ConversationRow, note: InboundNote): ConversationRow {
  const { ctx, contact } = note
  const sentAt = timeOf(note)
  const expiry = latest(before.windowExpiresAt, later(sentAt, DAY_MS))
  // Its window has no events, so it isn't watched (DECISIONS.md "Photo chats").
  if (before.channel === 'social') return { ...before, windowExpiresAt: expiry, updatedAt: ctx.now }
  const about = { contactId: contact.id }
  let open = before.windowOpen
  // While the window stays open, the check time (`windowRunAt`) stays. It is indexed, so moving it with each
  // message would cost more than the rest of the row.
  let runAt = before.windowRunAt
  if (open && before.windowExpiresAt !== null && !isWindowOpen(before, sentAt)) {
    // The old window expired before this message, and its event hasn't fired yet.
    emit(ctx, conversationClosed, closing(before, contact, ctx.now), about)
    open = false
    runAt = null
  }
  if (!open && expiry > ctx.now) {
    open = true
    count(ctx, 'opened', { phoneNumberId: before.phoneNumberId, at: sentAt })
    emit(
      ctx,
      conversationOpened,
      {
        conversationId: before.id,
        contact,
        windowExpiresAt: expiry.toISOString(),
        freeEntryExpiresAt: ifAhead(before.freeEntryExpiresAt, ctx.now)?.toISOString() ?? null,
        openedAt: sentAt.toISOString(),
      },
      about,
    )
  }
  return {
    ...before,
    windowExpiresAt: expiry,
    windowOpen: open,
    ...(!open ? { windowRunAt: null } : runAt === null ? dueFields(expiry, note) : {}),
    updatedAt: ctx.now,
  }
}

/** Returns when to check whether the window has expired: at its expiry. */
const dueFields = (expiry: Date, { ctx: { workspace } }: InboundNote) => ({
  windowRunAt: realTime(expiry, workspace),
  runOffsetMs: runOffsetOf(workspace),
})

const ifAhead = (time: Date | null, now: Date): Date | null => (time !== null && time > now ? time : null)

const latest = (before: Date | null, time: Date): Date => (before !== null && before > time ? before : time)

/** Returns the data of `conversation.closed` for an expired window. */
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
