/** Statements that count whole audiences. */

import type { Selectable } from 'kysely'
import type { Tx } from '../../../../core/context.ts'
import { uuids } from '../../../../database/sql/binary-arrays.ts'
import { isFound, parameters } from '../../../../database/sql/sql.ts'
import type { Tables } from '../../../../database/sql/tables.ts'
import { isRefusedSql } from '../../contacts/operations/refusal-rule.ts'
import { isWindowOpenSql } from '../../conversations/schema.ts'
import { condition, KNOWN, LOWEST, listed, marks, reason, type Selection } from './selection.ts'

export type AudienceCount = { reason: string | null; known: boolean; people: number }

/**
 * Counts the contacts of the chat network by their reason to be skipped, or none. A million contacts are one
 * walk along their key. People at the marketing cap come from their few marks and are subtracted, all in one
 * statement so that both parts see the same people.
 */
export async function countAudienceRows(tx: Tx, selection: Selection): Promise<AudienceCount[]> {
  const { values, put } = parameters([selection.workspaceId])
  const ids = selection.segment.contactIds
  const uncapped = { ...selection, cap: null }
  const judged = `${reason(uncapped, put)} as reason, ${KNOWN} as known`
  const belongs = condition(selection, put)
  const source = ids
    ? `from ${listed(put(uuids(ids)))} where ${belongs}`
    : `from contacts c where c.workspace_id = $1 and c.id > '${LOWEST}' and ${belongs}`
  const texts = [
    `select reason, known, count(*) as people, false as capped from (select ${judged} ${source}) x group by 1, 2`,
  ]
  if (selection.cap)
    texts.push(`select reason, known, count(*) as people, true as capped from (
      select ${judged} from (
        select contact_id from marketing_marks
        where workspace_id = $1 and times[${put(selection.cap.max)}::int] > ${put(selection.cap.since)}
          ${ids ? `and contact_id = any (${put(uuids(ids))}::uuid[])` : ''}
      ) m cross join lateral (
        select * from contacts where contacts.workspace_id = $1 and contacts.id = m.contact_id limit 1
      ) c where ${belongs} and not ${isRefusedSql('c')}
    ) y group by 1, 2`)
  const rows = await tx.sql<AudienceCount & { capped: boolean }>(texts.join(' union all '), values)
  return movedToCap(rows)
}

/** Moves the people at the marketing cap from the counts of the walk to their own reason. */
function movedToCap(rows: (AudienceCount & { capped: boolean })[]): AudienceCount[] {
  const capped = rows.filter((row) => row.capped)
  const counts = rows
    .filter((row) => !row.capped)
    .map(({ reason, known, people }) => {
      const moved = capped.find((row) => row.reason === reason && row.known === known)?.people ?? 0
      return { reason, known, people: people - moved }
    })
  const moved = capped.map(({ known, people }) => ({ reason: 'marketing_cap', known, people }))
  return [...counts, ...moved].filter(({ people }) => people > 0)
}

/** Returns those of the contacts that are on the chat network. */
export const listChatContactIds = (
  tx: Tx,
  workspaceId: string,
  ids: string[],
): Promise<Pick<Selectable<Tables['contacts']>, 'id'>[]> =>
  tx.sql(
    `select c.id from (select distinct id from unnest($2::uuid[]) as w (id)) wanted cross join lateral (
       select id from contacts
       where contacts.workspace_id = $1 and contacts.id = wanted.id and contacts.channel = 'chat' limit 1) c`,
    [workspaceId, uuids(ids)],
  )

/** Recipients whose numbers start alike. `phone`: that of one of them, which decides their country. */
export type PrefixCount = { phone: string; windowOpen: boolean; people: number }

/** The plus sign and six digits, or `chan:` and a country: they decide the country. */
const PREFIX = 7

/**
 * Counts the contacts who would receive a campaign, by the first digits of their numbers, and by whether their window with
 * the sending number is open at `sendsAt`. Without `sendsAt`, windows do not matter, and no chat is read.
 */
export const countByPrefix = (
  tx: Tx,
  selection: Selection,
  { phoneNumberId, sendsAt }: { phoneNumberId: string; sendsAt: Date | null },
): Promise<PrefixCount[]> => {
  const { values, put } = parameters([selection.workspaceId])
  const ids = selection.segment.contactIds
  const windows =
    sendsAt === null
      ? 'false'
      : isFound(`from conversations v
          where v.workspace_id = c.workspace_id and v.contact_id = c.id and v.phone_number_id = ${put(phoneNumberId)}::uuid
            and ${isWindowOpenSql('v', put(sendsAt))}`)
  return tx.sql(
    `select min(phone) as phone, window_open, count(*) as people from (
       select c.phone, ${windows} as window_open from ${ids ? listed(put(uuids(ids))) : 'contacts c'} ${marks(selection, put)}
       where c.workspace_id = $1 and ${condition(selection, put)} and ${reason(selection, put)} is null
     ) x group by left(phone, ${PREFIX}), window_open`,
    values,
  )
}
