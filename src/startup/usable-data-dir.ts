import { accessSync, constants } from 'node:fs'
import { type Config, ConfigError } from '../config.ts'
import { makeFolder } from '../core/make-folder.ts'

const { R_OK, W_OK, X_OK } = constants

/**
 * Makes the data directory of an installation that keeps its database or its secret key there, and checks that this user may
 * write to it. Throws ConfigError, naming the variable.
 */
export function requireUsableDataDir({ dataDir, databaseUrl, secretKey }: Config): void {
  if (databaseUrl !== undefined && secretKey !== undefined) return
  try {
    makeFolder(dataDir)
    // A name below it finds out a file of that name too.
    accessSync(`${dataDir}/.`, R_OK | W_OK | X_OK)
  } catch (error) {
    throw new ConfigError([
      `PARLEY_DATA_DIR: ${dataDir} can't be used (${(error as NodeJS.ErrnoException).code}). Run this as the service's user, or set a folder that this user can write to.`,
    ])
  }
}
