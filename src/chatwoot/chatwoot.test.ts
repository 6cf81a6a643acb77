import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { ACCOUNT, TOKEN, WHATSAPP } from '../../test/support/chatwoot-account.ts'
import { type Fault, startChatwoot } from '../../test/support/stand-in-chatwoot.ts'
import { systemClock } from '../core/clock.ts'
import { createEgress } from '../egress/egress.ts'
import { createSpool } from '../media-store/spool.ts'
import { createChatwoot } from './chatwoot.ts'
import { fileAddress } from './download.ts'
import { mayUseHttp, retryAfterOf } from './line.ts'
import { contactIn, conversationIn, messageIn } from './read.ts'

async function opened(allow: string[] = ['127.0.0.0/8']) {
  const folder = await mkdtemp(join(tmpdir(), 'parley-chatwoot-'))
  const inbox = await startChatwoot({ contacts: 120, conversations: 60, phone: '+911234567890' })
  const egress = createEgress({ allow, timeoutMs: 10_000 })
  onTestFinished(async () => {
    await egress.close()
    await inbox.stop()
    await rm(folder, { recursive: true, force: true })
  })
  const pauses: number[] = []
  const pause = async (ms: number) => pauses.push(ms)
  const chatwoot = createChatwoot({ egress, spool: createSpool(folder), clock: systemClock, pause })
  return { inbox, chatwoot, pauses, account: { url: inbox.url, accountId: ACCOUNT, token: TOKEN } }
}

test('an administrator reads contacts, conversations, and messages page by page', async () => {
  const { chatwoot, account } = await opened()
  expect(await chatwoot.describe(account)).toEqual({ kind: 'done', value: { name: 'Asha Stores' } })
  expect(await chatwoot.listInboxes(account)).toMatchObject({
    value: [{ channel: 'Channel::Whatsapp', phone: '+911234567890' }, { phone: null }, {}],
  })
  expect(await chatwoot.listAgents(account)).toMatchObject({ value: [{ email: 'asha@example.com' }] })
  expect(await chatwoot.listLabels(account)).toMatchObject({ value: ['vip', 'refund', 'unused'] })
  expect(await chatwoot.listCannedResponses(account)).toMatchObject({
    value: [{ shortCode: 'hours' }, {}, {}],
  })
  const contacts = await chatwoot.listContacts(account, { page: 8 })
  expect(contacts).toMatchObject({ kind: 'done', value: { total: 120 } })
  const vips = await chatwoot.listContacts(account, { page: 1, label: 'vip' })
  expect(vips).toMatchObject({ value: { total: 12, entries: { length: 12 } } })
  const chats = await chatwoot.listConversations(account, { page: 1, inboxId: WHATSAPP })
  expect(chats).toMatchObject({ value: { entries: { length: 25 } } })
  const first = await chatwoot.listMessages(account, { conversationId: 1, afterId: 0 })
  expect(first).toMatchObject({ value: { messages: { length: 100 }, contact: { phone: '+919800000001' } } })
  const second = await chatwoot.listMessages(account, { conversationId: 1, afterId: 1200 })
  expect(second).toMatchObject({ value: { messages: { length: 30 } } })
})

test('a wrong token, account, role, or address names the setting to change', async () => {
  const { inbox, chatwoot, account } = await opened()
  const field = async (change: Partial<typeof account>) => chatwoot.describe({ ...account, ...change })
  expect(await field({ token: 'wrong' })).toMatchObject({ kind: 'refused', field: 'token' })
  expect(await field({ accountId: 8 })).toMatchObject({
    kind: 'refused',
    field: 'account',
    message: 'The token has no access to account 8. It has access to: 7.',
  })
  expect(await field({ url: 'http://10.1.2.3' })).toMatchObject({ kind: 'refused', field: 'url' })
  expect(await field({ url: 'http://chat.example.com' })).toMatchObject({
    kind: 'refused',
    field: 'url',
    message: expect.stringContaining('https://'),
  })
  expect(await chatwoot.listLabels({ ...account, accountId: 8 })).toMatchObject({ field: 'account' })
  inbox.setRole('agent')
  expect(await field({})).toMatchObject({ kind: 'refused', field: 'token' })
  inbox.fail(() => [401, { error: 'Account is suspended' }])
  expect(await field({})).toMatchObject({ kind: 'refused', field: 'account' })
})

test('a failure that may pass is reported with the pause that Chatwoot demands', async () => {
  const { inbox, chatwoot, account } = await opened()
  const answerTo = (fault: Fault) => {
    inbox.fail(() => fault)
    return chatwoot.listLabels(account)
  }
  expect(await answerTo([429, {}, { 'retry-after': '17' }])).toMatchObject({ retryAfterSeconds: 17 })
  expect(await answerTo([429, {}])).toMatchObject({ kind: 'later', retryAfterSeconds: null })
  expect(await answerTo([502, 'Bad gateway'])).toMatchObject({ kind: 'later' })
  expect(await answerTo([200, '<html>Maintenance</html>'])).toMatchObject({ kind: 'later' })
  expect(await answerTo('drop')).toMatchObject({ kind: 'later' })
  expect(await answerTo([403, {}])).toMatchObject({ kind: 'refused', field: 'token' })
  expect(await answerTo([301, '', { location: 'https://elsewhere.example' }])).toMatchObject({ field: 'url' })
})

