/**
 * A table belongs to one module. Exceptions for other modules' statements are listed here with the reason.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'oxc-parser'
import { describe, expect, test } from 'vitest'
import { TABLES, tablesNamedIn, textsIn } from './named-tables.ts'

const SRC = join(import.meta.dirname, '../../src')

/** The module (or folder under src) that owns a table: its statements are there. */
const OWNERS: Record<string, string[]> = {
  workspaces: [
    'workspaces',
    'workspace_usage',
    'members',
    'reference_versions',
    'api_keys',
    'phone_numbers',
    'number_lanes',
    'activity_log',
    'kept_callbacks',
  ],
  access: [
    'accounts',
    'sessions',
    'passkeys',
    'sign_in_tokens',
    'account_mails',
    'account_identities',
    'sign_in_failures',
    'invitations',
    'workspace_security',
    'member_preferences',
    'number_signups',
    'app_connections',
  ],
  push: ['push_subscriptions'],
  notifications: ['notifications'],
  contacts: [
    'contacts',
    'contact_aliases',
    'contact_fields',
    'merged_contacts',
    'tags',
    'tag_changes',
    'contact_tag_changes',
    'marketing_marks',
  ],
  conversations: [
    'conversations',
    'merged_conversations',
    'automatic_messages',
    'conversation_activity',
    'conversation_changes',
    'conversation_notes',
    'contact_blocks',
    'teams',
    'team_members',
    'team_numbers',
    'away_members',
  ],
  'business-hours': ['business_hours'],
  drafts: ['drafts'],
  templates: ['templates', 'closed_template_names', 'template_days', 'template_deltas'],
  media: ['media', 'sent_files', 'uploads'],
  messages: [
    'messages',
    'message_changes',
    'message_words',
    'message_word_walks',
    'operator_updates',
    'unread_updates',
    'calls',
    'erased_ids',
    'priced_days',
    'priced_deltas',
  ],
  ratings: ['conversation_ratings', 'rating_settings'],
  'quick-replies': ['quick_replies'],
  macros: ['macros'],
  flows: ['flows', 'flow_syncs', 'flow_claims', 'flow_answers'],
  broadcasts: [
    'broadcasts',
    'broadcast_counts',
    'broadcast_deltas',
    'broadcast_recipients',
    'broadcast_stretches',
    'broadcast_variants',
    'new_recipient_days',
    'segments',
  ],
  crm: [
    'leads',
    'lead_assignment',
    'lead_changes',
    'lead_counts',
    'lead_submissions',
    'capture_submissions',
    'capture_mappings',
    'lead_timeline',
    'saved_views',
    'lost_reasons',
    'merged_leads',
    'pipeline_stages',
    'received_money',
    'tasks',
    'task_changes',
    'task_counts',
  ],
  imports: ['import_files', 'import_rows'],
  'history-imports': ['history_imports', 'history_import_left_out'],
  social: [
    'social_accounts',
    'social_conversations',
    'social_messages',
    'social_private_replies',
    'social_message_changes',
    'social_message_words',
    'social_comments',
    'social_replies',
    'social_waiting_replies',
    'social_permalinks',
    'social_updates',
    'social_posts',
    'social_post_media',
    'social_media',
  ],
  payments: ['payment_gateways', 'payment_links', 'payment_requests', 'gateway_posts', 'early_refunds'],
  invoicing: [
    'credit_notes',
    'document_payments',
    'number_series',
    'sales_document_months',
    'sales_document_pdfs',
    'sales_document_versions',
    'sales_documents',
    'sales_logos',
    'sales_settings',
  ],
  bookings: [
    'booking_reminders',
    'booking_services',
    'booking_sessions',
    'booking_settings',
    'booking_staff',
    'bookings',
  ],
  reviews: ['review_requests', 'review_settings', 'reviews'],
  'auto-replies': ['auto_replies', 'auto_reply_uses'],
  bots: ['assistant_days', 'bot_requests', 'bot_sessions', 'bot_versions', 'bot_visits', 'bots'],
  integrations: ['cod_questions', 'integrations', 'orders', 'shop_deliveries'],
  automations: ['automations', 'automation_states', 'automation_starts', 'automation_runs'],
  analytics: ['activity_days', 'activity_deltas'],
  reports: ['weekly_mails', 'weekly_mail_choices'],
  billing: ['rates', 'wallet_entries', 'wallets'],
  sandbox: ['simulator_objects'],
  webhooks: ['webhook_endpoints', 'deleted_webhook_endpoints', 'events', 'deliveries'],
  http: ['idempotency_keys'],
  worker: ['jobs'],
  cli: ['erasures', 'imports', 'workspace_moves'],
}

