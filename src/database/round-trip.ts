/**
 * Sends the statements of one event loop turn to the database as one message. The driver ends each statement
 * with a Sync, which makes PostgreSQL flush and wakes the waiting caller: for the eight or nine statements of
 * a request that was most of its cost (docs/speed.md).
 */
import pg from 'pg'
import { prepareValue } from 'pg/lib/utils.js'
import { rowMakerOf } from './rows.ts'

/** `command` is PostgreSQL's command tag: SELECT, INSERT, COMMIT. */
export type Outcome = { command: string; rows: unknown[]; count: number }
/** Returns the name under which a statement is prepared; undefined: it is not prepared. */
export type Naming = (text: string) => string | undefined
/** Runs a statement with `$1…` parameters, in the next message. */
export type SendStatement = (text: string, values?: readonly unknown[]) => Promise<Outcome>

type Field = { name: string; dataTypeID: number }
/** Converts a raw row to an object. */
type ReadRow = (raw: (string | null)[]) => unknown

type PendingStatement = {
  text: string
  name: string | undefined
  values: (string | Buffer | null)[]
  resolve(outcome: Outcome): void
  reject(error: unknown): void
}

/** The driver's protocol writer, which is missing from its types. */
type Wire = {
  stream: { cork(): void; uncork(): void }
  close(statement: { type: 'S'; name: string }): void
  parse(statement: { name: string | undefined; text: string }): void
  bind(statement: { statement: string | undefined; values: unknown[] }): void
  describe(portal: { type: 'P'; name: string }): void
  execute(): void
  sync(): void
}

/** The prepared statements of one connection, with the readers of their rows; null if they return none. */
type Prepared = Map<string, ReadRow | null>
const preparedOn = new WeakMap<pg.ClientBase, Prepared>()

function preparedStatements(client: pg.ClientBase): Prepared {
  const existing = preparedOn.get(client)
  if (existing) return existing
  const prepared: Prepared = new Map()
  preparedOn.set(client, prepared)
  return prepared
}

function rowReader(fields: readonly Field[]): ReadRow {
  const parsers = fields.map(
    ({ dataTypeID }) => pg.types.getTypeParser(dataTypeID, 'text') as (value: string) => unknown,
  )
  const makeRow = rowMakerOf(fields)
  return (raw) => {
    const values: unknown[] = raw
    for (const [i, value] of raw.entries()) if (value !== null) values[i] = parsers[i]!(value)
    return makeRow(values)
  }
}

/** The driver calls a query's methods as the parts of the answer arrive, in the order of the statements. */
class RoundTrip extends pg.Query {
  readonly #statements: PendingStatement[]
  readonly #prepared: Prepared
  #index = 0
  #read: ReadRow | null = null
  #rows: unknown[] = []
  /** The error of reading the current statement's rows. */
  #unreadable: unknown

  constructor(statements: PendingStatement[], prepared: Prepared) {
    super('')
    this.#statements = statements
    this.#prepared = prepared
  }

  override submit = (connection: unknown): void => {
    const wire = connection as Wire
    wire.stream.cork()
    const parsedNames = new Set<string>()
    for (const { name, text, values } of this.#statements) {
      const isPrepared = name !== undefined && (this.#prepared.has(name) || parsedNames.has(name))
      if (!isPrepared) {
        // An earlier attempt may have prepared this name already; closing an unknown name is no error.
        if (name !== undefined) {
          wire.close({ type: 'S', name })
          parsedNames.add(name)
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
    const name = this.#statements[this.#index]?.name
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
    const { name, resolve, reject } = this.#statements[this.#index]!
    if (name !== undefined && !this.#prepared.has(name)) this.#prepared.set(name, this.#read)
    if (this.#unreadable === undefined) resolve({ ...readTag(text), rows: this.#rows })
    else reject(this.#unreadable)
    this.#index++
    this.#begin()
  }

  handleReadyForQuery(): void {
    if (this.#index < this.#statements.length)
      this.handleError(new Error('the database ended its answer early'))
  }

  /** PostgreSQL skips the statements after a failed one in the same message. */
  handleError(error: unknown): void {
    for (const { name, reject } of this.#statements.slice(this.#index)) {
      if (name !== undefined) this.#prepared.delete(name)
      reject(error)
    }
    this.#index = this.#statements.length
  }
}

/** Parses `INSERT 0 5`, `SELECT 3`, `COMMIT`: the command, and the number of rows. */
function readTag(tag: string): { command: string; count: number } {
  const [command = '', ...numbers] = tag.split(' ')
  return { command, count: Number(numbers.at(-1) ?? 0) || 0 }
}

/** Returns a function that sends statements to `client`, all those of one event loop turn together. */
export function roundTripsOf(client: pg.ClientBase, nameOf: Naming): SendStatement {
  const prepared = preparedStatements(client)
  let statements: PendingStatement[] = []
  const send = (): void => {
    client.query(new RoundTrip(statements, prepared))
    statements = []
  }
  return (text, values = []) =>
    new Promise((resolve, reject) => {
      const statement = { text, name: nameOf(text), values: values.map(prepareValue), resolve, reject }
      if (statements.push(statement) === 1) process.nextTick(send)
    })
}
