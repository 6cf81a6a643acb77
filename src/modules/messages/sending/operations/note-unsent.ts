/**
 * A message that was due and did not go out leaves a trace: a note in the customer's chat, and a line in the log
 * (docs/decisions/messages.md).
 */
import type { Context } from '../../../../core/context.ts'
import type { Refusal } from '../../../../core/errors.ts'
import { addNote, listNotes } from '../../../conversations/operations/notes.ts'
import { findConversationsOfContacts } from '../../../conversations/operations/of-contacts.ts'

type Unsent = {
  contactId: string
  /** Its chat; without one, the chat that the customer began last. */
  conversationId?: string | undefined
  /** What did not go out, as the beginning of a sentence: "The booking reminder". */
  subject: string
  why: Pick<Refusal, 'code' | 'message'>
}

/** Writes the line of the log. It names no customer but by our ids. */
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

/** Notes why a message was not sent, once in a row. False where the customer has no chat: the caller leaves a trace elsewhere. */
export async function noteUnsent(ctx: Context, unsent: Unsent): Promise<boolean> {
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