/** Other modules that read or write a table, and the reason why one statement covers both. */
const READERS: { reader: string; tables: string[]; why: string }[] = [
  {
    reader: 'database/tenant-transactions.ts',
    tables: ['workspaces'],
    why: 'no transaction begins in a workspace that moves',
  },
  {
    reader: 'modules/platform/workspaces/queries/moves.ts',
    tables: ['workspace_moves'],
    why: 'a workspace that arrives from another cell still lives there',
  },
  {
    reader: 'modules/platform/access/queries/accounts.ts',
    tables: ['workspaces'],
    why: 'an account signs in at the cell of its workspaces',
  },
  {
    reader: 'modules/messaging/contacts/queries/merges.ts',
    tables: ['leads', 'merged_leads', 'conversations', 'merged_conversations'],
    why: 'a merge answers which lead and which chats became part of which, as the database carried them',
  },
  {
    reader: 'modules/messaging/broadcasts/operations/response-rule.ts',
    tables: ['conversations', 'contacts', 'messages'],
    why: 'the responses to a campaign are counted by one statement over the indexes of its messages, for its results and for the better of its variants',
  },
  {
    reader: 'modules/messaging/broadcasts/queries/recipients.ts',
    tables: ['merged_contacts'],
    why: 'whom a campaign met as another contact is not met again after a merge',
  },
  {
    reader: 'modules/platform/workspaces/queries/workspaces.ts',
    tables: ['auto_replies', 'bots', 'capture_mappings', 'push_subscriptions'],
    why: 'whether a workspace answers by itself, maps submissions, or sends push notifications, is remembered with it, so that those that do not pay nothing for it',
  },
  {
    reader: 'modules/automating/bots/queries/',
    tables: ['conversation_activity'],
    why: 'a teammate ends a session by writing in its chat, which writes nothing more: whether a session runs is found in the statement that counts or ends it',
  },
  {
    reader: 'modules/automating/automations/queries/starts.ts',
    tables: ['messages'],
    why: 'what a transaction announces is noted in one statement, which knows what led to the message of a receipt',
  },
  {
    reader: 'modules/automating/automations/queries/runs.ts',
    tables: ['contacts', 'events'],
    why: 'a time or a silence starts runs of customers who are there; a run reads the event that started it',
  },
  {
    reader: 'modules/platform/access/queries/',
    tables: ['members'],
    why: 'an account is what its members are: who signs in is found with what they may, in one look',
  },
  {
    reader: 'modules/platform/push/queries.ts',
    tables: ['members', 'member_preferences', 'conversations', 'messages', 'contacts', 'notifications'],
    why: 'the browsers of a message are found in one statement of its batch; a push reads its text when it is sent',
  },
  {
    reader: 'modules/platform/notifications/queries.ts',
    tables: ['members', 'member_preferences'],
    why: 'only members who are there, and want to hear of it, are notified: one statement for all of a fact',
  },
  {
    reader: 'modules/selling/crm/queries/tasks.ts',
    tables: ['workspaces'],
    why: 'a task is due by the clock of its workspace; all of them are looked at in one statement',
  },
  {
    reader: 'modules/messaging/contacts/queries/counts.ts',
    tables: ['workspace_usage'],
    why: 'the count of contacts is raised under its limit in the statement that holds the row',
  },
  {
    reader: 'modules/messaging/conversations/queries/',
    tables: ['contacts'],
    why: 'a send finds its recipient and their chat in one look; a chat is begun only while its contact is there',
  },
  {
    reader: 'modules/messaging/conversations/queries/planned-ratings.ts',
    tables: ['conversation_ratings', 'rating_settings'],
    why: 'the question is planned in the transaction that resolves the chat, and conversations come before ratings',
  },
  {
    reader: 'modules/messaging/ratings/queries.ts',
    tables: ['conversations'],
    why: 'a due question is listed with the state and the window of its chat',
  },
  {
    reader: 'modules/messaging/ratings/queries.ts',
    tables: ['messages'],
    why: 'a digit alone is a rating only as the next message: judged in the statement that takes it',
  },
  {
    reader: 'modules/messaging/messages/handover/queries/',
    tables: ['workspaces', 'phone_numbers', 'number_lanes', 'broadcasts', 'contacts', 'conversations'],
    why: 'a message is claimed only while its number works and takes such messages, its campaign sends and its contact consents: one look for a batch',
  },
  {
    reader: 'modules/messaging/messages/reading/queries/last-messages.ts',
    tables: ['social_messages'],
    why: 'the inbox shows the last message of both networks, and messages come before the photo network',
  },
  {
    reader: 'modules/messaging/messages/sending/queries/held-messages.ts',
    tables: ['conversations'],
    why: 'a held message is released only while its window is open: one statement, so that the window cannot close between',
  },
  {
    reader: 'modules/messaging/messages/sending/queries/usage.ts',
    tables: ['workspace_usage'],
    why: "the month's count is raised under its allowance in the statement that holds the row",
  },
  {
    reader: 'modules/messaging/messages/intake/queries/due-updates.ts',
    tables: ['phone_numbers'],
    why: 'what is due is looked for in workspaces with a real number alone while the others give way: however many wait, they take no place of those',
  },
  {
    reader: 'modules/messaging/messages/intake/queries/receipts.ts',
    tables: ['phone_numbers'],
    why: 'which template a failure speaks of is found by its message and the account of its number, in one look',
  },
  {
    reader: 'database/sql/past-retention.ts',
    tables: ['workspaces'],
    why: 'each workspace has its number of days, and one statement reads those of all workspaces',
  },
  {
    reader: 'modules/messaging/messages/reading/queries/message-words.ts',
    tables: ['workspaces'],
    why: 'which workspaces have messages whose words have not been read is found in one look',
  },
  {
    reader: 'modules/selling/social/chats/queries/message-words.ts',
    tables: ['workspaces'],
    why: 'which workspaces have direct messages whose words are not written is found in one statement',
  },
  {
    reader: 'modules/messaging/broadcasts/queries/audience.ts',
    tables: ['conversations'],
    why: 'the expected cost of a campaign counts, in one statement over its audience, the recipients whose window will be open',
  },
  {
    reader: 'modules/messaging/broadcasts/queries/',
    tables: ['contacts', 'marketing_marks', 'messages', 'phone_numbers'],
    why: 'an audience is chosen, and its recipients listed, by statements over a million contacts (src/modules/messaging/broadcasts/DECISIONS.md "Audiences")',
  },
  {
    reader: 'modules/messaging/flows/queries/answers.ts',
    tables: ['messages'],
    why: 'the message that an answer replies to names its form, in the statement that stores the answer; the message of an answer names its chat',
  },
  {
    reader: 'modules/messaging/flows/queries/counts.ts',
    tables: ['messages'],
    why: 'the messages with each form are counted, in one statement over its index of messages (src/modules/messaging/flows/DECISIONS.md "Sent and answered")',
  },
  {
    reader: 'modules/selling/social/chats/queries/',
    tables: ['contacts'],
    why: 'a direct chat is begun only while its contact is there',
  },
  {
    reader: 'modules/selling/payments/queries/requests.ts',
    tables: ['messages', 'jobs'],
    why: 'a request goes along with its message in one statement; after a start its looks are brought near',
  },
  {
    reader: 'modules/automating/integrations/queries/cod.ts',
    tables: ['messages'],
    why: 'yes or no is an answer only as the next message: judged in the statement that takes it',
  },
  {
    reader: 'modules/reporting/analytics/queries.ts',
    tables: ['messages', 'conversation_activity'],
    why: 'what failed, and how soon customers were answered, is added up over a bounded stretch of an index in one statement',
  },
  {
    reader: 'modules/reporting/billing/queries/usage.ts',
    tables: [
      'webhook_endpoints',
      'sales_document_months',
      'sales_documents',
      'activity_days',
      'activity_deltas',
    ],
    why: 'what is used of all that a plan limits is added up in one statement, for an admin who looks',
  },
  {
    reader: 'modules/reporting/campaign-results/queries.ts',
    tables: ['messages', 'broadcast_recipients', 'contacts'],
    why: 'the results of a campaign are added up over the indexes of its messages and recipients, without a query for each of them',
  },
  {
    reader: 'modules/reporting/reports/queries/',
    tables: [
      'conversations',
      'messages',
      'conversation_changes',
      'conversation_ratings',
      'leads',
      'broadcasts',
      'received_money',
      'orders',
      'workspaces',
    ],
    why: 'a report adds up a period of several tables in one statement, over their indexes (src/modules/reporting/reports/DECISIONS.md)',
  },
  {
    reader: 'modules/automating/sandbox/queries.ts',
    tables: ['workspaces'],
    why: "the sandbox's clock is a column of its workspace",
  },
  {
    reader: 'modules/platform/webhooks/',
    tables: ['api_keys', 'members', 'workspaces', 'activity_log', 'jobs'],
    why: 'an endpoint is served while its key works and its plan allows, judged for a whole batch in the statement that claims it',
  },
  {
    reader: 'database/sql/sql.ts',
    tables: ['workspaces'],
    why: 'a queue that workspaces share is claimed without the rows of those that are being erased',
  },
  {
    reader: 'modules/platform/workspaces/queries/numbers.ts',
    tables: ['jobs'],
    why: 'the statement that finds a number unable to send leaves the notice behind, so that none is lost',
  },
  {
    reader: 'database/sql/enqueue-jobs.ts',
    tables: ['jobs'],
    why: 'a job is queued in the transaction of what it follows',
  },
  {
    reader: 'modules/reporting/message-trace/queries.ts',
    tables: [
      'messages',
      'phone_numbers',
      'number_lanes',
      'broadcasts',
      'events',
      'deliveries',
      'webhook_endpoints',
      'automation_runs',
    ],
    why: 'the history of a message is in the rows of each part that worked on it, and only the composition root may import webhooks',
  },
  {
    reader: 'cli/',
    tables: [],
    why: 'backup, export, the doctor and the erasure of a workspace read whole tables, whatever they are',
  },
]

