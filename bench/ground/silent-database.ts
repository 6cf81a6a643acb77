import { openDatabase } from '../../src/database/database.ts'

/** The database of a process or a seed that records no events and wakes nobody. */
export const openSilentDatabase = (
  url: string,
  connections = 1,
  onError: (error: Error) => void = () => {},
) => openDatabase({ url, connections, onError, recordEvents: async () => {}, onCommit: () => {} })
