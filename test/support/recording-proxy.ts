/**
 * A proxy in front of a server that forwards and records every request. Tests can change its handling of
 * requests.
 */
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { request } from 'undici'

export type Recorded = {
  method: string
  path: string
  query: Record<string, string>
  body: unknown
  headers: Record<string, string | string[] | undefined>
}

export type Forwarded = { status: number; type: string; bytes: Buffer }
/**
 * The proxy's handling of a request: `forward` lets the server answer it. Rejecting breaks the connection.
 */
export type Between = (request: Recorded, forward: () => Promise<Forwarded>) => Promise<Forwarded>

export type RecordingProxy = {
  url: string
  recorded: Recorded[]
  /** The latest request. */
  last(): Recorded
  /** Applies from now on; without an argument, requests are forwarded unchanged. */
  between(play?: Between): void
  close(): Promise<void>
}

export async function startRecordingProxy(target: string): Promise<RecordingProxy> {
  const recorded: Recorded[] = []
  let play: Between = (_, forward) => forward()
  const server = createServer((req, res) => {
    void forwardRequest(req).then(
      ({ status, type, bytes }) => {
        res.writeHead(status, { 'content-type': type })
        res.end(bytes)
      },
      () => res.destroy(),
    )
  })
  const forwardRequest = async (req: IncomingMessage): Promise<Forwarded> => {
    const bytes = await buffer(req)
    const url = new URL(req.url ?? '/', 'http://localhost')
    const request = {
      method: req.method ?? '',
      path: url.pathname,
      query: Object.fromEntries(url.searchParams),
      body: bytes.length > 0 ? JSON.parse(bytes.toString('utf8')) : undefined,
      headers: req.headers,
    }
    recorded.push(request)
    return play(request, () => forward(req, bytes))
  }
  const forward = async (req: IncomingMessage, bytes: Buffer): Promise<Forwarded> => {
    const { 'content-type': type, authorization } = req.headers
    const answer = await request(`${target}${req.url}`, {
      method: req.method as 'GET',
      headers: { ...(type ? { 'content-type': type } : {}), ...(authorization ? { authorization } : {}) },
      ...(bytes.length > 0 ? { body: bytes } : {}),
    })
    return {
      status: answer.statusCode,
      type: String(answer.headers['content-type']),
      bytes: Buffer.from(await answer.body.arrayBuffer()),
    }
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    recorded,
    last: () => recorded.at(-1)!,
    between: (next) => {
      play = next ?? ((_, forward) => forward())
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