test('a read is repeated with growing pauses, at most five times', async () => {
  const { inbox, chatwoot, account, pauses } = await opened()
  inbox.fail(() => [500, {}])
  expect(await chatwoot.listLabels(account)).toMatchObject({ kind: 'later' })
  expect(pauses).toEqual([1000, 2000, 4000, 8000])
  expect(inbox.requests).toHaveLength(5)
  let answers = 0
  inbox.fail(() => (answers++ === 0 ? [429, {}, { 'retry-after': '30' }] : undefined))
  expect(await chatwoot.listLabels(account)).toMatchObject({ kind: 'done' })
  expect(pauses.at(-1)).toBe(30_000)
})

test('a demanded pause of more than a minute is left to the caller', async () => {
  const { inbox, chatwoot, account, pauses } = await opened()
  inbox.fail(() => [429, {}, { 'retry-after': '61' }])
  expect(await chatwoot.listLabels(account)).toMatchObject({ kind: 'later', retryAfterSeconds: 61 })
  expect(pauses).toEqual([])
})

test('a deleted conversation is gone', async () => {
  const { inbox, chatwoot, account } = await opened()
  inbox.deletedConversations.add(5)
  expect(await chatwoot.listMessages(account, { conversationId: 5, afterId: 0 })).toEqual({ kind: 'gone' })
})

test('a file is read from the base URL, without the token, up to its limit', async () => {
  const { inbox, chatwoot, account } = await opened()
  const url = 'http://0.0.0.0:3000/rails/active_storage/blobs/redirect/signed/2.png'
  const answer = await chatwoot.download(account, { url, maxBytes: 1000 })
  expect(answer).toMatchObject({ kind: 'done', value: { mimeType: 'image/png' } })
  if (answer.kind === 'done' && answer.value !== 'too_large') await answer.value.file.close()
  expect(await chatwoot.download(account, { url, maxBytes: 10 })).toEqual({
    kind: 'done',
    value: 'too_large',
  })
  inbox.fail((path) => (path.startsWith('/files/') ? [404, {}] : undefined))
  expect(await chatwoot.download(account, { url, maxBytes: 1000 })).toEqual({ kind: 'gone' })
  inbox.fail((path) => (path.startsWith('/files/') ? [302, '', { location: path }] : undefined))
  expect(await chatwoot.download(account, { url, maxBytes: 1000 })).toEqual({ kind: 'gone' })
  expect(await chatwoot.download(account, { url: 'http://169.254.169.254/x', maxBytes: 9 })).toMatchObject({
    kind: 'refused',
  })
})

test.each([
  ['http://127.0.0.1:3000', true],
  ['http://192.168.1.5', true],
  ['http://[::1]:3000', true],
  ['http://chatwoot:3000', true],
  ['http://chatwoot.local', true],
  ['http://8.8.8.8', false],
  ['http://app.chatwoot.com', false],
  ['nonsense', false],
])('only an address of a private network may be called without TLS: %s', (url, may) => {
  expect(mayUseHttp(url)).toBe(may)
})

test.each([
  ['5', 5],
  [' 120 ', 120],
  ['999999', 3600],
  ['0', 1],
  ['Mon, 01 Jan 2024 00:00:30 GMT', 30],
  ['Mon, 01 Jan 2020 00:00:30 GMT', 1],
  ['soon', null],
  [undefined, null],
])('a pause of %s is read as %s seconds', (header, seconds) => {
  expect(retryAfterOf(header, Date.parse('2024-01-01T00:00:00Z'))).toBe(seconds)
})

test('files that Chatwoot serves itself are read from the base URL', () => {
  const base = 'https://chat.example.com/inbox'
  expect(fileAddress('http://localhost/rails/active_storage/disk/x?a=1', base)).toBe(
    'https://chat.example.com/inbox/rails/active_storage/disk/x?a=1',
  )
  expect(fileAddress('https://bucket.example.com/x?a=1', base)).toBe('https://bucket.example.com/x?a=1')
  expect(fileAddress('http://', base)).toBeUndefined()
})

test('values of another shape count as missing', () => {
  expect(contactIn({ id: 'x' })).toBeNull()
  expect(
    contactIn({ id: 1, name: 7, custom_attributes: { a: { b: 1 }, c: 'x\0y', d: null, '': 1 } }),
  ).toEqual({
    id: 1,
    name: null,
    phone: null,
    email: null,
    attributes: { c: 'xy' },
  })
  expect(conversationIn({ id: 1, meta: null })).toBeNull()
  expect(messageIn({ id: 1, message_type: 9, created_at: 1 })).toBeNull()
  expect(messageIn({ id: 1, message_type: 0, created_at: 'now' })).toBeNull()
  expect(messageIn({ id: 1, message_type: 0, created_at: 1e18 })).toBeNull()
  expect(messageIn({ id: 1, message_type: 0, created_at: 1.5, attachments: [{}, 5] })).toMatchObject({
    createdAt: new Date(1000),
    content: '',
    attachments: [{ kind: 'link', url: null, place: null }],
  })
})
