/**
 * Sends customers messages about their bookings. A message that cannot be sent fails no request; it leaves a
 * trace.
 */
import type { Context } from '../../../../core/context.ts'
import { Refusal } from '../../../../core/errors.ts'
import { cutText } from '../../../../core/values/cut-text.ts'
import { findContactsOf } from '../../../messaging/contacts/operations/find-contact.ts'
import { addNote } from '../../../messaging/conversations/operations/notes.ts'
import { startConversation } from '../../../messaging/conversations/operations/start-conversation.ts'
import { recordUnsentMessage } from '../../../messaging/messages/sending/operations/record-unsent.ts'
import { sendMessages } from '../../../messaging/messages/sending/operations/send-messages.ts'
import type { SendBody } from '../../../messaging/messages/sending/send-schema.ts'
import { findLeadOfContact } from '../../crm/operations/find-lead.ts'
import { createTask } from '../../crm/operations/tasks.ts'

const TITLE_MAX = 200

/**
 * `subject` names the message, and starts a sentence. `otherwise` says how the team learns of an unsent
 * message if the customer has no chat: a task on the lead, a note in a new chat, or only the log.
 */
type Notice = {
  bookingId: string
  contactId: string | null
  subject: string
  otherwise: 'task' | 'chat' | 'log'
}

/** Returns the address of a contact; undefined if the contact was erased. */
async function addressOf(ctx: Context, contactId: string): Promise<string | undefined> {
  const found = await findContactsOf(ctx, [{ workspaceId: ctx.workspace.id, contactId }])
  return found.get(contactId)?.phone
}

/** Sends a message to a customer, or leaves a trace of why it was not sent. */
export async function notifyCustomer(
  ctx: Context,
  notice: Notice,
  message: Pick<SendBody, 'type' | 'text' | 'payload'>,
): Promise<void> {
  if (notice.contactId === null) return
  const to = await addressOf(ctx, notice.contactId)
  if (to === undefined) return
  // Parley writes the message, even if a teammate or a program made the booking.
  const source = { kind: 'booking', id: notice.bookingId, name: null } as const
  const [sent] = await sendMessages([{ ctx: { ...ctx, source }, body: { ...message, to } }])
  if (sent instanceof Refusal) await recordUnsent(ctx, notice, sent)
}

/**
 * Adds a note to the customer's chat that says why a message was not sent, or creates a task for a teammate.
 */
export async function recordUnsent(
  ctx: Context,
  { contactId, subject, otherwise }: Notice,
  why: Refusal,
): Promise<void> {
  if (contactId === null) return
  if (await recordUnsentMessage(ctx, { contactId, subject, why })) return
  if (otherwise === 'log') return
  const lead = otherwise === 'task' ? await findLeadOfContact(ctx, contactId) : undefined
  if (!lead) return noteInNewChat(ctx, contactId, `${subject} wasn't sent: ${why.message}`)
  await createTask(ctx, {
    leadId: lead.id,
    type: 'other',
    title: cutText(`${subject} wasn't sent: ${why.message}`, TITLE_MAX),
    dueAt: ctx.now,
    priority: 'high',
  })
}

/**
 * Opens the chat of a customer who never wrote and is no lead, so that teammates find the note in the inbox.
 */
async function noteInNewChat(ctx: Context, contactId: string, body: string): Promise<void> {
  try {
    const { row } = await startConversation(ctx, { contactId })
    await addNote(ctx, row.id, { body })
  } catch (error) {
    // Without an active number, the workspace has no chat for the note. The log still has the line.
    if (!(error instanceof Refusal)) throw error
  }
}
