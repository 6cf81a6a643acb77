/** The steps that read contacts, and the contacts of each label. */
import type { ChatwootContact } from '../../../../../chatwoot/port.ts'
import type { Workspace } from '../../../../../core/context.ts'
import { parsePhone } from '../../../../../core/values/phone.ts'
import type { HistoryBatch, HistoryRecord, LeftOut } from '../../history-source.ts'
import type { Plan, Position, StepOf } from './position.ts'
import type { Reading } from './read-answer.ts'
import { readPage, unreadableOf } from './read-page.ts'

/** Returns a contact's number in E.164, or why it has none. */
export function phoneOf(
  { countryCode }: Workspace,
  { phone }: Pick<ChatwootContact, 'phone'>,
): { phone: string } | { cause: string } {
  if (phone === null) return { cause: 'no_phone' }
  const valid = parsePhone(phone, countryCode)
  return valid === undefined ? { cause: 'invalid_phone' } : { phone: valid }
}

const placeOf = ({ id }: ChatwootContact): string => `contact ${id}`

/** Reads a page of all contacts. */
export async function readContacts(
  { tools, account }: Reading,
  position: StepOf<'contacts'>,
): Promise<HistoryBatch> {
  const page = await readPage(position.page, (number) =>
    tools.outside.chatwoot.listContacts(account, { page: number }),
  )
  const records: HistoryRecord[] = []
  const leftOut: LeftOut[] = unreadableOf('contact', page.unreadable)
  for (const contact of page.entries) {
    const found = phoneOf(tools.workspace, contact)
    if ('cause' in found) leftOut.push({ kind: 'contact', place: placeOf(contact), cause: found.cause })
    else
      records.push({
        kind: 'contact',
        place: placeOf(contact),
        contact: { phone: found.phone, name: contact.name ?? undefined },
        attributes: contact.attributes,
      })
  }
  const { plan } = position
  return {
    records,
    leftOut,
    read: page.entries.length + page.unreadable,
    position: page.next > 0 ? { ...position, page: page.next } : labelAt(plan, 0),
    done: false,
  }
}

/** Reads a page of the contacts of a label. Contacts without a number were left out with all contacts. */
export async function readLabel(
  { tools, account }: Reading,
  position: StepOf<'labels'>,
): Promise<HistoryBatch> {
  const { plan, label } = position
  const title = plan.labels[label]!
  const page = await readPage(position.page, (number) =>
    tools.outside.chatwoot.listContacts(account, { page: number, label: title }),
  )
  return {
    records: page.entries.flatMap((contact) => taggedRecord(tools.workspace, contact, [title])),
    leftOut: [],
    read: 0,
    position: page.next > 0 ? { ...position, page: page.next } : labelAt(plan, label + 1),
    done: false,
  }
}

/** Returns the record that adds tags to a contact; none if it has no valid number. */
export function taggedRecord(
  workspace: Workspace,
  contact: ChatwootContact,
  tags: string[],
): HistoryRecord[] {
  const found = phoneOf(workspace, contact)
  if ('cause' in found) return []
  return [{ kind: 'contact', place: placeOf(contact), contact: { phone: found.phone }, tags }]
}

/** Returns the position of a label; after the last one, the conversations. */
const labelAt = (plan: Plan, label: number): Position =>
  label < plan.labels.length
    ? { step: 'labels', plan, label, page: null }
    : { step: 'chats', plan, inbox: 0, page: null, queue: [] }
