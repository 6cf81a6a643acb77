import type { Context } from '../../../../core/context.ts'
import { enqueue } from '../../../../database/sql/enqueue-jobs.ts'
import { eraseFile } from '../jobs.ts'

/** Deletes the bytes of a file without a row of its own, after the transaction. */
export const eraseStoredFile = (ctx: Context, mediaId: string): Promise<unknown> =>
  enqueue(ctx, eraseFile, { mediaId })
