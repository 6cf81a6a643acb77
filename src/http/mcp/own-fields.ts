/**
 * The one list of fields whose texts Parley or the team's settings decide. Assistants see these as they are. Every other text of a
 * reply may come from a customer, so it is fenced (docs/decisions/assistants.md). Adding a name here is a decision about security.
 */

/** Ids, codes, dates, and amounts. Only a short text without spaces is shown as it is; any other value is fenced. */
export const OWN_FIELDS: ReadonlySet<string> = new Set([
  // Ids of Parley, and of the networks' own objects.
  ...['assignedAgentId', 'conversationId', 'eventId', 'id', 'leadId', 'messageId', 'metaTemplateId'],
  ...['paymentId', 'phoneNumberId', 'referenceId', 'shopId', 'socialCommentId', 'socialMediaId'],
  // Positions in lists.
  ...['nextCursor', 'resumeAfter'],
  // Codes of Parley, of the networks, and of countries and languages.
  ...['category', 'code', 'color', 'countryCode', 'currency', 'error', 'event', 'events', 'kind', 'language'],
  ...['messagingLimit', 'model', 'quality', 'timeZone', 'timezone', 'type', 'via'],
  // Telephone numbers in E.164, amounts, dates, and numbers of documents.
  ...['e164', 'phone', 'amount', 'balance', 'cost', 'price', 'total'],
  ...['dueDate', 'issueDate', 'paidOn', 'validUntil', 'number', 'receiptNumber'],
])

/** Fields whose whole value is fenced, also the parts that look like codes: customers' devices and programs write them. */
export const FOREIGN_FIELDS: ReadonlySet<string> = new Set(['content', 'answers', 'headers', 'payload'])
