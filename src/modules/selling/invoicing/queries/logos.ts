/** SQL for the logos of sellers. */
import type { Selectable } from 'kysely'
import type { Context } from '../../../../core/context.ts'
import { db } from '../../../../database/sql/sql.ts'
import type { Tables } from '../../../../database/sql/tables.ts'

export type Logo = Pick<Selectable<Tables['salesLogos']>, 'mimeType' | 'bytes'>

export const findLogo = (ctx: Context, mediaId: string): Promise<Logo | undefined> =>
  ctx.tx.first(
    db
      .selectFrom('salesLogos')
      .select(['mimeType', 'bytes'])
      .where('workspaceId', '=', ctx.workspace.id)
      .where('mediaId', '=', mediaId),
  )

/** Stores a logo. Documents issued with another logo keep theirs. */
export const upsertLogo = (ctx: Context, mediaId: string, { mimeType, bytes }: Logo): Promise<unknown> =>
  ctx.tx.run(
    db
      .insertInto('salesLogos')
      .values({ workspaceId: ctx.workspace.id, mediaId, mimeType, bytes, createdAt: ctx.now })
      .onConflict((conflict) => conflict.columns(['workspaceId', 'mediaId']).doNothing()),
  )
