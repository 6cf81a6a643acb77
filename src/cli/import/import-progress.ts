import type { Selectable } from 'kysely'
import type { Tx } from '../../core/context.ts'
import { db } from '../../database/sql/sql.ts'
import type { Tables } from '../../database/sql/tables.ts'

/** The number of rows read so far, and their results. */
export type Progress = Pick<Selectable<Tables['imports']>, 'passed' | 'created' | 'known' | 'refused'>

/** Reads the progress of the import of the file with this digest. Locks it, so that two imports of one file take turns. */
export async function readProgress(
  tx: Tx,
  workspaceId: string,
  digest: Buffer,
  now: Date,
): Promise<Progress> {
  await tx.run(
    db
      .insertInto('imports')
      .values({ workspaceId, digest, passed: 0, created: 0, known: 0, refused: 0, updatedAt: now })
      .onConflict((conflict) => conflict.doNothing()),
  )
  const row = await tx.first(
    db
      .selectFrom('imports')
      .select(['passed', 'created', 'known', 'refused'])
      .where('workspaceId', '=', workspaceId)
      .where('digest', '=', digest)
      .forUpdate(),
  )
  return row!
}

/** Stores the progress, in the transaction that imported the rows. */
export const writeProgress = (
  tx: Tx,
  workspaceId: string,
  digest: Buffer,
  now: Date,
  { passed, created, known, refused }: Progress,
): Promise<unknown> =>
  tx.run(
    db
      .updateTable('imports')
      .set({ passed, created, known, refused, updatedAt: now })
      .where('workspaceId', '=', workspaceId)
      .where('digest', '=', digest),
  )

/** Deletes the progress of a file, so that it is imported from its first row again. */
export const forgetProgress = (tx: Tx, workspaceId: string, digest: Buffer): Promise<unknown> =>
  tx.run(db.deleteFrom('imports').where('workspaceId', '=', workspaceId).where('digest', '=', digest))
