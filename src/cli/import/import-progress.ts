import type { Tx } from '../../core/context.ts'

/** The number of rows read so far, and their results. */
export type Progress = { passed: number; created: number; known: number; refused: number }

/** Reads the progress of the import of the file with this digest. Locks it, so that two imports of one file take turns. */
export async function readProgress(
  tx: Tx,
  workspaceId: string,
  digest: Buffer,
  now: Date,
): Promise<Progress> {
  await tx.sql(
    `insert into imports (workspace_id, digest, passed, created, known, refused, updated_at)
     values ($1, $2, 0, 0, 0, 0, $3) on conflict do nothing`,
    [workspaceId, digest, now],
  )
  const [row] = await tx.sql<Progress>(
    'select passed, created, known, refused from imports where workspace_id = $1 and digest = $2 for update',
    [workspaceId, digest],
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
  tx.sql(
    `update imports set passed = $3, created = $4, known = $5, refused = $6, updated_at = $7
     where workspace_id = $1 and digest = $2`,
    [workspaceId, digest, passed, created, known, refused, now],
  )

/** Deletes the progress of a file, so that it is imported from its first row again. */
export const forgetProgress = (tx: Tx, workspaceId: string, digest: Buffer): Promise<unknown> =>
  tx.sql('delete from imports where workspace_id = $1 and digest = $2', [workspaceId, digest])
