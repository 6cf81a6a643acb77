/** Shops with many customers who opted in and were never messaged. */
import { systemClock } from '../../src/core/clock.ts'
import { createSealer } from '../../src/core/sealing.ts'
import { createApiKey } from '../../src/modules/platform/workspaces/operations/api-keys.ts'
import { addPhoneNumber } from '../../src/modules/platform/workspaces/operations/phone-numbers.ts'
import { createWorkspace } from '../../src/modules/platform/workspaces/operations/workspaces.ts'
import type { BenchDatabase } from '../ground/arena.ts'
import { SECRET_KEY } from '../ground/service.ts'
import { openSilentDatabase } from '../ground/silent-database.ts'

export type CampaignShop = { workspaceId: string; phoneNumberId: string; templateId: string; apiKey: string }

/**
 * Creates a workspace with a number at the operator, an approved marketing template, and `people` customers.
 */
export async function makeCampaignShop(database: BenchDatabase, people: number): Promise<CampaignShop> {
  const open = openSilentDatabase(database.url)
  const sealer = createSealer(SECRET_KEY)
  const now = systemClock.now()
  try {
    const shop = await open.system(async (tx) => {
      const { workspaceId } = await createWorkspace(tx, { name: 'Lights' }, now, sealer)
      const number = { workspaceId, number: '+15550100000', operator: 'cloud' as const }
      const { phoneNumberId } = await addPhoneNumber(tx, number, now, sealer)
      const { apiKey } = await createApiKey(tx, { workspaceId, role: 'admin' }, now)
      return { workspaceId, phoneNumberId, apiKey }
    })
    const [template] = await database.sql<{ id: string }>(
      `insert into templates (workspace_id, id, account_id, name, language, category, status, meta_template_id,
                              parameter_format, components, submission, synced_at, created_at, updated_at)
       select workspace_id, uuidv7(), account_id, 'offer', 'en_US', 'MARKETING', 'approved', '1', 'POSITIONAL',
              '[{"type": "BODY", "text": "Lights for everybody."}]', 'submitted', created_at, created_at, created_at
       from phone_numbers where workspace_id = $1 returning id`,
      [shop.workspaceId],
    )
    await database.sql(
      `insert into contacts (workspace_id, id, phone, display_name, opt_in_status, created_at, updated_at)
       select $1, uuidv7(), '+9198' || lpad(n::text, 8, '0'), 'Asha Rao', 'opted_in', $3, $3
       from generate_series(1, $2::int) n`,
      [shop.workspaceId, people, now],
    )
    return { ...shop, templateId: template!.id }
  } finally {
    await open.close()
  }
}

/**
 * Inserts, in one statement, the rows that a campaign to new recipients creates: conversations with their
 * activity, messages, recipients, and marketing marks. It inserts no other rows.
 */
export const insertBareCampaign = (database: BenchDatabase, shop: CampaignShop): Promise<unknown> =>
  database.sql(
    `with people as materialized (
       select c.workspace_id, c.id as contact_id, uuidv7() as conversation_id, uuidv7() as message_id, uuidv7() as broadcast_id,
              now() as at
       from contacts c where c.workspace_id = $1 order by c.id
     ), one as (select broadcast_id from people limit 1), chats as (
       insert into conversations (workspace_id, contact_id, phone_number_id, id, created_at, updated_at)
       select workspace_id, contact_id, $2::uuid, conversation_id, at, at from people
     ), activity as (
       insert into conversation_activity (workspace_id, conversation_id, activity_id, last_message_at)
       select workspace_id, conversation_id, message_id, at from people
     ), sent as (
       insert into messages (workspace_id, id, conversation_id, contact_id, phone_number_id, direction, type, content, status,
                             created_at, run_at, template_text, broadcast_id)
       select workspace_id, message_id, conversation_id, contact_id, $2, 'outbound', 'template',
              '{"name": "offer", "language": {"code": "en_US"}}', 'queued', at, at, 'Lights for everybody.', one.broadcast_id
       from people cross join one
     ), marks as (
       insert into marketing_marks (workspace_id, contact_id, times) select workspace_id, contact_id, array[at] from people
     )
     insert into broadcast_recipients (workspace_id, broadcast_id, contact_id, state, message_id)
     select workspace_id, one.broadcast_id, contact_id, 'queued', message_id from people cross join one`,
    [shop.workspaceId, shop.phoneNumberId],
  )
