import type { Context } from '../../../core/context.ts'
import { json } from '../../../core/sql.ts'

export const findSettings = async (ctx: Context): Promise<unknown> =>
  (
    await ctx.tx.sql<{ settings: unknown }>('select settings from review_settings where workspace_id = $1', [
      ctx.workspace.id,
    ])
  )[0]?.settings

export const upsertSettings = (ctx: Context, settings: unknown): Promise<unknown> =>
  ctx.tx.sql(
    `insert into review_settings (workspace_id, settings, updated_at) values ($1, $2, $3)
     on conflict (workspace_id) do update set settings = excluded.settings, updated_at = excluded.updated_at`,
    [ctx.workspace.id, json(settings), ctx.now],
  )
