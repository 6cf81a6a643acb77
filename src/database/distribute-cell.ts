/** Distributes a cell with Citus: all its tables move to one node, and can move on to another one. */
import type pg from 'pg'
import { withCell } from '../core/values/cell.ts'
import type { Host } from '../core/values/database-hosts.ts'
import { type CellPlace, isMovedCellFault, readCellPlace } from './cell-place.ts'
import { endConnections, onCoordinator, onNode, requireReadyNodes } from './citus-cluster.ts'
import { onDatabase } from './on-database.ts'
import { quoted } from './stored-tables.ts'

type Options = { url: string; cell: string; say(line: string): void }

/**
 * Distributes a cell, and returns its node. Changes nothing if the cell is distributed already. Processes of the cell keep running:
 * their connections end, and they connect to the node.
 */
export async function distributeCell({ url, cell, say }: Options): Promise<{ node: Host; isNew: boolean }> {
  const distributed = await onCoordinator(url, async (client) => {
    await requireReadyNodes(client)
    const existing = await readCellPlace(client, cell)
    if (existing) return { node: existing.node, isNew: false }
    say(`Distributing the cell ${cell}. Writes to it wait meanwhile.`)
    return { node: (await distribute(client, cell)).node, isNew: true }
  })
  await requireLocalStatements(url, cell, distributed.node)
  return distributed
}

async function distribute(client: pg.Client, cell: string): Promise<CellPlace> {
  await client.query('begin')
  try {
    await client.query('set local citus.enable_unsafe_triggers = on')
    await client.query(`set local search_path = ${quoted(cell)}`)
    await protectTables(client)
    await client.query('select citus_schema_distribute($1)', [quoted(cell)])
    await endConnections(client, cell)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
  // Those that connected before the commit.
  await endConnections(client, cell)
  return (await readCellPlace(client, cell))!
}

/**
 * Gives the tables of tenants the row policies and the constraint of a distributed cell, as tenant_rows() does for later ones
 * (migrations/0074_transaction_numbers.sql).
 */
async function protectTables(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string; table: string }>(
    `select p.polname as name, c.relname as table from pg_policy p join pg_class c on c.oid = p.polrelid
     where c.relnamespace = current_schema()::regnamespace order by 2, 1`,
  )
  for (const { name, table } of rows) {
    const column = table === 'workspaces' ? 'id' : 'workspace_id'
    await client.query(
      `alter policy ${quoted(name)} on ${quoted(table)} using (is_tenant_workspace(${column}));
       alter table ${quoted(table)} add constraint tenant_writes check (is_tenant_write(${column})) not valid`,
    )
  }
}

/**
 * Throws if the node would run statements over a connection to itself: row-level security would have no settings there. Only a
 * superuser can read the setting, so this runs a statement that would use such a connection, and rolls it back.
 */
async function requireLocalStatements(url: string, cell: string, node: Host): Promise<void> {
  let isRemote = false
  await onNode(withCell(url, cell), node, async (client) => {
    client.on('notice', ({ message }) => {
      isRemote ||= message?.startsWith('issuing') ?? false
    })
    await client.query(
      'begin; set local client_min_messages = notice; set local citus.log_remote_commands = on',
    )
    try {
      await client.query(
        "insert into schema_migrations (name) select name from unnest(array['a check']) as name",
      )
    } catch (error) {
      if (!isMovedCellFault(error)) throw error
      isRemote = true
    }
    await client.query('rollback')
  })
  if (isRemote)
    throw new Error(
      'The nodes send statements to themselves. Set citus.local_shared_pool_size = -1 on each node, reload it, and run the command again.',
    )
}

/** Returns the node of a cell as `host:port`; undefined if the cell is not distributed. */
export const nodeOfCell = (address: string, cell: string): Promise<string | undefined> =>
  onDatabase(address, async (client) => {
    const place = await readCellPlace(client, cell)
    return place && nameOf(place.node)
  })

export const nameOf = ({ host, port }: Host): string => `${host}:${port}`
