/** SQL for credit notes. */
import type { Selectable } from 'kysely'
import type { Context } from '../../../../core/context.ts'
import { db } from '../../../../database/sql/sql.ts'
import type { Tables } from '../../../../database/sql/tables.ts'

export type CreditNoteRow = Selectable<Tables['creditNotes']>

export const insertCreditNote = (ctx: Context, row: CreditNoteRow): Promise<unknown> =>
  ctx.tx.run(db.insertInto('creditNotes').values(row))

/** Returns the credit notes of a document, oldest first. */
export const listCreditNotes = (ctx: Context, documentId: string): Promise<CreditNoteRow[]> =>
  ctx.tx.all(
    db
      .selectFrom('creditNotes')
      .selectAll()
      .where('workspaceId', '=', ctx.workspace.id)
      .where('documentId', '=', documentId)
      .orderBy('id'),
  )
