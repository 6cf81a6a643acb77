/** Keeps the sample file of a template's header, so that pages can show it (DECISIONS.md "Samples"). */
import { Readable } from 'node:stream'
import type { Context, OutsideContext } from '../../../../core/context.ts'
import { Refusal } from '../../../../core/errors.ts'
import { touch } from '../../../../core/event.ts'
import { isUuid } from '../../../../core/ids.ts'
import type { SpooledFile } from '../../../../core/spool.ts'
import { kindOfMediaType, MAX_MEDIA_BYTES } from '../../../../operator/media-types.ts'
import { listBusinessAccounts } from '../../../platform/workspaces/operations/business-accounts.ts'
import { findNamedFile, findStoredFile, type StoredFile } from '../../media/operations/find-files.ts'
import {
  announceKeptFile,
  findKeptTypes,
  removeKeptBytes,
  storeKeptFile,
} from '../../media/operations/keep-file.ts'
import { findTemplateRow, type TemplateRow } from '../queries/templates.ts'
import { headerKindOf } from './header-media.ts'

/** Samples are small; larger files are not kept. */
const MAX_BYTES = MAX_MEDIA_BYTES.video

type Source = { mimeType: string; stream: Readable }

/** Opens the file at an address, or our copy of an upload; undefined if it can't be read. */
async function openSource(ctx: OutsideContext, source: string): Promise<Source | undefined> {
  if (/^\d+$/.test(source)) {
    const stored = await ctx.transaction((unit) => findNamedFile(unit, ctx.workspace.id, source))
    const stream = stored && (await ctx.outside.mediaStore.open(stored.key))
    return stream && { mimeType: stored.mimeType, stream }
  }
  try {
    const limits = { field: 'header_handle', maxBytes: MAX_BYTES }
    const { bytes, mimeType } = await ctx.outside.fetchFile(source, limits)
    return { mimeType, stream: Readable.from([bytes]) }
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}

/** Copies a stream to the disk; undefined if it is too large. */
async function spooled(ctx: OutsideContext, stream: Readable): Promise<SpooledFile | undefined> {
  const writer = await ctx.outside.spool.open()
  try {
    for await (const chunk of stream) {
      await writer.write(chunk)
      if (writer.sizeBytes <= MAX_BYTES) continue
      await writer.discard()
      return undefined
    }
    return writer.finish()
  } catch (error) {
    await writer.discard()
    throw error
  }
}

/** Records the coming file; false if the template is gone, or has another kind of header. */
async function announce(ctx: Context, id: string, mimeType: string): Promise<boolean> {
  const row = await findTemplateRow(ctx, 'id', id)
  const kind = row && headerKindOf(row)
  if (!kind || kindOfMediaType(mimeType) !== kind) return false
  const accounts = await listBusinessAccounts(ctx)
  const phoneNumberId = accounts.find(({ accountId }) => accountId === row.accountId)?.phoneNumberId
  if (phoneNumberId === undefined) return false
  await announceKeptFile(ctx, { id, phoneNumberId, kind, mimeType })
  return true
}

/** Copies the sample into the store under the template's id. Returns the result to write. */
export async function keepSample(
  ctx: OutsideContext,
  { templateId, source }: { templateId: string; source: string },
): Promise<(ctx: Context) => Promise<void>> {
  const opened = await openSource(ctx, source)
  if (!opened) return async () => {}
  const { mimeType, stream } = opened
  if (!(await ctx.transaction((unit) => announce(unit, templateId, mimeType)))) {
    stream.destroy()
    await removeKeptBytes(ctx, templateId)
    return async () => {}
  }
  const file = await spooled(ctx, stream)
  if (!file) return async () => {}
  try {
    const record = await storeKeptFile(ctx, { id: templateId, mimeType }, file)
    return async (unit) => {
      await record(unit)
      touch(unit, { template: templateId })
    }
  } finally {
    await file.close()
  }
}

/** Returns the media types of the kept samples, as a function of the template. */
export async function readSampleTypes(
  ctx: Context,
  templates: TemplateRow[],
): Promise<(template: TemplateRow) => string | null> {
  const ids = templates.filter((row) => headerKindOf(row) !== undefined).map(({ id }) => id)
  const types = await findKeptTypes(ctx, ids)
  return ({ id }) => types.get(id) ?? null
}

/** Returns the kept sample of a template; undefined for other ids. */
export async function findSampleFile(ctx: Context, id: string): Promise<StoredFile | undefined> {
  const row = isUuid(id) ? await findTemplateRow(ctx, 'id', id) : undefined
  return row && findStoredFile(ctx, ctx.workspace.id, row.id)
}
