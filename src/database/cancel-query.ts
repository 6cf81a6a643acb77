import type { Socket } from 'node:net'
import pg from 'pg'

/** How long the server may take to hear of it. */
const HEARD_WITHIN_MS = 2_000

/** What the driver's client knows of its connection; not all of it is in its types. */
type Connected = pg.ClientBase & {
  host: string
  port: number
  ssl: unknown
  sslNegotiation: unknown
  processID: number
  secretKey: number
}
type Line = pg.Connection & {
  stream: Socket
  connect(portOrPath: number | string, host?: string): void
  requestSsl(): void
  cancel(processID: number, secretKey: number): void
}

/**
 * Asks the server to cancel what the connection is doing, over a line of its own, as the protocol has it: a pooler on the way
 * passes it on to whoever it is doing it for. Resolves when the server has heard it or cannot be reached; until then the
 * connection must not do anything for somebody else.
 */
export function cancelQuery(client: pg.ClientBase): Promise<void> {
  const { host, port, ssl, sslNegotiation, processID, secretKey } = client as Connected
  const line = new pg.Connection({ ssl, sslNegotiation } as object) as Line
  return new Promise((resolve) => {
    // The server hangs up when it has passed the signal on.
    line.stream.once('close', resolve)
    line.on('error', () => line.stream.destroy())
    line.stream.setTimeout(HEARD_WITHIN_MS, () => line.stream.destroy())
    const cancel = () => line.cancel(processID, secretKey)
    if (ssl) line.once('sslconnect', cancel)
    line.once('connect', () => {
      if (!ssl) cancel()
      else if (sslNegotiation !== 'direct') line.requestSsl()
    })
    if (host.startsWith('/')) line.connect(`${host}/.s.PGSQL.${port}`)
    else line.connect(port, host)
  })
}
