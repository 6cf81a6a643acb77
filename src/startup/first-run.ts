import { systemClock } from '../core/clock.ts'
import type { Database } from '../core/context.ts'
import { createSealer, type Sealer } from '../core/sealing.ts'
import { openDatabase } from '../database/database.ts'
import { cellLock } from '../database/sql/cell-lock.ts'
import { createSignInLink, signInPath } from '../modules/platform/access/operations/sign-in-links.ts'
import { createApiKey } from '../modules/platform/workspaces/operations/api-keys.ts'
import {
  type CreatedWorkspace,
  createWorkspace,
  listWorkspaces,
} from '../modules/platform/workspaces/operations/workspaces.ts'

/** The result of the first run; the key is never shown again. `signInPath` signs the owner in once. */
export type FirstRun = CreatedWorkspace & { apiKey: string; signInPath: string }

/**
 * Locked while the first workspace of a cell is created, so that two processes starting at the same time create one.
 */
export const FIRST_RUN_LOCK = 7_226_420

/**
 * Creates the first workspace of an installation without any: a sandbox with a simulated number, an owner,
 * and an admin key.
 */
function makeFirstWorkspace(database: Database, sealer: Sealer): Promise<FirstRun | undefined> {
  return database.system(async (tx) => {
    await tx.sql(`select pg_advisory_xact_lock(${cellLock(FIRST_RUN_LOCK)})`)
    if ((await listWorkspaces(tx)).length > 0) return undefined
    const now = systemClock.now()
    const workspace = await createWorkspace(tx, { name: 'My sandbox', sandbox: true }, now, sealer)
    const { apiKey } = await createApiKey(
      tx,
      { workspaceId: workspace.workspaceId, role: 'admin', label: 'First key', memberId: workspace.ownerId },
      now,
    )
    return {
      ...workspace,
      apiKey,
      signInPath: signInPath(await createSignInLink(tx, workspace.ownerId, now)),
    }
  })
}

/** Runs `makeFirstWorkspace` over a separate connection. */
export async function firstRun(databaseUrl: string, secretKey: string): Promise<FirstRun | undefined> {
  const database = openDatabase({
    url: databaseUrl,
    connections: 1,
    onError: () => {},
    recordEvents: async () => {},
    onCommit: () => {},
  })
  try {
    return await makeFirstWorkspace(database, createSealer(secretKey))
  } finally {
    await database.close()
  }
}
