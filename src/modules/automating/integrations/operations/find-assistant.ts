/** The assistant of a workspace: an endpoint with OpenAI's API (DECISIONS.md). */
import type { Query } from '../../../../core/context.ts'
import type { Sealer } from '../../../../core/sealing.ts'
import { findIntegrationRow } from '../queries/integrations.ts'
import { openSecrets } from './secrets.ts'

export type Assistant = {
  /** Base address without a trailing slash. `/chat/completions` is appended. */
  url: string
  /** Decrypted only in memory; null if the endpoint requires none. */
  apiKey: string | null
  model: string
  /** Maximum answers per day of the workspace. */
  dailyLimit: number
  /** Members may ask it for drafts and summaries. */
  forAgents: boolean
}

/** Connections from before version 1.1 have no `forAgents`. */
type AssistantSettings = Omit<Assistant, 'apiKey' | 'forAgents'> & { forAgents?: boolean }

/** Returns the settings with the decrypted key; undefined if none is connected. */
export async function findAssistant(
  { query, sealer }: { query: Query; sealer: Sealer },
  workspaceId: string,
): Promise<Assistant | undefined> {
  const row = await findIntegrationRow(query, workspaceId, 'ai')
  if (!row) return undefined
  const { url, model, dailyLimit, forAgents = false } = row.settings as AssistantSettings
  return { url, model, dailyLimit, forAgents, apiKey: openSecrets(row.secretsSealed, sealer).apiKey ?? null }
}
