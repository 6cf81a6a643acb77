/**
 * A very cheap receiver: it finds the end of each request, counts it, and answers 200; as an operator it
 * answers that it accepted the message.
 */
import { once } from 'node:events'
import { type AddressInfo, createServer as createPlainServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { answerParent } from '../ground/answers.ts'

/**
 * It listens on `ports` ports, so that one receiver can be many origins; the last `hanging` ports accept
 * everything and never answer.
 */
export type SinkOpening = {
  tls?: { key: string; cert: string }
  ports?: number
  hanging?: number
  operator?: boolean
}

/** A received delivery: milliseconds since 1970 at its first byte, and the body. */
export type Arrival = { at: number; body: string }

const ANSWER = 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'
const TAKEN = ['{"messaging_product":"whatsapp","contacts":[],"messages":[{"id":"wamid.', '"}]}']
const SERIAL_DIGITS = 24
const TAKEN_HEAD = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${TAKEN.join('').length + SERIAL_DIGITS}\r\n\r\n`
const HEAD_END = Buffer.from('\r\n\r\n')
const LENGTH = /content-length: (\d+)/i

const servers: Server[] = []
const sockets = new Set<Socket>()
let requests = 0
let operator = false
let recording = false
let arrivals: Arrival[] = []

const run = String(process.pid)
const nextSerial = (): string => run + String(requests).padStart(SERIAL_DIGITS - run.length, '0')

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
    socket.write(operator ? TAKEN_HEAD + TAKEN.join(nextSerial()) : ANSWER)
  })
}

function hang(socket: Socket): void {
  sockets.add(socket)
  socket.on('close', () => sockets.delete(socket))
  socket.on('error', () => {})
  socket.resume()
}

answerParent({
  open: async ({ tls, ports = 1, hanging = 0, operator: plays = false }: SinkOpening): Promise<number[]> => {
    operator = plays
    for (let i = 0; i < ports; i++) {
      const take = i < ports - hanging ? serve : hang
      servers.push(tls ? createTlsServer(tls, take) : createPlainServer(take))
    }
    for (const server of servers) {
      server.listen(0, '127.0.0.1')
      await once(server, 'listening')
    }
    return servers.map((server) => (server.address() as AddressInfo).port)
  },
  requests: () => requests,
  record: () => {
    recording = true
    arrivals = []
  },
  arrivals: () => arrivals,
  stop: () => {
    for (const server of servers) server.close()
    for (const socket of sockets) socket.destroy()
  },
})
