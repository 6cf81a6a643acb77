import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import type { Host } from '../core/values/database-hosts.ts'

/** The maximum time in which a host must answer. It is below the time that a pool waits for a connection. */
const ANSWER_MS = 1_000
/** After a failed search, processes wait a random time up to this, so that they do not all ask at the same time. */
const MAX_PAUSE_MS = 200

/** The connection's place, which the driver reads when it connects; its types do not allow to set it. */
type Placed = { host: string; port: number }

/** Points a new, unconnected client to a host. */
export const placeAt = (client: pg.Client, { host, port }: Host): void => {
  Object.assign(client satisfies Placed, { host, port })
}

/** Returns why the host accepts no writes; undefined if it does. */
async function refusalOf(address: string, host: Host): Promise<string | undefined> {
  const client = new pg.Client({ connectionString: address, connectionTimeoutMillis: ANSWER_MS })
  placeAt(client, host)
  // A connection lost during the check rejects its query, which reports the fault.
  client.on('error', () => {})
  try {
    await client.connect()
    return (await isReadOnly(client)) ? 'read-only' : undefined
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? (error as Error).message
  } finally {
    await client.end().catch(() => {})
  }
}

/** Returns whether the server of an open connection accepts no writes: a standby, or a primary that is read-only. */
export async function isReadOnly(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ isReadOnly: boolean }>(
    `select current_setting('transaction_read_only')::bool as "isReadOnly"`,
  )
  return rows[0]?.isReadOnly ?? false
}

/** An error like that of a server that is starting or stopping: the caller may try again. */
export const refusedConnection = (message: string): Error =>
  Object.assign(new Error(message), { code: '57P03' })

type Search = { running?: Promise<Host> | undefined; hasFailed: boolean }

/** The searches by address. Connections that open at the same time share one search. */
const searches = new Map<string, Search>()

/**
 * Asks all hosts of an address at the same time, and returns the first that accepts writes. Throws if none does. It asks again
 * for each connection, because the roles of the hosts may have changed since.
 */
export function findWritableHost(address: string, hosts: Host[]): Promise<Host> {
  const search = searches.get(address) ?? { hasFailed: false }
  searches.set(address, search)
  search.running ??= askHosts(address, hosts, search).finally(() => {
    search.running = undefined
  })
  return search.running
}

async function askHosts(address: string, hosts: Host[], search: Search): Promise<Host> {
  if (search.hasFailed) await wait(Math.random() * MAX_PAUSE_MS)
  const refusals = new Map<Host, string>()
  const answers = hosts.map(async (host) => {
    const refusal = await refusalOf(address, host)
    if (refusal === undefined) return host
    refusals.set(host, refusal)
    throw new Error(refusal)
  })
  try {
    const host = await Promise.any(answers)
    search.hasFailed = false
    return host
  } catch {
    search.hasFailed = true
    const list = hosts.map((host) => `${host.host}:${host.port} (${refusals.get(host)})`)
    throw refusedConnection(`None of the database's hosts accepts writes: ${list.join(', ')}.`)
  }
}
