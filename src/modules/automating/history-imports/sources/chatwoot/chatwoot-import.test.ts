import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import {
  type Body,
  boot,
  SECRET_KEY,
  type TestParley,
  type TestWorkspace,
} from '../../../../../../test/support/boot.ts'
import { ACCOUNT, TOKEN } from '../../../../../../test/support/chatwoot-account.ts'
import { runParley } from '../../../../../../test/support/command-line.ts'
import { makeReceivers, type Receiver } from '../../../../../../test/support/receiver.ts'
import { DASHBOARD, signIn } from '../../../../../../test/support/sessions.ts'
import { type StandInChatwoot, startChatwoot } from '../../../../../../test/support/stand-in-chatwoot.ts'
import { until } from '../../../../../../test/support/until.ts'

const PATH = `${DASHBOARD}/history-imports`
const SIZE = { contacts: 120, conversations: 130, phone: '+911234567890' }

let receivers: Awaited<ReturnType<typeof makeReceivers>>
let parley: TestParley
beforeAll(async () => {
  receivers = await makeReceivers()
  parley = await boot({ env: receivers.env })
})
afterAll(async () => {
  await parley?.close()
  await receivers?.close()
})

/** A workspace that imports from its own account, and everything that its programs hear meanwhile. */
async function open(options?: { conversationsPerPage?: number }) {
  const account = await startChatwoot(SIZE, options)
  onTestFinished(() => account.stop())
  const shop = await parley.workspace({ sandbox: true })
  const admin = await signIn(parley, shop, 'admin')
  const receiver = await subscribed(shop)
  const body = (more: object = {}) => ({ url: account.url, accountId: ACCOUNT, token: TOKEN, ...more })
  const get = async (id: string): Promise<Body> => (await admin.get(`${PATH}/${id}`)).body.import
  const settled = async (id: string): Promise<Body> => {
    await until(async () => !['running', 'checking'].includes((await get(id)).state), 'the import ends')
    return get(id)
  }
  const run = async (more: object = {}): Promise<Body> => {
    const answer = await admin.post(`${PATH}/chatwoot`, body(more))
    expect(answer.status, answer.text).toBe(201)
    return settled(answer.body.import.id)
  }
  return { account, shop, admin, receiver, body, get, settled, run }
}

async function subscribed(shop: TestWorkspace): Promise<Receiver> {
  const receiver = await receivers.open()
  const events = [
    'message.received',
    'message.status',
    'contact.created',
    'contact.updated',
    'conversation.opened',
  ]
  const answer = await shop.post('/webhooks', { url: receiver.url, events })
  expect(answer.status, answer.text).toBe(201)
  return receiver
}

const rowsIn = async (shop: TestWorkspace, table: string): Promise<number> =>
  parley.system(async (tx) => {
    const [row] = await tx.sql<{ count: number }>(
      `select count(*)::int as count from ${table} where workspace_id = $1`,
      [shop.workspaceId],
    )
    return row!.count
  })

const chatOf = async (shop: TestWorkspace, phone: string): Promise<{ id: string; state: string }> =>
  (await shop.get(`/conversations?search=${encodeURIComponent(phone)}`)).body.conversations[0]

/** Checks that everything is stored or left out. */
async function expectWhole({ account, shop }: { account: StandInChatwoot; shop: TestWorkspace }, done: Body) {
  const expected = account.expected()
  expect(done).toMatchObject({
    state: 'done',
    error: null,
    total: SIZE.contacts + SIZE.conversations,
    read: SIZE.contacts + SIZE.conversations,
    causes: {
      activity: expected.activity,
      deleted: expected.deleted,
      other_channel: expected.otherInbox,
      no_member: 1,
    },
  })
  expect(await rowsIn(shop, 'messages')).toBe(expected.messages)
  expect(await rowsIn(shop, 'conversation_notes')).toBe(expected.notes)
  return expected
}

