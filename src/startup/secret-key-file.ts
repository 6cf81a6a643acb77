/** The file with the secret key of an installation, used without PARLEY_SECRET_KEY. */
import { randomBytes, randomUUID } from 'node:crypto'
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigError } from '../config.ts'
import { makeFolder } from '../core/make-folder.ts'

/**
 * Returns the key that encrypts stored secrets when PARLEY_SECRET_KEY is not set: `<dataDir>/secret.key`, created on the first
 * run and readable only by its owner. Two processes that start together use the same key.
 */
export const ensureSecretKey = (dataDir: string): string =>
  usingKeyFile(dataDir, (path) => keptKey(path) ?? makeKey(dataDir, path))

/** Returns the same key if it exists, else undefined; creates none. */
export const readSecretKeyFile = (dataDir: string): string | undefined => usingKeyFile(dataDir, keptKey)

function usingKeyFile<T>(dataDir: string, use: (path: string) => T): T {
  const path = join(dataDir, 'secret.key')
  try {
    return use(path)
  } catch (error) {
    throw new ConfigError([
      `PARLEY_SECRET_KEY: Not set, and ${path} can't be used (${(error as NodeJS.ErrnoException).code}). Run this as the service's user, or set PARLEY_SECRET_KEY.`,
    ])
  }
}

function keptKey(path: string): string | undefined {
  try {
    // An emptied file contains no key.
    return readFileSync(path, 'utf8').trim() || undefined
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

function makeKey(dataDir: string, path: string): string {
  makeFolder(dataDir)
  const draft = `${path}.${randomUUID()}`
  writeFileSync(draft, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' })
  try {
    linkSync(draft, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(draft)
  }
  return readFileSync(path, 'utf8').trim()
}
