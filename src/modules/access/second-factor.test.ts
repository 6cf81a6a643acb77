/** What an account with a second factor requires before its sign-in is changed (docs/decisions/dashboard-sessions.md). */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { codeAt, createAuthenticator } from '../../../test/support/authenticator.ts'
import {
  type Answered,
  boot,
  SECRET_KEY,
  type TestParley,
  type TestWorkspace,
} from '../../../test/support/boot.ts'
import { runParley } from '../../../test/support/command-line.ts'
import { openMailServer } from '../../../test/support/mail-server.ts'
import { type MovingClock, movingClock } from '../../../test/support/moving-clock.ts'
import { type Browser, browserOf, DASHBOARD, signInByLink } from '../../../test/support/sessions.ts'
import { until } from '../../../test/support/until.ts'
import { MINUTE_MS } from '../../core/clock.ts'
import { addMember } from '../workspaces/operations/workspace-members.ts'

const PASSWORD = 'three blue kettles at noon'
const OTHER_PASSWORD = 'seven green lamps at dusk'
const ORIGIN = 'http://localhost:4000'

let clock: MovingClock
let mail: Awaited<ReturnType<typeof openMailServer>>
let parley: TestParley
let shop: TestWorkspace
beforeAll(async () => {
  clock = movingClock()
  mail = await openMailServer()
  parley = await boot({ clock, env: { ...mail.env, PARLEY_TRUST_PROXY: '127.0.0.1/32' } })
  shop = await parley.workspace({ sandbox: true })
})
afterAll(async () => {
  await parley?.close()
  mail?.close()
})

type Factor = 'authenticator app' | 'passkey'

/** An account with a password and a session that is older than the factors, and what its person holds. */
type Person = {
  email: string
  memberId: string
  /** Signed in before any factor was set up. */
  early: Browser
  /** The session that set the factors up. */
  strong: Browser
  passkeyId: string | undefined
  code: () => string
  recoveryCode: string | undefined
  passkey: ReturnType<typeof createAuthenticator>
}

const account = (path = '') => `${DASHBOARD}/account${path}`

async function withPassword() {
  const email = `${randomUUID()}@example.com`
  const { workspaceId } = shop
  const { memberId } = await parley.system((tx) =>
    addMember(tx, { workspaceId, email, name: 'Asha Rao', role: 'admin' }, clock.now()),
  )
  const strong = await signInByLink(parley, { workspaceId, memberId }, clock.now())
  expect((await strong.patch(account(), { password: PASSWORD })).status).toBe(200)
  const early = await byPassword(email)
  return { email, memberId, strong, early }
}

async function byPassword(email: string): Promise<Browser> {
  const browser = browserOf(parley, shop)
  await browser.post(`${DASHBOARD}/sign-in`, { email, password: PASSWORD })
  return browser
}

async function addPasskey(browser: Browser, passkey = createAuthenticator(ORIGIN)): Promise<Answered> {
  const begun = await browser.post(account('/passkeys'))
  if (begun.status !== 200) return begun
  const { ticket, options } = begun.body
  return browser.post(account('/passkeys'), { ticket, response: passkey.create(options), name: 'Phone' })
}

async function personWith(factors: readonly Factor[]): Promise<Person> {
  const { email, memberId, strong, early } = await withPassword()
  const passkey = createAuthenticator(ORIGIN)
  let uri = ''
  let recoveryCode: string | undefined
  let passkeyId: string | undefined
  const code = () => {
    // A code counts once: the next one is of a later step.
    clock.aheadMs += MINUTE_MS
    return codeAt(uri, clock.now().getTime())
  }
  if (factors.includes('authenticator app')) {
    uri = (await strong.post(account('/totp'))).body.uri
    const done = await strong.post(account('/totp'), { code: code() })
    expect(done.status, done.text).toBe(200)
    recoveryCode = done.body.recoveryCodes[0]
  }
  if (factors.includes('passkey')) {
    const made = await addPasskey(strong, passkey)
    expect(made.status, made.text).toBe(201)
    passkeyId = made.body.passkey.id
  }
  return { email, memberId, early, strong, passkeyId, code, recoveryCode, passkey }
}

async function mailedToken(email: string): Promise<string | undefined> {
  const textTo = () => mail.mails.findLast(({ to }) => to.includes(email))?.text
  await until(() => textTo() !== undefined, 'the mail arrives')
  // Mails are sent in lines of a bounded length.
  return /#token=([\w-]{43})/.exec(textTo()!.replace(/=\n/g, '').replace('=3D', '='))?.[1]
}

