import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../config.ts'
import { requireUsableDataDir } from './usable-data-dir.ts'

test("a data directory that can't be created or used is reported with the name of its variable", () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-data-dir-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'file')
  writeFileSync(file, '')
  const check = (dataDir: string, env = {}) =>
    requireUsableDataDir(readConfig({ PARLEY_DATA_DIR: dataDir, ...env }, '/'))
  for (const dataDir of [file, join(file, 'below'), '/proc/parley'])
    expect(() => check(dataDir)).toThrow(`PARLEY_DATA_DIR: ${dataDir} can't be used (`)
  check(join(folder, 'new', 'one'))
  // Neither a database nor a key is stored there.
  check(file, { DATABASE_URL: 'postgres://127.0.0.1/parley', PARLEY_SECRET_KEY: 'k'.repeat(32) })
})
