/** Records a server in its data directory, so that commands do not need its settings again. */
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { Config } from '../config.ts'

/** Only addresses, because settings may contain passwords. */
const RunningServer = z.object({
  siteUrl: z.string(),
  /** True if the server uses the database in DATABASE_URL. */
  externalDatabase: z.boolean(),
})
type RunningServer = z.infer<typeof RunningServer>

const pathIn = (dataDir: string): string => join(dataDir, 'server.json')

/** Records the starting server; a failure to record it does not stop it. */
export function noteRunningServer({ dataDir, siteUrl, databaseUrl }: Config): void {
  const noted: RunningServer = { siteUrl, externalDatabase: databaseUrl !== undefined }
  const draft = `${pathIn(dataDir)}.${process.pid}`
  try {
    writeFileSync(draft, `${JSON.stringify(noted)}\n`, { mode: 0o600 })
    renameSync(draft, pathIn(dataDir))
  } catch {}
}

/** Returns the server that ran last in this data directory. */
export function readRunningServer(dataDir: string): RunningServer | undefined {
  try {
    return RunningServer.parse(JSON.parse(readFileSync(pathIn(dataDir), 'utf8')))
  } catch {
    return undefined
  }
}

const isGiven = (env: NodeJS.ProcessEnv, name: string): boolean =>
  Boolean(env[name]?.trim() || env[`${name}_FILE`]?.trim())

/**
 * Returns a command's settings with the running server's address, unless the command has another. Throws if
 * the command would open the embedded database while the server uses another one.
 */
export function besideRunningServer(config: Config, env: NodeJS.ProcessEnv): Config {
  const server = readRunningServer(config.dataDir)
  if (!server) return config
  if (server.externalDatabase && config.databaseUrl === undefined)
    throw new Error(
      `The server of ${config.dataDir} uses another database. Set DATABASE_URL for this command to the same value as for the server.`,
    )
  const isAddressGiven = isGiven(env, 'PARLEY_SITE_URL') || isGiven(env, 'PORT')
  return isAddressGiven ? config : { ...config, siteUrl: server.siteUrl }
}
