import { type OpenDatabase, openDatabase } from '../../src/database/database.ts'
import { createTestDatabase } from './database.ts'

/** Creates a database behind a single connection, without a service and its events. Closing it drops it. */
export async function openOwnDatabase(): Promise<OpenDatabase> {
  const created = await createTestDatabase()
  const database = openDatabase({
    url: created.url,
    connections: 1,
    onError: () => {},
    recordEvents: async () => {},
    onCommit: () => {},
  })
  return {
    ...database,
    close: async () => {
      await database.close()
      await created.drop()
    },
  }
}
