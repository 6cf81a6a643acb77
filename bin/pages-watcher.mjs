import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { isBuilt, pagesFolder, pagesHash, readPagesState, writePagesState } from './pages.mjs'

/**
 * Builds the pages while `command` runs: the service starts meanwhile and serves the pages when they are
 * ready. A failed build stops nothing; the service then shows the reason at its address.
 */
export async function withPages(root, node, command) {
  const hash = pagesHash(root)
  if (hash === undefined) return command()
  const folder = pagesFolder(root)
  if (isBuilt(folder, hash)) {
    const served = readPagesState(folder)
    if (served?.hash !== hash || served.state !== 'built') writePagesState(folder, { hash, state: 'built' })
    return command()
  }
  // Before the service first reads the state: it must not serve a build of older sources.
  writePagesState(folder, { hash, state: 'building' })
  const build = spawn(node, [join(root, 'bin/build-pages.mjs')], { stdio: ['ignore', 'ignore', 'inherit'] })
  build.on('error', (error) => writePagesState(folder, { hash, state: 'failed', reason: error.message }))
  try {
    return await command()
  } finally {
    build.kill()
  }
}
