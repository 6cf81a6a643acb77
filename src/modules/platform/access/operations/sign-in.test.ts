/** Signs in with password, code and passkey, and limits failures (DECISIONS.md "Accounts and sessions"). */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { codeAt, createAuthenticator } from '../../../../../test/support/authenticator.ts'
import { boot, type TestParley, type TestWorkspace } from '../../../../../test/support/boot.ts'
import { type MovingClock, movingClock } from '../../../../../test/support/moving-clock.ts'
import { type Browser, browserOf, DASHBOARD, signInByLink } from '../../../../../test/support/sessions.ts'
import { HOUR_MS, MINUTE_MS } from '../../../../core/clock.ts'
import { addMember } from '../../workspaces/operations/workspace-members.ts'

const PASSWORD = 'three blue kettles at noon'

let clock: MovingClock
let parley: TestParley
let shop: TestWorkspace
beforeAll(async () => {
  clock = movingClock()
  parley = await boot({ clock, env: { PARLEY_TRUST_PROXY: '127.0.0.1/32' } })
  shop = await parley.workspace({ sandbox: true })
})
afterAll(() => parley?.close())

let lastAddress = 0
/** Returns a new address, so that each test has its own failures. */
const newAddress = () => `198.51.${Math.floor(++lastAddress / 250)}.${(lastAddress % 250) + 1}`

/** Creates a member with a password, in the browser that set it. */
async function person(
  password = PASSWORD,
  email = `${randomUUID()}@example.com`,
): Promise<{ email: string; browser: Browser }> {
  const { workspaceId } = shop
  const { memberId } = await parley.system((tx) =>
    addMember(tx, { workspaceId, email, name: 'Asha Rao', role: 'agent' }, clock.now()),
  )
  const browser = await signInByLink(parley, { workspaceId, memberId }, clock.now())
  const saved = await browser.patch(`${DASHBOARD}/account`, { password })
  expect(saved.status, saved.text).toBe(200)
  return { email, browser }
}

const signIn = (email: string, password: string, address = newAddress(), browser = browserOf(parley, shop)) =>
  browser.post(`${DASHBOARD}/sign-in`, { email, password }, { headers: { 'x-forwarded-for': address } })

const fail = async (email: string, times: number, address: string) => {
  for (let i = 0; i < times; i++) {
    const answer = await signIn(email, 'not the password', address)
    expect(answer, answer.text).toMatchObject({ status: 401, body: { error: 'sign_in_refused' } })
  }
}

const activityOf = async (kind: string) =>
  (await shop.get(`/activity?kind=${kind}&limit=100`)).body.activity as { data: Record<string, unknown> }[]

describe('by password', () => {
  test('the right password signs in, with the email in any case', async () => {
    const { email } = await person()
    const browser = browserOf(parley, shop)
    expect((await signIn(email.toUpperCase(), PASSWORD, newAddress(), browser)).body).toEqual({ ok: true })
    expect((await browser.get(`${DASHBOARD}/session`)).body.account).toMatchObject({
      email,
      hasPassword: true,
    })
    const [{ data }] = (await activityOf('member.signed_in')) as [{ data: Record<string, unknown> }]
    expect(data).toMatchObject({ method: 'password', device: 'parley-tests' })
  })

  test('a wrong password and an unknown email get the same answer', async () => {
    const { email } = await person()
    const [wrong, unknownEmail] = [
      await signIn(email, 'not the password'),
      await signIn(`${randomUUID()}@example.com`, 'not the password'),
    ]
    expect([wrong.status, wrong.text]).toEqual([401, unknownEmail.text])
  })

  test.each([
    ['short', 'tooshort'],
    ['a common word with a year', 'Password2026!'],
    ['a common word in signs', 'p@$$w0rd!!'],
    ['follows the keyboard', 'qwertyuiop'],
    ['a run of digits', '1234567890'],
    ['a repeated character', 'abcabcabcabc'],
  ])('a password that is %s is rejected', async (_, password) => {
    const { browser } = await person()
    const answer = await browser.patch(`${DASHBOARD}/account`, { password })
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid', issues: [{ path: 'password' }] } })
  })

  test('a password that is the own email is rejected', async () => {
    const { email, browser } = await person()
    const answer = await browser.patch(`${DASHBOARD}/account`, { password: `${email}1` })
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid' } })
  })
})

