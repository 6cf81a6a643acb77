// One temporary PostgreSQL for a whole test run. It has a migrated template, and test files clone their
// databases from it.
import { execFile } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { TestProject } from 'vitest/node'
import { buildPages, buildSite } from '../../bin/build-pages.mjs'
import { withCell } from '../../src/core/values/cell.ts'
import { inNewCell } from '../../src/database/cells.ts'
import { dataDirOwner } from '../../src/database/data-dir-lock.ts'
import { startEmbedded } from '../../src/database/embedded.ts'
import { clusterFolders } from '../../src/database/embedded-place.ts'
import { findPostmaster, stopServer } from '../../src/database/embedded-server.ts'
import { migrate } from '../../src/database/migrate.ts'
import { onDatabase, withDatabase } from '../../src/database/on-database.ts'
import { TEST_CELL } from './cell.ts'

/**
 * The addresses of the server for test files. `adminUrl` may create databases; `ownerUrl` connects as the
 * service's role.
 */
export type TestServer = { adminUrl: string; ownerUrl: string; template: string }

declare module 'vitest' {
  interface ProvidedContext {
    testServer: TestServer
  }
}

const folderPrefix = 'parley-test-'
const memoryFolder = '/dev/shm'
const GIB = 2 ** 30

// The data is deleted after the run, so it doesn't need to survive a crash.
const throwawaySettings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  shared_buffers: '128MB',
  max_connections: '300',
  autovacuum_naptime: '60s',
}

/**
 * Called by vitest before the first test file; returns the function that stops the server after the last test
 * file.
 */
export default async function startTestServer(project: TestProject): Promise<() => Promise<void>> {
  // Done once for the whole run: later builds reuse the output of the same sources.
  const root = join(import.meta.dirname, '../..')
  const building = Promise.all([buildPages(root), buildSite(root)])
  // Servers in their own processes start from it in half of the time; without it they run the sources.
  const bundling = promisify(execFile)(process.execPath, [join(root, 'bin/bundle.mjs'), 'server'])
  const external = process.env.TEST_DATABASE_URL
  const { adminUrl, ownerUrl, stop } = external
    ? { adminUrl: external, ownerUrl: external, stop: async () => {} }
    : await startThrowaway()
  const template = `parley_template_${process.pid}`
  try {
    await onServer(adminUrl, `create database ${template} owner ${new URL(ownerUrl).username}`)
    const address = withCell(withDatabase(ownerUrl, template), TEST_CELL)
    await inNewCell(address, () => migrate(address))
  } catch (error) {
    await stop()
    throw error
  }
  const [pages, site] = await building
  await bundling.catch((error: Error) => console.error(`The server could not be bundled: ${error.message}`))
  if (pages?.state !== 'built') console.error(`The dashboard could not be built: ${pages?.reason}`)
  if (site?.state !== 'built') console.error(`The documentation could not be built: ${site?.reason}`)
  project.provide('testServer', { adminUrl, ownerUrl, template })
  return async () => {
    if (external) await onServer(adminUrl, `drop database ${template} with (force)`)
    await stop()
  }
}

/** Runs one statement on its own connection. */
export async function onServer(url: string, statement: string): Promise<void> {
  await onDatabase(url, (client) => client.query(statement))
}

async function startThrowaway(): Promise<{ adminUrl: string; ownerUrl: string; stop: () => Promise<void> }> {
  const places = [...new Set([memoryFolder, tmpdir()])].filter((path) => existsSync(path))
  for (const place of places) await sweepAbandoned(place)
  const dataDir = mkdtempSync(join(hasRoomInMemory() ? memoryFolder : tmpdir(), folderPrefix))
  // Temporary files of test files and their child processes go there too. Programs that root starts run as
  // other users, so those users need access.
  if (process.getuid?.() === 0) chmodSync(dataDir, 0o711)
  process.env.TMPDIR = join(dataDir, 'tmp')
  mkdirSync(process.env.TMPDIR)
  const remove = () => rmSync(dataDir, { recursive: true, force: true })
  // An interrupted run skips the teardown, so the database also stops when this process does.
  process.once('exit', remove)
  for (const [signal, code] of [
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)
    process.on(signal, () => process.exit(code))
  const database = await startEmbedded({ dataDir, settings: throwawaySettings, log: console.error })
  return {
    adminUrl: database.superuserUrl,
    ownerUrl: database.url,
    stop: async () => {
      await database.stop()
      remove()
    },
  }
}

// Each database consists of a thousand small files: creating them in memory takes a tenth of the time.
function hasRoomInMemory(): boolean {
  if (!existsSync(memoryFolder) || process.availableMemory() < 8 * GIB) return false
  // Some tests run copied programs, but containers usually mount this folder with `noexec`.
  if (mountOptionsOf(memoryFolder)?.includes('noexec')) return false
  const { bavail, bsize } = statfsSync(memoryFolder)
  return bavail * bsize >= 4 * GIB
}

/** Returns the options of the latest mount at a path, where the system shows them. */
function mountOptionsOf(place: string): string[] | undefined {
  if (!existsSync('/proc/mounts')) return undefined
  const mounts = readFileSync('/proc/mounts', 'utf8')
    .split('\n')
    .map((line) => line.split(' '))
  return mounts.findLast(([, target]) => target === place)?.[3]?.split(',')
}

// A killed run leaves its server and its folder.
async function sweepAbandoned(place: string): Promise<void> {
  for (const name of readdirSync(place).filter((found) => found.startsWith(folderPrefix))) {
    const dataDir = join(realpathSync(place), name)
    const isOurs = statSync(dataDir, { throwIfNoEntry: false })?.uid === process.getuid?.()
    // A folder without a lock file is still being created.
    if (!isOurs || !existsSync(join(dataDir, 'parley.lock')) || dataDirOwner(dataDir)) continue
    for (const folder of clusterFolders(dataDir)) await stopServer(findPostmaster(folder)?.pid)
    rmSync(dataDir, { recursive: true, force: true })
  }
}
