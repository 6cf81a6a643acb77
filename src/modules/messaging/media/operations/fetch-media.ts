import type { Context, OutsideContext } from '../../../../core/context.ts'
import type { SpooledFile } from '../../../../core/spool.ts'
import { MAX_MEDIA_BYTES } from '../../../../operator/media-types.ts'
import type { Answered, OperatorFile, OperatorNumber } from '../../../../operator/port.ts'
import { findMediaRow, type MediaRow, updateFailed, updateStored } from '../queries.ts'
import { keyOf } from './store-key.ts'

type Fetched =
  | { kind: 'stored'; file: SpooledFile; found: OperatorFile }
  /** The file is permanently unavailable: no retry helps. */
  | { kind: 'gone'; reason: string }

const MAX_BYTES = MAX_MEDIA_BYTES.document

/**
 * Fetches a customer's file from the operator into the store. Returns the result to write; throws errors that
 * are worth a retry.
 */
export async function fetchInboundMedia(
  ctx: OutsideContext,
  mediaId: string,
): Promise<(ctx: Context) => Promise<void>> {
  const row = await ctx.transaction((txCtx) => findMediaRow(txCtx.tx.sql, ctx.workspace.id, mediaId))
  const key = keyOf(ctx.workspace.id, mediaId)
  if (row?.state !== 'pending') {
    // The row was erased during an earlier attempt, which may have stored the bytes after the erasure.
    if (!row) await ctx.outside.mediaStore.delete(key)
    return async () => {}
  }
  const number = await ctx.outside.operatorNumber(ctx.workspace.id, row.phoneNumberId)
  if (!number) return fail(row, 'The number that received it is no longer connected.')
  const fetched = await fetchBytes(ctx, number, row)
  if (fetched.kind === 'gone') return fail(row, fetched.reason)
  const { file, found } = fetched
  try {
    await ctx.outside.mediaStore.put(key, { ...file, mimeType: row.mimeType })
  } finally {
    await file.close()
  }
  return async (txCtx) => {
    const isUpdated = await updateStored(txCtx.tx, {
      ...row,
      operatorId: row.operatorId as string,
      mimeType: row.mimeType === 'application/octet-stream' ? (found.mimeType ?? row.mimeType) : row.mimeType,
      sizeBytes: file.sizeBytes,
      sha256: file.sha256,
    })
    // The message was erased meanwhile, so the bytes that we just stored must be deleted too.
    if (!isUpdated) throw new Error('the file was erased during the download')
  }
}

const fail = (row: MediaRow, reason: string) => (ctx: Context) =>
  updateFailed(ctx.tx, row.workspaceId, row.id, reason).then(() => {})

async function fetchBytes(ctx: OutsideContext, number: OperatorNumber, row: MediaRow): Promise<Fetched> {
  const operatorId = row.operatorId as string
  let expired = false
  for (;;) {
    const found = await ctx.outside.operator.findMedia(number, operatorId)
    if (found.kind !== 'done') return fetchFailure(found)
    if ((found.value.sizeBytes ?? 0) > MAX_BYTES) return tooLarge
    const download = await ctx.outside.operator.downloadMedia(number, found.value.url)
    if (download.kind === 'done') return spoolStream(ctx, download.value.stream, found.value)
    // The address expires after five minutes, so a refused address is looked up again.
    if (download.kind !== 'refused' || expired) return fetchFailure(download, NOT_THERE)
    expired = true
  }
}

/** The file host's statuses for a missing file, which are not in the operator's error format. */
const NOT_THERE = [404, 410]

const tooLarge: Fetched = { kind: 'gone', reason: `It is larger than ${MAX_BYTES} bytes.` }

/**
 * Handles a failed request. Without an error of the operator, only the statuses in `finalStatuses` are final.
 */
function fetchFailure(
  answered: Exclude<Answered<unknown>, { kind: 'done' }>,
  finalStatuses: number[] = [],
): Fetched {
  if (answered.kind !== 'refused') throw new Error(`the operator didn't answer: ${answered.reason}`)
  const { error } = answered
  const reason = `The operator rejected it: ${error.message} (${error.code}).`
  // Final, unless the number's own connection is broken: after its repair the file is still there for days.
  const isFinal =
    error.category === 'http'
      ? finalStatuses.includes(error.code)
      : error.permanent && error.category !== 'auth' && error.category !== 'account'
  if (isFinal) return { kind: 'gone', reason }
  throw new Error(reason)
}

async function spoolStream(
  ctx: OutsideContext,
  stream: AsyncIterable<Uint8Array>,
  found: OperatorFile,
): Promise<Fetched> {
  const writer = await ctx.outside.spool.open()
  try {
    for await (const chunk of stream) {
      await writer.write(chunk)
      if (writer.sizeBytes > MAX_BYTES) {
        await writer.discard()
        return tooLarge
      }
    }
    const file = writer.finish()
    if (found.sha256 !== null && found.sha256 !== file.sha256)
      throw new Error(
        `the downloaded bytes don't match the operator's description (${file.sizeBytes} bytes arrived)`,
      )
    return { kind: 'stored', file, found }
  } catch (error) {
    await writer.discard()
    throw error
  }
}
