import { openDatabase } from '../../src/database/database.ts'

/** Opens the database for a process or a seed that records no events and wakes no work source. */
export const openSilentDatabase = (
  url: string,
  connections = 1,
  onError: (error: Error) => void = () => {},
) => openDatabase({ url, connections, onError, recordEvents: async () => {}, onCommit: () => {} })
