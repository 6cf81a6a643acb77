/** Requests find their cell: by the key, by an address, by a session, or by the account that signs in (docs/cells.md). */
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../src/core/clock.ts'
import { hashToken } from '../../src/core/session.ts'
import { withCell } from '../../src/core/values/cell.ts'
import { readCellDirectory, setCellAddress } from '../../src/database/cell-directory.ts'
import { inNewCell } from '../../src/database/cells.ts'
import { migrate } from '../../src/database/migrate.ts'
import { onDatabase } from '../../src/database/on-database.ts'
import { allow, newApp, newRequest, postForm, redeem, renew } from '../support/apps.ts'
import { boot, clientOf, SECRET_KEY, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { findProgram, type RunningProxy, startCaddy, startNginx } from '../support/cell-proxies.ts'
import { runParley } from '../support/command-line.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { freePort } from '../support/redis-server.ts'
import { madeInvoice } from '../support/sales.ts'
import { signIn } from '../support/sessions.ts'

const CELLS = ['public', 'c7', 'c8'] as const
type Cell = (typeof CELLS)[number]

let database: TestDatabase
const parleys = {} as Record<Cell, TestParley>
const shops = {} as Record<Cell, TestWorkspace>

beforeAll(async () => {
  database = await createTestDatabase()
  for (const cell of CELLS) {
    const url = withCell(database.url, cell)
    await inNewCell(url, () => migrate(url))
    parleys[cell] = await boot({ databaseUrl: url, env: { PARLEY_SCHEMA: cell } })
    shops[cell] = await parleys[cell].workspace()
    await shops[cell].set({ modules: ['bookings', 'invoicing'] })
  }
}, 120_000)
afterAll(async () => {
  for (const cell of CELLS) await parleys[cell].close()
  await database.drop()
})

/** Asks the process of one cell where a request belongs, as nginx does. */
async function route(address: string, headers: Record<string, string> = {}, at: Cell = 'public') {
  return parleys[at].anonymous.get(`${parleys[at].url}/internal/route`, {
    headers: { 'x-original-uri': address, ...headers },
  })
}
const cellOf = async (...request: Parameters<typeof route>): Promise<string> => {
  const { status, text, headers } = await route(...request)
  expect(status, text).toBe(200)
  expect(headers['parley-cell-url']).toBe(parleys[headers['parley-cell'] as Cell].url)
  return headers['parley-cell']!
}
const bearer = (key: string) => ({ authorization: `Bearer ${key}` })

test('cell set keeps the addresses of the directory', async () => {
  const own = await createTestDatabase()
  onTestFinished(own.drop)
  const set = (...words: string[]) =>
    runParley(['cell', 'set', ...words, '--json'], { DATABASE_URL: own.url })
  const read = () =>
    onDatabase(own.url, (client) =>
      readCellDirectory(async (text) => (await client.query(text)).rows as never),
    )
  expect(await read()).toBeUndefined()
  const { stdout } = await set('c7', '--address', 'http://10.0.0.7:4000')
  expect(JSON.parse(stdout)).toEqual({ cell: 'c7', address: 'http://10.0.0.7:4000' })
  await set('public', '--address', 'http://10.0.0.1:4000')
  await set('c7', '--address', 'http://10.0.0.8:4000')
  const directory = await read()
  expect(directory?.cells).toEqual([
    { name: 'c7', address: 'http://10.0.0.8:4000' },
    { name: 'public', address: 'http://10.0.0.1:4000' },
  ])
  await set('c7', '--no-address')
  expect(await read()).toEqual({
    secret: directory?.secret,
    cells: [{ name: 'public', address: 'http://10.0.0.1:4000' }],
  })
  for (const words of [
    ['c7'],
    ['C7', '--no-address'],
    ['c7', '--address', 'ftp://x'],
    ['c7', '--no-address', '--address', 'http://x'],
  ])
    expect([words, (await set(...words)).code]).toEqual([words, 2])
})

test('without a directory the route says what to do', async () => {
  const { status, text } = await route('/api/v1/me')
  expect([status, text]).toEqual([503, expect.stringContaining('parley cell set NAME --address')])
})

describe('with a directory', () => {
  beforeAll(async () => {
    for (const name of CELLS)
      await setCellAddress(database.url, { name, address: parleys[name].url, now: systemClock.now() })
    for (const cell of CELLS) await parleys[cell].restart()
  })

  test('a key carries its cell, and the cell of the default schema has keys as before', () => {
    expect(shops.c7.key).toMatch(/^pk_live_c7_\w{38}$/)
    expect(shops.public.key).toMatch(/^pk_live_[0-9A-Za-z]{38}$/)
  })

  test.each(CELLS)('a key of %s leads to it from every cell, and only there it is valid', async (cell) => {
    const { key } = shops[cell]
    for (const at of CELLS) expect(await cellOf('/api/v1/me', bearer(key), at)).toBe(cell)
    for (const at of CELLS) {
      const { status } = await parleys[at].anonymous.get('/me', { key })
      expect([at, status]).toEqual([at, at === cell ? 200 : 401])
    }
  })

  test('an invalid key is answered by the cell that it names', async () => {
    expect(await cellOf('/api/v1/me', bearer('pk_live_c8_invalid'))).toBe('public')
    expect(await cellOf('/api/v1/me', bearer(`${shops.c8.key.slice(0, -1)}0`), 'c7')).toBe('public')
  })

  test('a key that was created before its workspace got to another cell is found by asking', async () => {
    const { key } = await shops.public.as('admin')
    const hash = createHash('sha256').update(key).digest()
    await onDatabase(withCell(database.url, 'c8'), (client) =>
      client.query(
        `insert into api_keys (workspace_id, id, label, prefix, hash, role, created_at)
         select id, gen_random_uuid(), 'moved', 'pk_live_', $2, 'admin', now() from workspaces where id = $1`,
        [shops.c8.workspaceId, hash],
      ),
    )
    await onDatabase(database.url, (client) => client.query('delete from api_keys where hash = $1', [hash]))
    await parleys.public.restart()
    expect(await cellOf('/api/v1/me', bearer(key))).toBe('c8')
    expect((await parleys.c8.anonymous.get('/me', { key })).status).toBe(200)
  })

  test('a workspace that moved is found in its new cell, by its key and by its address', async () => {
    const shop = await parleys.c7.workspace()
    expect(await cellOf('/api/v1/me', bearer(shop.key), 'c8')).toBe('c7')
    const { code, stderr } = await runParley(
      ['workspace', 'move', shop.workspaceId, '--to', 'c8', '--to-data-dir', parleys.c7.config.dataDir],
      {
        DATABASE_URL: database.url,
        PARLEY_SCHEMA: 'c7',
        PARLEY_SECRET_KEY: SECRET_KEY,
        PARLEY_DATA_DIR: parleys.c7.config.dataDir,
      },
    )
    expect(code, stderr).toBe(0)
    for (const cell of CELLS) await parleys[cell].restart()
    for (const at of CELLS) {
      expect([at, await cellOf('/api/v1/me', bearer(shop.key), at)]).toEqual([at, 'c8'])
      expect([at, await cellOf(`/api/gateway/${shop.workspaceId}`, {}, at)]).toEqual([at, 'c8'])
    }
    expect((await parleys.c8.anonymous.get('/me', { key: shop.key })).status).toBe(200)
    expect((await parleys.c7.anonymous.get('/me', { key: shop.key })).status).toBe(421)
  })

  test('addresses that contain a workspace or a token lead to its cell', async () => {
    const shop = shops.c7
    const [row] = await parleys.c7.system((tx) =>
      tx.sql<{ capture: string }>('select capture_token as capture from workspaces where id = $1', [
        shop.workspaceId,
      ]),
    )
    const { bookingSettings } = (await shop.call('PUT', '/booking-settings', { publicPage: true })).body
    const addresses = [
      `/api/operator/${shop.workspaceId}`,
      `/api/social/${shop.workspaceId.toUpperCase()}?hub.mode=subscribe`,
      `/api/gateway/${shop.workspaceId}`,
      `/api/leads/capture/${row!.capture}`,
      `${new URL(bookingSettings.url).pathname}?service=1`,
    ]
    for (const address of addresses) expect([address, await cellOf(address)]).toEqual([address, 'c7'])
  })

  test('a file link, an invoice, and a shop address lead to their cells', async () => {
    const shop = shops.c8
    const invoice = await madeInvoice(shop, { issue: true })
    expect(await cellOf(new URL(invoice.url).pathname)).toBe('c8')
    const { integration, intakeUrl } = (
      await shop.call('PUT', '/integrations/orders', { settings: { country: 'IN' } })
    ).body
    expect(await cellOf(new URL(intakeUrl ?? integration.intakeUrl).pathname)).toBe('c8')
  })

  test('a session leads to the cell of its account, and a sign-in to that of its email', async () => {
    const browser = await signIn(parleys.c7, shops.c7)
    expect(await cellOf('/api/dashboard/session', { cookie: browser.cookie }, 'c8')).toBe('c7')
    const email = 'asha@example.com'
    await parleys.c7.system((tx) =>
      tx.sql('update accounts set email = $2 where id = (select account_id from members where id = $1)', [
        browser.memberId,
        email,
      ]),
    )
    expect(
      await cellOf('/api/dashboard/sign-in', {
        'parley-account-hint': encodeURIComponent('ASHA@example.com'),
      }),
    ).toBe('c7')
    expect(await cellOf('/api/dashboard/sign-in', { 'parley-account-hint': 'unknown%40example.com' })).toBe(
      'public',
    )
    expect(await cellOf('/api/dashboard/sign-in', { 'parley-account-hint': '%E0%A4%A' })).toBe('public')
  })

  test("tokens of an app reach their workspace's cell through any cell", async () => {
    const admin = await signIn(parleys.c7, shops.c7)
    const clientId = await newApp(parleys.c8.url)
    const { query, verifier } = newRequest(clientId)
    const code = (await allow(admin, query)).searchParams.get('code')!
    const { body } = await redeem(parleys.c8.url, { code, clientId, verifier })
    expect(await cellOf('/mcp', bearer(body.access_token), 'public')).toBe('c7')
    const renewed = await renew(parleys.public.url, { clientId, refreshToken: body.refresh_token })
    expect(renewed.status).toBe(200)
    const { access_token: token } = renewed.body
    expect((await parleys.c7.anonymous.get('/me', { key: token })).status).toBe(200)
    expect((await postForm(`${parleys.c8.url}/oauth/revoke`, { token })).status).toBe(200)
    await expect.poll(async () => (await parleys.c7.anonymous.get('/me', { key: token })).status).toBe(401)
    // A form that was sent on is not sent on again.
    const forwarded = await postForm(
      `${parleys.public.url}/oauth/token`,
      { grant_type: 'refresh_token', client_id: clientId, refresh_token: renewed.body.refresh_token },
      { 'parley-forwarded': '1' },
    )
    expect(forwarded).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  })

  test('pages and files without an owner come from any cell', async () => {
    for (const address of ['/', '/assets/main.js', '/docs', '/in/', '/media/x/y', `/i/${'x'.repeat(5_000)}`])
      expect(await cellOf(address)).toBe('public')
  })

  test('a cell that is down hides no other', async () => {
    await setCellAddress(database.url, { name: 'c8', address: 'http://127.0.0.1:1', now: systemClock.now() })
    await parleys.public.restart()
    const token = hashToken(shops.c7.key)
    expect(token).toHaveLength(32)
    expect(await cellOf(`/api/operator/${shops.c7.workspaceId}`)).toBe('c7')
    await setCellAddress(database.url, {
      name: 'c8',
      address: parleys.c8.url,
      now: systemClock.now(),
    })
    await parleys.public.restart()
  })

  const PROXIES = [
    ['nginx', startNginx],
    ['caddy', startCaddy],
  ] as const
  test.for(PROXIES)(
    '%s has a status that clients repeat while no process answers',
    async ([name, start], { skip }) => {
      const program = findProgram(name)
      if (!program) return skip(`${name} is not installed`)
      const proxy = await start(program, [`http://127.0.0.1:${await freePort()}`])
      onTestFinished(proxy.stop)
      const { status } = await fetch(`${proxy.url}/api/v1/me`)
      expect([502, 503]).toContain(status)
    },
  )

  describe.each(PROXIES)('%s', (name, start) => {
    const program = findProgram(name)
    let proxy: RunningProxy
    beforeAll(async () => {
      if (program) proxy = await start(program, [parleys.public.url, parleys.c7.url])
    })
    afterAll(() => proxy?.stop())

    test('sends reads and writes, also with large bodies, to the cell of their key', async ({ skip }) => {
      if (!program) skip(`${name} is not installed`)
      for (const cell of CELLS) {
        const { key, workspaceId } = shops[cell]
        const client = clientOf(proxy.url, key)
        const { body } = await client.get('/me')
        expect(body.workspace.id).toBe(workspaceId)
        const { status, text } = await client.post('/contacts', { phone: '+919812345678' })
        expect(text, text).toContain('+919812345678')
        expect([200, 201]).toContain(status)
        const long = { phone: '+919812345678', displayName: 'x'.repeat(60_000) }
        expect((await client.post('/contacts', long)).body).toMatchObject({ error: 'invalid' })
      }
    })

    test('sends callbacks and pages to their cells, and hides what is internal', async ({ skip }) => {
      if (!program) skip(`${name} is not installed`)
      const anonymous = clientOf(proxy.url, '')
      const { status } = await anonymous.get(`${proxy.url}/api/operator/${shops.c8.workspaceId}`)
      // The cell knows the workspace, and refuses the handshake without a token.
      expect(status).toBe(403)
      expect((await anonymous.get(`${proxy.url}/docs`)).status).toBe(200)
      for (const path of ['/internal/route', '/internal/locate', '/metrics', '/readyz'])
        expect([path, (await anonymous.get(`${proxy.url}${path}`)).status]).toEqual([path, 404])
      expect((await anonymous.get('/me', { key: shops.c7.key.replace('_c7_', '_c9_') })).status).toBe(401)
    })
  })

  test('only the cells of the installation may ask where something is', async () => {
    const ask = (headers: Record<string, string>, body: unknown) =>
      parleys.c7.anonymous.post(`${parleys.c7.url}/internal/locate`, body, { headers })
    const question = { kind: 'workspace', value: shops.c7.workspaceId }
    expect((await ask({}, question)).status).toBe(404)
    expect((await ask({ 'parley-cell-secret': 'x' }, question)).status).toBe(404)
    const secret = await onDatabase(database.url, async (client) => {
      const { rows } = await client.query('select value from parley_directory.secrets')
      return rows[0].value as string
    })
    expect((await ask({ 'parley-cell-secret': secret }, question)).body).toEqual({ cell: 'c7' })
    for (const invalid of ['no JSON', { kind: 'password', value: 'x' }, { kind: 'email', value: '' }, []])
      expect((await ask({ 'parley-cell-secret': secret }, invalid)).status).toBe(400)
  })
})