test('a whole account is imported: chats, notes, tags, fields, saved replies, and files', async () => {
  const opened = await open()
  const { shop, receiver, run } = opened
  await shop.post('/contacts', {
    phone: '+919800000004',
    displayName: 'Our own name',
    attributes: { plan: 'silver' },
  })
  // The webhook of our own contact.
  await receiver.wait(1)
  const before = receiver.received.length
  const done = await run()
  const { messages } = await expectWhole(opened, done)
  expect(done).toMatchObject({ stored: messages, known: 0 })

  // Existing values stay, and missing ones are filled.
  const ours = (await shop.get('/contacts/+919800000004')).body.contact
  expect(ours).toMatchObject({ displayName: 'Our own name', attributes: { plan: 'silver', visits: 4 } })
  const filled = (await shop.get('/contacts/+919800000001')).body.contact
  expect(filled).toMatchObject({ displayName: 'Customer 1', tags: ['vip'] })
  expect((await shop.get('/contacts/+919800000003')).body.contact.tags).toEqual(['refund'])

  const chat = await chatOf(shop, '+919800000002')
  expect(chat).toMatchObject({ state: 'resolved' })
  const thread = (await shop.get('/messages?limit=100&phone=%2B919800000002')).body.messages
  expect(thread.map((message: Body) => message.text ?? message.type)).toEqual(
    expect.arrayContaining(['Question 2', 'Answer 2']),
  )
  expect(thread.find((message: Body) => message.type === 'image')).toMatchObject({
    content: { caption: 'Picture 2', mime_type: 'image/png' },
    importedFrom: 'chatwoot',
  })
  const picture = thread.find((message: Body) => message.type === 'image')
  expect((await shop.get(`/messages/${picture.id}/media`)).status).toBe(200)
  const notes = (await shop.get(`/conversations/${chat.id}/notes`)).body.notes
  // Conversations 2 and 122 are with the same customer.
  expect(notes).toMatchObject([{ body: 'Note 122' }, { body: 'Note 2', author: 'Asha Rao' }])

  const replies = (await shop.get('/quick-replies')).body.quickReplies
  expect(replies.map((reply: Body) => reply.shortcut).sort()).toEqual(['hours', 'two-words'])
  expect(receiver.received.length).toBe(before)
})

test('an account that is imported twice adds nothing, and needs no file again', async () => {
  const opened = await open()
  const first = await opened.run()
  const downloads = () => opened.account.requests.filter((path) => path.startsWith('/files/')).length
  const before = downloads()
  expect(before).toBeGreaterThan(0)
  const second = await opened.run()
  await expectWhole(opened, second)
  expect(second).toMatchObject({ stored: 0, known: first.stored, contacts: 0, causes: first.causes })
  expect(downloads()).toBe(before)
})

test('a dry run stores nothing and downloads nothing', async () => {
  const { account, shop, run } = await open()
  const expected = account.expected()
  expect(await run({ dryRun: true })).toMatchObject({ state: 'checked', stored: expected.messages })
  expect(await rowsIn(shop, 'messages')).toBe(0)
  expect(await rowsIn(shop, 'contacts')).toBe(0)
  expect(await rowsIn(shop, 'media')).toBe(0)
  expect(account.requests.filter((path) => path.startsWith('/rails/'))).toEqual([])
})

test('entries that are deleted while the import runs hide none of the others', async () => {
  const opened = await open({ conversationsPerPage: 7 })
  const { account, run } = opened
  // Before each page, an old conversation and an old contact are deleted.
  let next = 1
  account.fail((path) => {
    if (path.includes('/conversations?') && next < 30) account.deletedConversations.add(next++)
    return undefined
  })
  const done = await run()
  expect(done.state).toBe('done')
  const kept = account.expected((k) => !account.deletedConversations.has(k))
  expect(await rowsIn(opened.shop, 'messages')).toBeGreaterThanOrEqual(kept.messages)
})

test('errors that pass are passed over: limits, broken answers, and closed connections', async () => {
  const opened = await open()
  let requests = 0
  const faults = [
    [503, 'Busy'],
    [200, '<html>Busy</html>'],
    'drop',
    [429, {}, { 'retry-after': '1' }],
  ] as const
  opened.account.fail((path) => {
    if (path.endsWith('/profile')) return undefined
    requests++
    return requests % 40 === 0 ? ([...faults][(requests / 40) % 4] as never) : undefined
  })
  await expectWhole(opened, await opened.run())
})

test('the error of a wrong setting names the setting, and nothing is stored', async () => {
  const { account, shop, admin, body } = await open()
  const refusalOf = async (more: object) => {
    const { status, body: answer } = await admin.post(`${PATH}/chatwoot`, body(more))
    return [status, answer.error, answer.issues?.[0]?.path]
  }
  expect(await refusalOf({ token: 'wrong' })).toEqual([400, 'invalid', 'token'])
  expect(await refusalOf({ accountId: 9 })).toEqual([400, 'invalid', 'accountId'])
  expect(await refusalOf({ url: 'http://10.0.0.1' })).toEqual([400, 'invalid', 'url'])
  expect(await refusalOf({ url: 'ftp://example.com' })).toEqual([400, 'invalid', 'url'])
  expect(await refusalOf({ token: 'two words' })).toEqual([400, 'invalid', 'token'])
  account.setRole('agent')
  expect(await refusalOf({})).toEqual([400, 'invalid', 'token'])
  expect(await rowsIn(shop, 'history_imports')).toBe(0)
})

