/** Records a server in its data directory, so that commands do not need its settings again. */
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Config, inCell } from '../config.ts'

/** Only addresses, because settings may contain passwords. */
type RunningServer = {
  siteUrl: string
  /** True if the server uses the database in DATABASE_URL. */
  externalDatabase: boolean
  /** The cell of the server. Earlier versions did not record it. */
  cell?: string
}

// Checked by hand: every command reads this file, and loading zod takes longer than most commands run.
const isRunningServer = (record: Record<string, unknown>): boolean =>
  typeof record.siteUrl === 'string' &&
  typeof record.externalDatabase === 'boolean' &&
  (record.cell === undefined || typeof record.cell === 'string')

const serverFile = (dataDir: string): string => join(dataDir, 'server.json')

/** Records the starting server; a failure to record it does not stop it. */
export function recordRunningServer({ dataDir, siteUrl, databaseUrl, cell }: Config): void {
  const record: RunningServer = { siteUrl, externalDatabase: databaseUrl !== undefined, cell }
  const draft = `${serverFile(dataDir)}.${process.pid}`
  try {
    writeFileSync(draft, `${JSON.stringify(record)}\n`, { mode: 0o600 })
    renameSync(draft, serverFile(dataDir))
  } catch {}
}

/** Returns the server that ran last in this data directory. */
export function readRunningServer(dataDir: string): RunningServer | undefined {
  try {
    const record = JSON.parse(readFileSync(serverFile(dataDir), 'utf8'))
    return isRunningServer(record) ? record : undefined
  } catch {
    return undefined
  }
}

const isSet = (env: NodeJS.ProcessEnv, name: string): boolean =>
  Boolean(env[name]?.trim() || env[`${name}_FILE`]?.trim())

/**
 * Returns a command's settings with the running server's address and cell, unless the command has others. Throws if
 * the command would open the embedded database while the server uses another one.
 */
export function withRunningServer(config: Config, env: NodeJS.ProcessEnv): Config {
  const server = readRunningServer(config.dataDir)
  if (!server) return config
  if (server.externalDatabase && config.databaseUrl === undefined)
    throw new Error(
      `The server of ${config.dataDir} uses another database. Set DATABASE_URL for this command to the same value as for the server.`,
    )
  const isAddressSet = isSet(env, 'PARLEY_SITE_URL') || isSet(env, 'PORT')
  const settings = isAddressSet ? config : { ...config, siteUrl: server.siteUrl }
  return server.cell === undefined || isSet(env, 'PARLEY_SCHEMA') ? settings : inCell(settings, server.cell)
}
