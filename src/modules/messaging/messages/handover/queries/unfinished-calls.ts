/** Statements on the messages that a killed process was working on. */

import type { Query } from '../../../../../core/context.ts'
import { instants, uuids } from '../../../../../database/sql/binary-arrays.ts'
import type { StoredMessage } from '../../message-rows.ts'

/** Returns an identifier of this database that differs from those of its copies. */
export const findDatabaseName = async (query: Query): Promise<string> =>
  (
    await query<{ name: string }>(
      `select c.system_identifier || '/' || d.oid as name from pg_control_system() c, pg_database d
       where d.datname = current_database()`,
    )
  )[0]!.name

type Lease = Pick<StoredMessage, 'workspaceId' | 'id' | 'leasedUntil'> & { leasedUntil: Date }

/** Returns the ids of those messages that are still leased until exactly this time. */
export const listStillLeased = (query: Query, leases: Lease[]) =>
  query<Pick<Lease, 'id' | 'leasedUntil'>>(
    `select m.id, m.leased_until from unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) as l(workspace_id, id, leased_until)
     join messages m on m.workspace_id = l.workspace_id and m.id = l.id
     where m.leased_until = l.leased_until and m.run_at is not null and m.status = 'queued'`,
    [
      uuids(leases.map((lease) => lease.workspaceId)),
      uuids(leases.map((lease) => lease.id)),
      instants(leases.map((lease) => lease.leasedUntil)),
    ],
  )

/** Releases the lanes of dead processes. Scans one row for each number, but runs only once after a kill. */
export const releaseLanesOfDead = (query: Query, holders: string[]) =>
  query(
    `update number_lanes l set leased_until = null
     where l.holder = any ($1::uuid[]) and l.leased_until is not null`,
    [uuids(holders)],
  )
