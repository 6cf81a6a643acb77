import type { Readable } from 'node:stream'
import type { Context } from '../../../../../core/context.ts'
import { isUuid } from '../../../../../core/ids.ts'
import { isObject } from '../../../../../core/values/storable.ts'
import { findMessage } from '../queries/messages.ts'

/** A file of another address, or the part of it that `contentRange` names. */
export type StreamedFile = {
  contentType: string
  contentLength: string | undefined
  /** The header of an answer with a part; undefined for a whole file. */
  contentRange: string | undefined
  body: Readable
}

declare module '../../../../../core/context.ts' {
  interface Outside {
    /**
     * Requests a picture, a video, or a sound from a public address, to pass on as it arrives. Undefined if the address
     * doesn't answer with one of at most `maxBytes`. `range`: the header of a request for a part.
     */
    streamFile(
      url: string,
      limits: { maxBytes: number; range?: string | undefined },
    ): Promise<StreamedFile | undefined>
  }
}

const textIn = (value: unknown, key: string): string | undefined =>
  isObject(value) && typeof value[key] === 'string' ? value[key] : undefined

/**
 * Returns the address of the file of a direct message on the network; undefined without a file. The network keeps files
 * for a limited time.
 */
export async function findFileAddress(ctx: Context, messageId: string): Promise<string | undefined> {
  const message = isUuid(messageId)
    ? await findMessage(ctx.tx, ctx.workspace.id, messageId.toLowerCase())
    : undefined
  if (!message || message.deletedAt) return undefined
  const url = textIn(message.content.payload, 'url') ?? textIn(message.content, 'url')
  return url && /^https?:\/\//i.test(url) ? url : undefined
}
