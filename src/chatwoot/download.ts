import { SECOND_MS } from '../core/clock.ts'
import type { Spool } from '../core/spool.ts'
import type { Egress } from '../egress/egress.ts'
import { EgressFault, faultFrom } from '../egress/faults.ts'
import { later, mayUseHttp, refused } from './line.ts'
import type { Chatwoot } from './port.ts'

const DOWNLOAD_MS = 60 * SECOND_MS
const IDLE_MS = 15 * SECOND_MS
/** Chatwoot redirects to its file store, which may redirect to a region. */
const MAX_REDIRECTS = 5
const STORED_FILE = '/rails/active_storage/'

/**
 * Returns the address of a file. Files that Chatwoot serves itself are read from the account's base URL, because
 * installations often have a wrong address of their own in links. Undefined if it isn't an address.
 */
export function fileAddress(url: string, base: string): string | undefined {
  if (!URL.canParse(url, base)) return undefined
  const { pathname, search, href } = new URL(url, base)
  return pathname.startsWith(STORED_FILE) ? `${base}${pathname}${search}` : href
}

/** Downloads files without the token: their addresses are signed. */
export const downloader =
  ({
    egress,
    spool,
  }: {
    egress: Pick<Egress, 'prepareTarget' | 'open'>
    spool: Spool
  }): Chatwoot['download'] =>
  async (account, { url, maxBytes }) => {
    try {
      let address = fileAddress(url, account.url)
      for (let redirects = 0; address !== undefined && redirects <= MAX_REDIRECTS; redirects++) {
        const { status, headers, body } = await egress.open({
          target: egress.prepareTarget(address, { requireHttps: !mayUseHttp(address) }),
          headers: { 'user-agent': 'parley', accept: '*/*', 'accept-encoding': 'identity' },
          timeoutMs: DOWNLOAD_MS,
          idleMs: IDLE_MS,
        })
        try {
          if (status >= 300 && status < 400) {
            const location = headers.location
            const next = typeof location === 'string' && URL.canParse(location, address)
            address = next ? fileAddress(new URL(location, address).href, account.url) : undefined
            continue
          }
          if (status >= 500 || status === 408 || status === 429)
            return later(`A file's address answered with status ${status}.`)
          if (status !== 200) return { kind: 'gone' }
          if (Number(headers['content-length']) > maxBytes) return { kind: 'done', value: 'too_large' }
          const file = await spooled(body, spool, maxBytes)
          if (file === undefined) return { kind: 'done', value: 'too_large' }
          return { kind: 'done', value: { file, mimeType: String(headers['content-type'] ?? '') } }
        } finally {
          body.destroy()
        }
      }
      return { kind: 'gone' }
    } catch (error) {
      if (!(error instanceof EgressFault)) throw error
      return error.reason === 'refused_address'
        ? refused('url', error.message)
        : later(`A file can't be downloaded: ${error.message}`)
    }
  }

/** Writes a body to disk; undefined if it is longer than `maxBytes`. */
async function spooled(body: AsyncIterable<Buffer>, spool: Spool, maxBytes: number) {
  const writer = await spool.open()
  try {
    for await (const chunk of received(body)) {
      if (writer.sizeBytes + chunk.length > maxBytes) {
        await writer.discard()
        return undefined
      }
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
