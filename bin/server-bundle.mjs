import { spawn } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'
import { findServerBundle } from './bundle-cache.mjs'

/**
 * Bundles the server while `command` runs, if a source changed. This start uses the sources, and the next one the bundle. The
 * build uses only processor time that nothing else needs. If it fails, the sources run themselves.
 */
export async function withServerBundle(root, node, command) {
  if (findServerBundle(root) !== undefined) return command()
  const build = spawn(node, [join(root, 'bin/bundle.mjs'), 'server'], { stdio: 'ignore' })
  build.on('error', () => {})
  try {
    if (build.pid !== undefined) setPriority(build.pid, constants.priority.PRIORITY_LOW)
  } catch {
    // The build has ended already, or the system has no priorities.
  }
  try {
    return await command()
  } finally {
    build.kill()
  }
}
