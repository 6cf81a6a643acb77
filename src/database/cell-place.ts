/**
 * Where a cell is on a server with Citus (docs/cells.md, "Cells on Citus"). All tables of a distributed cell are on one node.
 * Every node knows where, but only that node runs statements without a connection to another one.
 */
import type pg from 'pg'
import type { Host } from '../core/values/database-hosts.ts'

/** The node with the tables of a distributed cell, and the coordinator, which alone creates and changes tables. */
export type CellPlace = { node: Host; isNode: boolean; coordinator: Host; isCoordinator: boolean }

type PlaceRow = {
  host: string
  port: number
  group: number
  coordinatorHost: string
  coordinatorPort: number
  here: number
}

// All tables of a cell are in one colocation group, so that one of them shows the node.
const PLACE = `
select n.nodename as host, n.nodeport as port, n.groupid as "group",
  c.nodename as "coordinatorHost", c.nodeport as "coordinatorPort", here.groupid as here
from pg_dist_schema s
cross join lateral (select logicalrelid from pg_dist_partition p where p.colocationid = s.colocationid limit 1) t
join pg_dist_shard h on h.logicalrelid = t.logicalrelid
join pg_dist_placement p on p.shardid = h.shardid
join pg_dist_node n on n.groupid = p.groupid and n.noderole = 'primary'
join pg_dist_node c on c.groupid = 0 and c.noderole = 'primary'
cross join pg_dist_local_group here
where s.schemaid = to_regnamespace(quote_ident($1))`

/** Returns the place of a cell; undefined if the server has no Citus, or if the cell is not distributed. */
export async function readCellPlace(client: pg.ClientBase, cell: string): Promise<CellPlace | undefined> {
  const citus = await client.query<{ exists: boolean }>(
    "select to_regclass('pg_catalog.pg_dist_schema') is not null as exists",
  )
  if (!citus.rows[0]?.exists) return undefined
  const { rows } = await client.query<PlaceRow>(PLACE, [cell])
  const row = rows[0]
  return (
    row && {
      node: { host: row.host, port: row.port },
      isNode: row.group === row.here,
      coordinator: { host: row.coordinatorHost, port: row.coordinatorPort },
      isCoordinator: row.here === 0,
    }
  )
}

/** The message of a statement that a node sends to another one. Such statements lack the settings of row-level security. */
const REMOTE = /connection to the remote node/

/** Returns whether a statement ran on a node that no longer has the cell. */
export const isMovedCellFault = (error: unknown): error is Error =>
  error instanceof Error && REMOTE.test(error.message)
