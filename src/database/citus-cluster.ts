/** A connection to the coordinator of Citus, and the checks of a cluster before it takes a cell (docs/cells.md). */
import pg from 'pg'
import { withCell } from '../core/values/cell.ts'
import type { Host } from '../core/values/database-hosts.ts'
import { DatabaseClient, forgetPlaces } from './client.ts'
import { placeAt } from './writable-host.ts'

/** Earlier versions do not distribute schemas with triggers and row-level security as Parley needs it. */
const OLDEST_CITUS = 13

/**
 * Runs `work` with a connection to the coordinator, which keeps the search path of the database user. Throws if the server has no
 * Citus, or if it is not the coordinator.
 */
export async function onCoordinator<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new DatabaseClient({
    connectionString: withCell(url, 'public'),
    application_name: 'parley cell',
    keepAlive: true,
  })
  await client.connect()
  try {
    await requireCoordinator(client)
    // Moving a large cell takes hours.
    await client.query('set statement_timeout = 0')
    await client.query('set idle_in_transaction_session_timeout = 0')
    return await work(client)
  } finally {
    await client.end()
    forgetPlaces()
  }
}

async function requireCoordinator(client: pg.Client): Promise<void> {
  const extension = await client.query<{ version: string }>(
    "select extversion as version from pg_extension where extname = 'citus'",
  )
  const version = extension.rows[0]?.version
  if (version === undefined)
    throw new Error(
      `This database has no Citus. Run "create extension citus" as a superuser on each node, or keep the cell in one PostgreSQL.`,
    )
  if (Number.parseInt(version, 10) < OLDEST_CITUS)
    throw new Error(`Citus ${version} is too old. Use version ${OLDEST_CITUS} or later.`)
  const { rows } = await client.query<{ isCoordinator: boolean }>(
    'select citus_is_coordinator() as "isCoordinator"',
  )
  if (!rows[0]?.isCoordinator)
    throw new Error('DATABASE_URL is a worker of Citus. Set it to the coordinator.')
}

/** Runs a statement that returns one value on each node, also on the coordinator, as the same user. */
async function askNodes(client: pg.Client, statement: string): Promise<Map<string, string>> {
  const { rows } = await client.query<{ node: string; success: boolean; result: string }>(
    `select n.nodename || ':' || n.nodeport as node, r.success, r.result
     from run_command_on_all_nodes($1) r join pg_dist_node n on n.nodeid = r.nodeid`,
    [statement],
  )
  const failed = rows.find(({ success }) => !success)
  if (failed)
    throw new Error(
      `The node ${failed.node} can't be used by the database user: ${failed.result}. See docs/cells.md for the requirements.`,
    )
  return new Map(rows.map(({ node, result }) => [node, result]))
}

/** Throws if a node lacks a setting or a privilege that cells need, with what to change. */
export async function requireReadyNodes(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ isListed: boolean; takers: number }>(
    `select bool_or(groupid = 0) as "isListed", count(*) filter (where isactive and shouldhaveshards)::int as takers
     from pg_dist_node where noderole = 'primary'`,
  )
  if (!rows[0]?.isListed)
    throw new Error(
      "The coordinator is not in the list of nodes. As a superuser, run: select citus_set_coordinator_host('HOST', PORT)",
    )
  if (rows[0].takers === 0)
    throw new Error("No node takes cells. As a superuser, run: select citus_add_node('HOST', PORT)")
  const require = async (statement: string, isRight: (value: string) => boolean, advice: string) => {
    for (const [node, value] of await askNodes(client, statement))
      if (!isRight(value)) throw new Error(`The node ${node} ${advice}`)
  }
  await require('show wal_level', (level) =>
    level === 'logical', 'needs wal_level = logical. Restart it with this setting.')
  await require('show max_prepared_transactions', (count) =>
    Number(count) >
    0, 'needs max_prepared_transactions of at least its max_connections. Restart it with this setting.')
  await require("select exists (select from pg_roles where rolname = 'parley_tenant' and pg_has_role(oid, 'member'))", (
    isMember,
  ) =>
    isMember ===
    't', 'lacks the role parley_tenant for the database user. As a superuser, run there: create role parley_tenant nologin; grant parley_tenant to USER')
}

/** Connects to one node, whatever the address names. */
export async function onNode<T>(
  url: string,
  node: Host,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString: url, application_name: 'parley cell' })
  placeAt(client, node)
  client.on('error', () => {})
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/**
 * Ends the connections of a cell's processes to the node of `client`. They connect again, to the node that has the cell then.
 */
export const endConnections = (client: pg.ClientBase, cell: string): Promise<unknown> =>
  client.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid()
       and application_name = any (array['parley tenant ' || $1, 'parley system ' || $1, 'parley tables ' || $1, 'parley listener ' || $1])`,
    [cell],
  )
