/** SQL for the logos of sellers. */
import type { Context } from '../../../../core/context.ts'

export type Logo = { mimeType: string; bytes: Buffer }

export const findLogo = async (ctx: Context, mediaId: string): Promise<Logo | undefined> =>
  (
    await ctx.tx.sql<Logo>(
      'select mime_type, bytes from sales_logos where workspace_id = $1 and media_id = $2',
      [ctx.workspace.id, mediaId],
    )
  )[0]

/** Stores a logo. Documents issued with another logo keep theirs. */
export const upsertLogo = (ctx: Context, mediaId: string, { mimeType, bytes }: Logo): Promise<unknown> =>
  ctx.tx.sql(
    `insert into sales_logos (workspace_id, media_id, mime_type, bytes, created_at) values ($1, $2, $3, $4, $5)
     on conflict (workspace_id, media_id) do nothing`,
    [ctx.workspace.id, mediaId, mimeType, bytes, ctx.now],
  )