const askPasskey = async ({ passkey }: Person) => {
  const { ticket, options } = (await browserOf(parley, shop).post(`${DASHBOARD}/sign-in/passkey/options`))
    .body
  return { ticket, response: passkey.get(options) }
}

const afterTicket = async ({ email }: Person, code: string): Promise<Browser> => {
  const browser = browserOf(parley, shop)
  const half = await browser.post(`${DASHBOARD}/sign-in`, { email, password: PASSWORD })
  const answer = await browser.post(`${DASHBOARD}/sign-in/totp`, { ticket: half.body.ticket, code })
  expect(answer.status, answer.text).toBe(200)
  return browser
}

/** Sessions that show no factor, for an account that has one. */
const WEAK: Record<string, (person: Person) => Promise<Browser>> = {
  'a session from before the factor': async ({ early }) => early,
  'a session from before the factor that was confirmed by the password': async ({ early }) => {
    clock.aheadMs += 11 * MINUTE_MS
    const answer = await early.post(`${DASHBOARD}/session/confirm`, { password: PASSWORD })
    expect(answer.status, answer.text).toBe(200)
    return early
  },
  'a sign-in link of the command line': ({ memberId }) =>
    signInByLink(parley, { ...shop, memberId }, clock.now()),
}

/** The same, which an authenticator app does not let in at all. */
const WEAK_BESIDE_PASSKEY: typeof WEAK = {
  'the password': ({ email }) => byPassword(email),
  'a mailed reset link': async ({ email }) => {
    const browser = browserOf(parley, shop)
    await browser.post(`${DASHBOARD}/sign-in/reset`, { email })
    const token = await mailedToken(email)
    const answer = await browser.post(`${DASHBOARD}/sign-in/redeem`, { token, password: OTHER_PASSWORD })
    expect(answer.status, answer.text).toBe(200)
    return browser
  },
}

const STRONG: Record<string, { factor: Factor; open: (person: Person) => Promise<Browser> }> = {
  'a code of the app': { factor: 'authenticator app', open: (one) => afterTicket(one, one.code()) },
  'a recovery code': { factor: 'authenticator app', open: (one) => afterTicket(one, one.recoveryCode!) },
  'a session from before the factor, confirmed by a recovery code': {
    factor: 'authenticator app',
    open: async ({ early, recoveryCode }) => {
      expect((await early.post(`${DASHBOARD}/session/confirm`, { code: recoveryCode })).status).toBe(200)
      return early
    },
  },
  'a passkey': {
    factor: 'passkey',
    open: async (one) => {
      const browser = browserOf(parley, shop)
      const answer = await browser.post(`${DASHBOARD}/sign-in/passkey`, await askPasskey(one))
      expect(answer.status, answer.text).toBe(200)
      return browser
    },
  },
  'a session from before the factor, confirmed by a passkey': {
    factor: 'passkey',
    open: async (one) => {
      const answer = await one.early.post(`${DASHBOARD}/session/confirm`, await askPasskey(one))
      expect(answer.status, answer.text).toBe(200)
      return one.early
    },
  },
}

/** Everything that changes by what the account is signed in to. The removal comes last: it takes the factor away. */
const ACTIONS: Record<string, (browser: Browser, person: Person) => Promise<Answered>> = {
  'begin an authenticator app': (browser) => browser.post(account('/totp')),
  'finish an authenticator app': (browser) => browser.post(account('/totp'), { code: '123456' }),
  'begin a passkey': (browser) => browser.post(account('/passkeys')),
  'finish a passkey': (browser) => addPasskey(browser),
  'finish a passkey of a made-up ticket': (browser) =>
    browser.post(account('/passkeys'), { ticket: 'made-up', response: { id: 'x' }, name: 'Phone' }),
  'change the e-mail': (browser) => browser.patch(account(), { email: `${randomUUID()}@example.com` }),
  'change the password': (browser) => browser.patch(account(), { password: `${randomUUID()} kettles` }),
  'remove a passkey': (browser, { passkeyId }) =>
    browser.delete(account(`/passkeys/${passkeyId ?? randomUUID()}`)),
  'remove the authenticator app': (browser) => browser.delete(account('/totp')),
}

const NEEDS_FACTOR = { status: 403, body: { error: 'second_factor_required' } }

const FACTORS: Factor[][] = [['authenticator app'], ['passkey'], ['authenticator app', 'passkey']]

