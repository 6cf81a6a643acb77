import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'parley-binaries-'))
const packageDir = join(folder, 'package')
const dataDir = join(folder, 'data')
const lib = join(packageDir, 'native', 'lib')

beforeAll(() => {
  mkdirSync(lib, { recursive: true })
  mkdirSync(join(packageDir, 'native', 'bin'))
  mkdirSync(dataDir)
  writeFileSync(join(packageDir, 'package.json'), JSON.stringify({ version: '18.4.0' }))
  writeFileSync(join(packageDir, 'native', 'bin', 'postgres'), 'program')
  writeFileSync(join(lib, 'libpq.so.5.18'), 'library')
  writeFileSync(
    join(packageDir, 'native', 'pg-symlinks.json'),
    JSON.stringify([{ source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so.5' }]),
  )
})

afterAll(() => {
  chmodSync(lib, 0o755)
  rmSync(folder, { recursive: true })
})

/** Runs in a process that respects folder permissions, even if root runs the tests. */
function printRunnableBinaries(): string {
  const script = `
    import { runnableBinaries } from ${JSON.stringify(join(import.meta.dirname, 'embedded-binaries.ts'))}
    process.stdout.write(runnableBinaries(...process.argv.slice(1)))`
  const node = [process.execPath, '--input-type=module', '--eval', script, '--', packageDir, dataDir]
  const restricted = ['setpriv', '--bounding-set=-dac_override', '--inh-caps=-dac_override']
  const [program, ...args] = process.getuid?.() === 0 ? [...restricted, ...node] : node
  const { stdout, stderr, status } = spawnSync(program!, args, { encoding: 'utf8' })
  expect(status, stderr).toBe(0)
  return stdout
}

test("programs installed where the service can't write are run from a copy, with their links", () => {
  chmodSync(lib, 0o555)
  const copy = join(dataDir, 'postgres-programs-18.4.0')
  expect(printRunnableBinaries()).toBe(copy)
  expect(readFileSync(join(copy, 'lib', 'libpq.so.5'), 'utf8')).toBe('library')
  expect(printRunnableBinaries()).toBe(copy)
  expect(existsSync(join(lib, 'libpq.so.5'))).toBe(false)

  chmodSync(lib, 0o755)
  expect(printRunnableBinaries()).toBe(join(packageDir, 'native'))
  expect(readFileSync(join(lib, 'libpq.so.5'), 'utf8')).toBe('library')
})
