/** GET /api/dashboard/stream (docs/decisions/dashboard-pages.md). */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Body, boot, type TestParley, type TestWorkspace } from '../../../test/support/boot.ts'
import { listenAs, openStream } from '../../../test/support/live-page.ts'
import { type Browser, browserOf, signIn, signInByLink } from '../../../test/support/sessions.ts'
import { until } from '../../../test/support/until.ts'
import { systemClock } from '../../core/clock.ts'
import { SCREEN_CHANGED } from '../../core/event.ts'
import { newId } from '../../core/ids.ts'
import { setMember } from '../../modules/platform/workspaces/operations/workspace-members.ts'
import { MAX_EVENTS } from './reader.ts'

let parley: TestParley
let shop: TestWorkspace
let browser: Browser

const ownerOf = ({ workspaceId, ownerId }: TestWorkspace) =>
  signInByLink(parley, { workspaceId, memberId: ownerId })

beforeAll(async () => {
  parley = await boot()
})
beforeEach(async () => {
  shop = await parley.workspace({ sandbox: true })
  browser = await ownerOf(shop)
})
afterAll(() => parley?.close())

const open = (query: string, by: Browser, headers?: Record<string, string>) =>
  openStream(parley.url, query, by, headers)
const listen = (after?: string, by: Browser = browser, workspaceId = shop.workspaceId) =>
  listenAs(parley.url, { by, workspaceId, after })

const newLead = async (n: number, of = shop): Promise<string> =>
  (await of.post('/leads', { phone: `+9198123${String(n).padStart(5, '0')}` })).body.lead.id

test('a page receives the IDs of changes, by kind, and no other data', async () => {
  const page = await listen()
  expect(page.headers).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  })
  await shop.inbound('+919812300001', 'a secret of mine')
  await until(() => page.changed('message').length > 0, 'the message is announced')
  const { conversations } = (await shop.get('/conversations')).body
  expect(page.changed('conversation')).toContain(conversations[0].id)
  expect(page.changed('contact')).toContain(conversations[0].contact.id)
  await shop.patch(`/conversations/${conversations[0].id}`, { priority: 'high' })
  const before = page.messages().length
  await until(() => page.messages().length > before, 'the change is announced')
  expect(page.messages().at(-1)!.data.changed).toEqual({ conversation: [conversations[0].id] })
  expect(page.messages().at(-1)!.data).toHaveProperty('build')
  expect(JSON.stringify(page.messages())).not.toMatch(/secret|9812300001/)
})

test('a page receives changes of its own workspace only', async () => {
  const other = await parley.workspace()
  const [page, others] = [await listen(), await listen(undefined, await ownerOf(other), other.workspaceId)]
  const [ownLead, otherLead] = [await newLead(1), await newLead(1, other)]
  await until(
    () => page.changed('lead').length > 0 && others.changed('lead').length > 0,
    'both streams announce it',
  )
  expect([page.changed('lead'), others.changed('lead')]).toEqual([[ownLead], [otherLead]])
})

test('a client that reconnects continues where it stopped', async () => {
  const page = await listen()
  const first = await newLead(1)
  // An event sent ahead has no position; the position follows once it is settled.
  await until(
    () => page.changed('lead').includes(first) && page.messages().at(-1)!.id,
    'the first change has passed',
  )
  const id = page.lastId()
  page.close()
  const [second, third] = [await newLead(2), await newLead(3)]
  const reconnected = await listen(id)
  await until(() => reconnected.changed('lead').includes(third), 'the missed changes arrive')
  expect(reconnected.changed('lead')).toEqual([second, third])
  reconnected.close()
  // A browser that reconnects by itself sends the ID in a header.
  const own = await open(`?workspace=${shop.workspaceId}`, browser, { 'last-event-id': id })
  let text = ''
  own.body
    .on('error', () => {})
    .on('data', (chunk: Buffer) => {
      text += chunk
    })
  await until(() => text.includes(second) && text.includes(third), 'the missed changes arrive')
  own.body.destroy()
})

test('an event of a transaction that commits late is sent, and no resume position skips it', async () => {
  const page = await listen()
  const slow = newId()
  await parley.system(async (tx) => {
    await tx.sql(
      'insert into events (workspace_id, id, name, data, created_at) values ($1, $2, $3, $4::jsonb, now())',
      [shop.workspaceId, newId(), SCREEN_CHANGED, JSON.stringify({ touched: { lead: [slow] } })],
    )
    // An event committed meanwhile is sent immediately, although it isn't settled.
    const quick = await newLead(1)
    await until(() => page.changed('lead').includes(quick), 'the quick stream announces it')
    const quickMessage = page.messages().findLast(({ data }) => data.changed?.lead?.includes(quick))
    expect(quickMessage!.id).toBeUndefined()
  })
  await until(() => page.changed('lead').includes(slow), 'the slow stream announces it')
  const last = await newLead(2)
  await until(() => page.changed('lead').includes(last) && page.messages().at(-1)!.id, 'the stream continues')
  const changedLeads = page.changed('lead') as string[]
  expect(changedLeads.filter((id) => id === slow)).toHaveLength(1)
})

