import { afterAll, beforeAll, onTestFinished } from 'vitest'
import { createTestDatabase, type TestDatabase } from './database.ts'
import { type Admin, openAdmin } from './load.ts'
import { type Installation, newInstallation, type ServerProcess } from './server-process.ts'

/** The service of one test: at first one process, and another after each `restart`. */
export type KillableServer = Pick<ServerProcess, 'url' | 'pid' | 'exited' | 'end'> & {
  /** The service's database, without the service. */
  admin: Admin
  /** Kills the process with SIGKILL, and waits until it is gone. */
  kill(): Promise<unknown>
  /** Starts the next process at the same address. */
  restart(): Promise<void>
}

export type KillableInstallation = {
  /** Starts the service for the current test, and kills the process that runs when the test ends. */
  start(): Promise<KillableServer>
  /** The settings of its processes, for another installation on the same database. */
  settings(): Record<string, string>
}

/**
 * Gives the test file an installation on its own database, removed after the file's tests. `env` returns the
 * addresses of the outside systems; a `beforeAll` above the call has started them.
 *
 *   const installation = killableInstallation(() => operator.env)
 */
export function killableInstallation(env: () => Record<string, string> = () => ({})): KillableInstallation {
  let database: TestDatabase
  let installation: Installation
  const settings = () => ({ ...env(), DATABASE_URL: database.url })
  beforeAll(async () => {
    database = await createTestDatabase()
    installation = await newInstallation(settings())
  })
  afterAll(async () => {
    await installation?.remove()
    await database?.drop()
  })
  return {
    settings,
    start: async () => {
      const admin = openAdmin(database.url)
      onTestFinished(async () => {
        await installation.end()
        await admin.close()
      })
      let running = await installation.start()
      return {
        admin,
        url: running.url,
        get pid() {
          return running.pid
        },
        get exited() {
          return running.exited
        },
        end: (signal) => running.end(signal),
        kill: () => running.end('SIGKILL'),
        restart: async () => {
          running = await installation.start()
        },
      }
    },
  }
}
