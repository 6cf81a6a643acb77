/** Statements that walk audiences: contacts in the order of their ids, in stretches and steps. */

import type { Tx } from '../../../../core/context.ts'
import { uuids } from '../../../../database/sql/binary-arrays.ts'
import { listOf, type Put, parameters } from '../../../../database/sql/sql.ts'
import { condition, HIGHEST, KNOWN, LOWEST, listed, marks, reason, type Selection } from './selection.ts'

export type WalkedContact = { id: string; known: boolean; reason: string | null }

const tableOf = (ids: string[] | undefined, put: Put): string =>
  ids ? listed(put(uuids(ids))) : 'contacts c'

/** A part of the contacts by id: after `after`, up to and including `until`. */
export type Stretch = { after: string; until: string }

/**
 * Divides the contacts of an audience after `after` (null: from the first) into stretches of `length`
 * contacts, at most `max`. `isComplete`: no contacts are left after them.
 */
export async function layOutStretches(
  tx: Tx,
  { workspaceId, segment }: Pick<Selection, 'workspaceId' | 'segment'>,
  { after, length, max }: { after: string | null; length: number; max: number },
): Promise<{ stretches: Stretch[]; isComplete: boolean }> {
  const { values, put } = parameters([workspaceId])
  const from = tableOf(segment.contactIds, put)
  const [found] = await tx.sql<{ ends: string | null; count: number }>(
    `select array_agg(id order by id) filter (where place % ${put(length)}::int = 0)::text as ends, count(*) as count
     from (select id, row_number() over (order by id) as place from (
       select c.id from ${from} where c.workspace_id = $1 and c.id > ${put(after ?? LOWEST)} order by c.id limit ${put(length * max)}::int
     ) next) numbered`,
    values,
  )
  const isComplete = found!.count < length * max
  const ends = [...(listOf(found!.ends) as string[]), ...(isComplete ? [HIGHEST] : [])]
  return { stretches: ends.map((until, i) => ({ after: ends[i - 1] ?? after ?? LOWEST, until })), isComplete }
}

/**
 * Returns the next contacts of an audience in a stretch, in the order of their ids: at most `limit`, from at
 * most `look` contacts. `reached`: the contact to continue after; null: none are left. The rows travel as
 * three lists.
 */
export async function walkAudienceRows(
  tx: Tx,
  selection: Selection,
  { after, until, limit, look }: Stretch & { limit: number; look: number },
): Promise<{ rows: WalkedContact[]; reached: string | null }> {
  const { values, put } = parameters([selection.workspaceId])
  const from = tableOf(selection.segment.contactIds, put)
  const [begin, end, looked, max] = [put(after), put(until), `${put(look)}::int`, `${put(limit)}::int`]
  const next = (columns: string) =>
    `select ${columns} from ${from}
     where c.workspace_id = $1 and c.id > ${begin} and c.id <= ${end} order by c.id limit ${looked}`
  const filled = selection.requiredFields.length > 0 ? 'c.display_name, c.profile_name, c.attributes,' : ''
  const belongs = `(c.created_at <= ${put(selection.at)} and ${condition(selection, put)}) as belongs`
  const [found] = await tx.sql<Record<'ids' | 'known' | 'reasons' | 'reached', string | null>>(
    `with met as materialized (
       select c.id, ${KNOWN} as known, ${reason(selection, put)} as reason
       from (
         select * from (
           ${next(`c.id, c.phone, c.opt_in_status, c.blocked, c.last_seen_at, c.workspace_id, ${filled} ${belongs}`)}
         ) looked where belongs order by id limit ${max}
       ) c ${marks(selection, put)}
     )
     select array_agg(id)::text as ids,
            case when not bool_and(known) then array_agg(known)::text end as known,
            case when count(reason) > 0 then array_agg(reason)::text end as reasons,
            case when count(*) = ${max} then (select id from met order by id desc limit 1)
                 else (select id from (${next('c.id')}) all_looked order by id offset ${looked} - 1 limit 1) end as reached
     from (select * from met order by id) met`,
    values,
  )
  // A list with the same value for all contacts is omitted.
  const [knownFlags, reasons] = [
    found!.known && listOf(found!.known),
    found!.reasons && listOf(found!.reasons),
  ]
  const rows = listOf(found!.ids).map((id, i) => ({
    id: id!,
    known: knownFlags === null || knownFlags[i] === 't',
    reason: reasons && reasons[i]!,
  }))
  return { rows, reached: found!.reached }
}
