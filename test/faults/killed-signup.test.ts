/**
 * kill -9 during each call of the operator's hosted signup: the next process goes on where the first stopped, and the number is
 * connected once.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  DEFAULT_APP_ID,
  DEFAULT_CONFIG_ID,
  type StandaloneSimulator,
  startStandaloneSimulator,
} from '../../src/operator/simulator/standalone/start.ts'
import { clientOf, type TestParley } from '../support/boot.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { recordFigures, timeFor } from '../support/fault-run.ts'
import { type Admin, newShop, openAdmin } from '../support/load.ts'
import { answerPage, beginSignup, openReturn } from '../support/number-signup.ts'
import { type Installation, newInstallation, type ServerProcess } from '../support/server-process.ts'
import { type Browser, DASHBOARD, signIn } from '../support/sessions.ts'
import { until } from '../support/until.ts'

const APP_SECRET = '4f1d2c9be0a7'
const CALLS = ['GET debug_token', 'GET phone_numbers', 'POST subscribed_apps', 'POST register'] as const

let operator: StandaloneSimulator
let database: TestDatabase
let installation: Installation
let admin: Admin
let server: ServerProcess
beforeAll(async () => {
  operator = await startStandaloneSimulator({
    port: 0,
    host: '127.0.0.1',
    numbers: [],
    appSecret: APP_SECRET,
  })
  database = await createTestDatabase()
  installation = await newInstallation({
    DATABASE_URL: database.url,
    PARLEY_OPERATOR_URL: operator.url,
    PARLEY_OPERATOR_DIALOG_URL: operator.url,
    PARLEY_OPERATOR_APP_ID: DEFAULT_APP_ID,
    PARLEY_OPERATOR_APP_SECRET: APP_SECRET,
    PARLEY_OPERATOR_CONFIG_ID: DEFAULT_CONFIG_ID,
  })
  admin = openAdmin(database.url)
  server = await installation.start()
}, 120_000)
afterAll(async () => {
  await installation?.remove()
  await admin?.close()
  await operator?.close()
  await database?.drop()
})

const callsOf = (name: string): number => operator.tally.summary().calls[name] ?? 0
const continued = (browser: Browser, id: string) =>
  browser.post(`${DASHBOARD}/number-signups/${id}/continue`, {})

/** Kills the server while the operator does not answer a call that it has run, and starts the next server. */
async function killDuring(call: string, browser: Browser, id: string): Promise<void> {
  const before = callsOf(call)
  operator.faults.arm({ call, does: { hang: 'after' }, times: 1 })
  const lost = continued(browser, id).catch(() => undefined)
  await until(() => callsOf(call) > before, `the operator has the call ${call}`)
  await server.end('SIGKILL')
  await lost
  server = await installation.start()
  // The killed request held the signup for half a minute.
  await admin.system((tx) => tx.sql('update number_signups set attempt_until = now() where id = $1', [id]))
}

test(
  'a signup that is killed during a call goes on, and connects its number once',
  async () => {
    const began = performance.now()
    let accepted = 0
    let doubled = 0
    for (const call of CALLS) {
      const shop = await newShop(admin)
      const parley = {
        url: server.url,
        system: admin.system,
        anonymous: clientOf(server.url, ''),
      } as TestParley
      const browser = await signIn(parley, shop)
      const { id, url } = await beginSignup(browser)
      await openReturn(parley, browser, await answerPage(url))
      await killDuring(call, browser, id)
      const { body, text } = await continued(browser, id)
      expect(body.signup?.state, `${call}: ${text}`).toBe('connected')
      const numbers = await admin.query<{ id: string; state: string }>(
        "select id, state from phone_numbers where workspace_id = $1 and operator = 'cloud'",
        [shop.workspaceId],
      )
      expect(numbers, call).toMatchObject([{ id: body.signup.phoneNumberId, state: 'active' }])
      accepted++
      doubled += numbers.length - 1
    }
    recordFigures({
      rows: 'a killed process',
      fault: 'kill -9 during a call of the hosted signup',
      rounds: CALLS.length,
      kills: CALLS.length,
      accepted,
      lost: CALLS.length - accepted,
      doubled,
      recoveriesMs: [performance.now() - began],
    })
  },
  timeFor(240_000),
)
