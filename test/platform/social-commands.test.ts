// The photo network in the CLI, next to a running server.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Body, boot, SECRET_KEY, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { runParley } from '../support/command-line.ts'
import { type PhotoNetwork, startPhotoNetwork } from '../support/photo-network.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'parley-social-cli-'))
let network: PhotoNetwork
let parley: TestParley

beforeAll(async () => {
  network = await startPhotoNetwork()
  parley = await boot({ env: network.env })
})
afterAll(async () => {
  await parley?.close()
  await network?.close()
  rmSync(dataDir, { recursive: true })
})

const run = (...words: string[]) =>
  runParley([...words, '--json'], {
    ...network.env,
    PARLEY_DATA_DIR: dataDir,
    DATABASE_URL: parley.databaseUrl,
    PARLEY_SECRET_KEY: SECRET_KEY,
    PARLEY_SITE_URL: 'https://parley.example.com',
  })
async function answerOf(...words: string[]): Promise<Body> {
  const { code, stdout, stderr } = await run(...words)
  expect([code, stderr]).toEqual([0, ''])
  return JSON.parse(stdout)
}

const connect = (shop: TestWorkspace, ...more: string[]) => [
  'social',
  'connect',
  '--workspace',
  shop.workspaceId,
  ...more,
]
const simulate = (action: string, shop: TestWorkspace, ...more: string[]) => [
  'simulate',
  action,
  '--workspace',
  shop.workspaceId,
  ...more,
]

/** Creates a workspace with an account at the simulator that the CLI connected. */
async function connectedShop(): Promise<TestWorkspace> {
  const shop = await parley.workspace()
  await shop.set({ socialAddon: true })
  await answerOf(...connect(shop, '--network', 'simulator'))
  return shop
}

describe('parley social connect', () => {
  test('connects a simulated account, and disconnects it', async () => {
    const shop = await parley.workspace()
    const connected = await answerOf(...connect(shop, '--network', 'simulator'))
    expect(connected).toEqual({
      accountId: expect.any(String),
      username: expect.stringMatching(/^shop_\d+$/),
      callbackUrl: `https://parley.example.com/api/social/${shop.workspaceId}`,
    })
    const result = await run(...connect(shop, '--network', 'simulator'))
    expect(result).toMatchObject({ code: 1, stderr: expect.stringContaining('Disconnect it first') })
    const disconnected = await answerOf('social', 'disconnect', '--workspace', shop.workspaceId)
    expect(disconnected).toEqual(connected)
    expect(await run('social', 'disconnect', '--workspace', shop.workspaceId)).toMatchObject({ code: 1 })
  })

  test('is rejected in a sandbox workspace (spec 4.9)', async () => {
    const sandbox = await parley.workspace({ sandbox: true })
    expect(await run(...connect(sandbox, '--network', 'simulator'))).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('sandbox'),
    })
  })

  const credentials = ['--app-secret', 's', '--verify-token', 'v']

  test("connects an account of the network after the network has named the token's owner", async () => {
    const shop = await parley.workspace()
    network.store.accounts.push({ networkId: '1784100001', username: 'silk_house', token: 'good' })
    const graph = ['--network', 'graph', '--account', '1784100001', ...credentials]
    expect(await answerOf(...connect(shop, ...graph, '--token', 'good'))).toMatchObject({
      username: 'silk_house',
    })
    // The same command again repairs a broken connection.
    expect(await answerOf(...connect(shop, ...graph, '--token', 'good'))).toMatchObject({
      username: 'silk_house',
    })
    const other = await parley.workspace()
    expect(await run(...connect(other, ...graph, '--token', 'stolen'))).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('token'),
    })
    expect(await run(...connect(other, ...graph, '--token', 'good'))).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('another workspace'),
    })
  })

  test('sends nothing to the network in a sandbox workspace: the token stays on this machine (spec 4.9)', async () => {
    const sandbox = await parley.workspace({ sandbox: true })
    const before = network.calls.recorded.length
    const graph = ['--network', 'graph', '--account', '1784100002', ...credentials, '--token', 'good']
    expect(await run(...connect(sandbox, ...graph))).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('sandbox'),
    })
    expect(network.calls.recorded.length).toBe(before)
  })

  test('requires all credentials of an account of the network', async () => {
    const shop = await parley.workspace()
    expect(await run(...connect(shop, '--network', 'graph', '--account', '1'))).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--token'),
    })
  })
})

