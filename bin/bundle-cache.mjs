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

/**
 * Returns the path of the bundled program if no source of the command in `words` changed since; undefined otherwise. The files
 * of packages count for every command.
 */
export function findBundle(root, words) {
  try {
    const { build, files, common, parts, commands } = JSON.parse(readFileSync(stateFile(root), 'utf8'))
    const file = commands[words.slice(0, 2).join(' ')] ?? commands[words[0]] ?? 'all'
    const isCurrent = ([path, stamp]) => stampOf(`${root}/${path}`) === stamp
    const sources = parts[file].map((number) => files[number])
    if (![...files.slice(0, common), ...sources].every(isCurrent)) return undefined
    return join(cacheFolder(root), build, 'cli.mjs')
  } catch {
    // There is no bundle yet, or another version wrote it.
    return undefined
  }
}
