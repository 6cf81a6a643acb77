/**
 * The one list of fields whose texts Parley or the team's settings decide. Assistants see these as they are. Every other text of a
 * reply may come from a customer, so it is fenced (docs/decisions/assistants.md). Adding a name here is a decision about security.
 */

/** Ids of Parley, and of the networks' own objects, and positions in lists. */
const IDS = [
  'assignedAgentId',
  'conversationId',
  'eventId',
  'id',
  'leadId',
  'messageId',
  'metaTemplateId',
  'nextCursor',
  'paymentId',
  'phoneNumberId',
  'referenceId',
  'resumeAfter',
  'shopId',
  'socialCommentId',
  'socialMediaId',
]

/** Codes of Parley, of the networks, and of countries and languages. */
const CODES = [
  'category',
  'code',
  'color',
  'countryCode',
  'currency',
  'error',
  'event',
  'events',
  'kind',
  'language',
  'messagingLimit',
  'model',
  'quality',
  'timeZone',
  'timezone',
  'type',
  'via',
]

/** Telephone numbers in E.164, amounts, dates, and numbers of documents. */
const FIGURES = [
  'amount',
  'balance',
  'cost',
  'dueDate',
  'e164',
  'issueDate',
  'number',
  'paidOn',
  'phone',
  'price',
  'receiptNumber',
  'total',
  'validUntil',
]

/** Only a short text without spaces is shown as it is; any other value of these fields is fenced. */
export const OWN_FIELDS: ReadonlySet<string> = new Set([...IDS, ...CODES, ...FIGURES])

/** Fields whose whole value is fenced, also the parts that look like codes: customers' devices and programs write them. */
export const FOREIGN_FIELDS: ReadonlySet<string> = new Set(['content', 'answers', 'headers', 'payload'])
