/**
 * The baseline of the write goals: the driver in a bare loop, with one named prepared statement on each
 * connection.
 */
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { newId } from '../../src/core/ids.ts'
import { answerParent } from '../ground/answers.ts'
import { BARE_SHAPES, type BareShape } from '../ground/bare-shapes.ts'
import { durations, type Latency } from '../ground/statistics.ts'

export type BareResult = { count: number; perSecond: number; latency: Latency }

let clients: pg.Client[] = []
let shape: BareShape
let serial = 0
const workspaces = Array.from({ length: 400 }, newId)
const fingerprint = randomBytes(32)

async function loop(client: pg.Client, untilMs: number, record: (ms: number) => void): Promise<void> {
  const { text, values } = BARE_SHAPES[shape]
  while (performance.now() < untilMs) {
    const startedMs = performance.now()
    serial++
    const workspaceId = workspaces[serial % workspaces.length]!
    await client.query({ name: shape, text, values: values({ workspaceId, serial, fingerprint }) })
    record(performance.now() - startedMs)
  }
}

answerParent({
  open: async (options: { url: string; connections: number; shape: BareShape }) => {
    shape = options.shape
    clients = Array.from({ length: options.connections }, () => new pg.Client(options.url))
    await Promise.all(clients.map((client) => client.connect()))
    await clients[0]!.query(BARE_SHAPES[shape].tables)
  },
  run: async ({
    seconds,
    connections = clients.length,
  }: {
    seconds: number
    connections?: number
  }): Promise<BareResult> => {
    const latency = durations()
    const startedMs = performance.now()
    const used = clients.slice(0, connections)
    await Promise.all(used.map((client) => loop(client, startedMs + seconds * 1000, latency.add)))
    const { count } = latency.read()
    return { count, perSecond: count / ((performance.now() - startedMs) / 1000), latency: latency.read() }
  },
  stop: () => Promise.all(clients.map((client) => client.end())),
})
