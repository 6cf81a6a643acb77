import { accessSync, constants } from 'node:fs'
import { type Config, ConfigError } from '../config.ts'
import { makeFolder } from '../core/make-folder.ts'

const { R_OK, W_OK, X_OK } = constants

/**
 * Creates the data directory of an installation that stores its database or secret key there, and checks that
 * this user may write to it. Throws ConfigError with the name of the variable.
 */
export function requireUsableDataDir({ dataDir, databaseUrl, secretKey }: Config): void {
  if (databaseUrl !== undefined && secretKey !== undefined) return
  try {
    makeFolder(dataDir)
    // A path below it also fails if the directory is a file.
    accessSync(`${dataDir}/.`, R_OK | W_OK | X_OK)
  } catch (error) {
    throw new ConfigError([
      `PARLEY_DATA_DIR: ${dataDir} can't be used (${(error as NodeJS.ErrnoException).code}). Run this as the service's user, or set a folder that this user can write to.`,
    ])
  }
}
