import type { Context, Unit } from '../../../core/context.ts'
import { newId } from '../../../core/ids.ts'
import {
  type Activity,
  type ConversationRow,
  insertConversations,
  listConversationsOfForUpdate,
  listWindowsOf,
  type Parties,
  touchConversations,
  type WindowRow,
} from '../queries.ts'
import { newConversations, type Pair, partiesKey } from './parties.ts'

/** Whom a send is between; `contactId` is null where the workspace does not know the recipient yet. */
export type SendParties = Omit<Parties, 'contactId'> & { contactId: string | null }

/** The conversations of sends, in order; undefined where there is none yet. Nothing is locked. */
export async function findConversationsForSend(
  unit: Unit,
  items: SendParties[],
): Promise<(WindowRow | undefined)[]> {
  const known = items.filter((item): item is Parties => item.contactId !== null)
  if (known.length === 0) return items.map(() => undefined)
  const rows = new Map((await listWindowsOf(unit.tx, known)).map((row) => [partiesKey(row), row]))
  return items.map(({ contactId, phoneNumberId }) =>
    contactId === null ? undefined : rows.get(partiesKey({ contactId, phoneNumberId })),
  )
}

/**
 * Starts the conversations of sends that have none, when nothing else can refuse them any more
 * (spec 4.2). One answer an item, in order; undefined where the contact was erased meanwhile.
 */
export async function createConversationsForSend(
  unit: Unit,
  items: Pair[],
): Promise<(ConversationRow | undefined)[]> {
  const fresh = newConversations(items)
  await insertConversations(unit.tx, fresh)
  const rows = new Map(
    (await listConversationsOfForUpdate(unit.tx, fresh)).map((row) => [partiesKey(row), row]),
  )
  return items.map((item) => rows.get(partiesKey(item)))
}

/** A message of ours on its way into a conversation; `at` is in the workspace's time. */
export type OutboundNote = { ctx: Context; conversationId: string; at: Date }

/**
 * Moves the conversations of outgoing messages to the top of the list. Each is held until the
 * transaction ends; throws when one was erased meanwhile, so that its message is not left behind:
 * what runs again finds the contact gone.
 */
export async function noteOutbound(unit: Unit, notes: OutboundNote[]): Promise<void> {
  const latest = new Map<string, Activity>()
  for (const { ctx, conversationId, at } of notes)
    latest.set(conversationId, {
      workspaceId: ctx.workspace.id,
      conversationId,
      activityId: newId(),
      at,
    })
  // In one order for everybody, so that two lists do not wait for each other.
  const inOrder = [...latest.values()].sort((a, b) => (a.conversationId < b.conversationId ? -1 : 1))
  const touched = await touchConversations(unit.tx, inOrder)
  if (touched < latest.size)
    throw new Error('a conversation was erased while a message was on its way into it')
}
