/**
 * Secrets of commands, passed apart from the command line, which every user of the machine can read
 * (docs/running.md).
 */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadCommands } from '../../src/cli/commands.ts'
import { createSealer } from '../../src/core/sealing.ts'
import { onDatabase } from '../../src/database/on-database.ts'
import { SECRET_KEY } from '../support/boot.ts'
import { runParley } from '../support/command-line.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'

const folder = mkdtempSync(join(tmpdir(), 'parley-cli-secrets-'))
const PROGRAM = join(import.meta.dirname, '../../bin/parley')
let database: TestDatabase
let workspaceId: string
beforeAll(async () => {
  database = await createTestDatabase()
  workspaceId = JSON.parse((await run('workspace', 'create', '--name', 'Acme', '--json')).stdout).workspaceId
})
afterAll(async () => {
  await database.drop()
  rmSync(folder, { recursive: true })
})

const env = () => ({ PARLEY_DATA_DIR: folder, DATABASE_URL: database.url, PARLEY_SECRET_KEY: SECRET_KEY })
const run = (...words: string[]) => runParley(words, env())
const file = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}
/** Runs a separate program with `input` on standard input. */
const runWith = (input: string, ...words: string[]) =>
  new Promise<{ code: number; stderr: string }>((resolve) => {
    const options = { cwd: folder, env: { ...process.env, ...env() } }
    const child = execFile(PROGRAM, words, options, (error, _, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stderr }),
    )
    child.stdin!.end(input)
  })

const readStored = (numberId: string) =>
  onDatabase(database.url, async (client) => {
    const { rows } = await client.query(
      'select token_sealed, app_secret_sealed from phone_numbers where operator_id = $1',
      [numberId],
    )
    const sealer = createSealer(SECRET_KEY)
    return Object.values(rows[0]).map((sealed) => sealer.open(sealed as Buffer))
  })

const addNumberWords = (numberId: string) =>
  [
    'number add --operator cloud --account 101'.split(' '),
    ['--workspace', workspaceId, '--number', `+1415555${numberId}`, '--number-id', numberId],
  ].flat()

test('a secret is read from a file, without the line break at its end', async () => {
  const files = [
    ['--token-file', file('token', 'from a file\n')],
    ['--app-secret-file', file('secret', 'windows\r\n')],
    ['--verify-token', 'as it is'],
  ].flat()
  const added = await run(...addNumberWords('0101'), ...files)
  expect(added.code, added.stderr).toBe(0)
  expect(await readStored('0101')).toEqual(['from a file', 'windows'])
})

test('a secret is read from standard input, with - as the value or as the file name', async () => {
  const rest = ['--app-secret', 's', '--verify-token', 'v']
  for (const [id, flags] of [
    ['0102', ['--token', '-']],
    ['0103', ['--token-file', '-']],
  ] as const) {
    const added = await runWith('typed in\n', ...addNumberWords(id), ...flags, ...rest)
    expect(added.code, added.stderr).toBe(0)
    expect(await readStored(id)).toEqual(['typed in', 's'])
  }
})

test("a secret that can't be read, is given twice, or is empty is wrong usage, with the reason", async () => {
  const rest = ['--app-secret', 's', '--verify-token', 'v']
  const cases: [string[], string][] = [
    [['--token-file', join(folder, 'nowhere')], "--token: Can't be read from"],
    [['--token-file', folder], 'EISDIR'],
    [
      ['--token', 't', '--token-file', file('twice', 't')],
      '--token: Give this flag or --token-file, not both.',
    ],
    [['--token-file', file('empty', '\n')], '--token: Must not be empty.'],
    [['--token-file', file('long', 'x'.repeat(70_000))], 'it has more than 65536 bytes'],
    [[], '--token'],
  ]
  for (const [flags, reason] of cases) {
    const { code, stderr } = await run(...addNumberWords('0104'), ...flags, ...rest)
    expect(code, stderr).toBe(2)
    expect(stderr).toContain(reason)
  }
})

test('help shows how to pass a secret apart', async () => {
  const { stdout } = await run('number', 'set', '--help')
  expect(stdout).toContain('[--token T|--token-file PATH]')
  expect(stdout).toContain('[--app-secret S|--app-secret-file PATH]')
  expect(stdout).toContain('on standard input (-)')
  expect((await run('member', 'list', '--help')).stdout).not.toContain('standard input')
})

/** Names of flags that sound like secrets, but are none. */
const NO_SECRETS = new Set(['keyId', 'withSecretKey', 'key revoke: key'])

describe('every flag whose name marks a secret', async () => {
  const flags = (await loadCommands()).flatMap(({ name, flags }) =>
    Object.entries(flags).map(([flag, { secret }]) => ({ command: name, flag, secret: secret === true })),
  )
  const secrets = flags.filter(
    ({ command, flag }) =>
      /token|secret|password|^key$/i.test(flag) &&
      !NO_SECRETS.has(flag) &&
      !NO_SECRETS.has(`${command}: ${flag}`),
  )
  test.each(secrets)('$command --$flag also reads a file', ({ secret }) => {
    expect(secret).toBe(true)
  })
})
