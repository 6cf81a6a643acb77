import { join } from 'node:path'
import { allocatorSettings, heapFlags } from '../../bin/heap-flags.mjs'
import type { LoadPlan, LoadResult } from '../processes/load.ts'
import type { ServerStart } from '../processes/server.ts'
import type { Arena, BenchDatabase } from './arena.ts'
import type { Child } from './children.ts'
import type { Profile } from './self-time.ts'
import type { ServerUse } from './server-use.ts'

/** Seals the seeds' secrets, so that every process of a run can open them. */
export const SECRET_KEY = 'a secret key that only the benchmark uses'

/** The service in a separate process. `port` is 0 without the web role. */
export type Service = {
  port: number
  use(): Promise<ServerUse>
  /** Returns the milliseconds of processor time since the start. */
  cpuMs(): Promise<number>
  /** Returns the round trips to the database since the start, if only requests cause them. */
  roundTrips: (() => Promise<number>) | undefined
  /** Collects garbage. */
  tidy(): Promise<void>
  profileDuring(name: string, work: () => Promise<unknown>): Promise<Profile>
  stop(): Promise<void>
}

export type ServiceOptions = {
  roles: 'web' | 'worker' | 'web,worker'
  limiter?: boolean
  env?: Record<string, string>
}

/** Profiles are for later use: they stay in the system's temporary folder. */
export async function profileDuring(
  child: Child,
  arena: Arena,
  name: string,
  work: () => Promise<unknown>,
): Promise<Profile> {
  await child.ask('beginProfile')
  await work()
  return child.ask<Profile>('endProfile', join(`${arena.folder}-${name}.cpuprofile`))
}

export async function startService(
  arena: Arena,
  database: BenchDatabase,
  options: ServiceOptions,
): Promise<Service> {
  const child = arena.child('server', {
    execArgv: [...heapFlags, '--expose-gc'],
    env: allocatorSettings,
  })
  const start: ServerStart = {
    env: { PARLEY_ROLES: options.roles, PARLEY_DATA_DIR: arena.folder, ...options.env },
    databaseUrl: database.url,
    secretKey: SECRET_KEY,
    limiter: options.limiter ?? true,
  }
  const { port } = await child.ask<{ port: number }>('start', start)
  return {
    port,
    use: () => child.ask('use'),
    cpuMs: child.cpuMs,
    roundTrips: options.roles === 'web' ? () => child.ask('roundTrips') : undefined,
    tidy: () => child.ask('tidy'),
    profileDuring: (name, work) => profileDuring(child, arena, name, work),
    stop: child.stop,
  }
}

/** Creates one load generator; serial numbers continue from run to run, so that each is used once. */
export function makeLoad(arena: Arena) {
  const child = arena.child('load')
  let serial = 1
  return {
    run: async (plan: Omit<LoadPlan, 'serialStart'>): Promise<LoadResult> => {
      const result = await child.ask<LoadResult>('run', { ...plan, serialStart: serial })
      serial += result.issued
      return result
    },
    cpuMs: child.cpuMs,
    stop: child.stop,
  }
}
export type Load = ReturnType<typeof makeLoad>