describe('failures', () => {
  test('five for an account and an address, then waits that double, for known and unknown emails', async () => {
    const { email } = await person()
    for (const tried of [email, `${randomUUID()}@example.com`]) {
      const address = newAddress()
      await fail(tried, 5, address)
      const first = await signIn(tried, PASSWORD, address)
      expect(first, 'the right one too').toMatchObject({ status: 429, body: { error: 'rate_limited' } })
      expect(Number(first.headers['retry-after'])).toBeLessThanOrEqual(60)
      clock.aheadMs += MINUTE_MS
      await fail(tried, 1, address)
      const second = await signIn(tried, 'not the password', address)
      expect(Number(second.headers['retry-after'])).toBeGreaterThan(60)
      clock.aheadMs += 2 * MINUTE_MS
      await fail(tried, 1, address)
      expect(Number((await signIn(tried, 'x', address)).headers['retry-after'])).toBeGreaterThan(120)
    }
  })

  test('concurrent failures all count', async () => {
    const { email } = await person()
    const address = newAddress()
    const answers = await Promise.all(Array.from({ length: 12 }, () => signIn(email, 'not it', address)))
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(5)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(7)
  })

  test('are forgotten after 15 minutes, and by a success', async () => {
    const { email } = await person()
    const address = newAddress()
    await fail(email, 4, address)
    clock.aheadMs += 16 * MINUTE_MS
    await fail(email, 4, address)
    expect((await signIn(email, PASSWORD, address)).status).toBe(200)
    await fail(email, 4, address)
    expect((await signIn(email, PASSWORD, address)).status).toBe(200)
  })

  test("from another address don't block the person", async () => {
    const { email } = await person()
    await fail(email, 5, newAddress())
    expect((await signIn(email, PASSWORD)).status).toBe(200)
  })

  test('thirty an hour from an address, for all accounts together', async () => {
    const { email } = await person()
    const address = newAddress()
    for (let i = 0; i < 30; i++) await fail(`${randomUUID()}@example.com`, 1, address)
    expect(await signIn(email, PASSWORD, address)).toMatchObject({ status: 429 })
    clock.aheadMs += HOUR_MS
    expect((await signIn(email, PASSWORD, address)).status).toBe(200)
  })

  test('count for a whole IPv6 network', async () => {
    const { email } = await person()
    for (let i = 0; i < 5; i++) await fail(email, 1, `2001:db8:7:7::${i + 1}`)
    expect(await signIn(email, PASSWORD, '2001:db8:7:7::99')).toMatchObject({ status: 429 })
  })

  test('appear in the activity log from the third on, with address and device', async () => {
    const { email } = await person()
    const address = newAddress()
    await fail(email, 2, address)
    const before = (await activityOf('member.sign_in_refused')).length
    await fail(email, 1, address)
    const logged = await activityOf('member.sign_in_refused')
    expect(logged).toHaveLength(before + 1)
    expect(logged[0]?.data).toMatchObject({ failures: 3, address, device: 'parley-tests' })
  })

  test("don't block a sign-in link", async () => {
    const { email, browser } = await person()
    await fail(email, 5, '127.0.0.1')
    const newBrowser = await signInByLink(
      parley,
      { workspaceId: shop.workspaceId, memberId: browser.memberId },
      clock.now(),
    )
    expect((await newBrowser.get('/me')).status).toBe(200)
  })
})

/** Spellings that some programs treat as another address, and others as the same. */
const SPELLINGS: [string, (email: string) => string][] = [
  ['capitals', (email) => email.toUpperCase()],
  ['a capital I with a dot', (email) => email.replace('i', 'İ')],
  ['an i without a dot', (email) => email.replace('i', 'ı')],
  ['the Kelvin sign', (email) => email.replace('k', '\u212A')],
  ['a long s', (email) => email.replace('s', 'ſ')],
  ['wide letters', (email) => email.replace('a', 'ａ')],
  ['a composed letter', (email) => email.normalize('NFC')],
  ['a decomposed letter', (email) => email.normalize('NFD')],
  ['a capital composed letter', (email) => email.normalize('NFC').toUpperCase()],
  ['a dot at the end', (email) => `${email}.`],
]

