/** SQL for all writes of marketing marks. Locks rows in one order, last in the transaction. */

import type { Tx } from '../../../../core/context.ts'
import { instants, uuids } from '../../../../database/sql/binary-arrays.ts'
import { listOf } from '../../../../database/sql/sql.ts'

/** Times kept per person. */
const KEPT = 8

export type MarketingMark = { workspaceId: string; contactId: string; at: Date }

/** Records a marketing template for each contact. A contact that is twice in the batch gets two marks. */
export const insertMarketingMarks = (tx: Tx, marks: MarketingMark[]): Promise<unknown> =>
  tx.sql(
    `insert into marketing_marks as m (workspace_id, contact_id, times)
     select workspace_id, contact_id, array_agg(at order by at desc)
     from unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) as n (workspace_id, contact_id, at)
     group by workspace_id, contact_id order by workspace_id, contact_id
     on conflict (workspace_id, contact_id) do update set times = first_times(excluded.times || m.times, ${KEPT})`,
    [
      uuids(marks.map((mark) => mark.workspaceId)),
      uuids(marks.map((mark) => mark.contactId)),
      instants(marks.map((mark) => mark.at)),
    ],
  )

/**
 * Removes one mark of each contact with that time. A duplicate with the same millisecond stays. Each contact
 * is in the batch once.
 */
export const deleteMarketingMarks = (tx: Tx, marks: MarketingMark[]): Promise<unknown> =>
  tx.sql(
    `with held as materialized (
       select m.workspace_id, m.contact_id, array_position(m.times, n.at) as place
       from unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) as n (workspace_id, contact_id, at)
       join marketing_marks m on m.workspace_id = n.workspace_id and m.contact_id = n.contact_id
       order by m.workspace_id, m.contact_id for update of m
     )
     update marketing_marks m set times = m.times[:held.place - 1] || m.times[held.place + 1:]
     from held where m.workspace_id = held.workspace_id and m.contact_id = held.contact_id and held.place is not null`,
    [
      uuids(marks.map((mark) => mark.workspaceId)),
      uuids(marks.map((mark) => mark.contactId)),
      instants(marks.map((mark) => mark.at)),
    ],
  )

/**
 * Records a mark for contacts of one workspace, each once, that have fewer than `max` marks after `since`.
 * Returns the contacts that got a mark.
 */
export const claimMarketingMarks = async (
  tx: Tx,
  claim: { workspaceId: string; contactIds: string[]; at: Date; since: Date; max: number },
): Promise<string[] | 'all'> => {
  const [noted] = await tx.sql<{ count: number; ids: string | null }>(
    `select cardinality(ids) as count, case when cardinality(ids) < cardinality($2::uuid[]) then ids::text end as ids
     from claim_marketing_marks($1, $2::uuid[], $3, $4, $5, ${KEPT}) as ids`,
    [claim.workspaceId, uuids(claim.contactIds), claim.at, claim.since, claim.max],
  )
  return noted!.count === claim.contactIds.length ? 'all' : (listOf(noted!.ids) as string[])
}
