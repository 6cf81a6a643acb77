import { takeCostlyRead } from '../../src/database/sql/costly-reads.ts'
import { openAdmin } from './load.ts'

/** Runs `work` while all places of a workspace for costly reads are taken, each by its own transaction. */
export async function whileReadsAreFull<T>(
  { databaseUrl }: { databaseUrl: string },
  workspaceId: string,
  work: () => Promise<T>,
): Promise<T> {
  const admin = openAdmin(databaseUrl)
  const holdRead = (): Promise<T> =>
    admin.system(async (tx) => ((await takeCostlyRead(tx, workspaceId)) ? holdRead() : work()))
  try {
    return await holdRead()
  } finally {
    await admin.close()
  }
}
