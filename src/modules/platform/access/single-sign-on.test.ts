/** Single sign-on with OpenID Connect (DECISIONS.md "Single sign-on"). */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { boot, type TestParley, type TestWorkspace } from '../../../../test/support/boot.ts'
import { type Person, startProvider, type TestProvider } from '../../../../test/support/identity-provider.ts'
import { type MovingClock, movingClock } from '../../../../test/support/moving-clock.ts'
import { type Browser, browserOf, DASHBOARD, signIn } from '../../../../test/support/sessions.ts'
import { until } from '../../../../test/support/until.ts'
import { MINUTE_MS } from '../../../core/clock.ts'

const SITE = 'http://localhost:4000'
const BEGIN = `${DASHBOARD}/sign-in/oidc`

let clock: MovingClock
let provider: TestProvider
let plain: TestParley
let parley: TestParley
let shop: TestWorkspace
beforeAll(async () => {
  clock = movingClock()
  provider = await startProvider(SITE)
  plain = await boot({ clock })
  shop = await plain.workspace()
  parley = await boot({
    clock,
    databaseUrl: plain.databaseUrl,
    env: {
      ...provider.env,
      PARLEY_OIDC_WORKSPACE: shop.workspaceId,
      PARLEY_OIDC_DOMAINS: 'acme.example',
      PARLEY_OIDC_GROUPS: 'readers=viewer,support=agent,managers=admin',
    },
  })
})
afterAll(async () => {
  await parley?.close()
  await plain?.close()
  await provider?.close()
})

type Visit = { cookies: Map<string, string> }

