/**
 * A connection between two programs that can be disturbed: slow, broken after some bytes, or silent. It only
 * knows which side sends: an exchange begins when the client sends first, or sends again after the server has
 * sent.
 */
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'

/**
 * The end of an exchange. `close` and `reset` break the connection at both ends. `silence` stops all data and
 * breaks nothing. With `half-open` the server's end is closed and the client is not notified.
 */
export const ENDINGS = ['close', 'reset', 'silence', 'half-open'] as const
/** Where an exchange is cut: after that many bytes of its request or of its answer. */
export type Cut = { part: 'request' | 'answer'; after: number; ending: (typeof ENDINGS)[number] }
/** Gets the first bytes of each exchange and returns where to cut it. */
export type Corruption = (request: Buffer) => Cut | undefined
/** Cuts an exchange with this probability, after fewer than `within` bytes of either side. */
export const randomCuts =
  (random: () => number, chance: number, within: number, endings: readonly Cut['ending'][]): Corruption =>
  () =>
    random() < chance
      ? {
          part: random() < 0.5 ? 'request' : 'answer',
          after: Math.floor(random() * within),
          ending: endings[Math.floor(random() * endings.length)]!,
        }
      : undefined

/** Examines the data on one connection. Data for which it returns `false` is not forwarded. */
export type Watch = (hangUp: () => void) => {
  client(bytes: Buffer): boolean
  server(bytes: Buffer): boolean
}

/** Starts a proxy to the target of `reach`, listening at `path` or else at its own port. */
export async function tcpProxy(options: { reach(): Socket; path?: string; watch?: Watch }) {
  const open = new Set<Socket>()
  let cuts = 0
  let delayMs = 0
  let swallows = false
  let bytesLeft = Number.POSITIVE_INFINITY
  let corrupt: Corruption = () => undefined

  const server = createServer((client) => {
    const upstream = options.reach()
    for (const socket of [client, upstream]) {
      open.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        open.delete(socket)
        if (ending === 'silence' || ending === 'half-open') return
        client.destroy()
        upstream.destroy()
      })
    }
    let ending: Cut['ending'] | undefined
    let cut: Cut | undefined
    let passed = 0
    let lastWas: 'client' | 'server' = 'server'
    const to = { client: lateWriter(client), server: lateWriter(upstream) }
    const watched = options.watch?.(() => {
      cuts++
      client.destroy()
    })

    const end = (cutKind: Cut['ending']): void => {
      ending = cutKind
      cuts++
      if (cutKind === 'close') for (const socket of [client, upstream]) socket.end()
      else if (cutKind === 'reset') for (const socket of [client, upstream]) socket.resetAndDestroy()
      else if (cutKind === 'half-open') upstream.resetAndDestroy()
    }
    const breakAll = (write: (bytes: Buffer) => void, bytes: Buffer): void => {
      bytesLeft = Number.POSITIVE_INFINITY
      cuts++
      write(bytes.subarray(0, Math.floor(bytes.length / 2)))
      for (const socket of open) socket.destroy()
    }
    const forward = (from: 'client' | 'server', bytes: Buffer): void => {
      const write = (chunk: Buffer) => to[from === 'client' ? 'server' : 'client'](chunk, delayMs)
      if (from === 'client' && lastWas === 'server') {
        cut = corrupt(bytes)
        passed = 0
      }
      lastWas = from
      const counts = cut?.part === (from === 'client' ? 'request' : 'answer')
      const room = cut && counts ? cut.after - passed : Number.POSITIVE_INFINITY
      if (counts) passed += bytes.length
      bytesLeft -= bytes.length
      if (ending !== undefined || swallows) return
      if (bytesLeft < 0) breakAll(write, bytes)
      else if (bytes.length < room) write(bytes)
      else {
        if (room > 0) write(bytes.subarray(0, room))
        end(cut!.ending)
      }
    }
    client.on('data', (bytes: Buffer) => {
      if (watched?.client(bytes) !== false) forward('client', bytes)
    })
    upstream.on('data', (bytes: Buffer) => {
      if (watched?.server(bytes) !== false) forward('server', bytes)
    })
  })
  server.listen(options.path ?? { port: 0, host: '127.0.0.1' })
  await once(server, 'listening')

  return {
    /** Set for a proxy without a path. */
    port: () => (server.address() as AddressInfo).port,
    /** Sets where each exchange is cut from now on. */
    corrupt: (next: Corruption) => {
      corrupt = next
    },
    /** Breaks every connection after that many more bytes, in the middle of the data. */
    cutAfter: (bytes: number) => {
      bytesLeft = bytes
    },
    /** Delays all data in both directions. */
    delay: (ms: number) => {
      delayMs = ms
    },
    /** Forwards nothing, and breaks no connection; `false` forwards the data sent from then on. */
    swallow: (isOn: boolean) => {
      swallows = isOn
    },
    cuts: () => cuts,
    close: async () => {
      server.close()
      for (const socket of open) socket.destroy()
    },
  }
}

/** Writes to `socket` in the given order, each piece after the configured delay. */
function lateWriter(socket: Socket): (bytes: Buffer, delayMs: number) => void {
  const line: { bytes: Buffer; dueMs: number }[] = []
  const writeDue = (): void => {
    while (line[0] && line[0].dueMs <= performance.now()) socket.write(line.shift()!.bytes)
    if (line[0]) setTimeout(writeDue, Math.ceil(line[0].dueMs - performance.now()))
  }
  return (bytes, delayMs) => {
    if (delayMs === 0 && line.length === 0) {
      socket.write(bytes)
      return
    }
    line.push({ bytes, dueMs: performance.now() + delayMs })
    if (line.length === 1) writeDue()
  }
}