describe.each(FACTORS.map((factors) => ({ factors, name: factors.join(' and ') })))(
  'an account with $name',
  ({ factors }) => {
    const weak = factors.includes('authenticator app') ? WEAK : { ...WEAK, ...WEAK_BESIDE_PASSKEY }
    test.each(Object.keys(weak))('%s changes nothing of how it is signed in to', async (kind) => {
      const person = await personWith(factors)
      const browser = await weak[kind]!(person)
      for (const [action, run] of Object.entries(ACTIONS))
        expect(await run(browser, person), action).toMatchObject(NEEDS_FACTOR)
      expect((await browser.patch(account(), { name: 'Asha R' })).status, 'a name is no credential').toBe(200)
      const { account: shown } = (await browser.get(`${DASHBOARD}/session`)).body
      expect([shown.hasTotp, shown.passkeys.length > 0, shown.email]).toEqual([
        factors.includes('authenticator app'),
        factors.includes('passkey'),
        person.email,
      ])
    })

    const strong = Object.entries(STRONG).filter(([, { factor }]) => factors.includes(factor))
    test.each(strong)('%s may change all of it', async (_, { open }) => {
      const person = await personWith(factors)
      const browser = await open(person)
      for (const [action, run] of Object.entries(ACTIONS))
        expect((await run(browser, person)).body?.error, action).not.toBe('second_factor_required')
      expect((await browser.get(`${DASHBOARD}/session`)).body.account.hasTotp).toBe(false)
    })
  },
)

describe('what was begun before an account had a factor', () => {
  test('an authenticator app is not finished by the password alone', async () => {
    const { email, strong, early } = await withPassword()
    const { uri } = (await early.post(account('/totp'))).body
    expect((await addPasskey(strong)).status).toBe(201)
    expect(await early.post(account('/totp'), { code: codeAt(uri, clock.now().getTime()) })).toMatchObject(
      NEEDS_FACTOR,
    )
    expect((await (await byPassword(email)).get(`${DASHBOARD}/session`)).body.account.hasTotp).toBe(false)
  })

  test('a passkey is not finished by the password alone', async () => {
    const { strong, early } = await withPassword()
    const { ticket, options } = (await early.post(account('/passkeys'))).body
    expect((await addPasskey(strong)).status).toBe(201)
    const response = createAuthenticator(ORIGIN).create(options)
    expect(await early.post(account('/passkeys'), { ticket, response, name: 'Theirs' })).toMatchObject(
      NEEDS_FACTOR,
    )
  })

  test('an e-mail that was asked for is not confirmed by its link', async () => {
    const { email, strong, early } = await withPassword()
    const elsewhere = `${randomUUID()}@example.com`
    expect((await early.patch(account(), { email: elsewhere })).body.confirm).toBe(elsewhere)
    const token = await mailedToken(elsewhere)
    expect((await addPasskey(strong)).status).toBe(201)
    expect((await browserOf(parley).post(`${DASHBOARD}/sign-in/redeem`, { token })).status).toBe(404)
    expect((await strong.get(`${DASHBOARD}/session`)).body.account.email).toBe(email)
  })
})

test('a session that was signed in by a removed factor is strong no more', async () => {
  const person = await personWith(['passkey'])
  const thief = browserOf(parley, shop)
  expect((await thief.post(`${DASHBOARD}/sign-in/passkey`, await askPasskey(person))).status).toBe(200)
  expect((await person.strong.delete(account(`/passkeys/${person.passkeyId}`))).status).toBe(200)
  expect((await addPasskey(person.strong)).status).toBe(201)
  await parley.caughtUp()
  expect(await addPasskey(thief)).toMatchObject(NEEDS_FACTOR)
})

test('`parley member reset-factors` removes the factors of a person who lost them, and signs them out', async () => {
  const person = await personWith(['authenticator app', 'passkey'])
  const words = ['member', 'reset-factors', '--member', person.memberId, '--json']
  const { code, stdout, stderr } = await runParley(words, {
    DATABASE_URL: parley.databaseUrl,
    PARLEY_DATA_DIR: parley.config.dataDir,
    PARLEY_SECRET_KEY: SECRET_KEY,
  })
  expect(code, stderr).toBe(0)
  expect(JSON.parse(stdout)).toEqual({ memberId: person.memberId, authenticatorApp: true, passkeys: 1 })
  await parley.caughtUp()
  expect((await person.strong.get('/me')).status).toBe(401)
  const browser = await byPassword(person.email)
  expect((await addPasskey(browser)).status).toBe(201)
  const [logged] = (await shop.get('/activity?kind=member.access_changed&limit=2')).body.activity.slice(1)
  expect(logged.data.change).toBe('second factors removed from the command line')
})
