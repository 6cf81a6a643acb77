import pg from 'pg'
import { type Host, hostsOf } from '../core/values/database-hosts.ts'
import { findWritableHost, isReadOnly, placeAt, refusedConnection } from './writable-host.ts'

/** The driver's callback: an error, or none and the client. */
type Connected = ((error: Error) => void) | ((error: null, client: pg.Client) => void)

/**
 * The driver's client, which also connects to addresses with several hosts: it goes to the host that accepts writes. It is a
 * class because the driver's pool creates its clients itself.
 */
export class DatabaseClient extends pg.Client {
  readonly #address: string
  readonly #hosts: Host[]

  // The pool's type calls it without arguments.
  constructor(config: pg.ClientConfig = {}) {
    super(config)
    this.#address = config.connectionString ?? ''
    this.#hosts = hostsOf(this.#address)
  }

  override connect(): Promise<pg.Client>
  override connect(callback: Connected): void
  override connect(callback?: Connected): Promise<pg.Client> | undefined {
    if (this.#hosts.length === 0) {
      if (!callback) return super.connect()
      super.connect(callback)
      return undefined
    }
    const connecting = this.#connectToWritable()
    if (!callback) return connecting
    // Outside the promise, so that a fault of the callback is not a rejection.
    connecting.then(
      () => process.nextTick(callback as () => void),
      (error: Error) => process.nextTick(callback as (error: Error) => void, error),
    )
    return undefined
  }

  async #connectToWritable(): Promise<pg.Client> {
    const host = await findWritableHost(this.#address, this.#hosts)
    placeAt(this, host)
    await super.connect()
    if (!(await isReadOnly(this))) return this
    await this.end()
    throw refusedConnection(`The database host ${host.host}:${host.port} accepts no writes any more.`)
  }
}
