import type { Context } from '../../../../core/context.ts'
import { listIntegrationRows } from '../queries/integrations.ts'
import { SETTINGS, type StoreSettings } from '../schema.ts'

/** The settings of shops without settings, and of disconnected shops. */
const DEFAULTS: StoreSettings = SETTINGS.simulator.parse({})

/** Returns the settings of the workspace's shops by integration name. */
export async function readStoreSettings(ctx: Context): Promise<(integration: string) => StoreSettings> {
  const rows = await listIntegrationRows(ctx.tx.sql, ctx.workspace.id)
  const byName = new Map(rows.map(({ name, settings }) => [name as string, settings]))
  return (integration) => {
    const { country, createLeads, cod } = { ...DEFAULTS, ...byName.get(integration) } as StoreSettings
    return { country, createLeads, cod: { ...DEFAULTS.cod, ...cod } }
  }
}
