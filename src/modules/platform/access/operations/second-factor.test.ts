/**
 * Changes to the sign-in of an account with a second factor require that factor
 * (DECISIONS.md "Accounts and sessions").
 */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { codeAt, createAuthenticator } from '../../../../../test/support/authenticator.ts'
import {
  type Answered,
  boot,
  SECRET_KEY,
  type TestParley,
  type TestWorkspace,
} from '../../../../../test/support/boot.ts'
import { runParley } from '../../../../../test/support/command-line.ts'
import { openMailServer } from '../../../../../test/support/mail-server.ts'
import { type MovingClock, movingClock } from '../../../../../test/support/moving-clock.ts'
import { type Browser, browserOf, DASHBOARD, signInByLink } from '../../../../../test/support/sessions.ts'
import { until } from '../../../../../test/support/until.ts'
import { MINUTE_MS } from '../../../../core/clock.ts'
import { addMember } from '../../workspaces/operations/workspace-members.ts'

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

/** An account with a password, its factors, and a session older than the factors. */
type Person = {
  email: string
  memberId: string
  /** The session from before the factors were set up. */
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
  const setup = await browser.post(account('/passkeys'))
  if (setup.status !== 200) return setup
  const { ticket, options } = setup.body
  return browser.post(account('/passkeys'), { ticket, response: passkey.create(options), name: 'Phone' })
}

async function personWith(factors: readonly Factor[]): Promise<Person> {
  const { email, memberId, strong, early } = await withPassword()
  const passkey = createAuthenticator(ORIGIN)
  let uri = ''
  let recoveryCode: string | undefined
  let passkeyId: string | undefined
  const code = () => {
    // A code works once, and the next code belongs to a later step.
    clock.aheadMs += MINUTE_MS
    return codeAt(uri, clock.now().getTime())
  }
  if (factors.includes('authenticator app')) {
    uri = (await strong.post(account('/totp'))).body.uri
    const result = await strong.post(account('/totp'), { code: code() })
    expect(result.status, result.text).toBe(200)
    recoveryCode = result.body.recoveryCodes[0]
  }
  if (factors.includes('passkey')) {
    const added = await addPasskey(strong, passkey)
    expect(added.status, added.text).toBe(201)
    passkeyId = added.body.passkey.id
    // An account gets its codes once, with its first factor.
    expect(added.body.recoveryCodes?.length).toBe(recoveryCode === undefined ? 10 : undefined)
    recoveryCode ??= added.body.recoveryCodes[0]
  }
  return { email, memberId, early, strong, passkeyId, code, recoveryCode, passkey }
}

