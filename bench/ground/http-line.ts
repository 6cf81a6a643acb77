/** Answers of HTTP/1.1 as they come off a socket, and one kept-alive connection that is asked one thing at a time. */
import { connect } from 'node:net'

const HEAD_END = Buffer.from('\r\n\r\n')
const LENGTH = 'content-length: '

/** Where the parts of the answer lie that begins some bytes; `size` is that of the whole. */
export type AnswerHead = { status: number; bodyAt: number; size: number }

/** The head of the answer that begins `data`; undefined while it is incomplete. */
export function headOf(data: Buffer): AnswerHead | undefined {
  const end = data.indexOf(HEAD_END)
  if (end < 0) return undefined
  const head = data.toString('latin1', 0, end)
  const at = head.indexOf(LENGTH)
  const length = at < 0 ? 0 : Number.parseInt(head.slice(at + LENGTH.length, at + LENGTH.length + 10), 10)
  return { status: Number(head.slice(9, 12)), bodyAt: end + 4, size: end + 4 + length }
}

/** Names of header fields are in small letters, as Node sends them. */
export type HttpAnswer = { status: number; head: string; body: string }

export type HttpLine = {
  /** Sends a whole request; rejects when the line breaks, or nothing comes for `silentMs`, before its answer is there. */
  ask(request: string): Promise<HttpAnswer>
  broken(): boolean
  close(): void
}

/** A line that broke, or that never came about, stays broken. */
export function openLine(port: number, silentMs: number): HttpLine {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  let asked: { resolve(answer: HttpAnswer): void; reject(error: Error): void } | undefined
  let partial: Buffer | undefined
  let broken = false
  socket.setTimeout(silentMs, () => socket.destroy())
  socket.on('error', () => {})
  socket.on('close', () => {
    broken = true
    asked?.reject(new Error('the line broke'))
    asked = undefined
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
    asked?.resolve(answer)
    asked = undefined
  })
  return {
    ask: (request) =>
      new Promise((resolve, reject) => {
        if (broken) return reject(new Error('the line broke'))
        asked = { resolve, reject }
        socket.write(request, 'latin1')
      }),
    broken: () => broken,
    close: () => socket.destroy(),
  }
}
