/** What the reports on our messages say of the customers whom they went to (docs/decisions/operator-reports.md). */
import type { Context, Unit } from '../../../core/context.ts'
import type { Customer } from '../../../operator/port.ts'
import { type ContactRow, fillContactNames, lockContactsById } from '../queries/contacts.ts'
import { byAskedId, findContactsOf } from './find-contact.ts'
import { applyIdentityChanges, type IdentityItem } from './identity-changes.ts'

export type ReportedPerson = { ctx: Context; contactId: string; customer: Customer }

const isHidden = ({ phone }: ContactRow): boolean => phone.startsWith('chan:')

/** Whether the report knows what the contact does not say yet. Whoever has another user id is not looked at. */
function isNews(
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
 * Fills in the user id, number and names that contacts lack, silently; what is known stays. A contact with a number of its
 * own keeps its user id, as where a customer's id changes.
 */
export async function fillIdentities(unit: Unit, people: ReportedPerson[]): Promise<void> {
  if (people.length === 0) return
  const keyOf = ({ ctx, contactId }: ReportedPerson) => ({ workspaceId: ctx.workspace.id, contactId })
  const newsAmong = (byId: Map<string, ContactRow>): (ReportedPerson & { contact: ContactRow })[] => {
    const news = people.flatMap((one) => {
      const contact = byId.get(one.contactId)
      return contact && isNews(contact, one.customer) ? [{ ...one, contactId: contact.id, contact }] : []
    })
    // What was reported first is what is known when the next report comes.
    return [...new Map(news.reverse().map((one) => [one.contactId, one])).values()]
  }
  const lacking = newsAmong(await findContactsOf(unit, people.map(keyOf)))
  if (lacking.length === 0) return
  const news = newsAmong(await byAskedId(unit, lacking.map(keyOf), lockContactsById))
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
  const hidden = isHidden(contact)
  return {
    ctx,
    change: {
      kind: 'identity',
      from: { phone: hidden ? null : phone, userId },
      to: { phone: hidden ? customer.phone : null, userId: userId === null ? customer.userId : null },
      at: ctx.now,
    },
  }
}
