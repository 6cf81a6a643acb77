import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { isBuilt, pagesFolder, pagesHash, readPagesState, writePagesState } from './pages.mjs'

/**
 * Has the pages built while `command` runs: the service starts meanwhile and serves them when they are there. A build
 * that fails stops nothing; the service says at its address what is missing.
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
  // Before the service looks for the first time: it must not serve the build of older sources.
  writePagesState(folder, { hash, state: 'building' })
  const build = spawn(node, [join(root, 'bin/build-pages.mjs')], { stdio: ['ignore', 'ignore', 'inherit'] })
  build.on('error', (error) => writePagesState(folder, { hash, state: 'failed', reason: error.message }))
  try {
    return await command()
  } finally {
    build.kill()
  }
}
