/**
 * Defines ready-made automations in the format of `POST /automations`. Empty values (`''`) are chosen by the
 * member who uses the recipe.
 */
import type { Api } from '../../sdk/api.ts'

type NewAutomation = Api['POST /automations']['body']

export type Recipe = {
  /** `recipe.ID` is the key of its title, `recipe.ID.text` the key of its description. */
  id: string
  /** The prerequisite: `recipe.needs.…`. */
  needs?: 'template' | 'roundRobin' | 'birthday' | 'reviews'
  /** Only in workspaces with these modules. */
  modules?: readonly ('bookings' | 'reviews')[]
  body: Required<Pick<NewAutomation, 'name' | 'trigger' | 'actions'>> & Pick<NewAutomation, 'conditions'>
}

const DAY = 24 * 60

export const RECIPES: readonly Recipe[] = [
  {
    id: 'missed-call',
    needs: 'template',
    body: {
      name: 'Answer a missed call',
      trigger: { event: 'call.missed' },
      actions: [
        {
          type: 'send_text',
          text: "Sorry we missed your call. How can we help? Reply here, and we'll call you back as soon as we can.",
        },
        { type: 'create_lead', source: 'Missed call' },
        { type: 'create_task', taskType: 'call', title: 'Call back', dueInMinutes: 60, priority: 'high' },
      ],
    },
  },
  {
    id: 'round-robin',
    needs: 'roundRobin',
    body: {
      name: 'Give every new lead a first call',
      trigger: { event: 'lead.created' },
      actions: [
        {
          type: 'create_task',
          taskType: 'call',
          title: 'First call to {{lead.name}}',
          dueInMinutes: 30,
          priority: 'high',
        },
      ],
    },
  },
  {
    id: 'unanswered',
    body: {
      name: 'Unanswered for an hour',
      trigger: { idle: { side: 'team', minutes: 60 } },
      conditions: {
        match: 'all',
        conditions: [{ field: 'conversation.state', op: 'neq', value: 'resolved' }],
      },
      actions: [
        { type: 'set_conversation', priority: 'urgent' },
        { type: 'add_note', text: 'This customer has waited an hour for a reply.', on: 'conversation' },
      ],
    },
  },
  {
    id: 'abandoned',
    body: {
      name: 'Customer went quiet',
      trigger: { idle: { side: 'customer', minutes: 20 * 60 } },
      conditions: {
        match: 'all',
        conditions: [
          { field: 'conversation.state', op: 'neq', value: 'resolved' },
          { field: 'conversation.windowOpen', op: 'eq', value: true },
        ],
      },
      actions: [
        { type: 'send_text', text: "Are you still interested? We're happy to answer any questions." },
      ],
    },
  },
  {
    id: 'won',
    needs: 'template',
    body: {
      name: 'Welcome a new customer',
      trigger: { event: 'lead.stage_changed' },
      conditions: { match: 'all', conditions: [{ field: 'event.lead.stage.kind', op: 'eq', value: 'won' }] },
      actions: [
        {
          type: 'send_text',
          text: "Thank you for choosing us, {{contact.displayName}}. We're here whenever you need us.",
        },
        { type: 'create_task', taskType: 'call', title: 'Get {{lead.name}} started', dueInMinutes: DAY },
        { type: 'wait', minutes: 3 * DAY },
        {
          type: 'stop_if',
          conditions: { match: 'all', conditions: [{ field: 'lead.stageKind', op: 'neq', value: 'won' }] },
        },
        {
          type: 'send_text',
          text: "How is everything so far, {{contact.displayName}}? If something isn't right, reply here.",
        },
      ],
    },
  },
  {
    id: 'review',
    needs: 'reviews',
    modules: ['bookings', 'reviews'],
    body: {
      name: 'Ask for a review after a visit',
      trigger: { event: 'booking.completed' },
      actions: [{ type: 'wait', minutes: 2 * 60 }, { type: 'request_review' }],
    },
  },
  {
    id: 'birthday',
    needs: 'birthday',
    body: {
      name: 'Birthday wishes',
      trigger: { schedule: { every: 'day', at: '10:00' } },
      conditions: {
        match: 'all',
        // Matches 1990-06-01. Without the leading hyphen, January 2012 would match the first of December.
        conditions: [{ field: 'lead.attributes.birthday', op: 'contains', value: '-{{now.monthDay}}' }],
      },
      actions: [
        {
          type: 'send_text',
          text: 'Happy birthday, {{contact.displayName}}. All the best from all of us.',
        },
      ],
    },
  },
  {
    id: 'low-review',
    modules: ['reviews'],
    body: {
      name: 'React to a bad review',
      trigger: { event: 'review.received' },
      conditions: { match: 'all', conditions: [{ field: 'event.low', op: 'eq', value: true }] },
      actions: [
        { type: 'set_conversation', state: 'open', priority: 'urgent' },
        {
          type: 'add_note',
          text: 'Rated {{event.subjectLabel}} {{event.rating}} of 5: {{event.comment}}',
          on: 'conversation',
        },
      ],
    },
  },
  {
    id: 'no-show',
    needs: 'template',
    modules: ['bookings'],
    body: {
      name: 'Missed appointment',
      trigger: { event: 'booking.no_show' },
      actions: [
        {
          type: 'send_text',
          text: 'We missed you at your {{event.booking.service}} booking. Would you like to book a new time?',
        },
      ],
    },
  },
]
