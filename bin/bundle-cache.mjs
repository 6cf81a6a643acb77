// The bundle of the command line in a clone: node_modules/.cache/parley/BUILD contains a build, and bundle.json
// next to it names the current build with the sources that it was made from.
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

export const cacheFolder = (root) => join(root, 'node_modules/.cache/parley')
export const stateFile = (root) => join(cacheFolder(root), 'bundle.json')

/** Files that decide which packages are installed, and so the bundled packages. */
export const PACKAGE_FILES = ['package.json', 'package-lock.json', 'node_modules/.package-lock.json']

/** Identifies the content of a file, without reading it; undefined if the file is gone. */
export function stampOf(path) {
  const found = statSync(path, { throwIfNoEntry: false })
  return found && `${found.size} ${found.mtimeMs}`
}

/** Returns the path of the bundled program if none of its sources changed since; undefined otherwise. */
export function findBundle(root) {
  let state
  try {
    state = JSON.parse(readFileSync(stateFile(root), 'utf8'))
  } catch {
    return undefined
  }
  for (const [path, stamp] of Object.entries(state.stamps))
    if (stampOf(`${root}/${path}`) !== stamp) return undefined
  return join(cacheFolder(root), state.build, 'cli.mjs')
}
