/** Keeps files that belong to a record of ours, under its id: samples of templates. */
import type { Context, OutsideContext } from '../../../../core/context.ts'
import type { SpooledFile } from '../../../../core/spool.ts'
import type { MediaKind } from '../../../../operator/media-types.ts'
import { findMediaRow, insertMedia, listStoredMedia, type MediaRow, updateStored } from '../queries.ts'
import { keyOf } from './store-key.ts'

export type KeptFile = { id: string; phoneNumberId: string; kind: MediaKind; mimeType: string }

/** Records that the file will be in the store. The row comes first, so that a crash leaves no bytes without a row. */
export async function announceKeptFile(ctx: Context, { id, phoneNumberId, kind, mimeType }: KeptFile) {
  const workspaceId = ctx.workspace.id
  if (await findMediaRow(ctx.tx.sql, workspaceId, id)) return
  await insertMedia(ctx.tx, [
    {
      workspaceId,
      id,
      phoneNumberId,
      origin: 'upload',
      messageId: null,
      kind,
      operatorId: null,
      mimeType,
      filename: null,
      sizeBytes: null,
      sha256: null,
      // The operator has no id for it. It is deleted with its record.
      expiresAt: ctx.now,
      createdAt: ctx.now,
    },
  ])
}

/** Puts an announced file into the store, and replaces an earlier one. Returns the result to write. */
export async function storeKeptFile(
  ctx: OutsideContext,
  { id, mimeType }: Pick<KeptFile, 'id' | 'mimeType'>,
  file: SpooledFile,
): Promise<(ctx: Context) => Promise<void>> {
  const workspaceId = ctx.workspace.id
  await ctx.outside.mediaStore.put(keyOf(workspaceId, id), { ...file, mimeType })
  const { sizeBytes, sha256 } = file
  return async (txCtx) => {
    const stored = { workspaceId, id, operatorId: null, mimeType, sizeBytes, sha256, expiresAt: txCtx.now }
    // The record was deleted meanwhile. The next attempt removes the bytes.
    if (!(await updateStored(txCtx.tx, stored))) throw new Error('the record of the file was deleted')
  }
}

/** Returns the media types of those of these files that are in the store, by id. */
export async function findKeptTypes(ctx: Context, ids: string[]): Promise<Map<string, MediaRow['mimeType']>> {
  if (ids.length === 0) return new Map()
  const rows = await listStoredMedia(ctx.tx, ctx.workspace.id, ids)
  return new Map(rows.map(({ id, mimeType }) => [id, mimeType]))
}

/** Removes the bytes of a file whose record was deleted during an earlier attempt. */
export const removeKeptBytes = (ctx: OutsideContext, id: string): Promise<void> =>
  ctx.outside.mediaStore.delete(keyOf(ctx.workspace.id, id))