test('an event sent ahead gives the resume position once it is settled, without anything new', async () => {
  const page = await listen()
  const quick = await parley.system(async (tx) => {
    // A transaction that writes has an ID; later transactions aren't settled before it ends.
    await tx.sql('select pg_current_xact_id()')
    const lead = await newLead(1)
    await until(() => page.changed('lead').includes(lead), 'the quick stream announces it')
    expect(page.messages().at(-1)!.id).toBeUndefined()
    return lead
  })
  await until(() => page.messages().at(-1)!.id, 'the position moves on')
  expect((page.changed('lead') as string[]).filter((id) => id === quick)).toHaveLength(1)
})

const manyChanges = (count: number) =>
  parley.system((tx) =>
    tx.sql(
      `insert into events (workspace_id, id, name, data, created_at)
       select $1, id_bound(now() + i * interval '1 ms'), $2, jsonb_build_object('touched', jsonb_build_object('task', jsonb_build_array(gen_random_uuid()))), now()
       from generate_series(1, $3::int) i`,
      [shop.workspaceId, SCREEN_CHANGED, count],
    ),
  )

test('more IDs of a kind than a page reads one by one become `many`', async () => {
  const page = await listen()
  await manyChanges(501)
  await until(() => page.changed('task').length > 0, 'the changes are announced')
  expect(page.changed('task')).toBe('many')
})

test('a gap that is too long or starts beyond the log resets the page', async () => {
  const page = await listen()
  const first = await newLead(1)
  // An event sent ahead has no position; the position follows once it is settled.
  await until(
    () => page.changed('lead').includes(first) && page.messages().at(-1)!.id,
    'the first change has passed',
  )
  const id = page.lastId()
  page.close()
  await manyChanges(MAX_EVENTS + 1)
  for (const after of [id, newId(), 'nonsense']) {
    const reconnected = await listen(after)
    const [firstMessage] = reconnected.messages()
    expect(firstMessage).toMatchObject({ event: 'reset' })
    // The stream continues after the reset.
    const next = await newLead(Math.floor(Math.random() * 90_000) + 100)
    await until(() => reconnected.changed('lead').includes(next), 'the following changes are announced')
    reconnected.close()
  }
})

test('a member who signs out or leaves the workspace receives nothing more', async () => {
  const [teammate, other] = [await signIn(parley, shop, 'viewer'), await signIn(parley, shop, 'agent')]
  const [page, otherPage, staying] = [
    await listen(undefined, teammate),
    await listen(undefined, other),
    await listen(),
  ]
  expect((await teammate.delete('/api/dashboard/session')).status).toBe(200)
  await until(page.isOver, 'the stream of an ended session closes')
  await parley.system((tx) => setMember(tx, other.memberId, { leave: true }, systemClock.now()))
  await until(otherPage.isOver, 'the stream of a former member closes')
  expect(staying.isOver()).toBe(false)
})

test('only members of the workspace are admitted, by session and from the site itself', async () => {
  const foreign = await parley.workspace()
  const status = async (query: string, by: Browser, headers = {}) => {
    const answer = await open(query, by, headers)
    const body = answer.statusCode === 200 ? {} : ((await answer.body.json()) as Body)
    answer.body.on('error', () => {}).destroy()
    return [answer.statusCode, body.error]
  }
  expect(await status(`?workspace=${foreign.workspaceId}`, browser)).toEqual([403, 'not_a_member'])
  expect(await status('', browser)).toEqual([403, 'not_a_member'])
  expect(await status(`?workspace=${shop.workspaceId}`, browserOf(parley))).toEqual([401, 'unauthorized'])
  const key = { authorization: `Bearer ${shop.key}` }
  expect(await status(`?workspace=${shop.workspaceId}`, browser, key)).toEqual([401, 'unauthorized'])
  const cross = { 'sec-fetch-site': 'cross-site' }
  expect(await status(`?workspace=${shop.workspaceId}`, browser, cross)).toEqual([403, 'cross_site'])
})

test("a teammate's send is streamed immediately", async () => {
  await shop.inbound('+919812300009', 'Hello')
  const page = await listen()
  const sent = await browser.post('/api/v1/send', { to: '+919812300009', type: 'text', text: 'Hi' })
  expect(sent.status, sent.text).toBe(200)
  await until(() => page.changed('message').includes(sent.body.messageId), 'the message is announced')
})

test('a member may have twenty streams; each that ends makes room', async () => {
  const pages = await Promise.all(Array.from({ length: 20 }, () => listen()))
  const refused = await open(`?workspace=${shop.workspaceId}`, browser)
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '10'])
  await refused.body.dump()
  pages[0]!.close()
  await until(async () => {
    const answer = await open(`?workspace=${shop.workspaceId}`, browser)
    answer.body.on('error', () => {}).destroy()
    return answer.statusCode === 200
  }, 'there is room again')
  for (const page of pages) page.close()
})

test('streams end when the service stops, and a reconnect gets the missed changes', async () => {
  const page = await listen()
  await until(() => page.lastId(), 'the stream has a position to continue from')
  await parley.restart()
  await until(page.isOver, 'the stream ends')
  const missed = await newLead(1)
  const reconnected = await listen(page.lastId())
  await until(() => reconnected.changed('lead').includes(missed), 'the missed changes arrive')
})
