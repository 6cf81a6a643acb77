/** A sandbox workspace with the inbox of a busy shop. */
import { systemClock } from '../../src/core/clock.ts'
import { createSealer } from '../../src/core/sealing.ts'
import { createSignInLink, signInPath } from '../../src/modules/platform/access/operations/sign-in-links.ts'
import { createApiKey } from '../../src/modules/platform/workspaces/operations/api-keys.ts'
import { createWorkspace } from '../../src/modules/platform/workspaces/operations/workspaces.ts'
import type { BenchDatabase } from '../ground/arena.ts'
import { SECRET_KEY } from '../ground/service.ts'
import { openSilentDatabase } from '../ground/silent-database.ts'
import { addManyRows } from './many-rows.ts'

export type Inbox = { workspaceId: string; apiKey: string; signInPath: string }

/** Creates `chats` of one message each, an admin key, and the owner's sign-in link. */
export async function makeInbox(database: BenchDatabase, chats: number): Promise<Inbox> {
  const open = openSilentDatabase(database.url, 1)
  try {
    const { shop, link } = await open.system(async (tx) => {
      const now = systemClock.now()
      const created = await createWorkspace(
        tx,
        { name: 'Blue Lotus', sandbox: true },
        now,
        createSealer(SECRET_KEY),
      )
      const { workspaceId } = created
      const { apiKey } = await createApiKey(tx, { workspaceId, role: 'admin' }, now)
      const link = await createSignInLink(tx, created.ownerId, now)
      return { shop: { workspaceId, apiKey, phoneNumberId: created.phoneNumberId! }, link }
    })
    await addManyRows(database, shop, chats)
    return { workspaceId: shop.workspaceId, apiKey: shop.apiKey, signInPath: signInPath(link) }
  } finally {
    await open.close()
  }
}
