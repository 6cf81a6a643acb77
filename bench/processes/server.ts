/** Runs the service itself in a separate process, started by the composition root like `npm start`. */
import { flushCompileCache, registerHooks } from 'node:module'
import { readConfig } from '../../src/config.ts'
import { openLog } from '../../src/logging/log.ts'
import type { Parley } from '../../src/startup/start.ts'
import { answerParent } from '../ground/answers.ts'
import { countRoundTrips } from '../ground/round-trips.ts'
import { beginProfile, endProfile } from '../ground/self-time.ts'
import { serverUse } from '../ground/server-use.ts'

/** `limiter: false` replaces the in-process limiter with a store that admits everything. */
export type ServerStart = {
  env: Record<string, string>
  databaseUrl: string
  secretKey: string
  limiter: boolean
}

let parley: Parley | undefined
const roundTrips = countRoundTrips()
// Defined because the process is started with --expose-gc.
const collect = (globalThis as { gc?: (options: object) => void }).gc

function leaveLimiterOut(): void {
  const open = new URL('../ground/open-store.ts', import.meta.url).href
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier.endsWith('rate-limit/memory-store.ts')
        ? { url: open, shortCircuit: true }
        : next(specifier, context),
  })
}

answerParent({
  start: async ({ env, databaseUrl, secretKey, limiter }: ServerStart) => {
    if (!limiter) leaveLimiterOut()
    const { startParley } = await import('../../src/startup/start.ts')
    const config = { ...readConfig(env, process.cwd()), port: 0 }
    parley = await startParley({ config, databaseUrl, secretKey, log: openLog(config.logLevel) })
    // As src/main.ts does.
    flushCompileCache()
    return { port: parley.url ? Number(new URL(parley.url).port) : 0 }
  },
  use: serverUse,
  roundTrips,
  tidy: () => collect?.({ type: 'major', execution: 'sync', flavor: 'last-resort' }),
  beginProfile,
  endProfile,
  stop: () => parley?.close(),
})
