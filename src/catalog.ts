/** The catalog: every endpoint, event, job, and work source of the service. Each module says what it has in its `module.ts`. */
import { type Endpoint, routes } from './core/endpoint.ts'
import type { EventKind } from './core/event.ts'
import type { JobKind } from './core/job.ts'
import { answersSource } from './http/endpoint/answers-source.ts'
import { eventsInOrder, operationsInOrder } from './http/openapi/documented-order.ts'
import { getOpenapi } from './http/openapi/openapi.ts'
import { autoReplies } from './modules/automating/auto-replies/module.ts'
import { automations } from './modules/automating/automations/module.ts'
import { bots } from './modules/automating/bots/module.ts'
import { chatAssistant } from './modules/automating/chat-assistant/module.ts'
import { historyImports } from './modules/automating/history-imports/module.ts'
import { imports } from './modules/automating/imports/module.ts'
import { integrations } from './modules/automating/integrations/module.ts'
import { sandbox } from './modules/automating/sandbox/module.ts'
import { broadcasts } from './modules/messaging/broadcasts/module.ts'
import { contacts } from './modules/messaging/contacts/module.ts'
import { conversations } from './modules/messaging/conversations/module.ts'
import { drafts } from './modules/messaging/drafts/module.ts'
import { flows } from './modules/messaging/flows/module.ts'
import { macros } from './modules/messaging/macros/module.ts'
import { media } from './modules/messaging/media/module.ts'
import { messages } from './modules/messaging/messages/module.ts'
import { quickReplies } from './modules/messaging/quick-replies/module.ts'
import { ratings } from './modules/messaging/ratings/module.ts'
import { templates } from './modules/messaging/templates/module.ts'
import { access } from './modules/platform/access/module.ts'
import { businessHours } from './modules/platform/business-hours/module.ts'
import { notifications } from './modules/platform/notifications/module.ts'
import { push } from './modules/platform/push/module.ts'
import { webhooks } from './modules/platform/webhooks/module.ts'
import { workspaces } from './modules/platform/workspaces/module.ts'
import { analytics } from './modules/reporting/analytics/module.ts'
import { billing } from './modules/reporting/billing/module.ts'
import { campaignResults } from './modules/reporting/campaign-results/module.ts'
import { contactOverview } from './modules/reporting/contact-overview/module.ts'
import { messageTrace } from './modules/reporting/message-trace/module.ts'
import { reports } from './modules/reporting/reports/module.ts'
import { search } from './modules/reporting/search/module.ts'
import { bookings } from './modules/selling/bookings/module.ts'
import { crm } from './modules/selling/crm/module.ts'
import { invoicing } from './modules/selling/invoicing/module.ts'
import { payments } from './modules/selling/payments/module.ts'
import { reviews } from './modules/selling/reviews/module.ts'
import { social } from './modules/selling/social/module.ts'
import { jobRetentionSource } from './worker/job-retention-source.ts'
import { jobsSource } from './worker/jobs-source.ts'
import { outsideJobsSource } from './worker/outside-jobs-source.ts'

/** The lists of a module: all that it adds to the service. */
type Module = {
  endpoints?: Endpoint[]
  /** At `/api/dashboard`. */
  dashboard?: Endpoint[]
  events?: EventKind[]
  jobs?: JobKind[]
}

const MODULES: Module[] = [
  workspaces,
  access,
  push,
  notifications,
  businessHours,
  contacts,
  conversations,
  drafts,
  media,
  templates,
  messages,
  ratings,
  quickReplies,
  macros,
  flows,
  broadcasts,
  crm,
  social,
  payments,
  invoicing,
  bookings,
  reviews,
  imports,
  historyImports,
  integrations,
  autoReplies,
  bots,
  chatAssistant,
  automations,
  sandbox,
  search,
  analytics,
  billing,
  campaignResults,
  contactOverview,
  messageTrace,
  reports,
  webhooks,
]

export const ENDPOINTS: Endpoint[] = operationsInOrder([
  ...routes({ 'GET /openapi.json': getOpenapi }),
  ...MODULES.flatMap(({ endpoints = [] }) => endpoints),
])
export const DASHBOARD_ENDPOINTS: Endpoint[] = MODULES.flatMap(({ dashboard = [] }) => dashboard)
export const EVENTS: EventKind[] = eventsInOrder(MODULES.flatMap(({ events = [] }) => events))
export const JOB_KINDS: JobKind[] = MODULES.flatMap(({ jobs = [] }) => jobs)

/**
 * Background work by name. When a sandbox's clock moves, work that is due at the same moment runs in this order: outgoing
 * messages before incoming reports, and the webhooks of both last.
 */
export const WORK_SOURCES = {
  handover: messages.sources.handover,
  'number-checks': workspaces.sources['number-checks'],
  updates: messages.sources.updates,
  'social-updates': social.sources['social-updates'],
  'gateway-posts': payments.sources['gateway-posts'],
  'shop-deliveries': integrations.sources['shop-deliveries'],
  broadcasts: broadcasts.sources.broadcasts,
  ratings: ratings.sources.ratings,
  'review-requests': reviews.sources['review-requests'],
  'cod-questions': integrations.sources['cod-questions'],
  'bot-sessions': bots.sources['bot-sessions'],
  'automation-times': automations.sources['automation-times'],
  automations: automations.sources.automations,
  windows: conversations.sources.windows,
  deliveries: webhooks.sources.deliveries,
  'deleted-webhooks': webhooks.sources['deleted-webhooks'],
  jobs: jobsSource,
  'outside-jobs': outsideJobsSource,
  'log-days': webhooks.sources['log-days'],
  'intake-retention': messages.sources['intake-retention'],
  'message-retention': messages.sources['message-retention'],
  'message-words': messages.sources['message-words'],
  'social-tokens': social.sources['social-tokens'],
  'social-retention': social.sources['social-retention'],
  'social-words': social.sources['social-words'],
  counts: analytics.sources.counts,
  tallies: broadcasts.sources.tallies,
  'template-results': templates.sources['template-results'],
  'crm-counts': crm.sources['crm-counts'],
  'due-tasks': crm.sources['due-tasks'],
  'notification-retention': notifications.sources['notification-retention'],
  'submission-retention': crm.sources['submission-retention'],
  'activity-retention': workspaces.sources['activity-retention'],
  'weekly-mails': reports.sources['weekly-mails'],
  'account-mails': access.sources['account-mails'],
  'access-retention': access.sources['access-retention'],
  'imports-retention': imports.sources['imports-retention'],
  'history-imports-retention': historyImports.sources['history-imports-retention'],
  'gateway-posts-retention': payments.sources['gateway-posts-retention'],
  'shop-deliveries-retention': integrations.sources['shop-deliveries-retention'],
  'sales-retention': invoicing.sources['sales-retention'],
  priced: messages.sources.priced,
  'wallet-charges': billing.sources['wallet-charges'],
  trials: workspaces.sources.trials,
  'bookings-retention': bookings.sources['bookings-retention'],
  'automation-retention': automations.sources['automation-retention'],
  'bot-retention': bots.sources['bot-retention'],
  'job-retention': jobRetentionSource,
  'kept-callbacks': workspaces.sources['kept-callbacks'],
  answers: answersSource,
  'lost-clocks': sandbox.sources['lost-clocks'],
}
