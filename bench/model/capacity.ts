/** The rates at which a cell is full: its processors, its connections, one workspace, and one number. */
import {
  AFTER_SEND,
  AGENT,
  BATCH,
  BATCHES_UNDER_WAY,
  type BatchCost,
  BYTES,
  CONNECTIONS,
  DELIVERY,
  EVENTS_OF_A_MESSAGE,
  FILL,
  LOG_DAYS,
  MAX_BATCH,
  PAGE,
  PEAK_HOUR,
  SEND,
} from './costs.ts'
import { analyze } from './queueing.ts'

const US = 1_000_000
const HOUR_SECONDS = 3_600

/** Predicts sends a second from `connections` parallel requests to one process, beside the database on a core of its own. */
export function predictSends(connections: number, { databaseCores = 1, diskUs = 0 } = {}): number {
  const batches = Math.min(BATCHES_UNDER_WAY, connections)
  const size = Math.min(MAX_BATCH, connections / batches)
  const stations = [
    { busyUs: BATCH.parley + size * SEND.parley, servers: 1 },
    { busyUs: BATCH.database + size * SEND.database, servers: databaseCores },
  ]
  return analyze(stations, diskUs, batches).perSecond * size
}

/**
 * Predicts the most sends a second in one workspace: its usage is one row, which each batch locks until it is on the disk. So one
 * batch follows the other.
 */
export const predictOneWorkspace = ({ diskUs }: { diskUs: number }): number =>
  (MAX_BATCH * US) / (BATCH.database + MAX_BATCH * SEND.database + diskUs)

/** The processor time of a message: its acceptance in batches of 32, its submission, its receipts, and its webhooks. */
export function costOfMessage(endpoints: number): BatchCost {
  const cost = (part: keyof BatchCost): number =>
    BATCH[part] / 32 + SEND[part] + AFTER_SEND[part] + EVENTS_OF_A_MESSAGE * endpoints * DELIVERY[part]
  return { parley: cost('parley'), database: cost('database') }
}

export type Cell = { databaseCores: number; endpoints: number }
export type Capacity = {
  messagesPerDay: number
  messagesPerSecond: number
  /** Processes that the peak fills to the fill level. */
  processes: number
  connections: number
  /** Agents at work at the same time, if nothing else happens. */
  agents: number
  /** Gigabytes a day that stay, and gigabytes of the last week's events and deliveries. */
  gigabytesPerDay: number
  gigabytesOfLog: number
}

/** Returns how much a cell carries whose PostgreSQL has so many cores. The database is the limit: processes can be added. */
export function capacityOf({ databaseCores, endpoints }: Cell): Capacity {
  const cost = costOfMessage(endpoints)
  const messagesPerSecond = (databaseCores * FILL * US) / cost.database
  const messagesPerDay = (messagesPerSecond * HOUR_SECONDS) / PEAK_HOUR
  const processes = Math.max(1, Math.ceil((messagesPerSecond * cost.parley) / (FILL * US)))
  const agentCost = AGENT.pages * PAGE.database + AGENT.messages * cost.database
  const events = messagesPerDay * EVENTS_OF_A_MESSAGE
  return {
    messagesPerDay,
    messagesPerSecond,
    processes,
    connections: processes * CONNECTIONS,
    agents: (databaseCores * FILL * US) / agentCost,
    gigabytesPerDay: (messagesPerDay * BYTES.message) / 1e9,
    gigabytesOfLog: (events * LOG_DAYS * (BYTES.event + endpoints * BYTES.delivery)) / 1e9,
  }
}

/** Measured points of docs/speed.md, beside what the model says of them. */
export const POINTS = [
  { label: 'sends a second, 64 in parallel', measured: 8_644, predicted: predictSends(64) },
  { label: 'sends a second, 20 in parallel', measured: 5_957, predicted: predictSends(20) },
  { label: 'sends a second, 8 in parallel', measured: 3_943, predicted: predictSends(8) },
  { label: 'milliseconds of a send alone', measured: 0.96, predicted: 1_000 / predictSends(1) },
]
