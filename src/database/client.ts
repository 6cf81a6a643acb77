import pg from 'pg'
import { cellOf, DEFAULT_CELL } from '../core/values/cell.ts'
import { type Host, hostsOf } from '../core/values/database-hosts.ts'
import { type CellPlace, readCellPlace } from './cell-place.ts'
import { findWritableHost, isReadOnly, placeAt, refusedConnection } from './writable-host.ts'

/** The driver's callback: an error, or none and the client. */
type Connected = ((error: Error) => void) | ((error: null, client: pg.Client) => void)

/** `definesTables`: the connection creates and changes tables, which the coordinator of Citus does alone. */
type ClientConfig = pg.ClientConfig & { definesTables?: boolean }

/** Triggers run statements on other tables, which is safe because these are on the same node. */
const DEFINING_SESSION = 'set citus.enable_unsafe_triggers = on'
/** Functions in statements run statements of their own, which is safe for the same reason. */
const LOCAL_SESSION = 'set citus.allow_nested_distributed_execution = on'

/** The hosts of distributed cells, by address and aim; `entry` if the cell is on the host that the address names. */
const knownPlaces = new Map<string, Host | 'entry'>()

/** Forgets where cells are, after this process has moved one. */
export const forgetPlaces = (): void => knownPlaces.clear()

/**
 * The driver's client, which also finds its host: of an address with several hosts, the one that accepts writes; for a cell
 * that is distributed with Citus, the node with its tables. It is a class because the driver's pool creates its clients itself.
 */
export class DatabaseClient extends pg.Client {
  /** Whether the cell is distributed with Citus. */
  isDistributed = false
  readonly #config: ClientConfig
  readonly #address: string
  readonly #hosts: Host[]
  readonly #cell: string

  // The pool's type calls it without arguments.
  constructor(config: ClientConfig = {}) {
    super(config)
    this.#config = config
    this.#address = config.connectionString ?? ''
    this.#hosts = hostsOf(this.#address)
    this.#cell = cellOf(this.#address)
    // A lost connection rejects its statements, and the next ones. Without a listener, it would also end the process.
    this.on('error', () => {})
  }

  override connect(): Promise<pg.Client>
  override connect(callback: Connected): void
  override connect(callback?: Connected): Promise<pg.Client> | undefined {
    if (this.#hosts.length === 0 && this.#cell === DEFAULT_CELL) {
      if (!callback) return super.connect()
      super.connect(callback)
      return undefined
    }
    const connecting = this.#cell === DEFAULT_CELL ? this.#connectToWritable() : this.#connectToCell()
    if (!callback) return connecting
    // Outside the promise, so that a fault of the callback is not a rejection.
    connecting.then(
      () => process.nextTick(callback as () => void),
      (error: Error) => process.nextTick(callback as (error: Error) => void, error),
    )
    return undefined
  }

  async #connectToWritable(): Promise<pg.Client> {
    if (this.#hosts.length === 0) return super.connect()
    const host = await findWritableHost(this.#address, this.#hosts)
    placeAt(this, host)
    await super.connect()
    if (!(await isReadOnly(this))) return this
    await this.end()
    throw refusedConnection(`The database host ${host.host}:${host.port} accepts no writes any more.`)
  }

  /** The cell may have moved since its place was found, so each connection checks its own. */
  async #connectToCell(): Promise<pg.Client> {
    const key = `${this.#config.definesTables ? 'coordinator' : 'node'} ${this.#address}`
    const known = knownPlaces.get(key) ?? (await this.#findPlace())
    try {
      if (known === 'entry') await this.#connectToWritable()
      else {
        placeAt(this, known)
        await super.connect()
      }
    } catch (error) {
      knownPlaces.delete(key)
      throw error
    }
    const place = await readCellPlace(this, this.#cell)
    const other = this.#otherHost(place)
    knownPlaces.set(key, other ?? known)
    // A move of the cell ends its connections, so the next one looks for the cell again.
    this.on('error', () => knownPlaces.delete(key))
    if (!other) return this.#startSession(place)
    await this.end()
    throw refusedConnection(`The cell ${this.#cell} has moved to ${other.host}:${other.port}.`)
  }

  /** Asks the host of the address with a connection of its own, because a client connects only once. */
  async #findPlace(): Promise<Host | 'entry'> {
    const scout = new pg.Client(this.#config)
    scout.on('error', () => {})
    if (this.#hosts.length > 0) placeAt(scout, await findWritableHost(this.#address, this.#hosts))
    try {
      await scout.connect()
      return this.#otherHost(await readCellPlace(scout, this.#cell)) ?? 'entry'
    } finally {
      await scout.end().catch(() => {})
    }
  }

  /** Returns the host to which this client belongs, unless that is the one that read `place`. */
  #otherHost(place: CellPlace | undefined): Host | undefined {
    if (!place) return undefined
    if (this.#config.definesTables) return place.isCoordinator ? undefined : place.coordinator
    return place.isNode ? undefined : place.node
  }

  async #startSession(place: CellPlace | undefined): Promise<pg.Client> {
    if (!place) return this
    this.isDistributed = true
    await this.query(this.#config.definesTables ? DEFINING_SESSION : LOCAL_SESSION)
    return this
  }
}
