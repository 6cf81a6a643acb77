/** Runs kill -9 on an installation's processes, and returns the processes that must be started again. */
import { family, killAll } from './process-family.ts'
import type { Installation, ServerProcess } from './server-process.ts'
import { until } from './until.ts'

/**
 * `the database twice`: a second kill while it recovers. `both`: at the same moment, as in a power failure.
 */
export const VICTIMS = ['the service', 'the database', 'the database twice', 'both'] as const
export type Victim = (typeof VICTIMS)[number]

/** Returns the kinds of kills in random order, each equally often. */
export function* victimsOf(random: () => number): Generator<Victim, never> {
  for (;;) {
    const deck = [...VICTIMS]
    while (deck.length > 0) yield deck.splice(Math.floor(random() * deck.length), 1)[0]!
  }
}

const databaseOf = (installation: Installation): number[] => family(installation.postmaster() as number)

/**
 * Kills the processes, calls `killed` immediately, and returns the service that runs afterwards. The service
 * restarts the database.
 */
export async function kill(
  victim: Victim,
  installation: Installation,
  server: ServerProcess,
  killed: () => void,
): Promise<ServerProcess> {
  const service = victim === 'the service' || victim === 'both' ? [server.pid] : []
  const database = victim === 'the service' ? [] : databaseOf(installation)
  killAll([...service, ...database])
  if (victim === 'the database twice') {
    await until(() => ![undefined, database[0]].includes(installation.postmaster()), 'the database starts')
    killAll(databaseOf(installation))
  }
  killed()
  if (service.length === 0) return server
  await server.exited
  return installation.start()
}
