/** Groups the events that can start an automation by subject. */
import type { WorkspaceSession } from '../api/session.ts'

type Group = { id: string; events: readonly string[]; module?: 'invoicing' | 'bookings' | 'reviews' }

const GROUPS: readonly Group[] = [
  {
    id: 'chats',
    events: [
      'message.received',
      'call.missed',
      'conversation.opened',
      'conversation.closed',
      'conversation.rated',
      'flow.completed',
      'message.failed',
      'message.status',
    ],
  },
  {
    id: 'leads',
    events: ['lead.created', 'lead.recaptured', 'lead.stage_changed', 'lead.assigned', 'form.submitted'],
  },
  { id: 'contacts', events: ['contact.created', 'contact.updated', 'contact.merged', 'contact.deleted'] },
  { id: 'tasks', events: ['task.created', 'task.completed'] },
  { id: 'payments', events: ['payment.paid'] },
  {
    id: 'invoices',
    module: 'invoicing',
    events: [
      'invoice.issued',
      'invoice.paid',
      'invoice.payment_recorded',
      'invoice.payment_voided',
      'invoice.updated',
      'invoice.cancelled',
      'quotation.accepted',
      'quotation.declined',
    ],
  },
  {
    id: 'bookings',
    module: 'bookings',
    events: [
      'booking.created',
      'booking.completed',
      'booking.no_show',
      'booking.rescheduled',
      'booking.cancelled',
      'booking.restored',
    ],
  },
  { id: 'reviews', module: 'reviews', events: ['review.received'] },
  { id: 'social', events: ['social.message.received', 'social.comment.received', 'social.post.published'] },
  {
    id: 'campaigns',
    events: [
      'broadcast.completed',
      'broadcast.variant_chosen',
      'template.approved',
      'template.rejected',
      'template.category_changed',
    ],
  },
]
const OTHER = 'other'

export const groupOf = (event: string): string =>
  GROUPS.find(({ events }) => events.includes(event))?.id ?? OTHER

/**
 * Returns the groups that this workspace uses, plus the group of the chosen event; unknown events of the
 * server go into the last group.
 */
export function groupsFor(
  { modules }: Pick<WorkspaceSession['workspace'], 'modules'>,
  kinds: readonly string[],
  chosen: string,
): { id: string; events: readonly string[] }[] {
  const groups = GROUPS.map(({ id, events, module }) => ({
    id,
    module,
    events: kinds.length > 0 ? events.filter((event) => kinds.includes(event)) : events,
  })).filter(
    ({ id, module, events }) =>
      events.length > 0 && (module === undefined || modules.includes(module) || id === groupOf(chosen)),
  )
  const rest = kinds.filter((event) => groupOf(event) === OTHER)
  return rest.length > 0 ? [...groups, { id: OTHER, events: rest }] : groups
}
