/** A receiver of webhooks that costs next to nothing: it finds where each request ends, counts it, and answers 200. */
import { type AddressInfo, createServer as createPlainServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { answerParent } from '../ground/answers.ts'

export type SinkOpening = { tls?: { key: string; cert: string } }

/** A delivery as it came: milliseconds since 1970 at its first byte, and the body. */
export type Arrival = { at: number; body: string }

const ANSWER = 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'
const HEAD_END = Buffer.from('\r\n\r\n')
const LENGTH = /content-length: (\d+)/i

let server: Server | undefined
const sockets = new Set<Socket>()
let requests = 0
let recording = false
let arrivals: Arrival[] = []

function serve(socket: Socket): void {
  let partial: Buffer | undefined
  let begunAt = 0
  sockets.add(socket)
  socket.setNoDelay(true)
  socket.on('close', () => sockets.delete(socket))
  socket.on('error', () => {})
  socket.on('data', (chunk: Buffer) => {
    if (recording && partial === undefined) begunAt = performance.timeOrigin + performance.now()
    const data = partial ? Buffer.concat([partial, chunk]) : chunk
    const headEnd = data.indexOf(HEAD_END)
    const length = headEnd < 0 ? 0 : Number(LENGTH.exec(data.toString('latin1', 0, headEnd))?.[1] ?? 0)
    if (headEnd < 0 || data.length < headEnd + 4 + length) {
      partial = data
      return
    }
    partial = undefined
    requests++
    if (recording) arrivals.push({ at: begunAt, body: data.toString('utf8', headEnd + 4) })
    socket.write(ANSWER)
  })
}

answerParent({
  open: ({ tls }: SinkOpening) =>
    new Promise((resolve) => {
      const opened = tls ? createTlsServer(tls, serve) : createPlainServer(serve)
      server = opened
      opened.listen(0, '127.0.0.1', () => resolve((opened.address() as AddressInfo).port))
    }),
  requests: () => requests,
  record: () => {
    recording = true
    arrivals = []
  },
  arrivals: () => arrivals,
  stop: () => {
    server?.close()
    for (const socket of sockets) socket.destroy()
  },
})