describe('one address in several spellings', () => {
  test.each(SPELLINGS)('%s: failures count for the account with this address', async (_, spell) => {
    const email = `asiké-${randomUUID()}@example.com`
    await person(PASSWORD, email)
    const address = newAddress()
    await fail(email, 5, address)
    const answer = await signIn(spell(email), PASSWORD, address)
    expect([401, 429], answer.text).toContain(answer.status)
    const other = newAddress()
    await fail(spell(email), 5, other)
    const attempt = await signIn(spell(email), PASSWORD, newAddress())
    if (attempt.status === 200) expect(await signIn(email, PASSWORD, other)).toMatchObject({ status: 429 })
    else expect(attempt).toMatchObject({ status: 401 })
  })

  test('belongs to one account, in every spelling of a change or an invitation', async () => {
    const email = `kim-${randomUUID()}@example.com`
    await person(PASSWORD, email)
    const { browser } = await person()
    for (const other of [email.toUpperCase(), email.replace('k', '\u212A'), `${email}.`])
      expect(await browser.patch(`${DASHBOARD}/account`, { email: other })).toMatchObject({ status: 409 })
  })
})

/** Returns the code that an app shows, `steps` later than now. */
const codeOf = (uri: string, steps = 0): string => codeAt(uri, clock.now().getTime() + steps * 30_000)

/** Creates a person with an authenticator app. */
async function personWithTotp() {
  const { email, browser } = await person()
  const { uri } = (await browser.post(`${DASHBOARD}/account/totp`)).body
  const confirmed = await browser.post(`${DASHBOARD}/account/totp`, { code: codeOf(uri) })
  expect(confirmed.status, confirmed.text).toBe(200)
  clock.aheadMs += MINUTE_MS
  return { email, browser, uri: uri as string, recoveryCodes: confirmed.body.recoveryCodes as string[] }
}

const ticketFor = async (email: string): Promise<string> => {
  const { body } = await signIn(email, PASSWORD)
  expect(body).toEqual({ next: 'totp', ticket: expect.any(String) })
  return body.ticket
}
const enterCode = (ticket: string, code: string, browser = browserOf(parley, shop)) =>
  browser.post(`${DASHBOARD}/sign-in/totp`, { ticket, code })

describe('with an authenticator app', () => {
  test('the password alone opens no session; the password and a code do', async () => {
    const { email, uri } = await personWithTotp()
    const browser = browserOf(parley, shop)
    const half = await signIn(email, PASSWORD, newAddress(), browser)
    expect(browser.cookie).toBe('')
    const answer = await enterCode(half.body.ticket, codeOf(uri), browser)
    expect(answer, answer.text).toMatchObject({ status: 200, body: { ok: true } })
    expect((await browser.get('/me')).status).toBe(200)
  })

  test('a code works once, and so does a ticket', async () => {
    const { email, uri } = await personWithTotp()
    const code = codeOf(uri)
    const ticket = await ticketFor(email)
    expect((await enterCode(ticket, code)).status).toBe(200)
    expect(await enterCode(ticket, codeOf(uri, 1))).toMatchObject({ status: 401 })
    expect(await enterCode(await ticketFor(email), code)).toMatchObject({ status: 401 })
  })

  test('a ticket expires after ten minutes', async () => {
    const { email, uri } = await personWithTotp()
    const ticket = await ticketFor(email)
    clock.aheadMs += 11 * MINUTE_MS
    expect(await enterCode(ticket, codeOf(uri))).toMatchObject({ status: 401 })
  })

  test('a code can be tried five times, from all addresses and tickets together', async () => {
    const { email, uri } = await personWithTotp()
    for (let i = 0; i < 5; i++)
      expect(await enterCode(await ticketFor(email), '000000')).toMatchObject({ status: 401 })
    expect(await enterCode(await ticketFor(email), codeOf(uri))).toMatchObject({ status: 429 })
    clock.aheadMs += MINUTE_MS
    expect((await enterCode(await ticketFor(email), codeOf(uri))).status).toBe(200)
  })

  test('a recovery code replaces a code of the app, once', async () => {
    const { email, browser, recoveryCodes } = await personWithTotp()
    expect(new Set(recoveryCodes).size).toBe(10)
    const [code] = recoveryCodes as [string]
    expect((await enterCode(await ticketFor(email), code.toLowerCase())).status).toBe(200)
    expect(await enterCode(await ticketFor(email), code)).toMatchObject({ status: 401 })
    expect((await browser.get(`${DASHBOARD}/session`)).body.account.recoveryCodesLeft).toBe(9)
  })

  test('an app is not set up before its first code', async () => {
    const { email, browser } = await person()
    await browser.post(`${DASHBOARD}/account/totp`)
    expect(await browser.post(`${DASHBOARD}/account/totp`, { code: '000000' })).toMatchObject({
      status: 400,
      body: { issues: [{ path: 'code' }] },
    })
    expect((await signIn(email, PASSWORD)).body).toEqual({ ok: true })
  })

  test('an app can be removed', async () => {
    const { email, browser } = await personWithTotp()
    expect((await browser.delete(`${DASHBOARD}/account/totp`)).status).toBe(200)
    expect((await signIn(email, PASSWORD)).body).toEqual({ ok: true })
  })
})

