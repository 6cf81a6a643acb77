/** Rules of a site at https, and of stored secrets (DECISIONS.md "Accounts and sessions"). */
import { createHash, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { boot, type TestParley, type TestWorkspace } from '../../../../test/support/boot.ts'
import { cookieIn, DASHBOARD } from '../../../../test/support/sessions.ts'
import { createSignInLink, signInPath } from './operations/sign-in-links.ts'

const HOST = 'parley.example'
const ENDED = 'Your session has ended: you signed in again.'

let parley: TestParley
let shop: TestWorkspace
beforeAll(async () => {
  parley = await boot({
    env: { PARLEY_SITE_URL: `https://${HOST}`, PARLEY_TRUST_PROXY: '127.0.0.1/32' },
  })
  shop = await parley.workspace({ sandbox: true })
})
afterAll(() => parley?.close())

const headersOf = (cookie = '', more: object = {}) => ({
  host: HOST,
  'sec-fetch-site': 'same-origin',
  'parley-workspace': shop.workspaceId,
  ...(cookie ? { cookie } : {}),
  ...more,
})
async function openLink(cookie = ''): Promise<{ set: string; cookie: string }> {
  const token = await parley.system((tx) => createSignInLink(tx, shop.ownerId, new Date()))
  const answer = await parley.anonymous.get(`${parley.url}${signInPath(token)}`, {
    headers: headersOf(cookie),
  })
  expect(answer.status, answer.text).toBe(303)
  return { set: String(answer.headers['set-cookie']), cookie: cookieIn(answer) ?? '' }
}
const me = (cookie: string, more: object = {}) =>
  parley.anonymous.get('/me', { headers: headersOf(cookie, more) as Record<string, string> })

describe('at https', () => {
  test('the cookie is bound to the exact host: a name with __Host-, Secure, path /, no domain', async () => {
    const { set, cookie } = await openLink()
    expect(set).toMatch(/^__Host-parley=[\w-]{43}; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Lax; Secure$/)
    expect((await me(cookie)).status).toBe(200)
    // The cookie name that http uses is not accepted at https.
    expect((await me(cookie.replace('__Host-parley', 'parley-443'))).status).toBe(401)
  })

  test('requests with another Host are rejected, including localhost', async () => {
    const { cookie } = await openLink()
    for (const host of ['localhost', '127.0.0.1', `${HOST}:444`, `www.${HOST}`])
      expect((await me(cookie, { host })).body.error, host).toBe('cross_site')
  })

  test('a write with only an Origin header must come from the site itself', async () => {
    const { cookie } = await openLink()
    const write = (origin: string) => {
      const { 'sec-fetch-site': _, ...headers } = headersOf(cookie, { origin })
      return parley.anonymous.patch(`${DASHBOARD}/preferences`, { theme: 'dark' }, { headers })
    }
    expect((await write(`https://${HOST}`)).status).toBe(200)
    expect((await write(`http://${HOST}`)).status).toBe(403)
  })
})

test("a sign-in starts a new session and ends the browser's previous one", async () => {
  const before = await openLink()
  const after = await openLink(before.cookie)
  expect(after.cookie).not.toBe(before.cookie)
  expect((await me(after.cookie)).status).toBe(200)
  await parley.caughtUp()
  expect((await me(before.cookie)).body).toMatchObject({ error: 'session_ended', message: ENDED })
})

test('a session is stored by the SHA-256 of its token, a password as argon2id of 19 MiB and two passes', async () => {
  const { cookie } = await openLink()
  const hash = createHash('sha256')
    .update(cookie.split('=')[1] ?? '')
    .digest()
  const password = 'three blue kettles at noon'
  const saved = await parley.anonymous.patch(
    `${DASHBOARD}/account`,
    { password },
    { headers: headersOf(cookie) },
  )
  expect(saved.status, saved.text).toBe(200)
  const [row] = await parley.system((tx) =>
    tx.sql<{ sessions: number; passwordHash: string }>(
      `select (select count(*) from sessions where token_hash = $2 or previous_hash = $2) as sessions, a.password_hash
       from members m join accounts a on a.id = m.account_id where m.id = $1`,
      [shop.ownerId, hash],
    ),
  )
  expect(row?.sessions).toBe(1)
  expect(row?.passwordHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
})

test('at most two passwords are checked at a time, including those of unknown emails', async () => {
  let network = 0
  const attempts = Array.from({ length: 90 }, () =>
    parley.anonymous.post(
      `${DASHBOARD}/sign-in`,
      { email: `${randomUUID()}@example.com`, password: 'not the password' },
      { headers: headersOf('', { 'x-forwarded-for': `198.51.100.${++network}` }) },
    ),
  )
  const answers = await Promise.all(attempts)
  const statuses = new Set(answers.map(({ status }) => status))
  // Parley checks two and lets some wait; the rest get 503, because each check costs a full hash.
  expect([...statuses].sort()).toEqual([401, 503])
  const later = answers.find(({ status }) => status === 503)
  expect(later?.headers['retry-after']).toBe('5')
})
