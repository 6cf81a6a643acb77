/** `npm run release`: the checks that need no build. */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, expect, test } from 'vitest'
import { checkChangelog, checkLicenses, checkMigrations, checkVersion } from '../../bin/release/checks.mjs'

const ROOT = join(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'parley-release-checks-'))
afterAll(() => rmSync(folder, { recursive: true }))

function write(path: string, content: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), content)
}

test('a release has the version of package.json', () => {
  write('package.json', '{"version": "1.0.0"}')
  expect(checkVersion(folder, '1.0.0')).toEqual([])
  expect(checkVersion(folder, '1.0.1')).toEqual(['package.json has version 1.0.0. Set it to 1.0.1.'])
})

test('a release has a dated heading in the changelog', () => {
  write('CHANGELOG.md', '# Changelog\n\n## [Unreleased]\n\n## [1.0.0] - 2026-11-29\n')
  expect(checkChangelog(folder, '1.0.0')).toEqual([])
  for (const version of ['1.0.1', '1x0.0', 'Unreleased'])
    expect(checkChangelog(folder, version)[0]).toContain(`"## [${version}] - YYYY-MM-DD"`)
})

test('a release lists the checksum of every migration', () => {
  write('migrations/0001_a.sql', 'select 1;\n')
  const sum = createHash('sha256').update('select 1;\n').digest('hex')
  write('migrations/RELEASED', `# comment\n${sum}  migrations/0001_a.sql\n`)
  expect(checkMigrations(folder)).toEqual([])
  write('migrations/0001_a.sql', 'select 2;\n')
  expect(checkMigrations(folder)[0]).toContain('0001_a.sql')
})

test('a package with an unknown license stops a release; a license for tools is for tools only', () => {
  const lock = (license: string, dev: boolean) =>
    write(
      'package-lock.json',
      JSON.stringify({ packages: { '': {}, 'node_modules/a': { version: '1.0.0', license, dev } } }),
    )
  for (const allowed of ['MIT', '(MIT AND Zlib)', 'GPL-3.0 OR MIT']) {
    lock(allowed, false)
    expect(checkLicenses(folder), allowed).toEqual([])
  }
  lock('MPL-2.0', true)
  expect(checkLicenses(folder)).toEqual([])
  for (const refused of ['MPL-2.0', 'MIT AND GPL-3.0', 'AGPL-3.0-only']) {
    lock(refused, false)
    expect(checkLicenses(folder), refused).toEqual([`The license is not on the list: a@1.0.0: ${refused}.`])
  }
})

test('every locked package has a license on the list', () => {
  expect(checkLicenses(ROOT)).toEqual([])
})

test.each([[], ['1.0'], ['1.0.0', '--everything'], ['1.0.0', '--to']])(
  'npm run release %j is wrong usage',
  async (...words) => {
    const child = spawn(process.execPath, [join(ROOT, 'bin/launch.mjs'), 'release', ...words.flat()])
    const [output, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')])
    expect(code).toBe(2)
    expect(output).toContain('npm run release -- VERSION')
  },
)
