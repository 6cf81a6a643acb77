/** Moves a distributed cell to another node of Citus while it works. */
import type pg from 'pg'
import { withCell } from '../core/values/cell.ts'
import type { Host } from '../core/values/database-hosts.ts'
import { readCellPlace } from './cell-place.ts'
import { endConnections, onCoordinator, onNode, requireReadyNodes } from './citus-cluster.ts'
import { nameOf } from './distribute-cell.ts'
import { quoted } from './stored-tables.ts'

type Options = { url: string; cell: string; node: Host; say(line: string): void }

/**
 * Moves a cell, and returns the node that it left; undefined if it was there already. Writes wait only while the last rows are
 * copied. Then the connections of the cell's processes end, and they connect to the new node.
 */
export async function moveCell({ url, cell, node, say }: Options): Promise<Host | undefined> {
  return onCoordinator(url, async (client) => {
    await requireReadyNodes(client)
    const place = await readCellPlace(client, cell)
    if (!place) throw new Error(`The cell ${cell} is not distributed. Run: parley cell distribute ${cell}`)
    await requireNode(client, node)
    await requireNoMoves(client, cell)
    if (nameOf(place.node) === nameOf(node)) return undefined
    say(`Copying the cell ${cell} from ${nameOf(place.node)} to ${nameOf(node)}. It keeps working.`)
    await onNode(url, place.node, async (left) => {
      await move(client, { cell, node, address: withCell(url, cell), left })
      // Those that connected before the commit.
      await endConnections(left, cell)
    })
    return place.node
  })
}

async function requireNode(client: pg.Client, node: Host): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select nodename || ':' || nodeport as name from pg_dist_node
     where isactive and shouldhaveshards and noderole = 'primary' order by 1`,
  )
  const names = rows.map(({ name }) => name)
  if (!names.includes(nameOf(node)))
    throw new Error(`No node ${nameOf(node)} takes cells. The nodes are: ${names.join(', ')}.`)
}

/** A workspace that moves to another cell compares numbers of transactions, which are those of one node. */
async function requireNoMoves(client: pg.Client, cell: string): Promise<void> {
  const { rows } = await client.query<{ id: string }>(
    `select moved_workspace_id as id from ${quoted(cell)}.workspace_moves
     where phase not in ('moved', 'erased', 'live', 'canceled') limit 1`,
  )
  if (rows[0])
    throw new Error(
      `The workspace ${rows[0].id} of the cell ${cell} is moving. Finish or cancel its move first.`,
    )
}

type Move = { cell: string; node: Host; address: string; left: pg.Client }

/** Until the commit, writers at the node that the cell leaves wait. They end with their connections, and have answered no caller. */
async function move(client: pg.Client, { cell, node, address, left }: Move): Promise<void> {
  await client.query('begin')
  try {
    await client.query('set local citus.enable_unsafe_triggers = on')
    await client.query('select citus_schema_move($1::regnamespace, $2::text, $3::int)', [
      quoted(cell),
      node.host,
      node.port,
    ])
    const offset = await nextOffset({ cell, node, address, left })
    await client.query(`create or replace function ${quoted(cell)}.transaction_offset() returns bigint
      language sql immutable parallel safe as $$ select ${offset}::bigint $$`)
    await endConnections(left, cell)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}

/**
 * Returns the offset with which the new node's transactions count on after those of the old node, so that new events come after
 * all others (docs/decisions/event-log.md).
 */
async function nextOffset({ cell, node, address, left }: Move): Promise<bigint> {
  const old = await left.query<{ next: string; offset: string }>(
    `select pg_snapshot_xmax(pg_current_snapshot())::text as next, ${quoted(cell)}.transaction_offset()::text as offset`,
  )
  const { next, offset } = old.rows[0]!
  const oldest = await onNode(address, node, async (joined) => {
    const { rows } = await joined.query<{ oldest: string }>(
      'select pg_snapshot_xmin(pg_current_snapshot())::text as oldest',
    )
    return rows[0]!.oldest
  })
  return BigInt(next) + BigInt(offset) - BigInt(oldest)
}
