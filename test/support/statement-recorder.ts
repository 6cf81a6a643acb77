/** Records the statements that programs send to PostgreSQL, as they are on the connection. */
import { watchDatabase } from './database-proxy.ts'

/** Types of messages with the text of a statement: Parse, with the name of the statement first, and Query. */
const PARSE = 'P'.charCodeAt(0)
const QUERY = 'Q'.charCodeAt(0)
const HEAD_BYTES = 5

/** Returns a function that reads the messages of one connection and calls `record` with each statement. */
function statementReader(record: (text: string) => void): (bytes: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0)
  let hasStarted = false
  return (bytes) => {
    rest = Buffer.concat([rest, bytes])
    // The first message has no type.
    if (!hasStarted && rest.length >= 4) {
      const length = rest.readInt32BE(0)
      if (rest.length < length) return
      rest = rest.subarray(length)
      hasStarted = true
    }
    while (hasStarted && rest.length >= HEAD_BYTES) {
      const end = 1 + rest.readInt32BE(1)
      if (rest.length < end) return
      const strings = rest.toString('utf8', HEAD_BYTES, end).split('\0')
      if (rest[0] === PARSE) record(strings[1]!)
      if (rest[0] === QUERY) record(strings[0]!)
      rest = rest.subarray(end)
    }
  }
}

/** Starts a proxy to the database at `url` that collects the different statements of all connections. */
export async function recordStatements(url: string) {
  const statements = new Set<string>()
  const proxy = await watchDatabase(url, () => {
    const read = statementReader((text) => statements.add(text.trim()))
    return {
      client: (bytes) => {
        read(bytes)
        return true
      },
      server: () => true,
    }
  })
  return { url: proxy.url, statements, close: proxy.close }
}
