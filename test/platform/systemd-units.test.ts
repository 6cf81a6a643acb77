/** deploy/systemd: the units are valid and closed off, and their command starts and stops the service. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { afterAll, describe, expect, test } from 'vitest'
import { SECRET_KEY } from '../support/boot.ts'
import { createTestDatabase } from '../support/database.ts'
import { freePort } from '../support/redis-server.ts'
import { startCommand } from '../support/started-command.ts'

const ROOT = join(import.meta.dirname, '../..')
/** The place of the code in the units. */
const INSTALLED = '/opt/parley'
/** The longest stop of a process (src/startup/process-events.ts). */
const LONGEST_STOP_S = 60
/** systemd calls a service with less exposure "OK". */
const EXPOSURE_MAX = '25'

const folder = mkdtempSync(join(tmpdir(), 'parley-units-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const readUnit = (name: string): string => readFileSync(join(ROOT, 'deploy/systemd', name), 'utf8')
/** Returns the values of a setting, in order. */
const valuesOf = (unit: string, name: string): string[] =>
  [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value]) => value!)

const analyze = (...args: string[]) => spawnSync('systemd-analyze', args, { encoding: 'utf8' })
const hasAnalyze = analyze('--version').status === 0
if (!hasAnalyze) console.warn('The systemd units are not checked: systemd-analyze is missing.')

const unit = readUnit('parley.service')

test('the unit for several processes differs only in its settings file for each', () => {
  const template = readUnit('parley@.service')
  const linesOf = (text: string) => text.slice(text.indexOf('[Service]')).split('\n')
  const own = 'EnvironmentFile=/etc/parley/%i.env'
  expect(linesOf(template)).toContain(own)
  expect(linesOf(template).filter((line) => line !== own)).toEqual(linesOf(unit))
})

test('the unit leaves the service more time to stop than it needs', () => {
  expect(Number(valuesOf(unit, 'TimeoutStopSec')[0])).toBeGreaterThan(LONGEST_STOP_S)
})

describe.skipIf(!hasAnalyze)('systemd-analyze', () => {
  test.each(['parley.service', 'parley@.service'])('finds no fault in %s, and little exposure', (name) => {
    const path = join(folder, name)
    writeFileSync(path, readUnit(name).replaceAll(INSTALLED, ROOT))
    const verified = analyze('verify', '--man=no', path.replace('@', '@web-1'))
    expect({ status: verified.status, stderr: verified.stderr }).toEqual({ status: 0, stderr: '' })
    const rated = analyze('security', '--offline=yes', '--no-pager', `--threshold=${EXPOSURE_MAX}`, path)
    expect(rated.status, rated.stdout).toBe(0)
  })
})

const [commandLine] = valuesOf(unit, 'ExecStart')
const [program, ...words] = commandLine!.replaceAll(INSTALLED, ROOT).split(' ')

test.skipIf(!existsSync(program!))(
  "the unit's command starts the service, and SIGTERM stops it",
  async () => {
    const settingsFile = valuesOf(unit, 'EnvironmentFile').at(-1)!.replace(INSTALLED, ROOT)
    const settings = parseEnv(readFileSync(settingsFile, 'utf8')) as Record<string, string>
    const args = words.flatMap((word) =>
      word.startsWith('$') ? settings[word.slice(1)]!.split(' ') : [word],
    )
    const database = await createTestDatabase()
    const port = await freePort()
    const command = startCommand([program!, ...args], {
      cwd: valuesOf(unit, 'WorkingDirectory')[0]!.replace(INSTALLED, ROOT),
      env: {
        ...settings,
        NODE_ENV: 'production',
        PORT: String(port),
        PARLEY_DATA_DIR: folder,
        NODE_COMPILE_CACHE: join(folder, 'compiled'),
        DATABASE_URL: database.url,
        PARLEY_SECRET_KEY: SECRET_KEY,
      },
    })
    try {
      await command.waitUntilReady(`http://127.0.0.1:${port}`)
      expect(await command.end('SIGTERM')).toBe(0)
    } finally {
      await command.end('SIGKILL')
      await database.drop()
    }
  },
)
