import type { RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { SECOND_MS } from './clock.ts'
import { createServer } from './node-http.ts'

export type ListeningServer = {
  url: string
  /** Waits until the current calls are answered. */
  close(): Promise<void>
}

/** Serves `answer` on its own port, for simulated services; port 0 takes a free one. */
export async function openListeningServer(
  listener: RequestListener,
  { host, port }: { host: string; port: number },
): Promise<ListeningServer> {
  const server = createServer(listener)
  // Longer than any client keeps an idle connection, so that no connection closes while a client sends a request.
  server.keepAliveTimeout = 75 * SECOND_MS
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  const address = server.address() as AddressInfo
  return {
    url: `http://${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`,
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error ? reject(error) : resolve()))
        server.closeIdleConnections()
      }),
  }
}
