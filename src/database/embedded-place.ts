// The folders of the embedded database in a data directory.
import { createHash, randomBytes } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeFolder } from '../core/make-folder.ts'
import { copyBinaries, embeddedMajorVersion, findBinaries } from './embedded-binaries.ts'
import { findRunAs, type RunAs } from './embedded-user.ts'

/** `clusterDir` is PostgreSQL's own data directory, `bin` the folder of its programs. */
export type Place = { clusterDir: string; bin: string; runAs: RunAs }

/**
 * Chooses folders and user for the database of an existing data directory. Calls `log` with anything unusual.
 */
export function choosePlace(dataDir: string, log: (line: string) => void): Place {
  const realDir = realpathSync(dataDir)
  const native = findBinaries(realDir)
  const clusterDir = join(realDir, 'postgres')
  refuseOtherOwner(clusterDir)
  const runAs = findRunAs(join(native, 'bin', 'postgres'), realDir, ownerOf(clusterDir))
  if (runAs) return { clusterDir, bin: join(native, 'bin'), runAs }
  return relocate(realDir, native, log)
}

/** Returns the folders that may contain the cluster of a data directory, the usual one first. */
export function clusterFolders(dataDir: string): string[] {
  const realDir = realpathSync(dataDir)
  return [join(realDir, 'postgres'), join(relocatedFolder(realDir), 'postgres')]
}

/**
 * Creates a short, private folder for the server's socket, because socket addresses are limited to about 100
 * bytes and data directories are not. Rejects a folder of another user.
 */
export function makeSocketDir(place: Place): string {
  const base = tmpdir().length <= 60 ? tmpdir() : '/tmp'
  const path = join(realpathSync(base), `parley-${shortHash(place.clusterDir)}`)
  const uid = place.runAs.uid ?? process.getuid?.() ?? 0
  try {
    mkdirSync(path, { mode: 0o700 })
    if (place.runAs.uid !== undefined) chownSync(path, place.runAs.uid, place.runAs.gid ?? place.runAs.uid)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  const stats = lstatSync(path)
  if (!stats.isDirectory() || (stats.uid !== uid && stats.uid !== process.getuid?.()))
    throw new Error(`${path} belongs to another user, but the database needs it for its socket. Remove it.`)
  if (stats.uid !== uid) chownSync(path, uid, place.runAs.gid ?? uid)
  chmodSync(path, 0o700)
  return path
}

/**
 * Returns the passwords of the database's two roles, created once for a data directory and readable only by
 * its owner.
 */
export function readPasswords(dataDir: string): { superuser: string; parley: string } {
  const path = join(dataDir, 'database-passwords.json')
  if (!existsSync(path)) {
    const newPassword = () => randomBytes(24).toString('base64url')
    writeFileSync(path, JSON.stringify({ superuser: newPassword(), parley: newPassword() }), {
      mode: 0o600,
      flag: 'wx',
    })
  }
  return JSON.parse(readFileSync(path, 'utf8'))
}

/** Throws if another major version created the cluster, because this version cannot read its files. */
export function refuseOtherMajor(clusterDir: string): void {
  const majorVersion = readFileSync(join(clusterDir, 'PG_VERSION'), 'utf8').trim()
  if (majorVersion !== String(embeddedMajorVersion))
    throw new Error(
      `PostgreSQL ${majorVersion} created ${clusterDir}, but this Parley includes PostgreSQL ${embeddedMajorVersion}. ` +
        'Back up with the earlier Parley version and restore into a new data directory.',
    )
}

function refuseOtherOwner(clusterDir: string): void {
  const uid = process.getuid?.()
  const owner = ownerOf(clusterDir)
  if (uid !== undefined && uid !== 0 && owner && owner.uid !== uid)
    throw new Error(
      `${clusterDir} belongs to another user (uid ${owner.uid}). Start Parley as that user, ` +
        'or set PARLEY_DATA_DIR to another folder.',
    )
}

// A cluster keeps its user: PostgreSQL opens only a folder that it owns. Root cannot be that user.
function ownerOf(clusterDir: string): { uid: number; gid: number } | undefined {
  if (!existsSync(clusterDir)) return undefined
  const { uid, gid } = statSync(clusterDir)
  return uid === 0 ? undefined : { uid, gid }
}

function relocate(realDir: string, native: string, log: (line: string) => void): Place {
  const folder = relocatedFolder(realDir)
  makeFolder(folder, 0o755)
  const bin = join(copyBinaries(native, join(folder, 'native')), 'bin')
  const runAs = findRunAs(join(bin, 'postgres'), folder, ownerOf(join(folder, 'postgres')))
  if (!runAs)
    throw new Error(
      `PostgreSQL must run as a user other than root, but no other user can run it, not even from ${folder}. Start Parley as another user.`,
    )
  log(`only root can open ${realDir}, so the database is stored in ${folder}`)
  return { clusterDir: join(folder, 'postgres'), bin, runAs }
}

const relocatedFolder = (realDir: string) => join('/var/lib/parley', shortHash(realDir))
const shortHash = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 16)
