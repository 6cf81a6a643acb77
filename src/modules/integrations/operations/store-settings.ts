import type { Context } from '../../../core/context.ts'
import { listIntegrationRows } from '../queries/integrations.ts'
import { SETTINGS, type StoreSettings } from '../schema.ts'

/** How shops are set up that say nothing of it, or are disconnected by now. */
const DEFAULTS: StoreSettings = SETTINGS.simulator.parse({})

/** The settings of the workspace's shops by the name of the integration. */
export async function readStoreSettings(ctx: Context): Promise<(integration: string) => StoreSettings> {
  const rows = await listIntegrationRows(ctx.tx.sql, ctx.workspace.id)
  const byName = new Map(rows.map(({ name, settings }) => [name as string, settings]))
  return (integration) => {
    const { country, createLeads, cod } = { ...DEFAULTS, ...byName.get(integration) } as StoreSettings
    return { country, createLeads, cod: { ...DEFAULTS.cod, ...cod } }
  }
}
