/** Connecting numbers with the operator's hosted signup (DECISIONS.md "Hosted signup of numbers"). */
import { randomInt, randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Body, boot, type TestParley, type TestWorkspace } from '../../../../test/support/boot.ts'
import { type MovingClock, movingClock } from '../../../../test/support/moving-clock.ts'
import {
  answerPage,
  beginSignup,
  type OwnerAnswer,
  openReturn,
} from '../../../../test/support/number-signup.ts'
import { freePort } from '../../../../test/support/redis-server.ts'
import { type Browser, browserOf, DASHBOARD, signIn } from '../../../../test/support/sessions.ts'
import { until } from '../../../../test/support/until.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../core/clock.ts'
import {
  type StandaloneSimulator,
  startStandaloneSimulator,
} from '../../../operator/simulator/standalone/start.ts'
import { numberInGoodHealth } from '../../../operator/simulator/store.ts'

const APP = { id: '670843887433847', configId: '890123456789012' }
const APP_SECRET = '4f1d2c9be0a7'

let clock: MovingClock
let operator: StandaloneSimulator
let parley: TestParley
let shop: TestWorkspace
let admin: Browser
beforeAll(async () => {
  clock = movingClock()
  operator = await startStandaloneSimulator({
    port: 0,
    host: '127.0.0.1',
    numbers: [],
    appSecret: APP_SECRET,
    app: APP,
    clock,
  })
  const port = await freePort()
  parley = await boot({
    clock,
    env: {
      PORT: String(port),
      PARLEY_SITE_URL: `http://127.0.0.1:${port}`,
      PARLEY_OPERATOR_URL: operator.url,
      PARLEY_OPERATOR_DIALOG_URL: operator.url,
      PARLEY_OPERATOR_APP_ID: APP.id,
      PARLEY_OPERATOR_APP_SECRET: APP_SECRET,
      PARLEY_OPERATOR_CONFIG_ID: APP.configId,
    },
  })
})
afterAll(async () => {
  await parley?.close()
  await operator?.close()
})
beforeEach(async () => {
  shop = await parley.workspace()
  admin = await signIn(parley, shop, 'admin', clock.now())
})
afterEach(() => operator.faults.clear())

const newDigits = (): string => `1555${String(randomInt(1e7)).padStart(7, '0')}`
const callsOf = (name: string): number => operator.tally.summary().calls[name] ?? 0
const phoneNumbersOf = async (workspace: TestWorkspace): Promise<Body[]> =>
  (await workspace.get('/phone-numbers')).body.phoneNumbers
const connectedTo = async (workspace: TestWorkspace): Promise<Body[]> =>
  (await phoneNumbersOf(workspace)).filter(({ simulated }) => !simulated)
const continued = (browser: Browser, id: string, body: object = {}) =>
  browser.post(`${DASHBOARD}/number-signups/${id}/continue`, body)

/** Begins a signup and returns from the operator's page. */
async function returned(answer: OwnerAnswer = {}, { browser = admin, keepsPhoneApp = false } = {}) {
  const { id, url } = await beginSignup(browser, keepsPhoneApp)
  const location = await answerPage(url, answer)
  const opened = await openReturn(parley, browser, location)
  return { id, url, location, opened }
}

/** Connects a number; returns the signup. */
async function connected(
  answer: OwnerAnswer = {},
  options: { browser?: Browser; keepsPhoneApp?: boolean } = {},
) {
  const { id } = await returned(answer, options)
  const { status, body, text } = await continued(options.browser ?? admin, id)
  expect(status, text).toBe(200)
  return body.signup
}

/** Adds a number to an account at the operator. */
function addToOperator(more: object = {}) {
  const number = {
    operatorId: String(randomInt(1e14, 2e14)),
    accountId: String(randomInt(1e14, 2e14)),
    token: randomUUID(),
    displayNumber: newDigits(),
    inPhoneApp: false,
    ...more,
  }
  operator.store.numbers.push(number)
  return operator.store.numbers.at(-1)!
}

