import { type OpenDatabase, openDatabase } from '../../src/database/database.ts'
import { createTestDatabase } from './database.ts'

/** A database of its own behind one connection, without a service and its events; it goes when it is closed. */
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
