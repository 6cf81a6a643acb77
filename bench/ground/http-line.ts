/** Reads HTTP/1.1 answers from a socket, over one kept-alive connection with one request at a time. */
import { connect } from 'node:net'

const HEAD_END = Buffer.from('\r\n\r\n')
const LENGTH = 'content-length: '

/** The parts of the answer at the start of the data; `size` is that of the whole answer. */
export type AnswerHead = { status: number; bodyAt: number; size: number }

/** Parses the head of the answer at the start of `data`; undefined while it is incomplete. */
export function headOf(data: Buffer): AnswerHead | undefined {
  const end = data.indexOf(HEAD_END)
  if (end < 0) return undefined
  const head = data.toString('latin1', 0, end)
  const position = head.indexOf(LENGTH)
  const length =
    position < 0
      ? 0
      : Number.parseInt(head.slice(position + LENGTH.length, position + LENGTH.length + 10), 10)
  return { status: Number(head.slice(9, 12)), bodyAt: end + 4, size: end + 4 + length }
}

/** Header names are in lower case, as Node sends them. */
export type HttpAnswer = { status: number; head: string; body: string }

export type HttpLine = {
  /**
   * Sends a whole request; rejects if the connection breaks, or is silent for `silentMs`, before the answer
   * is complete.
   */
  ask(request: string): Promise<HttpAnswer>
  broken(): boolean
  close(): void
}

/** A connection that broke, or was never established, stays broken. */
export function openLine(port: number, silentMs: number): HttpLine {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  let pending: { resolve(answer: HttpAnswer): void; reject(error: Error): void } | undefined
  let partial: Buffer | undefined
  let broken = false
  socket.setTimeout(silentMs, () => socket.destroy())
  socket.on('error', () => {})
  socket.on('close', () => {
    broken = true
    pending?.reject(new Error('the line broke'))
    pending = undefined
  })
  socket.on('data', (chunk: Buffer) => {
    const data = partial ? Buffer.concat([partial, chunk]) : chunk
    const found = headOf(data)
    if (!found || data.length < found.size) {
      partial = data
      return
    }
    partial = undefined
    const answer = {
      status: found.status,
      head: data.toString('latin1', 0, found.bodyAt),
      body: data.toString('utf8', found.bodyAt, found.size),
    }
    pending?.resolve(answer)
    pending = undefined
  })
  return {
    ask: (request) =>
      new Promise((resolve, reject) => {
        if (broken) return reject(new Error('the line broke'))
        pending = { resolve, reject }
        socket.write(request, 'latin1')
      }),
    broken: () => broken,
    close: () => socket.destroy(),
  }
}
