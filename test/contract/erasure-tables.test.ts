/**
 * A table that can contain text about a customer is deleted with its contact, or is listed here with the
 * reason why not
 * (docs/decisions/retention.md). test/models/erasure.test.ts proves it for the ways in which data
 * arrives.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { onDatabase } from '../../src/database/on-database.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'

/** Tables that don't depend on a contact, with the reason. */
const OTHERS: Record<string, string> = {
  // Followed by their own triggers, or by the transaction of the erasure.
  deliveries: 'answers of receivers to stripped events go (RETRACT)',
  events: 'keep the ids that their kinds declare (RETRACT); contact.deleted names the number',
  jobs: 'carry ids of ours',
  lead_submissions: 'go by the number (forget_submissions)',
  message_changes: 'go with their message, and by who wrote them (delete_reports_naming)',
  operator_updates: 'go by who stands in them (delete_reports_naming, erase_simulated_reports)',
  social_comments: 'go by who wrote them (erase_social_comments), and their replies with them',
  social_replies: 'go with their comment',
  social_private_replies: 'go with their comment',
  simulator_objects: 'files go with ours (erase_simulated_files); the rest is what the operator keeps',
  sales_documents:
    'go, or lose phone, e-mail and notes, and the rest when the law lets it (erase_sales_documents, sales-retention)',
  sales_document_pdfs: 'go with their document, and with its customer (erase_sales_documents)',
  sales_document_versions: 'go with their document, or lose the same',
  bookings:
    'keep times and prices; who came goes, and what is to come is freed (erase_bookings, releaseErased)',
  orders: 'keep number, sum and times, and lose who ordered (erase_orders)',
  payment_links: 'what was asked for, never of whom',
  credit_notes: 'kept with their document',
  document_payments: 'receipts, kept with their document',
  unread_updates: 'go by who stands in them (delete_reports_naming)',
  // Reports that wait to be applied; their content is deleted when they are applied. Reports that can't be
  // applied stay until the end of their retention.
  shop_deliveries: 'emptied when it is applied (shop-deliveries-retention)',
  early_refunds: 'ids of the gateway without a name (gateway-posts-retention)',
  gateway_posts: 'emptied when it is applied (gateway-posts-retention)',
  social_message_changes: 'wait for their message, and go when it comes or with the retention',
  social_waiting_replies: 'wait for their comment, and go when it comes or with the retention',
  social_updates: 'deleted when they are applied (social-retention)',
  kept_callbacks: 'as they arrived, until their workspace has moved: for moments (kept-callbacks)',
  // Unreadable.
  erased_ids: 'hashes under a key that is not in the database, for seven days',
  idempotency_keys: "sealed under the caller's key, for a day",
  // Not about a person.
  assistant_days: 'counts',
  activity_days: 'counts',
  activity_deltas: 'counts',
  template_days: 'counts',
  template_deltas: 'counts',
  activity_log: 'names ids, never customers',
  erasures: 'counts of rows',
  workspace_moves: 'where workspaces went',
  import_rows: 'go by any number that stands in them (forget_import_rows)',
  imports: 'a hash of a file, and counts',
  history_imports:
    'settings and the file go when the import ends, and with the customer of an exported chat (forget_history_imports); what it stores is checked against erasures (storePastMessages)',
  history_import_left_out: 'places in a file, without their content',
  lead_changes: 'waits to be counted, without the number',
  capture_mappings: 'names of fields',
  lead_counts: 'counts; a source or tag of no lead goes',
  new_recipient_days: 'counts',
  conversation_ratings:
    'a number from 1 to 5 stays; what was not answered goes with the chat (erase_ratings)',
  rating_settings: 'its words',
  review_requests: 'go, or lose who was asked (erase_reviews)',
  review_settings: 'its words',
  automations: 'the words of the business itself',
  reviews: 'keep rating, time and subject, and lose name and comment (erase_reviews)',
  priced_days: 'counts',
  priced_deltas: 'counts',
  rates: 'prices of the operator',
  wallets: 'a sum',
  wallet_entries: 'sums of days; what the command line says of a credit',
  number_series: 'counts',
  sales_logos: 'pictures of the workspace itself',
  received_money: 'amounts; who paid them goes (erase_sales_documents)',
  sales_document_months: 'counts',
  task_changes: 'waits to be counted',
  task_counts: 'counts',
  number_lanes: "the business's numbers",
  number_signups: "the business's numbers, and go after a day",
  schema_migrations: 'names of files',
  workspace_usage: 'counts',
  // About members.
  app_connections: 'which programs act for who works there',
  account_identities: 'who works there at the identity provider, and go with their account',
  account_mails: 'sealed, on their way to who works there',
  accounts: 'who works there, and goes with their last membership',
  invitations: 'who is to work there',
  member_preferences: 'how they have the dashboard arranged',
  passkeys: 'go with their account',
  weekly_mails: 'when the weekly mail goes out',
  weekly_mail_choices: 'which members get the weekly mail',
  sessions: 'go with their account',
  sign_in_failures: 'hashes of what was tried, and from where, for a day',
  sign_in_tokens: 'go when they are used or too old',
  // About the business itself.
  import_files: 'names of columns; the rows go by number',
  integrations: 'its shops and its assistant',
  payment_gateways: 'its account at the gateway',
  social_accounts: 'its account at the network',
  social_media: 'its photos and videos',
  social_permalinks: 'addresses of its posts',
  social_post_media: 'its photos and videos',
  social_posts: 'what it publishes',
  api_keys: 'who works there',
  business_hours: 'when it is open',
  auto_replies: 'its words',
  bots: 'its words',
  bot_versions: 'its words',
  broadcast_variants: 'the templates that a campaign compares',
  broadcasts: 'what a campaign says to all; its recipients and their messages go',
  closed_template_names: 'names of templates',
  contact_fields: 'names of fields',
  flow_claims: 'names of its forms',
  flow_syncs: 'its forms at the operator',
  flows: 'its forms at the operator',
  lead_assignment: 'who works there',
  saved_views: 'filters that somebody there saved',
  lost_reasons: 'its words',
  macros: 'its words, and the ids of members and replies',
  members: 'who works there',
  phone_numbers: 'its numbers',
  pipeline_stages: 'its words',
  push_subscriptions: 'browsers of its members',
  quick_replies: 'its words',
  sales_settings: 'who sells',
  booking_services: 'what it offers',
  booking_settings: 'how it takes bookings',
  booking_staff: 'who works there, and when',
  segments: 'rules, or ids of contacts',
  tag_changes: 'its words',
  teams: 'its words',
  tags: 'its words: a tag stays until it is deleted, whoever had it',
  templates: 'its words',
  webhook_endpoints: 'its addresses',
  workspaces: 'the business itself',
}

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

const TABLES = `
select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
where n.nspname = current_schema() and c.relkind in ('r', 'p') and not c.relispartition
  and exists (select from pg_attribute a join pg_type t on t.oid = a.atttypid
    where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      and t.typname in ('text', '_text', 'varchar', 'json', 'jsonb', 'bytea'))
order by 1`

// Each trigger of erase_dependents names the table that depends on the trigger's table.
const DEPENDENTS = `
select p.relname as on_table, split_part(encode(t.tgargs, 'escape'), '\\000', 1) as dependent
from pg_trigger t join pg_class p on p.oid = t.tgrelid
where t.tgfoid = 'erase_dependents'::regproc`

test('each table with text is deleted with its contact, or has a reason why not', async () => {
  const [tables, dependents] = await onDatabase(database.url, async (client) => [
    (await client.query<{ name: string }>(TABLES)).rows.map(({ name }) => name),
    (await client.query<{ on_table: string; dependent: string }>(DEPENDENTS)).rows,
  ])
  const erased = new Set(['contacts'])
  for (const table of erased)
    for (const row of dependents) if (row.on_table === table) erased.add(row.dependent)
  expect(tables.filter((name) => !erased.has(name)).sort()).toEqual(Object.keys(OTHERS).sort())
})
