import { later, SECOND_MS } from '../../../../../core/clock.ts'
import type { Context, OutsideContext } from '../../../../../core/context.ts'
import { refuse } from '../../../../../core/errors.ts'
import { isUuid } from '../../../../../core/ids.ts'
import { isMediaKind } from '../../../../../operator/media-types.ts'
import { filesOfComponents } from '../../../../../operator/message-payload/carried-files.ts'
import { findFileOfMessage, type StoredFile } from '../../../media/operations/find-files.ts'
import type { MessageRow } from '../../message-rows.ts'
import { findMessageRow } from '../queries/messages.ts'

/** The time for which a link to a file is valid (spec 8.2). */
const LINK_SECONDS = 5 * 60

type Content = Record<string, unknown>
const objectIn = (value: unknown): Content =>
  typeof value === 'object' && value !== null ? (value as Content) : {}
const textIn = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

/** Returns the file's id from the message, from the header of its buttons, or from its template. */
function mediaIdOf({ type, content }: MessageRow): string | undefined {
  if (isMediaKind(type)) return textIn(content.id)
  if (type === 'interactive') {
    const header = objectIn(content.header)
    return textIn(objectIn(header[String(header.type)]).id)
  }
  const components = Array.isArray(content.components) ? content.components : []
  return type === 'template' ? filesOfComponents(components, 'components')[0]?.mediaId : undefined
}

function refuseMissing(row: MessageRow): never {
  if (isMediaKind(row.type) && textIn(row.content.link))
    refuse('not_found', "The file was sent as a link. Use the link in the message's content.")
  if (mediaIdOf(row) === undefined) refuse('not_found', 'This message has no file.')
  return refuse('not_found', "The file of this message isn't stored in Parley.")
}

/** Refuses a file of a message that does not exist. */
export const refuseUnknownMessage = (): never => refuse('not_found', 'Message not found. See GET /messages.')

/**
 * Returns the stored file of a message, by our id or the channel's; undefined if there is no such message. Refuses with
 * `not_found` and the reason if there is no file or it could not be fetched, and with `conflict` while it is being fetched.
 */
export async function findMessageFile(ctx: Context, ref: string): Promise<StoredFile | undefined> {
  const row = await findMessageRow(ctx, isUuid(ref) ? 'id' : 'chanmid', ref)
  if (!row) return undefined
  const found = await findFileOfMessage(ctx, { id: row.id, mediaId: mediaIdOf(row) })
  if (!found) return refuseMissing(row)
  if (found.state === 'pending')
    return refuse(
      'conflict',
      'The file is still being downloaded from the operator. Try again in a few seconds.',
    )
  if (found.state === 'failed')
    return refuse('not_found', `The file couldn't be downloaded. ${found.failure}`)
  return named(found.file, row)
}

/** Returns a five-minute link to that file (spec 4.3). */
export async function linkMessageMedia(ctx: OutsideContext, ref: string) {
  const { file, expiresAt } = await ctx.transaction(async (txCtx) => ({
    file: (await findMessageFile(txCtx, ref)) ?? refuseUnknownMessage(),
    expiresAt: later(txCtx.now, LINK_SECONDS * SECOND_MS),
  }))
  return {
    url: await ctx.outside.linkToFile(file, { expiresAt, seconds: LINK_SECONDS }),
    mimeType: file.mimeType,
    filename: file.filename,
    sizeBytes: file.sizeBytes,
    expiresAt: expiresAt.toISOString(),
  }
}

/** Gives a document the name under which it was sent. */
const named = (file: StoredFile, { direction, content }: MessageRow): StoredFile =>
  direction === 'outbound' && textIn(content.filename) !== undefined
    ? { ...file, filename: textIn(content.filename) as string }
    : file
