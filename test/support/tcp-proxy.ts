/**
 * A way between two programs that can be spoilt: it is slow, breaks after some bytes, or falls silent. Of what passes it
 * knows who speaks: an exchange begins when the client speaks first, or again after the server has.
 */
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'

/**
 * How an exchange ends: `close` and `reset` break the connection at both ends; `silence` lets nothing more through and
 * breaks nothing; with `half-open` the server's end is gone and the client's is not notified.
 */
export const ENDINGS = ['close', 'reset', 'silence', 'half-open'] as const
/** Where an exchange is cut: after so many bytes of its request or of its answer. */
export type Cut = { of: 'request' | 'answer'; after: number; how: (typeof ENDINGS)[number] }
/** Is given the first bytes of each exchange and says where to cut it. */
export type Corruption = (request: Buffer) => Cut | undefined
/** Cuts an exchange by this chance, after fewer than `within` bytes of either side. */
export const randomCuts =
  (random: () => number, chance: number, within: number, endings: readonly Cut['how'][]): Corruption =>
  () =>
    random() < chance
      ? {
          of: random() < 0.5 ? 'request' : 'answer',
          after: Math.floor(random() * within),
          how: endings[Math.floor(random() * endings.length)]!,
        }
      : undefined

/** Looks at what passes on one connection; what it answers `false` to is not handed on. */
export type Watch = (hangUp: () => void) => {
  client(bytes: Buffer): boolean
  server(bytes: Buffer): boolean
}

/** A way to what `reach` connects with, listening at `path`, else at a port of its own. */
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
    let ending: Cut['how'] | undefined
    let cut: Cut | undefined
    let passed = 0
    let lastWas: 'client' | 'server' = 'server'
    const to = { client: lateWriter(client), server: lateWriter(upstream) }
    const watched = options.watch?.(() => {
      cuts++
      client.destroy()
    })

    const end = (how: Cut['how']): void => {
      ending = how
      cuts++
      if (how === 'close') for (const socket of [client, upstream]) socket.end()
      else if (how === 'reset') for (const socket of [client, upstream]) socket.resetAndDestroy()
      else if (how === 'half-open') upstream.resetAndDestroy()
    }
    const breakAll = (write: (bytes: Buffer) => void, bytes: Buffer): void => {
      bytesLeft = Number.POSITIVE_INFINITY
      cuts++
      write(bytes.subarray(0, Math.floor(bytes.length / 2)))
      for (const socket of open) socket.destroy()
    }
    const handOn = (from: 'client' | 'server', bytes: Buffer): void => {
      const write = (some: Buffer) => to[from === 'client' ? 'server' : 'client'](some, delayMs)
      if (from === 'client' && lastWas === 'server') {
        cut = corrupt(bytes)
        passed = 0
      }
      lastWas = from
      const counts = cut?.of === (from === 'client' ? 'request' : 'answer')
      const room = cut && counts ? cut.after - passed : Number.POSITIVE_INFINITY
      if (counts) passed += bytes.length
      bytesLeft -= bytes.length
      if (ending !== undefined || swallows) return
      if (bytesLeft < 0) breakAll(write, bytes)
      else if (bytes.length < room) write(bytes)
      else {
        if (room > 0) write(bytes.subarray(0, room))
        end(cut!.how)
      }
    }
    client.on('data', (bytes: Buffer) => {
      if (watched?.client(bytes) !== false) handOn('client', bytes)
    })
    upstream.on('data', (bytes: Buffer) => {
      if (watched?.server(bytes) !== false) handOn('server', bytes)
    })
  })
  server.listen(options.path ?? { port: 0, host: '127.0.0.1' })
  await once(server, 'listening')

  return {
    /** Of a way without a path. */
    port: () => (server.address() as AddressInfo).port,
    /** Says of each exchange from now on where it is cut. */
    corrupt: (next: Corruption) => {
      corrupt = next
    },
    /** Breaks every connection once so many more bytes have passed, in the middle of what passes then. */
    cutAfter: (bytes: number) => {
      bytesLeft = bytes
    },
    /** Everything comes so much later, each way. */
    delay: (ms: number) => {
      delayMs = ms
    },
    /** Nothing comes through, and no connection breaks; `false` repairs it for what is said from then on. */
    swallow: (on: boolean) => {
      swallows = on
    },
    cuts: () => cuts,
    close: async () => {
      server.close()
      for (const socket of open) socket.destroy()
    },
  }
}

/** Writes to `socket` in the order given, each piece so much later as it is set. */
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
