/**
 * Stores customers' ids, numbers, and names from reports on our messages
 * (src/modules/messaging/messages/intake/DECISIONS.md).
 */
import type { Context, Unit } from '../../../../core/context.ts'
import type { Customer } from '../../../../operator/port.ts'
import { type ContactRow, fillContactNames, lockContactsById } from '../queries/contacts.ts'
import { findByRequestedId, findContactsOf } from './find-contact.ts'
import { applyIdentityChanges, type IdentityItem } from './identity-changes.ts'

export type ReportedPerson = { ctx: Context; contactId: string; customer: Customer }

const isHidden = ({ phone }: ContactRow): boolean => phone.startsWith('chan:')

/** Returns whether the report has data that the contact lacks. A contact with another user id is skipped. */
function addsData(
  contact: ContactRow | undefined,
  { userId, phone, username, profileName }: Customer,
): boolean {
  if (contact?.channel !== 'chat' || (contact.userId !== null && contact.userId !== userId)) return false
  return (
    (contact.userId === null && !isHidden(contact)) ||
    (isHidden(contact) && phone !== null) ||
    (contact.username === null && username !== null) ||
    (contact.profileName === null && profileName !== null)
  )
}

/**
 * Fills in missing user ids, numbers, and names, without events. Known values stay. A contact that has a
 * number keeps its user id, as when a customer's id changes.
 */
export async function fillIdentities(unit: Unit, people: ReportedPerson[]): Promise<void> {
  if (people.length === 0) return
  const keyOf = ({ ctx, contactId }: ReportedPerson) => ({ workspaceId: ctx.workspace.id, contactId })
  const withNewData = (byId: Map<string, ContactRow>): (ReportedPerson & { contact: ContactRow })[] => {
    const news = people.flatMap((person) => {
      const contact = byId.get(person.contactId)
      return contact && addsData(contact, person.customer)
        ? [{ ...person, contactId: contact.id, contact }]
        : []
    })
    // The first report wins; later reports find its values.
    return [...new Map(news.reverse().map((report) => [report.contactId, report])).values()]
  }
  const lacking = withNewData(await findContactsOf(unit, people.map(keyOf)))
  if (lacking.length === 0) return
  const news = withNewData(await findByRequestedId(unit, lacking.map(keyOf), lockContactsById))
  await applyIdentityChanges(unit, news.map(identityOf))
  await fillContactNames(
    unit.tx,
    news.map(({ ctx, contactId, customer }) => ({
      workspaceId: ctx.workspace.id,
      contactId,
      username: customer.username,
      profileName: customer.profileName,
      at: ctx.now,
    })),
  )
}

function identityOf({ ctx, contact, customer }: ReportedPerson & { contact: ContactRow }): IdentityItem {
  const { phone, userId } = contact
  const wasHidden = isHidden(contact)
  return {
    ctx,
    change: {
      kind: 'identity',
      from: { phone: wasHidden ? null : phone, userId },
      to: { phone: wasHidden ? customer.phone : null, userId: userId === null ? customer.userId : null },
      at: ctx.now,
    },
  }
}
