// COPY over the driver: streams rows in PostgreSQL's format out of and into the database, with limited
// memory.
import { once } from 'node:events'
import type { Duplex } from 'node:stream'
import { Readable } from 'node:stream'
import type pg from 'pg'

/** The driver's connection, as passed to a submitted query. */
type CopyConnection = {
  stream: Duplex
  query(text: string): void
  sendCopyFromChunk(chunk: Buffer): void
  endCopyFrom(): void
  sendCopyFail(reason: string): void
}
type Submitted = { submit(line: CopyConnection): void } & Record<string, unknown>

const PIECE_BYTES = 64 * 1024
const ignore = (): void => {}

const rowsOf = (tag: string): number => Number(/\d+$/.exec(tag)?.[0] ?? 0)

const submit = (client: pg.ClientBase, submitted: Submitted): void => {
  client.query(submitted as unknown as pg.Submittable)
}

/**
 * Streams the bytes of `COPY … TO STDOUT`, whole rows in each chunk; `rows` is final after the stream ends. The client cannot be used
 * again after an early `destroy`.
 */
export function copyOut(client: pg.ClientBase, text: string): { bytes: Readable; rows(): number } {
  let connection: CopyConnection | undefined
  let rows = 0
  let buffer = Buffer.allocUnsafe(PIECE_BYTES)
  let filled = 0
  const bytes = new Readable({
    highWaterMark: 4 * PIECE_BYTES,
    read: () => connection?.stream.resume(),
    destroy: (error, done) => {
      // Otherwise the running COPY would continue to its end.
      if (connection && !finished) connection.stream.destroy()
      done(error)
    },
  })
  let finished = false
  const push = (chunk: Buffer): void => {
    if (chunk.length > 0 && !bytes.push(chunk)) connection?.stream.pause()
  }
  const flush = (): void => {
    push(buffer.subarray(0, filled))
    buffer = Buffer.allocUnsafe(PIECE_BYTES)
    filled = 0
  }
  submit(client, {
    submit: (openConnection) => {
      connection = openConnection
      openConnection.query(text)
    },
    // Each chunk is a row in the driver's own memory, which the driver reuses.
    handleCopyData: ({ chunk }: { chunk: Buffer }) => {
      if (filled + chunk.length > PIECE_BYTES) flush()
      if (chunk.length > PIECE_BYTES) push(Buffer.from(chunk))
      else filled += chunk.copy(buffer, filled)
    },
    handleCommandComplete: ({ text: tag }: { text: string }) => {
      rows = rowsOf(tag)
    },
    handleReadyForQuery: () => {
      finished = true
      flush()
      bytes.push(null)
      // The last piece may have paused the connection, and a stream that has ended asks for nothing more.
      connection?.stream.resume()
    },
    handleError: (error: Error) => {
      finished = true
      connection?.stream.resume()
      bytes.destroy(error)
    },
    handleRowDescription: ignore,
    handleDataRow: ignore,
  })
  return { bytes, rows: () => rows }
}

/** Runs `COPY … FROM STDIN` with the chunks of `source` and returns the number of rows. */
export function copyIn(client: pg.ClientBase, text: string, source: AsyncIterable<Buffer>): Promise<number> {
  return new Promise((resolve, reject) => {
    let isOver = false
    let fault: unknown
    let rows = 0
    const send = async (connection: CopyConnection): Promise<void> => {
      try {
        for await (const chunk of source) {
          if (isOver) return
          connection.sendCopyFromChunk(chunk)
          if (connection.stream.writableNeedDrain) await once(connection.stream, 'drain')
        }
        if (!isOver) connection.endCopyFrom()
      } catch (error) {
        fault = error
        if (isOver) return
        if (connection.stream.writable) connection.sendCopyFail("the source of the copy can't be read")
      }
    }
    submit(client, {
      submit: (connection) => connection.query(text),
      handleCopyInResponse: (connection: CopyConnection) => void send(connection),
      handleCommandComplete: ({ text: tag }: { text: string }) => {
        rows = rowsOf(tag)
      },
      handleReadyForQuery: () => {
        isOver = true
        resolve(rows)
      },
      handleError: (error: Error) => {
        isOver = true
        reject(fault ?? error)
      },
      handleRowDescription: ignore,
      handleDataRow: ignore,
    })
  })
}
