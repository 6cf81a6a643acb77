// COPY over the driver: streams rows in PostgreSQL's format out of and into the database, with limited
// memory.
import { once } from 'node:events'
import type { Duplex } from 'node:stream'
import { Readable } from 'node:stream'
import type pg from 'pg'

/** The driver's connection, as passed to a submitted query. */
type Line = {
  stream: Duplex
  query(text: string): void
  sendCopyFromChunk(chunk: Buffer): void
  endCopyFrom(): void
  sendCopyFail(reason: string): void
}
type Submitted = { submit(line: Line): void } & Record<string, unknown>

const PIECE_BYTES = 64 * 1024
const nothing = (): void => {}

const rowsOf = (tag: string): number => Number(/\d+$/.exec(tag)?.[0] ?? 0)

const submit = (client: pg.ClientBase, submitted: Submitted): void => {
  client.query(submitted as unknown as pg.Submittable)
}

/**
 * Streams the bytes of `COPY … TO STDOUT`; `rows` is final after the stream ends. The client cannot be used
 * again after an early `destroy`.
 */
export function copyOut(client: pg.ClientBase, text: string): { bytes: Readable; rows(): number } {
  let line: Line | undefined
  let rows = 0
  let piece = Buffer.allocUnsafe(PIECE_BYTES)
  let filled = 0
  const bytes = new Readable({
    highWaterMark: 4 * PIECE_BYTES,
    read: () => line?.stream.resume(),
    destroy: (error, done) => {
      // Otherwise the running COPY would continue to its end.
      if (line && !finished) line.stream.destroy()
      done(error)
    },
  })
  let finished = false
  const hand = (chunk: Buffer): void => {
    if (chunk.length > 0 && !bytes.push(chunk)) line?.stream.pause()
  }
  const flush = (): void => {
    hand(piece.subarray(0, filled))
    piece = Buffer.allocUnsafe(PIECE_BYTES)
    filled = 0
  }
  submit(client, {
    submit: (given) => {
      line = given
      given.query(text)
    },
    // Each chunk is a row in the driver's own memory, which the driver reuses.
    handleCopyData: ({ chunk }: { chunk: Buffer }) => {
      if (filled + chunk.length > PIECE_BYTES) flush()
      if (chunk.length > PIECE_BYTES) hand(Buffer.from(chunk))
      else filled += chunk.copy(piece, filled)
    },
    handleCommandComplete: ({ text: tag }: { text: string }) => {
      rows = rowsOf(tag)
    },
    handleReadyForQuery: () => {
      finished = true
      line?.stream.resume()
      flush()
      bytes.push(null)
    },
    handleError: (error: Error) => {
      finished = true
      line?.stream.resume()
      bytes.destroy(error)
    },
    handleRowDescription: nothing,
    handleDataRow: nothing,
  })
  return { bytes, rows: () => rows }
}

/** Runs `COPY … FROM STDIN` with the chunks of `source` and returns the number of rows. */
export function copyIn(client: pg.ClientBase, text: string, source: AsyncIterable<Buffer>): Promise<number> {
  return new Promise((resolve, reject) => {
    let over = false
    let fault: unknown
    let rows = 0
    const send = async (line: Line): Promise<void> => {
      try {
        for await (const chunk of source) {
          if (over) return
          line.sendCopyFromChunk(chunk)
          if (line.stream.writableNeedDrain) await once(line.stream, 'drain')
        }
        if (!over) line.endCopyFrom()
      } catch (error) {
        fault = error
        if (over) return
        if (line.stream.writable) line.sendCopyFail("the source of the copy can't be read")
      }
    }
    submit(client, {
      submit: (line) => line.query(text),
      handleCopyInResponse: (line: Line) => void send(line),
      handleCommandComplete: ({ text: tag }: { text: string }) => {
        rows = rowsOf(tag)
      },
      handleReadyForQuery: () => {
        over = true
        resolve(rows)
      },
      handleError: (error: Error) => {
        over = true
        reject(fault ?? error)
      },
      handleRowDescription: nothing,
      handleDataRow: nothing,
    })
  })
}
