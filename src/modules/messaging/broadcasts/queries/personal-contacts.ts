/** Reads the fields of contacts that fill the personal values of a campaign. */
import type { Context } from '../../../../core/context.ts'
import { uuids } from '../../../../database/sql/binary-arrays.ts'
import { parameters } from '../../../../database/sql/sql.ts'
import type { PersonalContact } from '../../templates/operations/personal-values.ts'
import { condition, listed, marks, reason, type Selection } from './selection.ts'

const FIELDS = 'c.id, c.phone, c.display_name, c.profile_name, c.attributes'

/** Returns these contacts. */
export const listPersonalContacts = async (ctx: Context, contactIds: string[]): Promise<PersonalContact[]> =>
  contactIds.length === 0
    ? []
    : ctx.tx.sql(`select ${FIELDS} from contacts c where c.workspace_id = $1 and c.id = any ($2::uuid[])`, [
        ctx.workspace.id,
        uuids(contactIds),
      ])

/** Returns the newest recipients of an audience, at most `max`. */
export const listExampleContacts = (
  ctx: Pick<Context, 'tx'>,
  selection: Selection,
  max: number,
): Promise<PersonalContact[]> => {
  const { values, put } = parameters([selection.workspaceId])
  const ids = selection.segment.contactIds
  const from = ids ? listed(put(uuids(ids))) : 'contacts c'
  return ctx.tx.sql(
    `select ${FIELDS} from ${from} ${marks(selection, put)}
     where c.workspace_id = $1 and ${condition(selection, put)} and ${reason(selection, put)} is null
     order by c.id desc limit ${put(max)}::int`,
    values,
  )
}
