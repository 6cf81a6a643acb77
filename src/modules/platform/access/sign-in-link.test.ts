/** The one-time sign-in link of the CLI, and its session (DECISIONS.md "Accounts and sessions"). */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { boot, type TestParley, type TestWorkspace } from '../../../../test/support/boot.ts'
import { type MovingClock, movingClock } from '../../../../test/support/moving-clock.ts'
import { browserOf, cookieIn, DASHBOARD, signIn, signInByLink } from '../../../../test/support/sessions.ts'
import { MINUTE_MS } from '../../../core/clock.ts'
import { createSignInLink, signInPath } from './operations/sign-in-links.ts'

let clock: MovingClock
let parley: TestParley
let shop: TestWorkspace
beforeAll(async () => {
  clock = movingClock()
  parley = await boot({ clock })
  shop = await parley.workspace({ sandbox: true })
})
afterAll(() => parley?.close())

const linkOf = async (memberId: string): Promise<string> =>
  `${parley.url}${signInPath(await parley.system((tx) => createSignInLink(tx, memberId, clock.now())))}`

describe('a sign-in link', () => {
  test('sets the cookie and leads to the dashboard', async () => {
    const answer = await parley.anonymous.get(await linkOf(shop.ownerId))
    expect([answer.status, answer.headers.location]).toEqual([303, '/'])
    expect(String(answer.headers['set-cookie'])).toMatch(
      /^parley-4000=[\w-]{43}; Max-Age=25\d{5}; Path=\/; HttpOnly; SameSite=Lax$/,
    )
  })

  test('works once', async () => {
    const link = await linkOf(shop.ownerId)
    const answers = await Promise.all([parley.anonymous.get(link), parley.anonymous.get(link)])
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 404])
    expect(answers.filter((answer) => cookieIn(answer) !== undefined)).toHaveLength(1)
  })

  test('works for 15 minutes', async () => {
    const [early, late] = [await linkOf(shop.ownerId), await linkOf(shop.ownerId)]
    clock.aheadMs += 14 * MINUTE_MS
    expect((await parley.anonymous.get(early)).status).toBe(303)
    clock.aheadMs += 2 * MINUTE_MS
    const answer = await parley.anonymous.get(late)
    expect([answer.status, cookieIn(answer)]).toEqual([404, undefined])
    expect(answer.text).toContain('sign-in --member')
  })

  test('is not spent by a browser that prefetches it', async () => {
    const link = await linkOf(shop.ownerId)
    for (const [name, value] of [
      ['sec-purpose', 'prefetch'],
      ['sec-fetch-dest', 'image'],
    ] as const) {
      const answer = await parley.anonymous.get(link, { headers: { [name]: value } })
      expect([answer.status, cookieIn(answer)]).toEqual([204, undefined])
    }
    expect((await parley.anonymous.get(link)).status).toBe(303)
  })

  test('for a member with the same email opens no account of another workspace', async () => {
    const email = `${randomUUID()}@example.com`
    const [first, second] = [
      await parley.workspace({ sandbox: true, ownerEmail: email }),
      await parley.workspace({ ownerEmail: email }),
    ]
    const firstOwner = await signInByLink(
      parley,
      { workspaceId: first.workspaceId, memberId: first.ownerId },
      clock.now(),
    )
    const secondOwner = await signInByLink(
      parley,
      { workspaceId: second.workspaceId, memberId: second.ownerId },
      clock.now(),
    )
    const workspacesOf = async (browser: typeof firstOwner) =>
      (await browser.get(`${DASHBOARD}/session`)).body.workspaces.map(({ id }: { id: string }) => id)
    expect(await workspacesOf(firstOwner)).toEqual([first.workspaceId])
    expect(await workspacesOf(secondOwner)).toEqual([second.workspaceId])
  })

  test('joins the account of a person who is signed in with the same email', async () => {
    const email = `${randomUUID()}@example.com`
    const [first, second] = [
      await parley.workspace({ sandbox: true, ownerEmail: email }),
      await parley.workspace({ ownerEmail: email }),
    ]
    const browser = await signInByLink(
      parley,
      { workspaceId: first.workspaceId, memberId: first.ownerId },
      clock.now(),
    )
    expect((await browser.get(await linkOf(second.ownerId))).status).toBe(303)
    const { workspaces } = (await browser.get(`${DASHBOARD}/session`)).body
    expect(workspaces.map(({ id }: { id: string }) => id)).toEqual([first.workspaceId, second.workspaceId])
  })
})

describe('a session', () => {
  test('opens the API with the rights of its member, and names that member', async () => {
    const agent = await signIn(parley, shop, 'agent', clock.now())
    const created = await agent.post('/contacts', { phone: '+919812345670' })
    expect(created.status, created.text).toBe(201)
    expect((await agent.get('/me')).body.key).toEqual({
      id: agent.memberId,
      label: 'The agent',
      role: 'agent',
      scopes: null,
      expiresAt: null,
    })
  })

  test('opens nothing without a workspace or without a cookie', async () => {
    const agent = await signIn(parley, shop, 'agent', clock.now())
    const withoutWorkspace = browserOf(parley, { cookie: agent.cookie })
    expect(await withoutWorkspace.get('/me')).toMatchObject({ status: 401, body: { error: 'unauthorized' } })
    const signedOut = browserOf(parley, { workspaceId: shop.workspaceId })
    expect(await signedOut.get('/me')).toMatchObject({ status: 401, body: { error: 'unauthorized' } })
  })

  test('shows who is signed in, and ends with a sign-out', async () => {
    const viewer = await signIn(parley, shop, 'viewer', clock.now())
    const { status, body } = await viewer.get(`${DASHBOARD}/session`)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      account: { name: 'The viewer', hasPassword: false, hasTotp: false, passkeys: [] },
      member: { id: viewer.memberId, role: 'viewer', owner: false },
      workspace: { id: shop.workspaceId, sandbox: true, socialAddon: false, socialEnabled: true },
      workspaces: [{ id: shop.workspaceId, role: 'viewer' }],
      secondFactorRequired: false,
      build: null,
    })
    const { cookie } = viewer
    expect(await viewer.delete(`${DASHBOARD}/session`)).toMatchObject({ status: 200, body: { ok: true } })
    expect(viewer.cookie).toBe('')
    const browser = browserOf(parley, { workspaceId: shop.workspaceId, cookie })
    await expect
      .poll(async () => (await browser.get('/me')).body)
      .toMatchObject({ error: 'session_ended', message: 'Your session has ended: you signed out.' })
  })
})
