/**
 * Stands between the service and PostgreSQL and is a bad way: it loses the answer to a COMMIT (which happens, and the
 * service never hears of it), breaks after some bytes, is slow, or lets nothing through without a word.
 */
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const SOCKET = '.s.PGSQL.5432'

/** A way to the database at `url` that can be spoilt. */
export async function databaseProxy(url: string) {
  const target = new URL(url)
  const folder = mkdtempSync(join(tmpdir(), 'pg-proxy-'))
  const targetFolder = target.searchParams.get('host')
  const reach = (): Socket =>
    targetFolder ? connect(join(targetFolder, SOCKET)) : connect(Number(target.port || 5432), target.hostname)
  const open = new Set<Socket>()
  let marker: string | undefined
  let cuts = 0
  let delayMs = 0
  let swallows = false
  let bytesLeft = Number.POSITIVE_INFINITY

  /** Hands bytes on in their order, late if the way is slow, never if it swallows them. */
  const handOn = (to: Socket, bytes: Buffer): void => {
    bytesLeft -= bytes.length
    if (bytesLeft < 0) {
      bytesLeft = Number.POSITIVE_INFINITY
      cuts++
      to.write(bytes.subarray(0, Math.floor(bytes.length / 2)))
      for (const socket of open) socket.destroy()
    } else if (swallows) return
    else if (delayMs > 0) setTimeout(() => to.write(bytes), delayMs)
    else to.write(bytes)
  }

  const server = createServer((client) => {
    const upstream = reach()
    for (const socket of [client, upstream]) {
      open.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        open.delete(socket)
        client.destroy()
        upstream.destroy()
      })
    }
    /** The transaction on this connection carries the marker. */
    let marked = false
    let deaf = false
    client.on('data', (bytes: Buffer) => {
      marked ||= marker !== undefined && bytes.includes(marker)
      if (marked && bytes.includes('COMMIT')) {
        marker = undefined
        marked = false
        deaf = true
      }
      handOn(upstream, bytes)
    })
    upstream.on('data', (bytes: Buffer) => {
      if (!deaf) {
        handOn(client, bytes)
        return
      }
      // What went out in one flight with the commit is answered before it. Nobody will hear of any of it.
      if (!bytes.includes('COMMIT\0')) return
      cuts++
      client.destroy()
    })
  })
  server.listen(join(folder, SOCKET))
  await once(server, 'listening')
  target.searchParams.set('host', folder)
  target.searchParams.set('port', '5432')

  return {
    url: target.href,
    /** Loses the answer to the commit of the next transaction whose statements hold `text`. */
    loseCommitOf: (text: string) => {
      marker = text
    },
    /** Breaks every connection once so many more bytes have passed, in the middle of what passes then. */
    cutAfter: (bytes: number) => {
      bytesLeft = bytes
    },
    /** Everything comes so much later, each way. */
    delay: (ms: number) => {
      delayMs = ms
    },
    /** Nothing comes through, and no connection breaks; `false` mends it for what is said from then on. */
    swallow: (on: boolean) => {
      swallows = on
    },
    cuts: () => cuts,
    close: async () => {
      server.close()
      for (const socket of open) socket.destroy()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