const ORIGIN = 'http://localhost:4000'

/** Creates a person with a passkey. */
async function personWithPasskey() {
  const { email, browser } = await person()
  const passkey = createAuthenticator(ORIGIN)
  const { ticket, options } = (await browser.post(`${DASHBOARD}/account/passkeys`)).body
  const added = await browser.post(`${DASHBOARD}/account/passkeys`, {
    ticket,
    response: passkey.create(options),
    name: 'Phone',
  })
  expect(added.status, added.text).toBe(201)
  return { email, browser, passkey, id: added.body.passkey.id as string }
}

const passkeySignIn = async (
  respond: (options: { challenge: string }) => object,
  browser = browserOf(parley, shop),
) => {
  const { ticket, options } = (await browser.post(`${DASHBOARD}/sign-in/passkey/options`)).body
  return browser.post(`${DASHBOARD}/sign-in/passkey`, { ticket, response: respond(options) })
}

describe('by passkey', () => {
  test('a passkey signs in without email or password', async () => {
    const { email, passkey } = await personWithPasskey()
    const browser = browserOf(parley, shop)
    const answer = await passkeySignIn((options) => passkey.get(options), browser)
    expect(answer, answer.text).toMatchObject({ status: 200, body: { ok: true } })
    const { account } = (await browser.get(`${DASHBOARD}/session`)).body
    expect(account).toMatchObject({ email, passkeys: [{ name: 'Phone', lastUsedAt: expect.any(String) }] })
  })

  test("failed passwords don't block a passkey", async () => {
    const { email, passkey } = await personWithPasskey()
    await fail(email, 5, '127.0.0.1')
    expect((await passkeySignIn((options) => passkey.get(options))).status).toBe(200)
  })

  test('an answer works once, for its own challenge, from this site, with the person verified', async () => {
    const { passkey } = await personWithPasskey()
    const browser = browserOf(parley, shop)
    const { ticket, options } = (await browser.post(`${DASHBOARD}/sign-in/passkey/options`)).body
    const response = passkey.get(options)
    expect((await browser.post(`${DASHBOARD}/sign-in/passkey`, { ticket, response })).status).toBe(200)
    const refused = [
      await browser.post(`${DASHBOARD}/sign-in/passkey`, { ticket, response }),
      await passkeySignIn(() => response),
      await passkeySignIn((options) => passkey.get(options, { origin: 'https://parley.example' })),
      await passkeySignIn((options) => passkey.get(options, { verified: false })),
      await passkeySignIn((options) => createAuthenticator(ORIGIN).get(options)),
      await passkeySignIn(() => ({ id: 'nonsense' })),
    ]
    for (const answer of refused)
      expect(answer, answer.text).toMatchObject({ status: 401, body: { error: 'sign_in_refused' } })
  })

  test('a removed passkey opens nothing', async () => {
    const { browser, passkey, id } = await personWithPasskey()
    expect((await browser.delete(`${DASHBOARD}/account/passkeys/${id}`)).status).toBe(200)
    expect(await passkeySignIn((options) => passkey.get(options))).toMatchObject({ status: 401 })
    expect((await browser.delete(`${DASHBOARD}/account/passkeys/${id}`)).status).toBe(404)
  })

  test("a passkey of another account can't be removed", async () => {
    const [own, other] = [await personWithPasskey(), await personWithPasskey()]
    expect(await own.browser.delete(`${DASHBOARD}/account/passkeys/${other.id}`)).toMatchObject({
      status: 404,
      body: { error: 'not_found' },
    })
    expect(await passkeySignIn((options) => other.passkey.get(options))).toMatchObject({ status: 200 })
  })
})

test('the sign-in page gets the methods that work here', async () => {
  expect((await browserOf(parley).get(`${DASHBOARD}/sign-in/options`)).body).toEqual({
    password: true,
    passkey: true,
    oidc: null,
    mail: false,
  })
})
