/** Two machines of one installation, each with a data directory of its own (docs/growing.md). */
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { SECRET_KEY } from '../support/boot.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
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
