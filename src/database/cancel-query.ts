import type { Socket } from 'node:net'
import pg from 'pg'

/** The maximum time for the server to receive the request. */
const HEARD_WITHIN_MS = 2_000

/** The parts of the driver's connection that we use; not all are in its types. */
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
 * Asks the server over a second connection to cancel the running statement, as the protocol requires; a
 * pooler forwards the request. Resolves when the server has received it or is unreachable; until then no
 * other caller may use the connection.
 */
export function cancelQuery(client: pg.ClientBase): Promise<void> {
  const { host, port, ssl, sslNegotiation, processID, secretKey } = client as Connected
  const line = new pg.Connection({ ssl, sslNegotiation } as object) as Line
  return new Promise((resolve) => {
    // The server closes the connection after it has passed the signal on.
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