/** Returns the answer of the site or the provider, with the cookies of the visit. */
async function request(at: TestParley, visit: Visit, address: string) {
  const url = new URL(address, SITE)
  const target = url.origin === SITE ? `${at.url}${url.pathname}${url.search}` : url.href
  const answer = await fetch(target, {
    redirect: 'manual',
    headers: { cookie: [...visit.cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
  })
  for (const cookie of answer.headers.getSetCookie()) {
    const [name, value] = cookie.split(';')[0]!.split('=') as [string, string]
    if (value) visit.cookies.set(name, value)
    else visit.cookies.delete(name)
  }
  await answer.arrayBuffer()
  const location = answer.headers.get('location')
  return { status: answer.status, location: location === null ? undefined : new URL(location, url).href }
}

/** Follows the redirects to the callback, without opening it. */
async function toCallback(person: Person | null, visit: Visit, at: TestParley, next = '/'): Promise<string> {
  provider.person = person
  let { location } = await request(at, visit, `${BEGIN}?next=${encodeURIComponent(next)}`)
  while (location !== undefined && !location.includes('/oidc/callback') && !location.includes('/sign-in?'))
    ({ location } = await request(at, visit, location))
  return location!
}

/** Signs in; returns where the browser ends, and its session. */
async function signInAt(
  person: Person | null,
  {
    at = parley,
    next,
    visit = { cookies: new Map() },
  }: { at?: TestParley; next?: string; visit?: Visit } = {},
) {
  const callback = await toCallback(person, visit, at, next)
  const { status, location } = await request(at, visit, callback)
  const token = visit.cookies.get('parley-4000')
  const browser = browserOf(at, token === undefined ? {} : { cookie: `parley-4000=${token}` })
  return { status, location: location?.slice(SITE.length), browser, visit, isSignedIn: token !== undefined }
}

const refused = (problem: string) => ({ status: 303, location: `/sign-in?sso=${problem}`, isSignedIn: false })
const session = async (browser: Browser) => (await browser.get(`${DASHBOARD}/session`)).body
const employee = (more: Partial<Person> = {}): Person => {
  const sub = randomUUID()
  return {
    sub,
    email: `${sub}@acme.example`,
    email_verified: true,
    name: 'Asha Rao',
    groups: ['support'],
    ...more,
  }
}
/** A member of a new workspace without an account. */
const invited = async (email: string) => {
  const workspace = await plain.workspace()
  const owner = await signIn(plain, workspace)
  await owner.post(`${DASHBOARD}/members`, { email, name: 'Invited', role: 'agent' })
  return workspace
}

test('the options name the provider', async () => {
  expect((await parley.anonymous.get(`${DASHBOARD}/sign-in/options`)).body).toMatchObject({
    password: true,
    oidc: 'Acme ID',
  })
})

describe('the first sign-in', () => {
  test('adds a person of the domain to the workspace, with the role of their group', async () => {
    const person = employee({ groups: ['everyone', 'managers', 'readers'] })
    const { browser, location } = await signInAt(person, { next: `/w/${shop.workspaceId}/inbox?tab=all` })
    expect(location).toBe(`/w/${shop.workspaceId}/inbox?tab=all`)
    expect(await session(browser)).toMatchObject({
      account: { name: 'Asha Rao', email: person.email, hasPassword: false },
      member: { role: 'admin', owner: false },
      workspaces: [{ id: shop.workspaceId }],
      secondFactorRequired: false,
    })
  })

  test('joins the members who were invited with the email address', async () => {
    const email = `${randomUUID()}@elsewhere.example`
    const workspace = await invited(email)
    const { browser } = await signInAt(employee({ email }))
    expect((await session(browser)).workspaces).toMatchObject([{ id: workspace.workspaceId, role: 'agent' }])
  })

  test.each([
    ['an unknown person of another domain', { email: 'asha@elsewhere.example' }, 'unknown'],
    ['a person without a group', { groups: [] }, 'unknown'],
    ['an email address that is not verified', { email_verified: false }, 'unverified'],
    ['no email address', { email: undefined as never }, 'unverified'],
  ])('fails for %s', async (_title, claims, problem) => {
    expect(await signInAt(employee(claims))).toMatchObject(refused(problem))
  })

  test('fails for an account whose email address is not confirmed', async () => {
    const person = employee()
    await parley.system((tx) =>
      tx.sql(
        `insert into accounts (id, email, name, created_at, email_proven) values ($1, $2, 'Other', now(), false)`,
        [randomUUID(), person.email],
      ),
    )
    expect(await signInAt(person)).toMatchObject(refused('unproven'))
  })
})

describe('a later sign-in', () => {
  test('opens the same account after the email address changed, and follows the groups', async () => {
    const person = employee({ groups: ['managers'] })
    const first = await session((await signInAt(person)).browser)
    const later = await session(
      (await signInAt({ ...person, email: `${randomUUID()}@acme.example`, groups: ['readers'] })).browser,
    )
    expect(later).toMatchObject({ account: { id: first.account.id }, member: { role: 'viewer' } })
  })

  test('replaces the session of the browser', async () => {
    const { browser, visit } = await signInAt(employee())
    await signInAt(employee(), { visit })
    await until(
      async () => (await browser.get(`${DASHBOARD}/session`)).status === 401,
      'the former session has ended',
    )
  })

  test('fails for a person who was removed from all workspaces', async () => {
    const email = `${randomUUID()}@elsewhere.example`
    const workspace = await invited(email)
    const person = employee({ email })
    const { browser } = await signInAt(person)
    const { member } = await session(browser)
    const owner = await signIn(plain, workspace)
    expect((await owner.delete(`${DASHBOARD}/members/${member.id}`)).status).toBeLessThan(300)
    expect(await signInAt(person)).toMatchObject(refused('unknown'))
  })
})

describe('the answer of the provider', () => {
  test('works once, in the browser that began, within 10 minutes', async () => {
    const visit: Visit = { cookies: new Map() }
    const stolen = await toCallback(employee(), visit, parley)
    expect(await request(parley, { cookies: new Map() }, stolen)).toMatchObject({
      location: `${SITE}/sign-in?sso=late`,
    })
    expect(await request(parley, visit, stolen)).toMatchObject({ location: `${SITE}/sign-in?sso=late` })
    const old = await toCallback(employee(), visit, parley)
    clock.aheadMs += 11 * MINUTE_MS
    expect(await request(parley, visit, old)).toMatchObject({ location: `${SITE}/sign-in?sso=late` })
  })

  test('fails with another code, an error, or without a state', async () => {
    const visit: Visit = { cookies: new Map() }
    const callback = new URL(await toCallback(employee(), visit, parley))
    callback.searchParams.set('code', 'another')
    expect(await request(parley, visit, callback.href)).toMatchObject({
      location: `${SITE}/sign-in?sso=failed`,
    })
    expect(await signInAt(null)).toMatchObject(refused('failed'))
    expect(await request(parley, visit, `${BEGIN}/callback`)).toMatchObject({
      location: `${SITE}/sign-in?sso=late`,
    })
  })

  test('leads to no other site', async () => {
    for (const next of ['https://evil.example', '//evil.example', '/\\evil.example', 'evil'])
      expect((await signInAt(employee(), { next })).location).toBe('/')
  })
})

describe('a person whom the provider manages over SCIM', () => {
  const USERS = '/scim/v2/Users'
  const scimOf = async (workspace: TestWorkspace) => {
    const { call } = await workspace.as('admin', { scopes: ['team:write'] })
    return (method: string, path: string, body: unknown) => call(method, `${plain.url}${path}`, body)
  }

  test('signs in without an invitation', async () => {
    const workspace = await plain.workspace()
    const scim = await scimOf(workspace)
    const email = `${randomUUID()}@elsewhere.example`
    expect((await scim('POST', USERS, { userName: email, displayName: 'Asha Rao' })).status).toBe(201)
    const { browser } = await signInAt(employee({ email }))
    expect(await session(browser)).toMatchObject({
      account: { name: 'Asha Rao' },
      workspaces: [{ id: workspace.workspaceId, role: 'agent' }],
    })
  })

  test('joins with an account that already exists', async () => {
    const person = employee()
    await signInAt(person)
    const workspace = await plain.workspace()
    await (await scimOf(workspace))('POST', USERS, { userName: person.email })
    const { browser } = await signInAt(person)
    expect((await session(browser)).workspaces.map(({ id }: { id: string }) => id).sort()).toEqual(
      [shop.workspaceId, workspace.workspaceId].sort(),
    )
  })

  test('stays deactivated, although people of the domain may join', async () => {
    const scim = await scimOf(shop)
    const person = employee()
    const { member } = await session((await signInAt(person)).browser)
    const turn = (active: boolean) =>
      scim('PATCH', `${USERS}/${member.id}`, { Operations: [{ op: 'replace', value: { active } }] })
    expect((await turn(false)).status).toBe(200)
    expect(await signInAt(person)).toMatchObject(refused('unknown'))
    expect((await turn(true)).status).toBe(200)
    expect((await session((await signInAt(person)).browser)).member.id).toBe(member.id)
  })
})

test('two concurrent first sign-ins of a person open one account', async () => {
  const person = employee()
  const outcomes = await Promise.all([signInAt(person), signInAt(person)])
  const signedIn = outcomes.filter(({ isSignedIn }) => isSignedIn)
  const accounts = await Promise.all(signedIn.map(async ({ browser }) => (await session(browser)).account.id))
  expect(new Set(accounts).size).toBe(1)
})

describe('without another way to sign in', () => {
  let only: TestParley
  beforeAll(async () => {
    only = await boot({
      clock,
      databaseUrl: plain.databaseUrl,
      env: { ...provider.env, PARLEY_OIDC_ONLY: 'on' },
    })
  })
  afterAll(() => only?.close())

  test('passwords, passkeys, and resets are refused; the provider works', async () => {
    const { body } = await only.anonymous.get(`${DASHBOARD}/sign-in/options`)
    expect(body).toEqual({ password: false, passkey: false, oidc: 'Acme ID', mail: false })
    const browser = browserOf(only)
    const credentials = { email: 'asha@acme.example', password: 'a long enough password' }
    expect(await browser.post(`${DASHBOARD}/sign-in`, credentials)).toMatchObject({
      status: 401,
      body: { error: 'sign_in_refused', message: 'Sign in with Acme ID.' },
    })
    const email = `${randomUUID()}@elsewhere.example`
    await invited(email)
    expect((await signInAt(employee({ email }), { at: only })).isSignedIn).toBe(true)
  })
})

test('a provider that does not answer is reported on the sign-in page', async () => {
  const lost = await startProvider(SITE)
  const alone = await boot({ clock, env: lost.env })
  await lost.close()
  expect(await request(alone, { cookies: new Map() }, BEGIN)).toMatchObject({
    status: 303,
    location: `${SITE}/sign-in?sso=failed`,
  })
  await alone.close()
})
