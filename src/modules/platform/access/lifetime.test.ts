/**
 * Accounts created by the CLI, and how accounts and sessions are deleted
 * (DECISIONS.md "Accounts and sessions").
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { boot, SECRET_KEY, type TestParley } from '../../../../test/support/boot.ts'
import { runParley } from '../../../../test/support/command-line.ts'
import { browserOf, cookieIn, DASHBOARD, signIn, signInByLink } from '../../../../test/support/sessions.ts'
import { until } from '../../../../test/support/until.ts'
import { DAY_MS, later, systemClock } from '../../../core/clock.ts'
import { accessRetentionSource } from './work/access-retention-source.ts'

const folder = mkdtempSync(join(tmpdir(), 'parley-access-'))
let parley: TestParley
beforeAll(async () => {
  parley = await boot()
})
afterAll(async () => {
  await parley?.close()
  rmSync(folder, { recursive: true })
})

const run = (...words: string[]) =>
  runParley([...words, '--json'], {
    DATABASE_URL: parley.databaseUrl,
    PARLEY_DATA_DIR: parley.config.dataDir,
    PARLEY_SECRET_KEY: SECRET_KEY,
    PARLEY_SITE_URL: 'https://parley.example.com',
  })

const count = async (table: string, condition = 'true', parameters: unknown[] = []): Promise<number> => {
  const [row] = await parley.system((tx) =>
    tx.sql<{ count: number }>(`select count(*)::int4 as count from ${table} where ${condition}`, parameters),
  )
  return row?.count ?? 0
}

test('`parley sign-in --member ID` prints a link that signs the member in', async () => {
  const shop = await parley.workspace({ sandbox: true })
  const { code, stdout } = await run('sign-in', '--member', shop.ownerId)
  expect(code).toBe(0)
  const { url } = JSON.parse(stdout)
  expect(url).toMatch(/^https:\/\/parley\.example\.com\/sign-in\/[\w-]{43}$/)
  const opened = await parley.anonymous.get(`${parley.url}${new URL(url).pathname}`)
  expect(opened.status).toBe(303)
  const browser = browserOf(parley, { ...shop, cookie: cookieIn(opened) ?? '' })
  expect((await browser.get(`${DASHBOARD}/session`)).body.member).toMatchObject({
    id: shop.ownerId,
    owner: true,
  })
  const unknownMember = await run('sign-in', '--member', shop.workspaceId)
  expect([unknownMember.code, unknownMember.stderr]).toEqual([
    1,
    `error: Member ${shop.workspaceId} not found. See "parley member list".\n`,
  ])
  expect((await run('sign-in')).code).toBe(2)
})

test('a member who left gets no link, and their earlier link opens nothing', async () => {
  const shop = await parley.workspace({ sandbox: true })
  const agent = await signIn(parley, shop, 'agent')
  const { url } = JSON.parse((await run('sign-in', '--member', agent.memberId)).stdout)
  await run('member', 'set', '--member', agent.memberId, '--leave')
  expect((await parley.anonymous.get(`${parley.url}${new URL(url).pathname}`)).status).toBe(404)
  expect((await run('sign-in', '--member', agent.memberId)).code).toBe(1)
})

test('an account and all its data are deleted with its last workspace', async () => {
  const email = 'asha@example.com'
  const [closing, remainingShop] = [
    await parley.workspace({ sandbox: true, name: 'Going', ownerEmail: email }),
    await parley.workspace({ name: 'Staying', ownerEmail: email }),
  ]
  const owner = await signInByLink(parley, { ...remainingShop, memberId: remainingShop.ownerId })
  const link = JSON.parse((await run('sign-in', '--member', closing.ownerId)).stdout).url
  await owner.get(`${parley.url}${new URL(link).pathname}`)
  const agent = await signIn(parley, closing, 'agent')
  const session = (await owner.get(`${DASHBOARD}/session`)).body
  const [onlyWorkspace] = (await agent.get(`${DASHBOARD}/session`)).body.workspaces
  expect([session.workspaces.length, onlyWorkspace.id]).toEqual([2, closing.workspaceId])
  const { id } = (await agent.get(`${DASHBOARD}/session`)).body.account
  await agent.patch(`${DASHBOARD}/preferences`, { theme: 'dark' })
  const words = ['--workspace', closing.workspaceId, '--confirm', 'Going', '--by', 'Asha']
  expect((await run('workspace', 'delete', ...words)).code).toBe(0)
  expect(await count('accounts', 'id = $1', [id])).toBe(0)
  expect(await count('sessions', 'account_id = $1', [id])).toBe(0)
  expect(await count('accounts', 'id = $1', [session.account.id])).toBe(1)
  await until(async () => (await agent.get('/me')).body.error === 'session_ended', 'the session is gone')
  const browser = browserOf(parley, { ...remainingShop, cookie: owner.cookie })
  expect((await browser.get(`${DASHBOARD}/session`)).body.workspaces).toHaveLength(1)
})

test('an export has the settings of members, and no secret to sign in with', async () => {
  const shop = await parley.workspace({ sandbox: true })
  const admin = await signIn(parley, shop, 'admin')
  await admin.patch(`${DASHBOARD}/preferences`, { theme: 'dark' })
  await admin.post(`${DASHBOARD}/members`, { email: 'new@example.com', name: 'New', role: 'agent' })
  const to = join(folder, 'export')
  const exported = await run('export', '--workspace', shop.workspaceId, '--to', to)
  expect(exported.code, exported.stderr).toBe(0)
  const files = readdirSync(to).filter((name) => name.endsWith('.jsonl'))
  expect(files).toContain('member-preferences.jsonl')
  for (const hidden of [
    'accounts',
    'sessions',
    'passkeys',
    'invitations',
    'sign-in-tokens',
    'sign-in-failures',
  ])
    expect(files).not.toContain(`${hidden}.jsonl`)
  expect(readFileSync(join(to, 'member-preferences.jsonl'), 'utf8')).toContain('"dark"')
})

test('sessions are deleted after 60 days, tokens and invitations when they expire', async () => {
  const shop = await parley.workspace({ sandbox: true })
  const admin = await signIn(parley, shop, 'admin')
  await admin.post(`${DASHBOARD}/members`, { email: 'late@example.com', name: 'Late', role: 'agent' })
  await run('sign-in', '--member', shop.ownerId)
  await admin.post(`${DASHBOARD}/sign-in`, { email: 'late@example.com', password: 'wrong' })
  const query = <Row>(text: string, parameters?: unknown[]) =>
    parley.system((tx) => tx.sql<Row>(text, parameters))
  const retain = (days: number) =>
    accessRetentionSource({
      database: { query },
      clock: { ...systemClock, now: () => later(systemClock.now(), days * DAY_MS) },
    }).runDue({})
  const remaining = () =>
    Promise.all(
      ['sessions', 'sign_in_tokens', 'invitations', 'sign_in_failures'].map((table) => count(table)),
    )
  const before = await remaining()
  for (const rows of before) expect(rows).toBeGreaterThan(0)
  await retain(0)
  expect(await remaining()).toEqual(before)
  await retain(8)
  expect(await remaining()).toEqual([before[0], 0, 0, 0])
  await retain(61)
  expect(await remaining()).toEqual([0, 0, 0, 0])
})