async function mailedToken(email: string): Promise<string | undefined> {
  const textTo = () => mail.mails.findLast(({ to }) => to.includes(email))?.text
  await until(() => textTo() !== undefined, 'the mail arrives')
  // The mail wraps its lines, which can split the token.
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

/** Sessions that used no second factor, of an account that has one. */
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

/** Requests a password reset and sets a new password with the mailed link. */
async function resetByMail(email: string): Promise<{ browser: Browser; answer: Answered }> {
  const browser = browserOf(parley, shop)
  await browser.post(`${DASHBOARD}/sign-in/reset`, { email })
  const token = await mailedToken(email)
  const answer = await browser.post(`${DASHBOARD}/sign-in/redeem`, { token, password: OTHER_PASSWORD })
  return { browser, answer }
}

const STRONG: Record<string, { factor?: Factor; open: (person: Person) => Promise<Browser> }> = {
  'a code of the app': { factor: 'authenticator app', open: (person) => afterTicket(person, person.code()) },
  'a recovery code': { open: (person) => afterTicket(person, person.recoveryCode!) },
  'a session from before the factor, confirmed by a recovery code': {
    open: async ({ early, recoveryCode }) => {
      expect((await early.post(`${DASHBOARD}/session/confirm`, { code: recoveryCode })).status).toBe(200)
      return early
    },
  },
  'a passkey': {
    factor: 'passkey',
    open: async (person) => {
      const browser = browserOf(parley, shop)
      const answer = await browser.post(`${DASHBOARD}/sign-in/passkey`, await askPasskey(person))
      expect(answer.status, answer.text).toBe(200)
      return browser
    },
  },
  'a session from before the factor, confirmed by a passkey': {
    factor: 'passkey',
    open: async (person) => {
      const answer = await person.early.post(`${DASHBOARD}/session/confirm`, await askPasskey(person))
      expect(answer.status, answer.text).toBe(200)
      return person.early
    },
  },
}

/** Every change to how the account signs in. The removal is last, because it deletes the factor. */
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
    const next = factors.includes('authenticator app') ? 'totp' : 'passkey'

    test('a mailed reset link alone opens no session and leaves the factors', async () => {
      const person = await personWith(factors)
      const { email } = person
      const { browser, answer } = await resetByMail(email)
      expect(answer, answer.text).toMatchObject({ status: 200, body: { next, ticket: expect.any(String) } })
      const newPassword = await browser.post(`${DASHBOARD}/sign-in`, { email, password: OTHER_PASSWORD })
      expect(newPassword.body).toMatchObject({ next, ticket: expect.any(String) })
      const token = await mailedToken(email)
      await browser.post(`${DASHBOARD}/sign-in/redeem`, { token, password: OTHER_PASSWORD })
      const guess = { ticket: answer.body.ticket, code: '000000' }
      expect((await browser.post(`${DASHBOARD}/sign-in/totp`, guess)).status).toBe(401)
      expect(browser.cookie).toBe('')
      expect((await browser.get('/me')).status).toBe(401)

      if (factors.includes('passkey')) {
        const signedIn = await browser.post(`${DASHBOARD}/sign-in/passkey`, await askPasskey(person))
        expect(signedIn.status, signedIn.text).toBe(200)
      }
      if (factors.includes('authenticator app')) {
        const code = { ticket: answer.body.ticket, code: person.code() }
        expect((await browser.post(`${DASHBOARD}/sign-in/totp`, code)).status).toBe(200)
      }
      const { account: current } = (await browser.get(`${DASHBOARD}/session`)).body
      expect([current.hasTotp, current.passkeys.length > 0]).toEqual([
        factors.includes('authenticator app'),
        factors.includes('passkey'),
      ])
    })

    test('the password alone opens no session', async () => {
      const { email } = await personWith(factors)
      const browser = await byPassword(email)
      expect(browser.cookie).toBe('')
    })

    test.each(Object.keys(WEAK))("%s can't change how the account signs in", async (kind) => {
      const person = await personWith(factors)
      const browser = await WEAK[kind]!(person)
      for (const [action, run] of Object.entries(ACTIONS))
        expect(await run(browser, person), action).toMatchObject(NEEDS_FACTOR)
      expect((await browser.patch(account(), { name: 'Asha R' })).status, 'a name is no credential').toBe(200)
      const { account: current } = (await browser.get(`${DASHBOARD}/session`)).body
      expect([current.hasTotp, current.passkeys.length > 0, current.email]).toEqual([
        factors.includes('authenticator app'),
        factors.includes('passkey'),
        person.email,
      ])
    })

    const strong = Object.entries(STRONG).filter(([, { factor }]) => !factor || factors.includes(factor))
    test.each(strong)('%s can change everything about how the account signs in', async (_, { open }) => {
      const person = await personWith(factors)
      const browser = await open(person)
      for (const [action, run] of Object.entries(ACTIONS))
        expect((await run(browser, person)).body?.error, action).not.toBe('second_factor_required')
      expect((await browser.get(`${DASHBOARD}/session`)).body.account.hasTotp).toBe(false)
    })
  },
)

describe('a request started before the account had a factor', () => {
  test('cannot finish an authenticator app with the password alone', async () => {
    const { strong, early } = await withPassword()
    const { uri } = (await early.post(account('/totp'))).body
    expect((await addPasskey(strong)).status).toBe(201)
    expect(await early.post(account('/totp'), { code: codeAt(uri, clock.now().getTime()) })).toMatchObject(
      NEEDS_FACTOR,
    )
    expect((await early.get(`${DASHBOARD}/session`)).body.account.hasTotp).toBe(false)
  })

  test('cannot finish a passkey with the password alone', async () => {
    const { strong, early } = await withPassword()
    const { ticket, options } = (await early.post(account('/passkeys'))).body
    expect((await addPasskey(strong)).status).toBe(201)
    const response = createAuthenticator(ORIGIN).create(options)
    expect(await early.post(account('/passkeys'), { ticket, response, name: 'Theirs' })).toMatchObject(
      NEEDS_FACTOR,
    )
  })

  test('cannot confirm a new email with its link', async () => {
    const { email, strong, early } = await withPassword()
    const elsewhere = `${randomUUID()}@example.com`
    expect((await early.patch(account(), { email: elsewhere })).body.confirm).toBe(elsewhere)
    const token = await mailedToken(elsewhere)
    expect((await addPasskey(strong)).status).toBe(201)
    expect((await browserOf(parley).post(`${DASHBOARD}/sign-in/redeem`, { token })).status).toBe(404)
    expect((await strong.get(`${DASHBOARD}/session`)).body.account.email).toBe(email)
  })
})

