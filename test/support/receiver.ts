/**
 * Real https receivers for webhooks, which check signatures over the raw bytes.
 *
 *   const receivers = await makeReceivers()
 *   const parley = await boot({ env: receivers.env })
 *   const shop = await receivers.open()
 */
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeAuthority } from './certificates.ts'

/** One request as received. `atMs` is in milliseconds of `performance.now()`. */
export type Received = {
  method: string
  /** Path and query. */
  path: string
  headers: IncomingHttpHeaders
  raw: string
  body: ReceivedBody
  atMs: number
}
// biome-ignore lint/suspicious/noExplicitAny: `data` has the fields of its event
export type ReceivedBody = { id: string; event: string; createdAt: string; data: any }
/** A status to answer with, or a function that handles the request. */
export type Answering = number | ((response: ServerResponse, request: Received) => void)

export type Receiver = {
  url: string
  received: Received[]
  /** Sets how requests are answered from now on. */
  answer(answering: Answering): void
  /** Resolves with the first `count` requests once they have arrived. */
  wait(count: number, withinMs?: number): Promise<Received[]>
}

/** Returns the `sha256=` signature of a request with `secret`. */
export const signatureBy = (secret: string, { headers, raw }: Received): string =>
  `sha256=${createHmac('sha256', secret).update(`${headers['x-webhook-timestamp']}.${raw}`).digest('hex')}`

/**
 * Starts a receiver at an https address. The service trusts its certificate only with the returned `env`. The
 * address is localhost, and `names` if the test's name server resolves them to this machine.
 */
export async function makeReceivers(...names: string[]) {
  const authority = await makeAuthority()
  const certificate = await authority.issue('localhost', ...names)
  const folder = await mkdtemp(join(tmpdir(), 'parley-receivers-'))
  const caFile = join(folder, 'ca.pem')
  await writeFile(caFile, authority.ca)
  const servers: Server[] = []

  const open = async (first: Answering = 200): Promise<Receiver> => {
    let answering = first
    const received: Received[] = []
    const waiters = new Set<() => void>()
    const server = createServer(certificate, (request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        const raw = Buffer.concat(chunks).toString('utf8')
        const delivery: Received = {
          method: request.method!,
          path: request.url!,
          headers: request.headers,
          raw,
          body: raw === '' ? null : JSON.parse(raw),
          atMs: performance.now(),
        }
        received.push(delivery)
        if (typeof answering === 'function') answering(response, delivery)
        else response.writeHead(answering).end()
        for (const check of waiters) check()
      })
    })
    servers.push(server)
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return {
      url: `https://localhost:${(server.address() as AddressInfo).port}/hook`,
      received,
      answer: (next) => {
        answering = next
      },
      wait: (count, withinMs = 60_000) =>
        new Promise((resolve, reject) => {
          const late = setTimeout(() => {
            waiters.delete(check)
            reject(new Error(`${received.length} of ${count} requests came within ${withinMs} ms`))
          }, withinMs)
          const check = () => {
            if (received.length < count) return
            clearTimeout(late)
            waiters.delete(check)
            resolve(received.slice(0, count))
          }
          waiters.add(check)
          check()
        }),
    }
  }

  return {
    env: { PARLEY_EGRESS_ALLOW: '127.0.0.0/8,::1/128', PARLEY_EGRESS_CA: caFile },
    open,
    close: async () => {
      for (const server of servers) {
        server.closeAllConnections()
        server.close()
      }
      await rm(folder, { recursive: true, force: true })
    },
  }
}
