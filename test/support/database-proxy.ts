/**
 * Stands between the service and PostgreSQL and loses the answer to a COMMIT: the commit happens and
 * the service never hears of it.
 */
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const SOCKET = '.s.PGSQL.5432'

/** A way to the database at `url` that can be cut at a commit. */
export async function databaseProxy(url: string) {
  const target = new URL(url)
  const folder = mkdtempSync(join(tmpdir(), 'pg-proxy-'))
  const targetFolder = target.searchParams.get('host')
  const reach = (): Socket =>
    targetFolder ? connect(join(targetFolder, SOCKET)) : connect(Number(target.port || 5432), target.hostname)
  const open = new Set<Socket>()
  let marker: string | undefined
  let cuts = 0

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
      upstream.write(bytes)
    })
    upstream.on('data', (bytes: Buffer) => {
      if (!deaf) {
        client.write(bytes)
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
    cuts: () => cuts,
    close: async () => {
      server.close()
      for (const socket of open) socket.destroy()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
