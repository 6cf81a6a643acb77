import { DAY_MS, later } from '../../../../core/clock.ts'
import type { Context } from '../../../../core/context.ts'
import { newId } from '../../../../core/ids.ts'
import { enqueueAll } from '../../../../database/sql/enqueue-jobs.ts'
import { isMediaKind, type MediaKind, plainMediaType } from '../../../../operator/media-types.ts'
import { safeFilename } from '../filename.ts'
import { fetchMedia } from '../jobs.ts'
import { insertMedia } from '../queries.ts'

/**
 * The time for which the operator keeps customers' files: the shorter of its stated times (docs/formats.md
 * section 5).
 */
const FETCHABLE_MS = 7 * DAY_MS

/** The file of a customer's message, as its webhook reports it. */
export type InboundMedia = {
  /** Our id. */
  id: string
  kind: MediaKind
  operatorId: string
  mimeType: string
  filename: string | null
}

/** A customer's message with a file; `messageId` is our id. */
export type InboundMediaItem = { ctx: Context; messageId: string; phoneNumberId: string; media: InboundMedia }

/**
 * Returns the file in a customer's message, with the content to store and announce instead of the operator's:
 * the same shape with our id, without the operator's short-lived address (docs/clarifications.md). Undefined
 * for other messages.
 */
export function inboundMediaOf(
  type: string,
  content: Record<string, unknown>,
): { media: InboundMedia; content: Record<string, unknown> } | undefined {
  if (!isMediaKind(type) || typeof content.id !== 'string' || content.id === '') return undefined
  const id = newId()
  const { url: _, ...reported } = content
  const mimeType = plainMediaType(typeof content.mime_type === 'string' ? content.mime_type : '')
  return {
    media: {
      id,
      kind: type,
      operatorId: content.id,
      mimeType: mimeType === '' ? 'application/octet-stream' : mimeType.slice(0, 200),
      filename: typeof content.filename === 'string' ? safeFilename(content.filename) : null,
    },
    content: { ...reported, id },
  }
}

/**
 * Stores the files of customers' messages and queues their download, in the transaction that stores the
 * messages. The file of a repeated message is fetched once.
 */
export async function recordInboundMedia(items: InboundMediaItem[]): Promise<void> {
  const unit = items[0]?.ctx
  if (!unit) return
  const isNew = await insertMedia(
    unit.tx,
    items.map(({ ctx, messageId, phoneNumberId, media }) => ({
      workspaceId: ctx.workspace.id,
      phoneNumberId,
      origin: 'customer' as const,
      messageId,
      ...media,
      sizeBytes: null,
      sha256: null,
      expiresAt: later(ctx.now, FETCHABLE_MS),
      createdAt: ctx.now,
    })),
  )
  await enqueueAll(
    fetchMedia,
    items.flatMap(({ ctx, media }) => (isNew.has(media.id) ? [{ ctx, payload: { mediaId: media.id } }] : [])),
  )
}