/** Returns the tables that the statements of a file name. */
function namedIn(path: string): Set<string> {
  const source = readFileSync(join(SRC, path), 'utf8')
  return tablesNamedIn(textsIn(parseSync(path, source).program), source)
}

const ownerOf = (path: string): string =>
  /^modules\/[^/]+\/([^/]+)\//.exec(path)?.[1] ?? path.split('/')[0] ?? ''
const isAllowed = (path: string, table: string): boolean =>
  (OWNERS[ownerOf(path)] ?? []).includes(table) ||
  READERS.some(
    ({ reader, tables: read }) => path.startsWith(reader) && (read.length === 0 || read.includes(table)),
  )

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts') && path !== 'database/sql/tables.ts')
const named = new Map(files.map((path) => [path, namedIn(path)]))

describe('a table belongs to one module', () => {
  test('each has one owner', () => {
    const owned = Object.values(OWNERS).flat()
    expect(owned.toSorted()).toEqual(TABLES.toSorted())
  })

  test("no statement names another module's table, except for those listed with their reason", () => {
    const violations = [...named].flatMap(([path, found]) =>
      [...found].filter((table) => !isAllowed(path, table)).map((table) => `${path} names ${table}`),
    )
    expect(violations).toEqual([])
  })

  test('every entry in the list of readers is in use', () => {
    const idle = READERS.flatMap(({ reader, tables: read }) =>
      read
        .filter((table) => ![...named].some(([path, found]) => path.startsWith(reader) && found.has(table)))
        .map((table) => `${reader} ${table}`),
    )
    expect(idle).toEqual([])
  })

  test('the check itself finds violations', () => {
    expect(named.get('modules/platform/workspaces/queries/workspaces.ts')).toContain('api_keys')
    expect(isAllowed('modules/selling/crm/queries/leads.ts', 'messages')).toBe(false)
  })
})
