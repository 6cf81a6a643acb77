import { once } from 'node:events'
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * A round-robin proxy in front of several processes, over kept connections. It tries another process only
 * when a connection was refused, so that nothing is sent twice; other errors are answered with 502.
 */
export async function startRoundRobin(ports: number[]) {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  let turn = 0
  const broken: string[] = []

  const forward = (
    from: IncomingMessage,
    to: ServerResponse,
    body: Buffer,
    place: number,
    attempt = 1,
  ): void => {
    const port = ports[place % ports.length]
    const onward = request(
      { host: '127.0.0.1', port, agent, method: from.method, path: from.url, headers: from.headers },
      (answer) => {
        to.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(to)
      },
    )
    onward.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED' && attempt < ports.length)
        return forward(from, to, body, place + 1, attempt + 1)
      broken.push(`${port}: ${error.code} ${error.message}`)
      to.writeHead(502).end()
    })
    onward.end(body)
  }

  const server = createServer(async (from, to) => {
    const pieces: Buffer[] = []
    for await (const piece of from) pieces.push(piece as Buffer)
    forward(from, to, Buffer.concat(pieces), turn++)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Requests that could not be forwarded or answered. */
    broken,
    close: async () => {
      server.close()
      server.closeAllConnections()
      agent.destroy()
    },
  }
}
