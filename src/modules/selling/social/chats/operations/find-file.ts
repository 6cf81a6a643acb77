import type { Readable } from 'node:stream'
import type { Context } from '../../../../../core/context.ts'
import { isUuid } from '../../../../../core/ids.ts'
import { isObject } from '../../../../../core/values/storable.ts'
import { findMessage } from '../queries/messages.ts'

declare module '../../../../../core/context.ts' {
  interface Outside {
    /**
     * Requests a picture, a video, or a sound from a public address, to pass on as it arrives. Undefined if the address
     * doesn't answer with one of at most `maxBytes`.
     */
    streamFile(
      url: string,
      limits: { maxBytes: number },
    ): Promise<{ contentType: string; body: Readable } | undefined>
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
