/** kill -9 of an installation's processes, and what has to be started by hand afterwards. */
import { family, killAll } from './process-family.ts'
import type { Installation, ServerProcess } from './server-process.ts'
import { until } from './until.ts'

/** `the database twice`: once more while it recovers. `both`: at one moment, as when the machine goes. */
export const VICTIMS = ['the service', 'the database', 'the database twice', 'both'] as const
export type Victim = (typeof VICTIMS)[number]

/** Each as often as the others, in random order. */
export function* victimsOf(random: () => number): Generator<Victim, never> {
  for (;;) {
    const deck = [...VICTIMS]
    while (deck.length > 0) yield deck.splice(Math.floor(random() * deck.length), 1)[0]!
  }
}

const databaseOf = (installation: Installation): number[] => family(installation.postmaster() as number)

/** Kills, calls `killed` at once, and answers with the service that runs then: the database is its own to start again. */
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
