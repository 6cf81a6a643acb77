/** Finds or creates the contacts of orders, without events, and makes them leads if the settings say so. */
import type { Context } from '../../../../core/context.ts'
import { Refusal } from '../../../../core/errors.ts'
import { touch } from '../../../../core/event.ts'
import { findOrCreateContacts } from '../../../messaging/contacts/operations/find-or-create.ts'
import { beginContact } from '../../../messaging/contacts/operations/new-contact.ts'
import { captureLeads } from '../../../selling/crm/operations/capture-leads.ts'
import { Email, NewLead } from '../../../selling/crm/schema.ts'
import type { Provider } from '../order-schema.ts'

/** A customer with the number `phone` (E.164). */
export type Customer = {
  phone: string
  name: string | null
  email: string | null
  provider: Provider
  /** True if this order makes the contact a lead. */
  asLead: boolean
}

const NAME_MAX = 200

const leadOf = ({ phone, name, email, provider }: Customer): NewLead =>
  NewLead.parse({
    phone,
    source: provider,
    ...(name === null ? {} : { name: name.slice(0, NAME_MAX) }),
    ...(Email.safeParse(email).success ? { email } : {}),
  })

/** Returns the contacts of customers by number. Customers past the plan's limit are absent. */
export async function findCustomers(ctx: Context, customers: Customer[]): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  const leads = customers.filter((customer) => customer.asLead)
  const capturedLeads =
    leads.length === 0
      ? []
      : await captureLeads(leads.map((lead) => ({ ctx, body: leadOf(lead), via: 'integration', form: null })))
  for (const [i, { phone }] of leads.entries()) {
    const lead = capturedLeads[i]!
    if (!(lead instanceof Refusal)) found.set(phone, lead.lead.contactId)
  }
  const otherCustomers = customers.filter(({ phone, asLead }) => !asLead && !found.has(phone))
  if (otherCustomers.length === 0) return found
  const contacts = await findOrCreateContacts(
    ctx,
    otherCustomers.map(({ phone, name }) => ({
      ctx,
      fresh: { ...beginContact(ctx, phone, null), displayName: name?.slice(0, NAME_MAX) ?? null },
    })),
  )
  for (const [i, { phone }] of otherCustomers.entries()) {
    const result = contacts[i]!
    if (result === 'full') continue
    found.set(phone, result.contact.id)
    if (result.created) touch(ctx, { contact: result.contact.id })
  }
  return found
}
