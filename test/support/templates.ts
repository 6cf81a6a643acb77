/** Templates that the operator has approved, stored where `POST /templates/sync` would store them. */
import { randomUUID } from 'node:crypto'
import type { TestParley, TestWorkspace } from './boot.ts'

export type TemplateGiven = {
  name?: string
  language?: string
  category?: string
  status?: string
  components: Record<string, unknown>[]
}

/**
 * Stores a template for the account of the workspace's first number; approved and UTILITY unless the input
 * says otherwise.
 */
export async function storeTemplate(
  parley: Pick<TestParley, 'system'>,
  shop: Pick<TestWorkspace, 'workspaceId'>,
  input: TemplateGiven,
): Promise<void> {
  const { name = 'order_ok', language = 'en_US', category = 'UTILITY', status = 'approved' } = input
  await parley.system((tx) =>
    tx.sql(
      `insert into templates (workspace_id, id, account_id, name, language, category, status, meta_template_id,
                              parameter_format, components, submission, synced_at, created_at, updated_at)
       select workspace_id, $2::uuid, account_id, $3, $4, $5, $6, '1', 'POSITIONAL', $7::jsonb, 'submitted', created_at,
              created_at, created_at
       from phone_numbers where workspace_id = $1 order by id limit 1`,
      [shop.workspaceId, randomUUID(), name, language, category, status, JSON.stringify(input.components)],
    ),
  )
}
