/** GET /api/dashboard/files/ID (docs/decisions/dashboard-pages.md "Files"). */
import { request } from 'undici'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { boot, type TestParley, type TestWorkspace } from '../../../test/support/boot.ts'
import { type Browser, browserOf, signIn } from '../../../test/support/sessions.ts'
import { until } from '../../../test/support/until.ts'

const PHONE = '+919812300001'
const menu = Buffer.from('%PDF-1.4 the menu of the day')

let parley: TestParley
let shop: TestWorkspace
let browser: Browser
let path: string
let bare: string

beforeAll(async () => {
  parley = await boot()
  shop = await parley.workspace({ sandbox: true })
  browser = await signIn(parley, shop, 'viewer')
  await shop.inbound(PHONE, 'May I see the menu?')
  const { id } = (await shop.post('/media', { fileBase64: menu.toString('base64'), filename: 'menu.pdf' }))
    .body
  const payload = { type: 'document', document: { id, filename: 'today.pdf' } }
  const { messageId } = (await shop.post('/send', { to: PHONE, type: 'document', payload })).body
  const sent = await shop.post('/send', { to: PHONE, type: 'text', text: 'Here it is' })
  path = `/api/dashboard/files/${messageId}?workspace=${shop.workspaceId}`
  bare = `/api/dashboard/files/${sent.body.messageId}?workspace=${shop.workspaceId}`
})
afterAll(() => parley?.close())

async function read(
  address: string,
  headers: Record<string, string> = {},
  by = browser,
  method: 'GET' | 'HEAD' = 'GET',
) {
  const answer = await request(`${parley.url}${address}`, {
    method,
    headers: { cookie: by.cookie, 'sec-fetch-site': 'same-origin', ...headers },
  })
  return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() }
}

test('a page shows the file of a message with only the session cookie', async () => {
  const answer = await read(path)
  expect([answer.status, answer.text]).toEqual([200, menu.toString()])
  expect(answer.headers).toMatchObject({
    'content-type': 'application/pdf',
    'accept-ranges': 'bytes',
    'cache-control': 'private, no-cache',
    'cross-origin-resource-policy': 'same-origin',
  })
  expect(answer.headers['content-disposition']).toContain('today.pdf')
  expect(answer.headers).not.toHaveProperty('access-control-allow-origin')
  const second = await read(path, { 'if-none-match': String(answer.headers.etag) })
  expect([second.status, second.text]).toEqual([304, ''])
})

test("a page shows the sample file of a template's header, only in its workspace", async () => {
  const { id: mediaId } = (await shop.post('/media', { fileBase64: menu.toString('base64') })).body
  const created = await shop.post('/templates', {
    name: 'menu_of_the_day',
    language: 'en_US',
    category: 'UTILITY',
    components: [
      { type: 'HEADER', format: 'DOCUMENT', example: { header_handle: [mediaId] } },
      { type: 'BODY', text: 'The menu of the day is here for you.' },
    ],
  })
  expect(created.status, created.text).toBe(200)
  const { id } = created.body.template
  const address = `/api/dashboard/files/${id}?workspace=${shop.workspaceId}`
  await until(async () => (await read(address)).status === 200, 'the sample is kept')
  const answer = await read(address)
  expect([answer.headers['content-type'], answer.text]).toEqual(['application/pdf', menu.toString()])
  const other = await parley.workspace({ sandbox: true })
  const member = await signIn(parley, other)
  const foreign = `/api/dashboard/files/${id}?workspace=${other.workspaceId}`
  expect((await read(foreign, {}, member)).status).toBe(404)
})

test('Range reads a part of the file, and HEAD only the headers', async () => {
  const part = await read(path, { range: 'bytes=0-7' })
  expect([part.status, part.text]).toEqual([206, '%PDF-1.4'])
  expect(part.headers['content-range']).toBe(`bytes 0-7/${menu.length}`)
  expect((await read(path, { range: `bytes=${menu.length}-` })).status).toBe(416)
  const head = await read(path, {}, browser, 'HEAD')
  expect([head.status, head.headers['content-length'], head.text]).toEqual([200, String(menu.length), ''])
})

test("other workspaces, API keys, other sites, and signed-out members can't read the file", async () => {
  const foreign = await parley.workspace({ sandbox: true })
  const outsider = await signIn(parley, foreign)
  expect((await read(path, {}, outsider)).status).toBe(403)
  expect((await read(path.replace(shop.workspaceId, foreign.workspaceId), {}, outsider)).status).toBe(404)
  expect((await read(path, {}, browserOf(parley))).status).toBe(401)
  expect((await read(path, { authorization: `Bearer ${shop.key}` })).status).toBe(401)
  expect((await read(path, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
  const leaving = await signIn(parley, shop, 'viewer')
  const held = { ...leaving }
  await leaving.delete('/api/dashboard/session')
  await parley.caughtUp()
  expect((await read(path, {}, held)).status).toBe(401)
})

test('a message without a file, and an unknown message, are 404', async () => {
  expect((await read(bare)).status).toBe(404)
  expect((await read(path.replace(/files\/[^?]+/, 'files/none'))).status).toBe(404)
})
