import { z } from 'zod'
import { Id } from '../../../core/ids.ts'
import { Instant } from '../../../core/values/text.ts'
import { TOTAL_MAX } from '../../../database/sql/counted-rows.ts'
import { RUN_STATUSES } from '../../automating/automations/run-schema.ts'
import { Order } from '../../automating/integrations/order-schema.ts'
import { RECIPIENT_STATUSES } from '../../messaging/broadcasts/schema.ts'
import { OPT_IN_STATUSES } from '../../messaging/contacts/schema.ts'
import { Conversation } from '../../messaging/conversations/schema.ts'
import { Booking } from '../../selling/bookings/schema.ts'
import { Lead } from '../../selling/crm/schema.ts'
import { Task } from '../../selling/crm/task-schema.ts'
import { InvoiceSummary } from '../../selling/invoicing/schema.ts'
import { PaymentRequest } from '../../selling/payments/schema.ts'
import { Review } from '../../selling/reviews/schema.ts'

/** The entries of each list. */
export const OVERVIEW_MAX = 5

const total = z
  .number()
  .int()
  .meta({ description: `How many there are, counted to ${TOTAL_MAX}.` })
const listOf = <Item extends z.ZodType>(items: Item) => z.object({ items: z.array(items), total })

/** Reply of `GET /contacts/{id}/overview`. */
export const ContactOverview = z
  .object({
    contactId: Id,
    consent: z.object({
      status: z.enum(OPT_IN_STATUSES),
      source: z.string().nullable(),
      refusedByCustomer: z.boolean().meta({ description: 'Whether the customer opted out themselves.' }),
      decidedAt: Instant.nullable(),
    }),
    lead: Lead.nullable().optional(),
    tasks: listOf(Task).optional(),
    conversations: listOf(Conversation).optional(),
    ratings: z.array(z.object({ conversationId: Id, score: z.number().int(), ratedAt: Instant })).optional(),
    bot: z.object({ id: Id, name: z.string(), conversationId: Id, startedAt: Instant }).nullable().optional(),
    automations: z
      .array(
        z.object({
          id: Id,
          automationId: Id,
          name: z.string(),
          status: z.enum(RUN_STATUSES),
          createdAt: Instant,
        }),
      )
      .optional(),
    campaigns: listOf(
      z.object({
        id: Id,
        name: z.string(),
        status: z.enum(RECIPIENT_STATUSES),
        startedAt: Instant.nullable(),
      }),
    ).optional(),
    payments: listOf(PaymentRequest).optional(),
    invoices: z
      .object({
        ...listOf(InvoiceSummary).shape,
        due: z.array(z.object({ currency: z.string(), amountMinor: z.number().int(), amount: z.string() })),
      })
      .optional(),
    orders: listOf(Order).optional(),
    bookings: z.object({ next: Booking.nullable(), last: Booking.nullable() }).optional(),
    reviews: listOf(Review).optional(),
  })
  .meta({
    id: 'ContactOverview',
    description: 'The newest records about a contact, of every kind that the caller may read.',
    fields: {
      consent: "The contact's consent to marketing.",
      'consent.status': 'The consent: `unknown`, `opted_in`, or `opted_out`.',
      'consent.source': 'Where the consent came from; null if unknown.',
      'consent.decidedAt': 'When the customer last opted in or out themselves, in UTC; null if never.',
      lead: "The contact's lead with its stage; null for none. Needs `crm:read`.",
      tasks: 'The open tasks of the lead, earliest due first. Needs `crm:read`.',
      'tasks.items': 'The next tasks.',
      conversations: "The contact's chats, latest activity first. Needs `conversations:read`.",
      'conversations.items': 'The latest chats.',
      ratings: 'Ratings of chats, newest first, at most 5. Needs `conversations:read`.',
      'ratings.score': 'The rating, from 1 to 5.',
      'ratings.ratedAt': 'When the customer rated the chat, in UTC.',
      bot: 'The bot that answers the contact now; null for none. Needs `automations:read`.',
      'bot.name': 'Name of the bot.',
      'bot.conversationId': 'Id of the conversation in which it answers.',
      automations:
        'Runs of automations about the contact that have not ended, at most 5. Needs `automations:read`.',
      'automations.id': 'Id of the run.',
      'automations.automationId': 'Id of the automation.',
      'automations.name': 'Name of the automation.',
      'automations.status': 'State of the run: waiting or running.',
      campaigns: 'Campaigns with a message to the contact, newest first. Needs `broadcasts:read`.',
      'campaigns.items': 'The newest campaigns.',
      'campaigns.items.id': 'Id of the campaign.',
      'campaigns.items.name': 'Name of the campaign.',
      'campaigns.items.status': 'State of the message to the contact.',
      'campaigns.items.startedAt': 'When the campaign started, in UTC; null until then.',
      payments: 'Payment requests to the contact, newest first. Needs `payments:read`.',
      'payments.items': 'The newest payment requests.',
      invoices:
        'Invoices and proforma invoices, newest first. Needs `invoicing:read` and the module `invoicing`.',
      'invoices.items': 'The newest invoices.',
      'invoices.due': 'Unpaid amounts of issued invoices, one for each currency.',
      'invoices.due.currency': 'Currency code (ISO 4217), such as `INR`.',
      'invoices.due.amountMinor': 'The unpaid amount, in minor units.',
      'invoices.due.amount': 'The unpaid amount, as text.',
      orders: 'Orders of connected shops, newest first. Needs `integrations:read`.',
      'orders.items': 'The newest orders.',
      bookings:
        'The next and the last booking, without canceled ones. Needs `bookings:read` and the module `bookings`.',
      'bookings.next': 'The next booking; null for none.',
      'bookings.last': 'The last booking before now; null for none.',
      reviews: 'Reviews of the contact, newest first. Needs `reviews:read` and the module `reviews`.',
      'reviews.items': 'The newest reviews.',
    },
  })
