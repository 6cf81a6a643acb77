/** Records a due message that was not sent: a note in the customer's chat, and a log line (DECISIONS.md). */
import type { Context } from '../../../../../core/context.ts'
import type { Refusal } from '../../../../../core/errors.ts'
import { findConversationsOfContacts } from '../../../conversations/operations/find-contact-conversations.ts'
import { addNote, listNotes } from '../../../conversations/operations/notes.ts'

type Unsent = {
  contactId: string
  /** Its chat; without it, the chat in which the customer last wrote first. */
  conversationId?: string | undefined
  /** The unsent message, as the beginning of a sentence: "The booking reminder". */
  subject: string
  why: Pick<Refusal, 'code' | 'message'>
}

/** Writes the log line, which identifies the customer only by our ids. */
export const logUnsent = (ctx: Context, { contactId, conversationId, subject, why }: Unsent): void => {
  ctx.logged.push({
    message: 'automatic message not sent',
    fields: {
      workspaceId: ctx.workspace.id,
      contactId,
      conversationId: conversationId ?? null,
      subject,
      code: why.code,
    },
  })
}

/**
 * Writes a note why a message was not sent, without repeating the same note. Returns false if the customer
 * has no chat: the caller must record it elsewhere.
 */
export async function recordUnsentMessage(ctx: Context, unsent: Unsent): Promise<boolean> {
  logUnsent(ctx, unsent)
  const { contactId, subject, why } = unsent
  const conversationId = unsent.conversationId ?? (await latestChat(ctx, contactId))
  if (conversationId === undefined) return false
  const body = `${subject} wasn't sent: ${why.message}`
  const { rows } = await listNotes(ctx, conversationId, { limit: 1 })
  if (rows[0]?.body !== body) await addNote(ctx, conversationId, { body })
  return true
}

const latestChat = async (ctx: Context, contactId: string): Promise<string | undefined> =>
  (await findConversationsOfContacts(ctx, [{ workspaceId: ctx.workspace.id, contactId }])).get(contactId)
