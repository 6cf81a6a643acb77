import type { Socket } from 'node:net'
import pg from 'pg'

/** The maximum time for the server to receive the request. */
const CANCEL_TIMEOUT_MS = 2_000

/** The parts of the driver's connection that we use; not all are in its types. */
type Connected = pg.ClientBase & {
  host: string
  port: number
  ssl: unknown
  sslNegotiation: unknown
  processID: number
  secretKey: number
}
type CancelConnection = pg.Connection & {
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
  const connection = new pg.Connection({ ssl, sslNegotiation } as object) as CancelConnection
  return new Promise((resolve) => {
    // The server closes the connection after it has passed the signal on.
    connection.stream.once('close', resolve)
    connection.on('error', () => connection.stream.destroy())
    connection.stream.setTimeout(CANCEL_TIMEOUT_MS, () => connection.stream.destroy())
    const cancel = () => connection.cancel(processID, secretKey)
    if (ssl) connection.once('sslconnect', cancel)
    connection.once('connect', () => {
      if (!ssl) cancel()
      else if (sslNegotiation !== 'direct') connection.requestSsl()
    })
    if (host.startsWith('/')) connection.connect(`${host}/.s.PGSQL.${port}`)
    else connection.connect(port, host)
  })
}
