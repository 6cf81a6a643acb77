/**
 * The listening connection, which may break and reconnect; callers wait for the next connection meanwhile.
 */
import { setImmediate as turn } from 'node:timers/promises'
import type pg from 'pg'

export type ListeningLine = {
  up(client: pg.Client): void
  /** It broke, or could not be opened. */
  down(): void
  /** Stops permanently. */
  end(): void
  /** Resolves when every commit before the call has been received. */
  caughtUp(): Promise<void>
}

export function listeningLine(): ListeningLine {
  /** Resolves to the connection once it is up; undefined if it has stopped permanently. */
  let connection = Promise.withResolvers<pg.Client | undefined>()
  let isUp = false
  return {
    up: (client) => {
      isUp = true
      connection.resolve(client)
    },
    down: () => {
      // Callers that wait for the first connection keep waiting for it.
      if (isUp) connection = Promise.withResolvers()
      isUp = false
    },
    end: () => {
      connection.resolve(undefined)
      connection = Promise.withResolvers()
      connection.resolve(undefined)
    },
    caughtUp: async () => {
      for (;;) {
        const client = await connection.promise
        try {
          // PostgreSQL delivers pending announcements before its answer to this query.
          await client?.query('select 1')
          return
        } catch {
          // The connection broke: the next one starts with all caches cleared.
          await turn()
        }
      }
    },
  }
}
