/** Two machines of one installation, each with its own data directory (docs/growing.md). */
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createSealer } from '../../src/core/sealing.ts'
import { onDatabase } from '../../src/database/on-database.ts'
import { boot, SECRET_KEY } from '../support/boot.ts'
import { runParley } from '../support/command-line.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { uploadOf } from '../support/files.ts'
import { newInstallation } from '../support/server-process.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

const machine = async (secretKey: string) => {
  const installation = await newInstallation({ DATABASE_URL: database.url, PARLEY_SECRET_KEY: secretKey })
  onTestFinished(installation.remove)
  return installation
}

test('a machine with a different key than the first reports the secrets that it cannot open', async () => {
  const first = await (await machine(SECRET_KEY)).start()
  const second = await (await machine(SECRET_KEY)).start()
  const wrongKey = await (await machine('x'.repeat(32))).start()
  expect(wrongKey.output()).toContain(
    "The secret key in PARLEY_SECRET_KEY can't decrypt secrets in this database",
  )
  expect(wrongKey.output()).toContain('1 of 1 operator tokens of numbers (phone_numbers.token_sealed)')
  expect([first, second].map((server) => server.output()).join()).not.toContain("can't decrypt")
})

test('a start without the key fails if the database contains secrets, and creates no new key', async () => {
  const keyless = await machine('')
  await expect(keyless.start()).rejects.toThrow(/The secret key is missing: .*Restore the file/s)
  expect(existsSync(join(keyless.dataDir, 'secret.key'))).toBe(false)
  const env = { DATABASE_URL: database.url, PARLEY_DATA_DIR: keyless.dataDir }
  expect(await runParley(['member', 'list', '--workspace', randomUUID()], env)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('The secret key is missing'),
  })
  const { stdout } = await runParley(['doctor', '--json'], env)
  expect(JSON.parse(stdout).checks).toContainEqual({
    name: 'secret key',
    status: 'failed',
    detail: expect.stringContaining('The secret key is missing'),
  })
  expect(existsSync(join(keyless.dataDir, 'secret.key'))).toBe(false)
})

test('the doctor and a backup name every kind of secret that another key sealed', async () => {
  const other = await createTestDatabase()
  onTestFinished(() => other.drop())
  const parley = await boot({ databaseUrl: other.url })
  onTestFinished(() => parley.close())
  const shop = await parley.workspace({ sandbox: true })
  expect((await shop.post('/webhooks', { url: 'https://example.com/hook' })).status).toBe(201)
  const foreign = createSealer('y'.repeat(32)).seal('secret')
  await onDatabase(other.url, (client) =>
    client.query('update webhook_endpoints set secret_sealed = $1', [foreign]),
  )
  const env = {
    DATABASE_URL: other.url,
    PARLEY_SECRET_KEY: SECRET_KEY,
    PARLEY_DATA_DIR: parley.config.dataDir,
  }
  const named = '1 of 1 signing secrets of webhook endpoints (webhook_endpoints.secret_sealed)'
  const doctor = await runParley(['doctor', '--json'], env)
  expect(
    JSON.parse(doctor.stdout).checks.filter(({ name }: { name: string }) => name === 'secret key'),
  ).toEqual([{ name: 'secret key', status: 'failed', detail: expect.stringContaining(named) }])
  const folder = join(parley.config.dataDir, 'backup')
  const backup = await runParley(['backup', '--to', folder, '--without-files'], env)
  expect(backup).toMatchObject({ code: 0, stderr: expect.stringContaining(named) })
  const otherEnv = { ...env, PARLEY_SECRET_KEY: 'z'.repeat(32) }
  expect(await runParley(['backup', '--to', `${folder}-wrong`, '--without-files'], otherEnv)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      /can't decrypt the stored secrets: .*operator tokens of numbers.*signing secrets of webhook endpoints/,
    ),
  })
})

test("the doctor of a machine without another machine's files says so", async () => {
  const first = await boot()
  onTestFinished(() => first.close())
  const shop = await first.workspace({ sandbox: true })
  expect((await shop.post('/media', uploadOf('image/png', 1_000))).status).toBe(200)
  const filesOn = async (dataDir: string) => {
    const { stdout } = await runParley(['doctor', '--json'], {
      DATABASE_URL: first.databaseUrl,
      PARLEY_SECRET_KEY: SECRET_KEY,
      PARLEY_DATA_DIR: dataDir,
    })
    return JSON.parse(stdout).checks.find(({ name }: { name: string }) => name === 'stored files')
  }
  expect(await filesOn(first.config.dataDir)).toMatchObject({ status: 'ok' })
  const { dataDir } = await machine(SECRET_KEY)
  expect(await filesOn(dataDir)).toMatchObject({
    status: 'failed',
    detail: expect.stringContaining("this machine can't find 1 of the newest 1 files"),
  })
})
