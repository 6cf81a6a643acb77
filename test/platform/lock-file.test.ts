/** package-lock.json: `npm ci` accepts it on every platform, in every npm from version 10. */
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { findNpm, PACKAGE_FILES, runNpm } from '../support/npm.ts'

type Locked = {
  version?: string
  resolved?: string
  /** A folder of this repository. */
  link?: boolean
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
  peerDependenciesMeta?: Record<string, { optional?: boolean }>
}

const ROOT = join(import.meta.dirname, '../..')
const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, Locked>
}

/** Returns whether `require` in the package at `path` finds `name`: there, or in a parent folder. */
function isLocked(path: string, name: string): boolean {
  const inner = path === '' ? `node_modules/${name}` : `${path}/node_modules/${name}`
  if (inner in packages) return true
  return path !== '' && isLocked(path.slice(0, Math.max(0, path.lastIndexOf('/node_modules/'))), name)
}

function requiredNames(path: string, locked: Locked): string[] {
  const { peerDependencies = {}, peerDependenciesMeta = {} } = locked
  return [
    ...Object.keys(locked.dependencies ?? {}),
    ...Object.keys(locked.optionalDependencies ?? {}),
    ...(path === '' ? Object.keys(locked.devDependencies ?? {}) : []),
    ...Object.keys(peerDependencies).filter((name) => !peerDependenciesMeta[name]?.optional),
  ]
}

test("the lock file has every package that a locked package needs, including other platforms' packages", () => {
  const missing = Object.entries(packages).flatMap(([path, locked]) =>
    requiredNames(path, locked)
      .filter((name) => !isLocked(path, name))
      .map((name) => `${name} of ${path}`),
  )
  expect(missing).toEqual([])
})

test('the lock file has no download address, so that any registry or mirror serves it', () => {
  const downloaded = Object.entries(packages).filter(([, { link }]) => !link)
  expect(downloaded.filter(([, { resolved }]) => resolved !== undefined)).toEqual([])
})

test.skipIf(!findNpm())('`npm ci --ignore-scripts` accepts the lock file in a fresh clone', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-lock-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const path of PACKAGE_FILES) cpSync(path, join(folder, basename(path)))
  for (const more of [[], ['--omit=dev']]) {
    const result = await runNpm(['ci', '--ignore-scripts', '--dry-run', '--offline', ...more], folder)
    expect(result.output).not.toContain('npm error')
    expect(result.code).toBe(0)
  }
})
