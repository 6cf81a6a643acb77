import { spawn } from 'node:child_process'
import { join } from 'node:path'
import {
  isBuilt,
  pagesFolder,
  pagesHash,
  readPagesState,
  siteFolder,
  siteHash,
  writePagesState,
} from './pages.mjs'

/** Returns whether the build has to run. The service uses an existing build of the same sources. */
function isStale(folder, hash) {
  if (hash === undefined) return false
  const isThere = isBuilt(folder, hash)
  const served = readPagesState(folder)
  // Before the service first reads the state: it must not serve a build of older sources.
  if (!isThere) writePagesState(folder, { hash, state: 'building' })
  else if (served?.hash !== hash || served.state !== 'built')
    writePagesState(folder, { hash, state: 'built' })
  return !isThere
}

/**
 * Builds the pages named by `names` while `command` runs: the service starts meanwhile and serves the pages when they are
 * ready. A failed build stops nothing; the service then shows the reason at its address.
 */
export async function withPages(root, node, names, command) {
  // One after the other: two builds would slow each other on a small machine.
  const stale = [
    { name: 'dashboard', folder: pagesFolder(root), hash: pagesHash(root) },
    { name: 'site', folder: siteFolder(root), hash: siteHash(root) },
  ].filter(({ name, folder, hash }) => names.includes(name) && isStale(folder, hash))
  if (stale.length === 0) return command()
  const build = spawn(node, [join(root, 'bin/build-pages.mjs'), ...stale.map(({ name }) => name)], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  build.on('error', (error) => {
    for (const { folder, hash } of stale)
      writePagesState(folder, { hash, state: 'failed', reason: error.message })
  })
  try {
    return await command()
  } finally {
    build.kill()
  }
}
