import type { Context } from '../../core/context.ts'
import { json } from './sql.ts'

/** A workspace's settings for a module: one value in a table of the module. */
export type SettingsRow = {
  /** Undefined until a member has set a value. */
  find(ctx: Context): Promise<unknown>
  upsert(ctx: Context, settings: unknown): Promise<unknown>
}

/** Returns the access to settings in `table`, which has the columns `workspace_id`, `settings`, and `updated_at`. */
export const settingsRow = (table: string): SettingsRow => ({
  find: async (ctx) =>
    (
      await ctx.tx.sql<{ settings: unknown }>(`select settings from ${table} where workspace_id = $1`, [
        ctx.workspace.id,
      ])
    )[0]?.settings,
  upsert: (ctx, settings) =>
    ctx.tx.sql(
      `insert into ${table} (workspace_id, settings, updated_at) values ($1, $2, $3)
       on conflict (workspace_id) do update set settings = excluded.settings, updated_at = excluded.updated_at`,
      [ctx.workspace.id, json(settings), ctx.now],
    ),
})
