import type { Context } from '../../../../core/context.ts'
import { listContactsByPhone } from '../../contacts/operations/past-contacts.ts'
import { insertPastNotes, listChatsOfContacts } from '../queries/past-notes.ts'

/** A note of the past. `id` is the same at each import; `phone`: the stored number of its contact. */
export type PastNoteText = { id: string; phone: string; createdAt: Date; authorName: string; body: string }

/**
 * Stores notes in the chats of their contacts on a number, each once. Returns the places of notes without a chat. No member is
 * notified.
 */
export async function storePastNotes(
  ctx: Context,
  phoneNumberId: string,
  notes: PastNoteText[],
): Promise<number[]> {
  const contacts = await listContactsByPhone(ctx, [...new Set(notes.map(({ phone }) => phone))])
  const chats = await listChatsOfContacts(ctx, phoneNumberId, [...contacts.values()])
  const withoutChat: number[] = []
  const rows = notes.flatMap(({ phone, ...note }, index) => {
    const conversationId = chats.get(contacts.get(phone) ?? '')
    if (conversationId === undefined) withoutChat.push(index)
    return conversationId === undefined ? [] : [{ ...note, conversationId }]
  })
  if (rows.length > 0) await insertPastNotes(ctx, rows)
  return withoutChat
}
