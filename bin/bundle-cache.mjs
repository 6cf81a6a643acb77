// The bundles of a clone: node_modules/.cache/parley/BUILD contains a build of the command line, and bundle.json next to it names
// the current build with the sources that it was made from. The server's are in node_modules/.cache/parley-server.
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

export const cacheFolder = (root) => join(root, 'node_modules/.cache/parley')
export const stateFile = (root) => join(cacheFolder(root), 'bundle.json')
export const serverCacheFolder = (root) => join(root, 'node_modules/.cache/parley-server')
export const serverStateFile = (root) => join(serverCacheFolder(root), 'bundle.json')

/** Files that decide which packages are installed, and so the bundled packages. */
export const PACKAGE_FILES = ['package.json', 'package-lock.json', 'node_modules/.package-lock.json']

/** Identifies the content of a file, without reading it; undefined if the file is gone. */
export function stampOf(path) {
  const found = statSync(path, { throwIfNoEntry: false })
  return found && `${found.size} ${found.mtimeMs}`
}

const isCurrentIn =
  (root) =>
  ([path, stamp]) =>
    stampOf(`${root}/${path}`) === stamp

/** Returns the path of the bundled server if no source changed since; undefined otherwise. */
export function findServerBundle(root) {
  try {
    const { build, files } = JSON.parse(readFileSync(serverStateFile(root), 'utf8'))
    return files.every(isCurrentIn(root)) ? join(serverCacheFolder(root), build, 'main.mjs') : undefined
  } catch {
    // There is no bundle yet, or another version wrote it.
    return undefined
  }
}

/**
 * Returns the path of the bundled program if no source of the command in `words` changed since; undefined otherwise. The files
 * of packages count for every command.
 */
export function findBundle(root, words) {
  try {
    const { build, files, common, parts, commands } = JSON.parse(readFileSync(stateFile(root), 'utf8'))
    const file = commands[words.slice(0, 2).join(' ')] ?? commands[words[0]] ?? 'all'
    const isCurrent = isCurrentIn(root)
    const sources = parts[file].map((number) => files[number])
    if (![...files.slice(0, common), ...sources].every(isCurrent)) return undefined
    return join(cacheFolder(root), build, 'cli.mjs')
  } catch {
    // There is no bundle yet, or another version wrote it.
    return undefined
  }
}