describe('parley simulate, on the running server', () => {
  test('dm: a customer has messaged when the command ends, with photos, or a given number of seconds ago', async () => {
    const shop = await connectedShop()
    const words = ['--from', 'asha_r', '--text', 'Is this in stock?', '--photos', '2']
    const written = await answerOf(...simulate('dm', shop, ...words))
    expect(written).toEqual({ messageId: expect.any(String), from: expect.stringMatching(/^sx:\d+$/) })
    const [chat] = (await shop.get('/social/conversations')).body.conversations
    expect(chat).toMatchObject({ contact: { username: 'asha_r', e164: written.from }, windowOpen: true })
    const { messages } = (await shop.get(`/social/conversations/${chat.id}/messages`)).body
    expect(messages).toMatchObject([{ type: 'image' }, { id: written.messageId, type: 'image' }])
    const old = ['--from', 'ben', '--text', 'Hello?', '--ago', '86400']
    await answerOf(...simulate('dm', shop, ...old))
    const [latest] = (await shop.get('/social/conversations')).body.conversations
    expect(latest).toMatchObject({ contact: { username: 'ben' }, windowOpen: false })
  })

  test('comment: it exists when the command ends, under a post, in a thread, elsewhere', async () => {
    const shop = await connectedShop()
    const say = (...more: string[]) =>
      answerOf(...simulate('comment', shop, '--from', 'asha_r', '--text', 'Price?', ...more))
    const top = await say('--media', '17911111111111111')
    const find = async (id: string) =>
      (await shop.get('/social/comments')).body.comments.find((comment: Body) => comment.id === id)
    const first = await find(top.commentId)
    expect(first).toMatchObject({ kind: 'comment', socialMediaId: '17911111111111111' })
    const { commentId } = await say('--reply-to', top.commentId)
    expect(await find(commentId)).toMatchObject({
      kind: 'reply',
      parentSocialCommentId: first.socialCommentId,
    })
    const mention = await say('--mention')
    expect(await find(mention.commentId)).toMatchObject({ kind: 'mention', text: 'Price?' })
    expect(
      await run(...simulate('comment', shop, '--from', 'a', '--text', 'b', '--mention', '--reply-to', '1')),
    ).toMatchObject({ code: 2 })
  })

  test('fault: the next calls fail this way', async () => {
    const shop = await connectedShop()
    await answerOf(...simulate('dm', shop, '--from', 'asha_r', '--text', 'Hi'))
    const [chat] = (await shop.get('/social/conversations')).body.conversations
    const fail = (kind: string, ...more: string[]) =>
      answerOf(...simulate('fault', shop, '--of', 'social', '--kind', kind, ...more))
    const send = () => shop.post('/social/send', { conversationId: chat.id, text: 'Hello' })
    expect(await fail('no-answer', '--times', '2')).toEqual({ of: 'social', kind: 'no-answer', times: 2 })
    expect(await send()).toMatchObject({ status: 502, body: { error: 'send_unconfirmed' } })
    expect(await send()).toMatchObject({ status: 502 })
    expect(await send()).toMatchObject({ status: 200 })
    await fail('refuse')
    expect(await send()).toMatchObject({ status: 400, body: { error: 'meta_error' } })
    expect(await fail('token-expired')).toMatchObject({ times: 1 })
    expect(await send()).toMatchObject({ status: 409, body: { error: 'reconnect_required' } })
    // Connecting the same account again repairs it; its chats stay.
    await answerOf(...connect(shop, '--network', 'simulator'))
    expect(await send()).toMatchObject({ status: 200 })
  })

  test('names the missing part: a simulated account', async () => {
    const bare = await parley.workspace()
    expect(await run(...simulate('dm', bare, '--from', 'asha_r', '--text', 'Hi'))).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('social connect'),
    })
    const outside = await parley.workspace()
    await network.connect(parley, outside)
    expect(await run(...simulate('dm', outside, '--from', 'asha_r', '--text', 'Hi'))).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is a real account'),
    })
  })
})
