/** The assistant of a workspace: an endpoint that speaks as OpenAI's does (docs/decisions/integrations.md). */
import type { Query } from '../../../core/context.ts'
import type { Sealer } from '../../../core/sealing.ts'
import { findIntegrationRow } from '../queries/integrations.ts'
import { openSecrets } from './secrets.ts'

export type Assistant = {
  /** Base address, without a slash at the end: `/chat/completions` lies below it. */
  url: string
  /** In the clear only in memory; null: it asks for none. */
  apiKey: string | null
  model: string
  /** Answers that it may give in a day of the workspace. */
  dailyLimit: number
}

type AssistantSettings = Omit<Assistant, 'apiKey'>

/** The settings with the key opened; undefined when none is connected. */
export async function findAssistant(
  { query, sealer }: { query: Query; sealer: Sealer },
  workspaceId: string,
): Promise<Assistant | undefined> {
  const row = await findIntegrationRow(query, workspaceId, 'ai')
  if (!row) return undefined
  const { url, model, dailyLimit } = row.settings as AssistantSettings
  return { url, model, dailyLimit, apiKey: openSecrets(row.secretsSealed, sealer).apiKey ?? null }
}