test('the page of the operator gets the app, its configuration, and the address to return to', async () => {
  const listed = await admin.get(`${DASHBOARD}/number-signups`)
  expect(listed.body).toEqual({ available: true, signups: [] })
  const { id, url } = await beginSignup(admin)
  const { origin, pathname, searchParams } = new URL(url)
  expect([origin, pathname]).toEqual([operator.url, '/v24.0/dialog/oauth'])
  expect(Object.fromEntries(searchParams)).toEqual({
    client_id: APP.id,
    config_id: APP.configId,
    redirect_uri: `${parley.url}/api/dashboard/operator-return`,
    response_type: 'code',
    override_default_response_type: 'true',
    state: expect.stringMatching(new RegExp(`^${shop.workspaceId}\\.${id}\\.`)),
    extras: '{"setup":{},"sessionInfoVersion":"3"}',
  })
  const withPhone = new URL((await beginSignup(admin, true)).url).searchParams.get('extras')
  expect(JSON.parse(withPhone!).featureType).toBe('whatsapp_business_app_onboarding')
  const stored = await parley.system((tx) => tx.sql<Body>('select * from number_signups where id = $1', [id]))
  expect(JSON.stringify(stored)).not.toContain(searchParams.get('state')!.split('.')[2])
})

describe('a shared number', () => {
  test('is registered, subscribed, and connected, and its messages arrive', async () => {
    const digits = newDigits()
    const { id, opened } = await returned({ number: `+${digits}`, name: 'Asha Stores' })
    expect(opened).toMatchObject({
      status: 303,
      location: `/w/${shop.workspaceId}/settings/numbers?signup=${id}`,
    })
    expect(opened.headers.get('referrer-policy')).toBe('no-referrer')
    const { body } = await continued(admin, id)
    expect(body.signup).toMatchObject({
      id,
      state: 'connected',
      number: `+${digits}`,
      problem: null,
      numbers: [],
    })
    const [number] = await connectedTo(shop)
    expect(number).toMatchObject({
      id: body.signup.phoneNumberId,
      number: `+${digits}`,
      displayName: 'Asha Stores',
      state: 'active',
    })
    const { activity } = (await shop.get('/activity?kind=number.added')).body
    expect(activity[0]).toMatchObject({
      actor: { id: admin.memberId },
      data: { phoneNumberId: number.id, operator: 'cloud' },
    })
    const simulated = operator.store.numbers.find(({ displayNumber }) => displayNumber === digits)!
    expect(simulated).toMatchObject({ state: { status: 'CONNECTED' }, pin: expect.stringMatching(/^\d{6}$/) })
    await parley.caughtUp()
    const sent = await fetch(`${operator.url}/_simulator/inbound`, {
      method: 'POST',
      headers: { authorization: `Bearer ${simulated.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ from: '919812345678', text: 'Hello', number: simulated.operatorId }),
    })
    expect(sent.status).toBe(200)
    await until(
      async () => (await shop.get('/messages?direction=inbound')).body.messages.length === 1,
      'the message arrived',
    )
  })

  test('stays in the phone app without a registration, and its history can be requested', async () => {
    const before = callsOf('POST register')
    const signup = await connected({}, { keepsPhoneApp: true })
    expect(signup).toMatchObject({ state: 'connected', keepsPhoneApp: true })
    expect(callsOf('POST register')).toBe(before)
    await parley.caughtUp()
    const requested = await shop.post(`/phone-numbers/${signup.phoneNumberId}/history-sync`, {})
    expect(requested.status, requested.text).toBe(202)
  })

  test('is chosen if the owner shared several', async () => {
    const first = addToOperator()
    const second = addToOperator({ accountId: first.accountId })
    const { id } = await returned({ account: first.accountId })
    const choosing = await continued(admin, id)
    expect(choosing.body.signup).toMatchObject({
      state: 'choosing',
      number: null,
      numbers: [
        { operatorId: first.operatorId, number: `+${first.displayNumber}` },
        { operatorId: second.operatorId, number: `+${second.displayNumber}` },
      ],
    })
    expect((await continued(admin, id)).body.signup.state).toBe('choosing')
    expect(await continued(admin, id, { operatorId: '12345' })).toMatchObject({
      status: 400,
      body: { error: 'invalid_reference' },
    })
    const { body } = await continued(admin, id, { operatorId: second.operatorId })
    expect(body.signup).toMatchObject({ state: 'connected', number: `+${second.displayNumber}` })
    expect(await connectedTo(shop)).toHaveLength(1)
  })

  test('that the workspace disconnected is connected again', async () => {
    const number = addToOperator()
    const { phoneNumberId } = await connected({ account: number.accountId })
    await admin.delete(`${DASHBOARD}/numbers/${phoneNumberId}`)
    const again = await connected({ account: number.accountId })
    expect(again.phoneNumberId).toBe(phoneNumberId)
    expect(await connectedTo(shop)).toMatchObject([{ id: phoneNumberId, state: 'active' }])
  })

  test('with a two-step PIN needs this PIN', async () => {
    const number = addToOperator({ pin: '424242', state: { ...numberInGoodHealth, status: 'PENDING' } })
    const { id } = await returned({ account: number.accountId })
    const waiting = await continued(admin, id)
    expect(waiting.body.signup).toMatchObject({ state: 'unfinished', problem: { reason: 'pin' } })
    expect((await continued(admin, id, { pin: '12' })).status).toBe(400)
    expect((await continued(admin, id, { pin: '111111' })).body.signup.problem.reason).toBe('pin')
    expect((await continued(admin, id, { pin: '424242' })).body.signup.state).toBe('connected')
  })

  test('of an account that another workspace uses is not connected, and the other keeps its reports', async () => {
    const number = addToOperator()
    const sibling = addToOperator({ accountId: number.accountId })
    const other = await parley.workspace({ name: 'Secret shop' })
    const otherAdmin = await signIn(parley, other, 'admin', clock.now())
    const first = await returned({ account: number.accountId }, { browser: otherAdmin })
    await continued(otherAdmin, first.id)
    await continued(otherAdmin, first.id, { operatorId: number.operatorId })
    expect(await connectedTo(other)).toHaveLength(1)
    const subscriptions = callsOf('POST subscribed_apps')
    const { id } = await returned({ account: number.accountId })
    await continued(admin, id)
    for (const { operatorId } of [number, sibling]) {
      const answer = await continued(admin, id, { operatorId })
      expect(answer.body.signup).toMatchObject({
        state: 'choosing',
        problem: { reason: 'elsewhere', message: null },
      })
      expect(answer.text).not.toContain(other.workspaceId)
      expect(answer.text).not.toContain('Secret shop')
    }
    expect(callsOf('POST subscribed_apps')).toBe(subscriptions)
    expect(await connectedTo(shop)).toEqual([])
  })
})

describe('the answer of the operator', () => {
  test.each<[string, OwnerAnswer, object]>([
    ['that the owner left', { action: 'cancel' }, { state: 'cancelled', problem: null }],
    [
      'about a fault',
      { action: 'error' },
      {
        state: 'failed',
        problem: { reason: 'refused', message: expect.stringContaining('Try again later') },
      },
    ],
  ])('%s is shown, and connects nothing', async (_title, answer, signup) => {
    const { id } = await returned(answer)
    expect((await admin.get(`${DASHBOARD}/number-signups/${id}`)).body.signup).toMatchObject(signup)
    expect((await continued(admin, id)).body.signup).toMatchObject(signup)
    expect(await connectedTo(shop)).toEqual([])
  })

  test('about an account without a number connects nothing', async () => {
    expect(await connected({ account: 'empty' })).toMatchObject({
      state: 'failed',
      problem: { reason: 'no_number' },
    })
  })

  test('that arrives twice, in two tabs, connects once', async () => {
    const { id, location, opened } = await returned()
    const exchanges = callsOf('GET oauth/access_token')
    expect((await openReturn(parley, admin, location)).location).toBe(opened.location)
    operator.faults.arm({ call: 'GET oauth/access_token', does: { delayMs: 300 } })
    const tabs = await Promise.all([continued(admin, id), continued(admin, id)])
    expect(tabs.map(({ body }) => body.signup.state).sort()).toEqual(['connected', 'working'])
    expect((await continued(admin, id)).body.signup.state).toBe('connected')
    expect((await openReturn(parley, admin, location)).location).toBe(opened.location)
    expect(callsOf('GET oauth/access_token')).toBe(exchanges + 1)
    expect(await connectedTo(shop)).toHaveLength(1)
  })

  test('of an older signup connects the number again, without a second one', async () => {
    const number = addToOperator()
    const [first, second] = [
      await returned({ account: number.accountId }),
      await returned({ account: number.accountId }),
    ]
    for (const { id } of [second, first])
      expect((await continued(admin, id)).body.signup.state).toBe('connected')
    expect(await connectedTo(shop)).toHaveLength(1)
  })

  test('is useless after the code has expired, and after an hour on the page', async () => {
    const { id } = await returned()
    clock.aheadMs += MINUTE_MS
    expect((await continued(admin, id)).body.signup).toMatchObject({
      state: 'failed',
      problem: { reason: 'expired' },
    })
    const late = await beginSignup(admin)
    const location = await answerPage(late.url)
    clock.aheadMs += HOUR_MS
    expect((await openReturn(parley, admin, location)).location).toBe(
      `/w/${shop.workspaceId}/settings/numbers?signup=unknown`,
    )
    expect((await continued(admin, late.id)).body.signup?.state).not.toBe('connected')
    expect(await connectedTo(shop)).toEqual([])
    clock.aheadMs -= HOUR_MS + MINUTE_MS
  })

  test('is of use only in the session that began', async () => {
    const { id, url } = await beginSignup(admin)
    const location = await answerPage(url)
    const colleague = await signIn(parley, shop, 'admin', clock.now())
    const unknown = `/w/${shop.workspaceId}/settings/numbers?signup=unknown`
    for (const browser of [colleague, browserOf(parley), browserOf(parley, { cookie: 'parley-1=x' })])
      expect((await openReturn(parley, browser, location)).location).toBe(unknown)
    expect((await continued(admin, id)).body.signup.state).toBe('open')
    expect((await openReturn(parley, admin, location)).location).toContain(id)
    const other = await signIn(parley, await parley.workspace(), 'admin', clock.now())
    for (const browser of [colleague, other])
      for (const answer of [
        await browser.get(`${DASHBOARD}/number-signups/${id}`),
        await continued(browser, id),
        await browser.delete(`${DASHBOARD}/number-signups/${id}`),
      ])
        expect(answer).toMatchObject({ status: 404, body: { error: 'not_found' } })
    expect((await colleague.get(`${DASHBOARD}/number-signups`)).body.signups).toEqual([])
  })

  test.each<[string, (state: string) => string]>([
    ['another secret', (state) => `${state.slice(0, -4)}AAAA`],
    ['an unknown signup', (state) => state.replace(/\.[0-9a-f-]{36}\./, `.${randomUUID()}.`)],
    ['an unknown workspace', (state) => state.replace(/^[0-9a-f-]{36}/, randomUUID())],
  ])('with %s changes nothing', async (_title, forge) => {
    const { id, url } = await beginSignup(admin)
    const location = new URL(await answerPage(url))
    const forged = forge(location.searchParams.get('state')!)
    location.searchParams.set('state', forged)
    expect((await openReturn(parley, admin, location.href)).location).toBe(
      `/w/${forged.split('.')[0]}/settings/numbers?signup=unknown`,
    )
    expect((await continued(admin, id)).body.signup.state).toBe('open')
  })

  test.each(['', '//evil.example', 'https://evil.example', '../..', '%00', `${randomUUID()}.x.y`])(
    'with the state %j leads to the first page, never to another site',
    async (state) => {
      const location = `${parley.url}/api/dashboard/operator-return?${new URLSearchParams({ code: 'AQ', state })}`
      expect(await openReturn(parley, admin, location)).toMatchObject({ status: 303, location: '/' })
    },
  )

  test('with an unknown code ends the signup', async () => {
    const { id, url } = await beginSignup(admin)
    const state = new URL(url).searchParams.get('state')!
    const query = new URLSearchParams({ code: 'made up', state })
    await openReturn(parley, admin, `${parley.url}/api/dashboard/operator-return?${query}`)
    expect((await continued(admin, id)).body.signup).toMatchObject({
      state: 'failed',
      problem: { reason: 'expired' },
    })
  })
})

describe('a call to the operator', () => {
  const CALLS = [
    'GET oauth/access_token',
    'GET debug_token',
    'GET phone_numbers',
    'POST subscribed_apps',
    'POST register',
  ]

  test.each(CALLS)('%s that does not arrive is repeated', async (call) => {
    operator.faults.arm({ call, does: { close: 'before' }, times: 1 })
    const { id } = await returned()
    expect((await continued(admin, id)).body.signup).toMatchObject({
      state: 'unfinished',
      problem: { reason: 'no_answer' },
    })
    expect(await connectedTo(shop)).toEqual([])
    expect((await continued(admin, id)).body.signup.state).toBe('connected')
    expect(await connectedTo(shop)).toHaveLength(1)
  })

  test.each(CALLS.slice(1))('%s whose answer is lost is repeated, and connects once', async (call) => {
    operator.faults.arm({ call, does: { close: 'after' }, times: 1 })
    const { id } = await returned()
    expect((await continued(admin, id)).body.signup.problem.reason).toBe('no_answer')
    expect((await continued(admin, id)).body.signup.state).toBe('connected')
    expect(await connectedTo(shop)).toHaveLength(1)
  })

  test('the exchange whose answer is lost ends the signup: a code works once', async () => {
    operator.faults.arm({ call: 'GET oauth/access_token', does: { close: 'after' }, times: 1 })
    const { id } = await returned()
    expect((await continued(admin, id)).body.signup.problem.reason).toBe('no_answer')
    expect((await continued(admin, id)).body.signup).toMatchObject({
      state: 'failed',
      problem: { reason: 'expired' },
    })
  })

  test.each(CALLS.slice(3))('%s that the operator refuses can be repeated after the repair', async (call) => {
    operator.faults.arm({ call, does: { error: 10 }, times: 1 })
    const { id } = await returned()
    const { signup } = (await continued(admin, id)).body
    expect(signup).toMatchObject({
      state: 'unfinished',
      problem: { reason: 'refused', message: expect.stringMatching(/./) },
    })
    expect((await admin.get(`${DASHBOARD}/number-signups`)).body.signups).toMatchObject([
      { id, state: 'unfinished' },
    ])
    expect((await continued(admin, id)).body.signup.state).toBe('connected')
  })

  test('of a request that died can be repeated after half a minute', async () => {
    const { id } = await returned()
    operator.faults.arm({ call: 'GET debug_token', does: { close: 'before' }, times: 1 })
    await continued(admin, id)
    await parley.system((tx) =>
      tx.sql('update number_signups set attempt = $2, attempt_until = $3 where id = $1', [
        id,
        randomUUID(),
        new Date(clock.now().getTime() + 30 * SECOND_MS),
      ]),
    )
    expect((await continued(admin, id)).body.signup.state).toBe('working')
    clock.aheadMs += 31 * SECOND_MS
    expect((await continued(admin, id)).body.signup.state).toBe('connected')
  })
})

describe('secrets', () => {
  test('are sealed, never returned, and deleted at the end', async () => {
    operator.faults.arm({ call: 'POST register', does: { close: 'before' }, times: 1 })
    const { id, location } = await returned()
    const rowOf = async () =>
      (await parley.system((tx) => tx.sql<Body>('select * from number_signups where id = $1', [id])))[0]
    const code = new URL(location).searchParams.get('code')!
    expect(String(await rowOf())).not.toContain(code)
    const { text } = await continued(admin, id)
    const waiting = await rowOf()
    expect([waiting.codeSealed, waiting.tokenSealed, waiting.pinSealed]).toEqual([
      null,
      expect.any(Buffer),
      expect.any(Buffer),
    ])
    const [number] = operator.store.numbers.slice(-1)
    for (const secret of [code, number!.grantedTokens![0]!, APP_SECRET]) expect(text).not.toContain(secret)
    expect(waiting.tokenSealed.toString('latin1')).not.toContain(number!.grantedTokens![0]!)
    await continued(admin, id)
    expect(await rowOf()).toMatchObject({ codeSealed: null, tokenSealed: null, pinSealed: null })
  })

  test('of a discarded signup are deleted', async () => {
    const { id } = await returned()
    expect((await admin.delete(`${DASHBOARD}/number-signups/${id}`)).status).toBe(204)
    expect((await continued(admin, id)).status).toBe(404)
    expect((await admin.get(`${DASHBOARD}/number-signups`)).body.signups).toEqual([])
  })

  test('of an unfinished signup are deleted after a day', async () => {
    const { id } = await returned()
    clock.aheadMs += DAY_MS + HOUR_MS
    await until(async () => {
      parley.wake()
      const rows = await parley.system((tx) => tx.sql('select 1 from number_signups where id = $1', [id]))
      return rows.length === 0
    }, 'the signup is deleted')
    clock.aheadMs -= DAY_MS + HOUR_MS
  })
})

describe('the start', () => {
  test('requires the role admin and a recent confirmation, and refuses a sandbox', async () => {
    const agent = await signIn(parley, shop, 'agent', clock.now())
    expect((await agent.post(`${DASHBOARD}/number-signups`, { keepsPhoneApp: false })).status).toBe(403)
    const sandbox = await parley.workspace({ sandbox: true })
    const owner = await signIn(parley, sandbox, 'admin', clock.now())
    expect((await owner.get(`${DASHBOARD}/number-signups`)).body.available).toBe(false)
    expect(await owner.post(`${DASHBOARD}/number-signups`, { keepsPhoneApp: false })).toMatchObject({
      status: 403,
      body: { error: 'sandbox' },
    })
    clock.aheadMs += 11 * MINUTE_MS
    expect(await admin.post(`${DASHBOARD}/number-signups`, { keepsPhoneApp: false })).toMatchObject({
      status: 403,
      body: { error: 'not_confirmed' },
    })
  })

  test('is not available without the settings', async () => {
    const plain = await boot({ databaseUrl: parley.databaseUrl })
    try {
      const browser = await signIn(plain, shop)
      expect((await browser.get(`${DASHBOARD}/number-signups`)).body.available).toBe(false)
      expect(await browser.post(`${DASHBOARD}/number-signups`, { keepsPhoneApp: false })).toMatchObject({
        status: 404,
        body: { error: 'not_available' },
      })
    } finally {
      await plain.close()
    }
  })
})
