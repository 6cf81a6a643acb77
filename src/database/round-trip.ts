/**
 * Statements that are asked in one turn of the event loop, and go to the database as one message with one answer. The driver
 * by itself ends each statement with a Sync, at which PostgreSQL writes what it has and whoever waits is woken up: for the
 * eight or nine statements of a request that was most of what the request cost (docs/speed.md).
 */
import { createRequire } from 'node:module'
import pg from 'pg'
import { rowMakerOf } from './rows.ts'

/** The driver's own way from a value to what goes over the wire, which its types leave out. */
const { prepareValue } = createRequire(import.meta.url)('pg/lib/utils.js') as {
  prepareValue(value: unknown): string | Buffer | null
}

/** `command` is PostgreSQL's word for what was done: SELECT, INSERT, COMMIT. */
export type Outcome = { command: string; rows: unknown[]; count: number }
/** The name that a statement is prepared under; undefined: it is not kept. */
export type Naming = (text: string) => string | undefined
/** Asks a statement with `$1…` parameters, in the next message. */
export type Ask = (text: string, values?: readonly unknown[]) => Promise<Outcome>

type Field = { name: string; dataTypeID: number }
/** Makes an object of a row as it came over the wire. */
type ReadRow = (raw: (string | null)[]) => unknown

type Asked = {
  text: string
  name: string | undefined
  values: (string | Buffer | null)[]
  resolve(outcome: Outcome): void
  reject(error: unknown): void
}

/** What the driver's connection can write; its types know nothing of it. */
type Wire = {
  stream: { cork(): void; uncork(): void }
  close(statement: { type: 'S'; name: string }): void
  parse(statement: { name: string | undefined; text: string }): void
  bind(statement: { statement: string | undefined; values: unknown[] }): void
  describe(portal: { type: 'P'; name: string }): void
  execute(): void
  sync(): void
}

/** Of one connection: the statements that are prepared there, with how their rows are read; null where they return none. */
type Prepared = Map<string, ReadRow | null>
const preparedOn = new WeakMap<pg.ClientBase, Prepared>()

function preparedStatements(client: pg.ClientBase): Prepared {
  const known = preparedOn.get(client)
  if (known) return known
  const made: Prepared = new Map()
  preparedOn.set(client, made)
  return made
}

function rowReader(fields: readonly Field[]): ReadRow {
  const parsers = fields.map(
    ({ dataTypeID }) => pg.types.getTypeParser(dataTypeID, 'text') as (value: string) => unknown,
  )
  const make = rowMakerOf(fields)
  return (raw) => {
    const values: unknown[] = raw
    for (const [i, value] of raw.entries()) if (value !== null) values[i] = parsers[i]!(value)
    return make(values)
  }
}

/** The driver calls a query's methods as the parts of the answer come in, in the order of the statements. */
class RoundTrip extends pg.Query {
  readonly #asked: Asked[]
  readonly #prepared: Prepared
  #at = 0
  #read: ReadRow | null = null
  #rows: unknown[] = []
  /** What could not be read of the rows of the statement that is being answered. */
  #unreadable: unknown

  constructor(asked: Asked[], prepared: Prepared) {
    super('')
    this.#asked = asked
    this.#prepared = prepared
  }

  override submit = (connection: unknown): void => {
    const wire = connection as Wire
    wire.stream.cork()
    const parsed = new Set<string>()
    for (const { name, text, values } of this.#asked) {
      const isPrepared = name !== undefined && (this.#prepared.has(name) || parsed.has(name))
      if (!isPrepared) {
        // An earlier try may have come as far as its name; to close what is not there is no fault.
        if (name !== undefined) {
          wire.close({ type: 'S', name })
          parsed.add(name)
        }
        wire.parse({ name, text })
      }
      wire.bind({ statement: name, values })
      if (name === undefined || !this.#prepared.has(name)) wire.describe({ type: 'P', name: '' })
      wire.execute()
    }
    wire.sync()
    wire.stream.uncork()
    this.#begin()
  }

  #begin(): void {
    const name = this.#asked[this.#at]?.name
    this.#read = (name !== undefined && this.#prepared.get(name)) || null
    this.#rows = []
    this.#unreadable = undefined
  }

  handleRowDescription({ fields }: { fields: Field[] }): void {
    this.#read = rowReader(fields)
  }

  handleDataRow({ fields: raw }: { fields: (string | null)[] }): void {
    try {
      this.#rows.push(this.#read!(raw))
    } catch (error) {
      this.#unreadable ??= error
    }
  }

  handleCommandComplete({ text }: { text: string }): void {
    const { name, resolve, reject } = this.#asked[this.#at]!
    if (name !== undefined && !this.#prepared.has(name)) this.#prepared.set(name, this.#read)
    if (this.#unreadable === undefined) resolve({ ...readTag(text), rows: this.#rows })
    else reject(this.#unreadable)
    this.#at++
    this.#begin()
  }

  handleReadyForQuery(): void {
    if (this.#at < this.#asked.length) this.handleError(new Error('the database ended its answer early'))
  }

  /** PostgreSQL passes over what follows a failed statement in the same message. */
  handleError(error: unknown): void {
    for (const { name, reject } of this.#asked.slice(this.#at)) {
      if (name !== undefined) this.#prepared.delete(name)
      reject(error)
    }
    this.#at = this.#asked.length
  }
}

/** `INSERT 0 5`, `SELECT 3`, `COMMIT`: what was done, and to how many rows. */
function readTag(tag: string): { command: string; count: number } {
  const [command = '', ...numbers] = tag.split(' ')
  return { command, count: Number(numbers.at(-1) ?? 0) || 0 }
}

/** The statements that are asked of `client` until the turn of the event loop ends go out together. */
export function roundTripsOf(client: pg.ClientBase, nameOf: Naming): Ask {
  const prepared = preparedStatements(client)
  let gathered: Asked[] = []
  const send = (): void => {
    client.query(new RoundTrip(gathered, prepared))
    gathered = []
  }
  return (text, values = []) =>
    new Promise((resolve, reject) => {
      const asked = { text, name: nameOf(text), values: values.map(prepareValue), resolve, reject }
      if (gathered.push(asked) === 1) process.nextTick(send)
    })
}
