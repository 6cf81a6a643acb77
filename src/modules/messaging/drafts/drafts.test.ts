import { afterAll, beforeAll, expect, test } from 'vitest'
import { boot, type TestParley, type TestWorkspace } from '../../../../test/support/boot.ts'
import { listenAs } from '../../../../test/support/live-page.ts'
import { type Browser, DASHBOARD, signIn, signInByLink } from '../../../../test/support/sessions.ts'
import { until } from '../../../../test/support/until.ts'

let parley: TestParley
let shop: TestWorkspace
let asha: Browser
let ravi: Browser
let path: string
let contactId: string

beforeAll(async () => {
  parley = await boot()
  shop = await parley.workspace({ sandbox: true })
  asha = await signIn(parley, shop, 'agent')
  ravi = await signIn(parley, shop, 'agent')
  await shop.inbound('+919812300001', 'Is the blue one in stock?')
  const [chat] = (await shop.get('/conversations')).body.conversations
  path = `${DASHBOARD}/drafts/${chat.id}`
  contactId = chat.contact.id
})
afterAll(() => parley?.close())

const emptyDraft = { text: '', mode: 'reply', files: [], updatedAt: null }
const file = { mediaId: '123', filename: 'menu.pdf', mimeType: 'application/pdf', sizeBytes: 512 }

test('a draft is stored per person and chat, and can be read on their other devices', async () => {
  expect((await asha.get(path)).body).toEqual(emptyDraft)
  const draft = { text: 'It arrives on  ', mode: 'note', files: [file] }
  const saved = await asha.put(path, draft)
  expect([saved.status, saved.body]).toEqual([200, { ...draft, updatedAt: expect.any(String) }])
  const phone = await signInByLink(parley, { workspaceId: shop.workspaceId, memberId: asha.memberId })
  expect((await phone.get(path)).body).toEqual(saved.body)
  expect((await ravi.get(path)).body).toEqual(emptyDraft)
  await phone.put(path, { text: 'It arrives on Friday', mode: 'reply', files: [] })
  expect((await asha.get(path)).body).toMatchObject({
    text: 'It arrives on Friday',
    mode: 'reply',
    files: [],
  })
})

test('a member sees their own drafts of all chats, and their pages are notified of each save', async () => {
  await shop.inbound('+919812300002', 'And the red one?')
  const { conversations } = (await shop.get('/conversations?search=9812300002')).body
  const other = `${DASHBOARD}/drafts/${conversations[0].id}`
  const page = await listenAs(parley.url, { by: asha, workspaceId: shop.workspaceId })
  await asha.put(path, { text: 'The first', mode: 'reply', files: [] })
  const second = await asha.put(other, { text: 'The second', mode: 'note', files: [file] })
  await ravi.put(path, { text: 'Not hers', mode: 'reply', files: [] })
  await until(() => page.changed('draft').includes(asha.memberId), 'the stream names their writer')
  const { drafts } = (await asha.get(`${DASHBOARD}/drafts`)).body
  expect(drafts[0]).toEqual({ conversationId: conversations[0].id, ...second.body })
  expect(drafts.map(({ text }: { text: string }) => text)).toEqual(['The second', 'The first'])
  await asha.put(other, { text: '', mode: 'reply', files: [] })
  expect((await asha.get(`${DASHBOARD}/drafts`)).body.drafts).toHaveLength(1)
  page.close()
})

test('an empty draft counts as none', async () => {
  await ravi.put(path, { text: 'Hm', mode: 'reply', files: [] })
  expect((await ravi.put(path, { text: '', mode: 'note', files: [] })).body).toEqual(emptyDraft)
  expect((await ravi.get(path)).body).toEqual(emptyDraft)
})

test('drafts require a session of an agent and a chat of their workspace', async () => {
  const viewer = await signIn(parley, shop, 'viewer')
  expect((await viewer.get(path)).status).toBe(403)
  expect((await shop.get(path)).status).toBe(401)
  const foreign = await parley.workspace()
  const outsider = await signIn(parley, foreign, 'agent')
  expect((await outsider.get(path)).status).toBe(404)
  expect((await outsider.put(path, { text: 'Hm', mode: 'reply', files: [] })).status).toBe(404)
  const invalid = await asha.put(path, {
    text: 'x'.repeat(5_001),
    mode: 'shout',
    files: [{ ...file, sizeBytes: -1 }],
  })
  expect(invalid.body.issues.map((issue: { path: string }) => issue.path)).toEqual([
    'text',
    'mode',
    'files[0].sizeBytes',
  ])
})

test('drafts to a contact are erased with the contact', async () => {
  await asha.put(path, { text: 'secret', mode: 'note', files: [] })
  expect((await shop.delete(`/contacts/${contactId}`)).status).toBe(200)
  const left = await parley.system((tx) =>
    tx.sql('select 1 from drafts where workspace_id = $1', [shop.workspaceId]),
  )
  expect(left).toEqual([])
  expect((await asha.get(path)).status).toBe(404)
})
