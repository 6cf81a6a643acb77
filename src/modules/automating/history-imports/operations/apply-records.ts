/** Stores the records of one batch in one transaction, kind by kind. */
import type { Context } from '../../../../core/context.ts'
import {
  fillPastDetails,
  findOrCreatePastContacts,
} from '../../../messaging/contacts/operations/past-contacts.ts'
import { storePastNotes } from '../../../messaging/conversations/operations/past-notes.ts'
import { storePastMessages } from '../../../messaging/messages/past/operations/store-past-messages.ts'
import { pastMessageId } from '../../../messaging/messages/past/past-message.ts'
import { importQuickReplies } from '../../../messaging/quick-replies/operations.ts'
import { rehearse } from '../../imports/operations/rehearse.ts'
import type { HistoryRecord, LeftOut } from '../history-source.ts'
import type { HistoryImportRow } from '../queries.ts'

export type Applied = { stored: number; known: number; contacts: number; leftOut: LeftOut[] }

type Of<Kind extends HistoryRecord['kind']> = Extract<HistoryRecord, { kind: Kind }>
const ofKind = <Kind extends HistoryRecord['kind']>(records: HistoryRecord[], kind: Kind): Of<Kind>[] =>
  records.filter((record): record is Of<Kind> => record.kind === kind)

type Import = Pick<HistoryImportRow, 'phoneNumberId' | 'source'>

/** Stores the records. Contacts come before their messages, and messages before the notes of their chats. */
export async function applyRecords(
  context: Context,
  row: Import,
  records: HistoryRecord[],
): Promise<Applied> {
  const ctx: Context = { ...context, via: 'import' }
  const applied: Applied = { stored: 0, known: 0, contacts: 0, leftOut: [] }
  await applyContacts(ctx, ofKind(records, 'contact'), applied)
  await applyMessages(ctx, row, ofKind(records, 'message'), applied)
  await applyNotes(ctx, row, ofKind(records, 'note'), applied)
  await applyQuickReplies(ctx, ofKind(records, 'quick_reply'), applied)
  return applied
}

/**
 * Returns the result that `applyRecords` would have, and stores nothing. Earlier batches are not stored either. So it leaves out
 * notes, because their chat may be missing, and counts no contacts, because each batch would count them again.
 */
export async function rehearseRecords(ctx: Context, row: Import, records: HistoryRecord[]): Promise<Applied> {
  const withoutNotes = records.filter(({ kind }) => kind !== 'note')
  const applied = await rehearse(ctx, (trial) => applyRecords(trial, row, withoutNotes))
  return { ...applied, contacts: 0 }
}

async function applyContacts(ctx: Context, records: Of<'contact'>[], applied: Applied): Promise<void> {
  if (records.length === 0) return
  const people = records.map(({ contact }) => ({ ...contact, seenAt: null }))
  const { contactIds, created } = await findOrCreatePastContacts(ctx, people)
  applied.contacts += created
  const leave = ({ kind, place }: HistoryRecord, cause: string) =>
    applied.leftOut.push({ kind, place, cause })
  const details = records.flatMap((record, i) => {
    const contactId = contactIds[i]
    if (contactId === undefined) leave(record, 'contact_limit')
    const { attributes = {}, tags = [] } = record
    return contactId === undefined ? [] : [{ contactId, attributes, tags, record }]
  })
  for (const { record } of await fillPastDetails(ctx, details)) leave(record, 'attributes_not_fitting')
}

async function applyMessages(
  ctx: Context,
  { phoneNumberId, source }: Import,
  messages: Of<'message'>[],
  applied: Applied,
): Promise<void> {
  if (messages.length === 0) return
  const result = await storePastMessages(ctx, { phoneNumberId, source, messages })
  applied.stored += result.stored
  applied.known += result.known
  applied.contacts += result.contacts
  for (const { index, cause } of result.leftOut)
    applied.leftOut.push({ kind: 'message', place: messages[index]!.place, cause })
}

async function applyNotes(
  ctx: Context,
  { phoneNumberId, source }: Import,
  notes: Of<'note'>[],
  applied: Applied,
): Promise<void> {
  if (notes.length === 0) return
  const withoutChat = await storePastNotes(
    ctx,
    phoneNumberId,
    notes.map(({ contact, createdAt, authorName, body, externalId }) => ({
      id: pastMessageId(ctx.workspace.id, source, { externalId: `note ${externalId}`, createdAt }),
      phone: contact.phone ?? `chan:${contact.userId}`,
      createdAt,
      authorName,
      body,
    })),
  )
  for (const index of withoutChat)
    applied.leftOut.push({ kind: 'note', place: notes[index]!.place, cause: 'no_chat' })
}

async function applyQuickReplies(
  ctx: Context,
  records: Of<'quick_reply'>[],
  applied: Applied,
): Promise<void> {
  const results = await importQuickReplies(ctx, records)
  for (const [i, cause] of results.entries())
    if (cause !== 'stored' && cause !== 'known')
      applied.leftOut.push({ kind: 'quick_reply', place: records[i]!.place, cause })
}
