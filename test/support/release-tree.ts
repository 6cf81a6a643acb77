/** Source trees of other versions: the last release (test/release/last-release.json), and this one with a later migration. */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { findNpm, runNpm } from './npm.ts'

const ROOT = join(import.meta.dirname, '../..')
const RECORD = join(ROOT, 'test/release/last-release.json')
/** The folders of a tree that its service needs. */
const SERVICE_FOLDERS = ['src', 'bin', 'migrations']
const HISTORY_LIMIT = 64 * 1024 * 1024

/** `main` is the program of its service; `unavailable` is the reason why there is no tree. */
export type ReleaseTree = { version: string; folder: string; main: string } | { unavailable: string }

const runGit = (...args: string[]): string =>
  execFileSync('git', args, {
    cwd: ROOT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: HISTORY_LIMIT,
  })

const linkPackages = (folder: string): void =>
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'junction')

type Lock = { packages: Record<string, { dev?: boolean; dependencies?: object }> }

/** Returns the packages of a service as text: those of the lock file that are not only for development. */
function servicePackages(folder: string): string {
  const { packages } = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')) as Lock
  return JSON.stringify(Object.entries(packages).filter(([path, { dev }]) => path !== '' && !dev))
}

/** Links this tree's packages if they are the same. Otherwise installs the packages of the release. */
async function addPackages(folder: string): Promise<string | undefined> {
  if (servicePackages(ROOT) === servicePackages(folder)) {
    linkPackages(folder)
    return undefined
  }
  if (!findNpm()) return 'npm, which installs its packages, is missing'
  const { code, output } = await runNpm(['ci', '--omit=dev', '--ignore-scripts', '--prefer-offline'], folder)
  return code === 0 ? undefined : `its packages can't be installed: ${output.slice(-500)}`
}

/** Checks out a commit into a new folder, without packages. */
function extractCommit(commit: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'parley-release-'))
  const archive = `${folder}.tar`
  runGit('archive', `--output=${archive}`, commit)
  execFileSync('tar', ['-xf', archive, '-C', folder])
  return folder
}

/** Checks out the last release, ready to start. */
export async function checkOutRelease(): Promise<ReleaseTree> {
  const { version, commit } = JSON.parse(readFileSync(RECORD, 'utf8')) as { version: string; commit: string }
  let folder: string
  try {
    folder = extractCommit(commit)
  } catch (error) {
    return { unavailable: `version ${version} (${commit}) can't be checked out: ${(error as Error).message}` }
  }
  const fault = await addPackages(folder)
  if (fault) return { unavailable: `version ${version}: ${fault}` }
  return { version, folder, main: join(folder, 'src/main.ts') }
}

/**
 * Returns a tree whose modules a test can load, with this tree's packages: a module of the tests needs the
 * running vitest.
 */
export function loadableTree(tree: ReleaseTree): string | undefined {
  if ('unavailable' in tree) return undefined
  const folder = `${tree.folder}-modules`
  mkdirSync(folder)
  for (const name of ['src', 'test', 'bench', 'bin', 'migrations', 'package.json', 'tsconfig.json'])
    cpSync(join(tree.folder, name), join(folder, name), { recursive: true })
  linkPackages(folder)
  return folder
}

/** Loads a module of another tree; `path` starts at the root of the tree. */
export const loadModule = <Module>(folder: string, path: string): Promise<Module> =>
  import(/* @vite-ignore */ pathToFileURL(join(folder, path)).href) as Promise<Module>

/** Copies this tree and adds migrations, as a later version has them. Returns the program of its service. */
export function copyWithMigrations(migrations: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'parley-later-'))
  for (const name of SERVICE_FOLDERS) cpSync(join(ROOT, name), join(folder, name), { recursive: true })
  cpSync(join(ROOT, 'package.json'), join(folder, 'package.json'))
  for (const [name, sql] of Object.entries(migrations)) writeFileSync(join(folder, 'migrations', name), sql)
  linkPackages(folder)
  return join(folder, 'src/main.ts')
}
