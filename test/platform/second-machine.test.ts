/** Two machines of one installation, each with a data directory of its own (docs/growing.md). */
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
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
  const made = await newInstallation({ DATABASE_URL: database.url, PARLEY_SECRET_KEY: secretKey })
  onTestFinished(made.remove)
  return made
}

test('a machine with another key than the first is told', async () => {
  const first = await (await machine(SECRET_KEY)).start()
  const same = await (await machine(SECRET_KEY)).start()
  const [own, given] = [await (await machine('')).start(), await (await machine('x'.repeat(32))).start()]
  expect(own.said()).toMatch(/The secret key in .*secret\.key does not open what this database keeps/)
  expect(given.said()).toContain('The secret key in PARLEY_SECRET_KEY does not open what this database keeps')
  expect([first, same].map((one) => one.said()).join()).not.toContain('does not open')
})

test('the doctor of a machine that lacks the files of another says so', async () => {
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
    detail: expect.stringContaining('1 of the newest 1 are not where this machine looks'),
  })
})