test('a session that signed in with a removed factor is no longer strong', async () => {
  const person = await personWith(['passkey'])
  const thief = browserOf(parley, shop)
  expect((await thief.post(`${DASHBOARD}/sign-in/passkey`, await askPasskey(person))).status).toBe(200)
  expect((await person.strong.delete(account(`/passkeys/${person.passkeyId}`))).status).toBe(200)
  expect((await addPasskey(person.strong)).status).toBe(201)
  await parley.caughtUp()
  expect(await addPasskey(thief)).toMatchObject(NEEDS_FACTOR)
})

describe('recovery codes', () => {
  const renew = (browser: Browser) => browser.post(account('/recovery-codes'))
  const codesLeft = async (browser: Browser): Promise<number> =>
    (await browser.get(`${DASHBOARD}/session`)).body.account.recoveryCodesLeft
  const signInWith = async ({ email }: Person, code: string): Promise<number> => {
    const browser = browserOf(parley, shop)
    const half = await browser.post(`${DASHBOARD}/sign-in`, { email, password: PASSWORD })
    return (await browser.post(`${DASHBOARD}/sign-in/totp`, { ticket: half.body.ticket, code })).status
  }

  test('sign in once each for an account whose only factor is a passkey', async () => {
    const person = await personWith(['passkey'])
    expect(await signInWith(person, person.recoveryCode!)).toBe(200)
    expect(await signInWith(person, person.recoveryCode!)).toBe(401)
    expect(await codesLeft(person.strong)).toBe(9)
  })

  test('are replaced by new codes; the earlier codes stop working', async () => {
    for (const factor of ['passkey', 'authenticator app'] as const) {
      const person = await personWith([factor])
      const answer = await renew(person.strong)
      expect(answer.status, answer.text).toBe(200)
      expect(new Set(answer.body.recoveryCodes).size).toBe(10)
      expect(await signInWith(person, person.recoveryCode!)).toBe(401)
      expect(await signInWith(person, answer.body.recoveryCodes[0])).toBe(200)
    }
  })

  test('require a session that used a factor, and an account that has one', async () => {
    const { early } = await personWith(['passkey'])
    expect(await renew(early)).toMatchObject(NEEDS_FACTOR)
    const { strong } = await withPassword()
    expect(await renew(strong)).toMatchObject({ status: 409, body: { error: 'conflict' } })
  })

  test('stay with a remaining factor, and are deleted with the last one', async () => {
    const { strong, passkeyId } = await personWith(['authenticator app', 'passkey'])
    expect((await strong.delete(account('/totp'))).status).toBe(200)
    expect(await codesLeft(strong)).toBe(10)
    expect((await strong.delete(account(`/passkeys/${passkeyId}`))).status).toBe(200)
    expect(await codesLeft(strong)).toBe(0)
  })
})

describe('`parley member reset-factors`', () => {
  const resetFactors = (emailOrMemberId: string) =>
    runParley(['member', 'reset-factors', emailOrMemberId, '--json'], {
      ...mail.env,
      DATABASE_URL: parley.databaseUrl,
      PARLEY_DATA_DIR: parley.config.dataDir,
      PARLEY_SECRET_KEY: SECRET_KEY,
    })

  test('removes all factors of an email, ends its sessions, and notifies the person and the log', async () => {
    const person = await personWith(['authenticator app', 'passkey'])
    const { code, stdout, stderr } = await resetFactors(person.email.toUpperCase())
    expect(code, stderr).toBe(0)
    expect(JSON.parse(stdout)).toEqual({
      email: person.email,
      authenticatorAppRemoved: true,
      passkeysRemoved: 1,
      recoveryCodesRemoved: 10,
      sessionsEnded: 2,
      mailed: true,
    })
    await parley.caughtUp()
    for (const browser of [person.strong, person.early]) expect((await browser.get('/me')).status).toBe(401)
    const browser = await byPassword(person.email)
    expect((await addPasskey(browser)).status).toBe(201)
    const { activity } = (await shop.get('/activity?kind=member.access_changed&limit=5')).body
    expect(activity.map(({ actor, data }: Answered['body']) => [actor.kind, data.change])).toContainEqual([
      'cli',
      'second factors removed from the command line',
    ])
    const isMailed = () =>
      mail.mails.some(({ to, text }) => to.includes(person.email) && text.includes('removed'))
    await until(isMailed, 'the mail arrives')
  })

  test("accepts a member's id too, and names an account that does not exist", async () => {
    const { memberId } = await personWith(['passkey'])
    expect(JSON.parse((await resetFactors(memberId)).stdout)).toMatchObject({ passkeysRemoved: 1 })
    const { code, stderr } = await resetFactors('nobody@example.com')
    expect(code).toBe(1)
    expect(stderr).toContain('No account signs in by nobody@example.com.')
  })
})
