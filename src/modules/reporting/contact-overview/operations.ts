/** Everything about a customer in one read (DECISIONS.md). */
import type { z } from 'zod'
import type { Context } from '../../../core/context.ts'
import { hasScope, type Scope } from '../../../core/scopes.ts'
import { listRunsOfContact } from '../../automating/automations/operations/automations.ts'
import { findBotInChats } from '../../automating/bots/operations/bots.ts'
import { listOrdersOfContact } from '../../automating/integrations/operations/read-integrations.ts'
import { listCampaignsOfContact } from '../../messaging/broadcasts/operations/read-broadcasts.ts'
import { type FoundContact, getContact } from '../../messaging/contacts/operations/find-contact.ts'
import { conversationsOfContact } from '../../messaging/conversations/operations/find-contact-conversations.ts'
import { listConversationsOfContact } from '../../messaging/conversations/operations/read-conversations.ts'
import { listRatingsOf } from '../../messaging/ratings/operations/read-ratings.ts'
import { findNearestBookings } from '../../selling/bookings/operations/find-booking.ts'
import { findLeadOfContact, readLeadWords, showLead } from '../../selling/crm/operations/find-lead.ts'
import { listOpenTasks } from '../../selling/crm/operations/list-tasks.ts'
import { listInvoicesOfContact } from '../../selling/invoicing/operations/read-documents.ts'
import { listRequestsOfContact } from '../../selling/payments/operations/read-requests.ts'
import { listReviewsOfContact } from '../../selling/reviews/operations/read-reviews.ts'
import { type ContactOverview, OVERVIEW_MAX } from './schema.ts'

type Overview = z.input<typeof ContactOverview>
type Part = {
  scope: Scope
  /** The module that the workspace needs. */
  module?: string
  read: (ctx: Context, contactId: string) => Promise<Partial<Overview>>
}

async function readLead(ctx: Context, contactId: string): Promise<Partial<Overview>> {
  const lead = await findLeadOfContact(ctx, contactId)
  if (!lead) return { lead: null, tasks: { items: [], total: 0 } }
  const words = await readLeadWords(ctx)
  const [shown, tasks] = await Promise.all([
    showLead(ctx, lead, words),
    listOpenTasks(ctx, lead, words, OVERVIEW_MAX),
  ])
  return { lead: shown, tasks }
}

async function readConversations(ctx: Context, contactId: string): Promise<Partial<Overview>> {
  const { ids, ...conversations } = await listConversationsOfContact(ctx, contactId, OVERVIEW_MAX)
  return { conversations, ratings: await listRatingsOf(ctx, ids, OVERVIEW_MAX) }
}

async function readHolders(ctx: Context, contactId: string): Promise<Partial<Overview>> {
  const [automations, bot] = await Promise.all([
    listRunsOfContact(ctx, contactId, OVERVIEW_MAX),
    conversationsOfContact(ctx, contactId).then((ids) => findBotInChats(ctx, ids)),
  ])
  return { automations, bot }
}

/** The parts that depend on the caller's scopes and on the workspace's modules. */
const PARTS: Part[] = [
  { scope: 'crm:read', read: readLead },
  { scope: 'conversations:read', read: readConversations },
  { scope: 'automations:read', read: readHolders },
  {
    scope: 'broadcasts:read',
    read: async (ctx, id) => ({ campaigns: await listCampaignsOfContact(ctx, id, OVERVIEW_MAX) }),
  },
  {
    scope: 'payments:read',
    read: async (ctx, id) => ({ payments: await listRequestsOfContact(ctx, id, OVERVIEW_MAX) }),
  },
  {
    scope: 'invoicing:read',
    module: 'invoicing',
    read: async (ctx, id) => ({ invoices: await listInvoicesOfContact(ctx, id, OVERVIEW_MAX) }),
  },
  {
    scope: 'integrations:read',
    read: async (ctx, id) => ({ orders: await listOrdersOfContact(ctx, id, OVERVIEW_MAX) }),
  },
  {
    scope: 'bookings:read',
    module: 'bookings',
    read: async (ctx, id) => ({ bookings: await findNearestBookings(ctx, id) }),
  },
  {
    scope: 'reviews:read',
    module: 'reviews',
    read: async (ctx, id) => ({ reviews: await listReviewsOfContact(ctx, id, OVERVIEW_MAX) }),
  },
]

const consentOf = (contact: FoundContact): Overview['consent'] => ({
  status: contact.optInStatus as Overview['consent']['status'],
  source: contact.optInSource,
  refusedByCustomer: contact.refusedByCustomer,
  decidedAt: contact.consentAt?.toISOString() ?? null,
})

/** Returns the newest records about a contact of every kind that the caller may read. Refuses `not_found`. */
export async function readContactOverview(ctx: Context, ref: string): Promise<Overview> {
  const contact = await getContact(ctx, ref)
  const mayRead = ({ scope, module }: Part): boolean =>
    hasScope(ctx, scope) && (module === undefined || ctx.workspace.modules.includes(module))
  // The statements of all parts share a few round trips.
  const parts = await Promise.all(PARTS.filter(mayRead).map(({ read }) => read(ctx, contact.id)))
  return Object.assign({ contactId: contact.id, consent: consentOf(contact) }, ...parts)
}
