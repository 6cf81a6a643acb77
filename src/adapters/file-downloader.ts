import type { Outside } from '../core/context.ts'
import { invalid, type Refusal } from '../core/errors.ts'
import type { Spool, SpooledFile } from '../core/spool.ts'
import type { Egress } from '../egress/egress.ts'
import { EgressFault, faultFrom } from '../egress/faults.ts'

/** The maximum time of a whole download, and of a silence within it. */
const DOWNLOAD_MS = 30_000
const IDLE_MS = 10_000

export type DownloaderOptions = { egress: Egress; spool: Spool; timeoutMs?: number; idleMs?: number }

/**
 * Downloads from a public https address to disk. Checks scheme and address before it connects, follows no
 * redirect, and gives up files that are too long (src/modules/selling/social/DECISIONS.md).
 */
export const fileDownloader =
  ({
    egress,
    spool,
    timeoutMs = DOWNLOAD_MS,
    idleMs = IDLE_MS,
  }: DownloaderOptions): Outside['downloadFile'] =>
  async (url, { field, accept, maxBytes }) => {
    const refused = (message: string): Refusal => invalid([{ path: field, message }])
    try {
      const { status, headers, body } = await egress.open({
        target: egress.prepareTarget(url),
        headers: { accept, 'accept-encoding': 'identity', 'user-agent': 'parley' },
        timeoutMs,
        idleMs,
      })
      try {
        if (status >= 300 && status < 400)
          throw refused(
            `Couldn't be downloaded: the address answered with a redirect (${status}). Send the final address.`,
          )
        if (status !== 200)
          throw refused(`Couldn't be downloaded: the address answered with status ${status}.`)
        const tooLarge = refused(`Must be at most ${maxBytes / 1024 / 1024} MB.`)
        if (Number(headers['content-length']) > maxBytes) throw tooLarge
        return await spooled(body, spool, { maxBytes, tooLarge })
      } finally {
        body.destroy()
      }
    } catch (error) {
      throw error instanceof EgressFault ? refused(`Couldn't be downloaded: ${error.message}`) : error
    }
  }

async function spooled(
  body: AsyncIterable<Buffer>,
  spool: Spool,
  { maxBytes, tooLarge }: { maxBytes: number; tooLarge: Refusal },
): Promise<SpooledFile> {
  const writer = await spool.open()
  try {
    for await (const chunk of received(body)) {
      if (writer.sizeBytes + chunk.length > maxBytes) throw tooLarge
      await writer.write(chunk)
    }
    return writer.finish()
  } catch (error) {
    await writer.discard()
    throw error
  }
}

/** Yields the chunks of a body; an interrupted body is the far side's fault, a failed write is not. */
async function* received(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* body
  } catch (error) {
    throw faultFrom(error)
  }
}
