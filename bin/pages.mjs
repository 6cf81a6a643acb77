// Manages the built pages of the dashboard and of the documentation site: dist/dashboard/HASH contains a complete
// build, and dist/dashboard/state.json names the current build, or why there is none. dist/site has the same form.
// Plain JavaScript without dependencies, as everything in this folder.
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The number of older builds kept for tabs that are already open. */
const OLDER_BUILDS = 2

export const pagesFolder = (root) => join(root, 'dist/dashboard')
/** The folder of the documentation site's builds. */
export const siteFolder = (root) => join(root, 'dist/site')

/** Returns the hash of the dashboard's sources, which identifies a build. Undefined if there are no sources. */
export const pagesHash = (root) =>
  hashOf(root, {
    folders: ['dashboard'],
    files: [
      'sdk/limits.ts',
      'sdk/payload-limits.ts',
      'sdk/places.ts',
      'sdk/src/wait.ts',
      'src/core/values/languages.ts',
      'src/core/values/message-format.ts',
      'package-lock.json',
    ],
    isLeftOut: (path) => /\.test\.tsx?$|\.md$/.test(path),
  })

/** Returns the hash of the documentation site's sources. Undefined if there are no sources. */
export const siteHash = (root) =>
  hashOf(root, {
    folders: ['site', 'docs'],
    files: ['CHANGELOG.md', 'SECURITY.md', 'package-lock.json'],
    isLeftOut: (path) => /\.test\.ts$|[\\/]docs[\\/]decisions[\\/]/.test(path),
  })

function hashOf(root, { folders, files, isLeftOut }) {
  const hash = createHash('sha256')
  let entries
  try {
    entries = folders.flatMap((name) =>
      readdirSync(join(root, name), { recursive: true, withFileTypes: true }),
    )
  } catch {
    return undefined
  }
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !isLeftOut(path))
  for (const path of [...paths.sort(), ...files.map(pathIn(root))])
    hash.update(path.slice(root.length)).update('\0').update(contentOf(path)).update('\0')
  return hash.digest('hex').slice(0, 16)
}

const pathIn = (root) => (path) => join(root, path)

function contentOf(path) {
  try {
    return readFileSync(path)
  } catch {
    return ''
  }
}

/** Returns `{hash, state: 'building' | 'built' | 'failed', reason?}`; undefined before the first build. */
export function readPagesState(folder) {
  try {
    return JSON.parse(readFileSync(join(folder, 'state.json'), 'utf8'))
  } catch {
    return undefined
  }
}

/** Replaces the state atomically, so that no process reads a partial file. */
export function writePagesState(folder, state) {
  const path = join(folder, 'state.json')
  mkdirSync(dirname(path), { recursive: true })
  const draft = `${path}.${process.pid}`
  writeFileSync(draft, `${JSON.stringify(state)}\n`)
  renameSync(draft, path)
}

/** Returns whether a complete build exists: its folder gets its name only after the build. */
export const isBuilt = (folder, hash) =>
  statSync(join(folder, hash, 'index.html'), { throwIfNoEntry: false }) !== undefined

/** Returns the builds, newest first. */
export function builds(folder) {
  const names = readdirSync(folder).filter((name) => /^[0-9a-f]{16}$/.test(name))
  const modifiedMs = (name) => statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0
  return names.sort((a, b) => modifiedMs(b) - modifiedMs(a))
}

/** Removes builds that no open tab needs, and the remains of interrupted builds. */
export function removeOldBuilds(folder, current) {
  const remove = (name) => rmSync(join(folder, name), { recursive: true, force: true })
  const older = builds(folder).filter((name) => name !== current)
  for (const name of older.slice(OLDER_BUILDS)) remove(name)
  for (const name of readdirSync(folder)) {
    const pid = /^\.building-(\d+)(?:-project)?$/.exec(name)?.[1]
    if (pid && !isRunning(Number(pid))) remove(name)
  }
}

function isRunning(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}