test('a token that is withdrawn while the import runs stops it, and it continues after it is valid again', async () => {
  const opened = await open()
  const { account, admin, settled, run } = opened
  account.fail((path) => (path.includes('/messages?') ? [401, { error: 'Invalid Access Token' }] : undefined))
  const failed = await run()
  expect(failed).toMatchObject({ state: 'failed', error: expect.stringContaining('token') })
  account.fail(() => undefined)
  expect((await admin.post(`${PATH}/${failed.id}/start`)).status).toBe(200)
  await expectWhole(opened, await settled(failed.id))
})

test('the token is sealed while the import runs, and forgotten at its end', async () => {
  const { account, shop, admin, body, settled } = await open()
  let held = false
  account.fail((path) => {
    if (held || !path.includes('/messages?')) return undefined
    return 'hang'
  })
  const { id } = (await admin.post(`${PATH}/chatwoot`, body())).body.import
  const stored = () =>
    parley.system(async (tx) => {
      const rows = await tx.sql<{ text: string; sealed: boolean }>(
        `select row_to_json(h)::text as text, secret_sealed is not null as sealed from history_imports h where id = $1`,
        [id],
      )
      return rows[0]!
    })
  await until(async () => account.requests.some((path) => path.includes('/messages?')), 'messages are read')
  expect((await stored()).sealed).toBe(true)
  expect((await stored()).text).not.toContain(TOKEN)
  held = true
  account.release()
  await settled(id)
  expect((await stored()).sealed).toBe(false)
  expect(await rowsIn(shop, 'history_imports')).toBe(1)
})

test('an import that is started after its dry run failed begins at the beginning', async () => {
  const opened = await open()
  const { account, shop, admin, body, settled } = opened
  let pages = 0
  account.fail((path) => (path.includes('/messages?') && pages++ > 60 ? [401, {}] : undefined))
  const { id } = (await admin.post(`${PATH}/chatwoot`, body({ dryRun: true }))).body.import
  const failed = await settled(id)
  expect(failed).toMatchObject({ state: 'failed', error: expect.stringContaining('token') })
  expect(failed.read).toBeGreaterThan(0)
  expect(await rowsIn(shop, 'messages')).toBe(0)
  account.fail(() => undefined)
  expect((await admin.post(`${PATH}/${id}/start`)).status).toBe(200)
  await expectWhole(opened, await settled(id))
})

test('the command imports in its own process, and continues a stopped import with --resume', async () => {
  const { account, shop } = await open()
  const folder = await mkdtemp(join(tmpdir(), 'parley-token-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const tokenFile = join(folder, 'token.txt')
  await writeFile(tokenFile, `${TOKEN}\n`)
  const run = async (...more: string[]) => {
    const settings = ['--workspace', shop.workspaceId, '--url', `${account.url}/app/accounts/7`]
    const words = ['import-from', 'chatwoot', ...settings, '--token-file', tokenFile, '--json', ...more]
    const { code, stdout, stderr } = await runParley(words, {
      DATABASE_URL: parley.databaseUrl,
      PARLEY_DATA_DIR: parley.config.dataDir,
      PARLEY_SECRET_KEY: SECRET_KEY,
      ...account.env,
    })
    expect(stdout + stderr).not.toContain(TOKEN)
    return { code, stderr, report: stdout === '' ? undefined : JSON.parse(stdout) }
  }
  const flags = ['--account', String(ACCOUNT)]
  expect((await run('--account', '8')).stderr).toContain('It has access to: 7.')
  expect((await run(...flags, '--resume')).stderr).toContain('No stopped import of this account')
  const { messages } = account.expected()
  expect((await run(...flags, '--dry-run')).report).toMatchObject({ state: 'checked', stored: messages })
  let pages = 0
  account.fail((path) => (path.includes('/messages?') && pages++ > 80 ? [401, {}] : undefined))
  const stopped = await run(...flags)
  expect(stopped).toMatchObject({ code: 1, report: { state: 'failed' } })
  expect(stopped.report.stored).toBeLessThan(messages)
  account.fail(() => undefined)
  const done = await run(...flags, '--resume')
  expect(done.report, done.stderr).toMatchObject({
    ok: true,
    id: stopped.report.id,
    state: 'done',
    stored: messages,
  })
  expect(await rowsIn(shop, 'messages')).toBe(messages)
})
