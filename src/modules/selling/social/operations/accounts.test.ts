// Gates, the account's connection and its token, and social customers among the contacts.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { boot, SECRET_KEY, type TestParley, type TestWorkspace } from '../../../../../test/support/boot.ts'
import { deadlocksIn } from '../../../../../test/support/deadlocks.ts'
import { fixture, type PhotoNetwork, startPhotoNetwork } from '../../../../../test/support/photo-network.ts'
import {
  armSocialFault,
  connectSocial,
  customerComments,
  customerWrites,
  openSocialShop,
  type SocialShop,
} from '../../../../../test/support/social-shop.ts'
import { until } from '../../../../../test/support/until.ts'
import { type Clock, DAY_MS, HOUR_MS } from '../../../../core/clock.ts'
import { createSealer } from '../../../../core/sealing.ts'
import { signWebhook } from '../../../../operator/webhook-signature.ts'
import { addPhoneNumber } from '../../../platform/workspaces/operations/phone-numbers.ts'
import { socialRetentionSource } from '../work/social-retention-source.ts'
import { connectAccount, disconnectAccount, inventAccount } from './accounts.ts'

let aheadMs = 0
const clock: Clock = { now: () => new Date(Date.now() + aheadMs), monotonicMs: () => performance.now() }
const sealer = createSealer(SECRET_KEY)

let network: PhotoNetwork
let parley: TestParley
let shop: SocialShop

beforeAll(async () => {
  network = await startPhotoNetwork()
  parley = await boot({ clock, env: network.env })
  shop = await openSocialShop(parley, clock)
})
afterAll(async () => {
  await parley?.close()
  await network?.close()
})

const READS = ['/social/conversations', '/social/comments']
const SEND = { conversationId: randomUUID(), text: 'Hi' }

describe('gates, in their order (spec 4.6; docs/clarifications.md)', () => {
  test('without the add-on all endpoints return 402 social_addon_required with offer', async () => {
    const bare = await parley.workspace({ plan: 'pro' })
    const sandbox = await parley.workspace({ sandbox: true })
    for (const path of READS) {
      expect(await bare.get(path)).toMatchObject({
        status: 402,
        body: { error: 'social_addon_required', offer: 'add_addon' },
      })
      // Free plan limits (spec 4.9): the plan is checked first.
      expect(await sandbox.get(path)).toMatchObject({ status: 402, body: { offer: 'upgrade_plan' } })
    }
    // Before validation, and before the check of the connection.
    expect(await bare.post('/social/send', {})).toMatchObject({
      status: 402,
      body: { error: 'social_addon_required' },
    })
  })

  test('a workspace with the feature turned off gets 403 social_disabled', async () => {
    const workspaceWithoutSocial = await parley.workspace()
    await workspaceWithoutSocial.set({ socialAddon: true, socialEnabled: false })
    for (const path of READS)
      expect(await workspaceWithoutSocial.get(path)).toMatchObject({
        status: 403,
        body: { error: 'social_disabled' },
      })
    expect(await workspaceWithoutSocial.post('/social/send', {})).toMatchObject({ status: 403 })
  })

  test('not connected: 409 before validation, for requests that need the account; lists work without it', async () => {
    const alone = await parley.workspace()
    await alone.set({ socialAddon: true })
    for (const path of READS) expect(await alone.get(path)).toMatchObject({ status: 200 })
    const id = randomUUID()
    for (const path of ['/social/send', `/social/comments/${id}/reply`, `/social/comments/${id}/hide`])
      expect(await alone.post(path, {})).toMatchObject({ status: 409, body: { error: 'not_connected' } })
  })

  test('the rights of the key are checked first', async () => {
    const bare = await parley.workspace()
    expect(await (await bare.as('viewer')).post('/social/send', SEND)).toMatchObject({
      status: 403,
      body: { error: 'forbidden' },
    })
  })

  test('refused requests count, and their answers have the rate headers', async () => {
    const bare = await parley.workspace()
    const { headers } = await bare.post('/social/send', SEND)
    expect(headers).toMatchObject({ 'ratelimit-limit': '120', 'ratelimit-remaining': '119' })
  })
})

describe('connecting', () => {
  const connect = (workspace: TestWorkspace, account = inventAccount(workspace.workspaceId)) =>
    parley.system((tx) => connectAccount(tx, account, clock.now(), sealer))

  test('is rejected in a sandbox workspace: 403 sandbox (spec 4.9)', async () => {
    const sandbox = await parley.workspace({ sandbox: true })
    await expect(connect(sandbox)).rejects.toMatchObject({ code: 'sandbox' })
  })

  test('one account per workspace, and one workspace per account', async () => {
    const other = await parley.workspace()
    const account = inventAccount(other.workspaceId)
    await connect(other, account)
    await expect(connect(other)).rejects.toMatchObject({ code: 'conflict' })
    const third = await parley.workspace()
    const otherAccount = { ...account, workspaceId: third.workspaceId }
    await expect(connect(third, otherAccount)).rejects.toMatchObject({ code: 'conflict' })
    await parley.system((tx) => disconnectAccount(tx, other.workspaceId, clock.now()))
    await connect(third, otherAccount)
  })

  test('a disconnected account keeps its chats, cannot be used, and works again after a reconnect', async () => {
    const ownShop = await openSocialShop(parley, clock)
    const chat = await customerWrites(parley, ownShop, { from: 'asha_r', text: 'Hi' })
    await parley.system((tx) => disconnectAccount(tx, ownShop.workspaceId, clock.now()))
    expect((await ownShop.get('/social/conversations')).body.conversations).toMatchObject([
      { id: chat.conversationId },
    ])
    const body = { conversationId: chat.conversationId, text: 'Hello' }
    expect(await ownShop.post('/social/send', body)).toMatchObject({
      status: 409,
      body: { error: 'not_connected' },
    })
    const storedRows = await parley.system((tx) =>
      tx.sql('select token_sealed, app_secret_sealed, verify_token_hash from social_accounts where id = $1', [
        ownShop.accountId,
      ]),
    )
    expect(storedRows).toEqual([{ tokenSealed: null, appSecretSealed: null, verifyTokenHash: null }])
    await ownShop.reconnect()
    expect(await ownShop.post('/social/send', body)).toMatchObject({ status: 200 })
  })

  test('data of an earlier account is read-only after another one is connected', async () => {
    const ownShop = await openSocialShop(parley, clock)
    const chat = await customerWrites(parley, ownShop, { from: 'asha_r', text: 'Hi' })
    const { commentId } = await customerComments(parley, ownShop, { from: 'asha_r', text: 'Hi' })
    await parley.system((tx) => disconnectAccount(tx, ownShop.workspaceId, clock.now()))
    await connectSocial(parley, ownShop, clock)
    const expectedRefusal = { status: 409, body: { error: 'not_connected' } }
    const body = { conversationId: chat.conversationId, text: 'Hello' }
    expect(await ownShop.post('/social/send', body)).toMatchObject(expectedRefusal)
    expect(await ownShop.post(`/social/comments/${commentId}/reply`, { text: 'Hi' })).toMatchObject(
      expectedRefusal,
    )
    expect(await ownShop.post(`/social/comments/${commentId}/hide`, { hidden: true })).toMatchObject(
      expectedRefusal,
    )
  })

  test('is recorded in the activity log', async () => {
    const { body } = await shop.get('/activity')
    expect(body.activity ?? body.entries ?? body.activities).toContainEqual(
      expect.objectContaining({
        kind: 'social.connected',
        data: { accountId: shop.accountId, username: shop.account.profile.username },
      }),
    )
  })
})

describe('the token', () => {
  const accountRow = async (id: string) =>
    (
      await parley.system((tx) =>
        tx.sql<{ tokenSealed: Buffer; refreshDueAt: Date; tokenExpiresAt: Date | null; state: string }>(
          'select token_sealed, refresh_due_at, token_expires_at, state from social_accounts where id = $1',
          [id],
        ),
      )
    )[0]!

  test('is refreshed well before it expires, and stays valid', async () => {
    const ownShop = await openSocialShop(parley, clock)
    const before = await accountRow(ownShop.accountId)
    const movedMs = DAY_MS + HOUR_MS
    aheadMs += movedMs
    const after = await until(async () => {
      const row = await accountRow(ownShop.accountId)
      return !row.tokenSealed.equals(before.tokenSealed) && row
    }, 'the token was refreshed')
    expect(sealer.open(after.tokenSealed)).not.toBe(sealer.open(before.tokenSealed))
    const life = after.tokenExpiresAt!.getTime() - clock.now().getTime()
    expect(Math.round(life / DAY_MS)).toBe(60)
    expect(Math.round((after.refreshDueAt.getTime() - clock.now().getTime()) / DAY_MS)).toBe(30)
    const chat = await customerWrites(parley, ownShop, { from: 'asha_r', text: 'Hi' })
    const body = { conversationId: chat.conversationId, text: 'Hello' }
    expect(await ownShop.post('/social/send', body)).toMatchObject({ status: 200 })
  })

  test('that the network no longer refreshes asks to connect the account again', async () => {
    const ownShop = await openSocialShop(parley, clock)
    await armSocialFault(parley, ownShop, 'token-expired')
    aheadMs += DAY_MS + HOUR_MS
    await until(
      async () => (await accountRow(ownShop.accountId)).state === 'reconnect_required',
      'the account has the state',
    )
    expect(await ownShop.post('/social/send', SEND)).toMatchObject({
      status: 409,
      body: { error: 'reconnect_required' },
    })
  })

  test('that an admin replaced meanwhile is not dropped because of a refusal of the old one', async () => {
    const ownShop = await openSocialShop(parley, clock)
    const old = await accountRow(ownShop.accountId)
    await ownShop.reconnect()
    await parley.system((tx) =>
      tx.sql(`update social_accounts set state = 'reconnect_required' where id = $1 and token_sealed = $2`, [
        ownShop.accountId,
        old.tokenSealed,
      ]),
    )
    expect((await accountRow(ownShop.accountId)).state).toBe('connected')
  })
})

describe('the callback (docs/formats.md section 1)', () => {
  const text = JSON.stringify(fixture('webhook_dm_text'))
  const post = (workspaceId: string, signature: string | undefined, body = text) =>
    parley.anonymous.post(`/api/social/${workspaceId}`, body, {
      headers: signature === undefined ? {} : { 'x-hub-signature-256': signature },
    })

  test("accepts only bodies with the app secret's signature over the raw bytes", async () => {
    const { appSecret } = shop.account
    expect(await post(shop.workspaceId, signWebhook(text, appSecret))).toMatchObject({
      status: 200,
      body: { ok: true },
    })
    for (const signature of [
      undefined,
      'sha256=',
      signWebhook(text, 'other'),
      signWebhook(`${text} `, appSecret),
    ])
      expect(await post(shop.workspaceId, signature)).toMatchObject({ status: 403 })
  })

  test('an unknown address, and the address of a workspace without an account, get the same error', async () => {
    const bare = await parley.workspace()
    const signature = signWebhook(text, shop.account.appSecret)
    for (const id of [randomUUID(), bare.workspaceId, '7'])
      expect(await post(id, signature)).toMatchObject({ status: 403, body: { error: 'forbidden' } })
  })

  test('a body that is not JSON is rejected and not stored', async () => {
    const body = '{"entry":'
    expect(await post(shop.workspaceId, signWebhook(body, shop.account.appSecret), body)).toMatchObject({
      status: 400,
      body: { error: 'invalid_json' },
    })
  })

  test('returns the challenge to a caller with the verify token', async () => {
    const verify = (token: string) =>
      parley.anonymous.get(
        `/api/social/${shop.workspaceId}?hub.mode=subscribe&hub.challenge=42&hub.verify_token=${token}`,
      )
    const verified = await verify(shop.account.verifyToken)
    expect([verified.status, verified.text]).toEqual([200, '42'])
    expect(await verify('guessed')).toMatchObject({ status: 403 })
  })
})

describe('social customers are contacts (spec 2.1)', () => {
  test('sx:<id>, listed only with channel=social, reported as contact.created', async () => {
    const ownShop = await openSocialShop(parley, clock)
    const { customerId } = await customerWrites(parley, ownShop, { from: 'asha_r', text: 'Hi' })
    const e164 = `sx:${customerId}`
    expect((await ownShop.get('/contacts')).body.contacts).toEqual([])
    const { contacts } = (await ownShop.get('/contacts?channel=social')).body
    expect(contacts).toMatchObject([{ e164, username: 'asha_r', displayName: 'asha_r', channel: 'social' }])
    expect((await ownShop.get('/contacts?channel=social&search=asha')).body.contacts).toHaveLength(1)
    expect(await ownShop.get(`/contacts/${e164}`)).toMatchObject({
      body: { contact: { id: contacts[0].id } },
    })
    const { body } = await ownShop.get('/events')
    expect(body.events).toContainEqual(
      expect.objectContaining({
        event: 'contact.created',
        data: expect.objectContaining({ phone: e164, source: 'inbound_message' }),
      }),
    )
    // Their chat is not one of the chat network.
    expect((await ownShop.get('/conversations')).body.conversations).toEqual([])
    const number = {
      workspaceId: ownShop.workspaceId,
      number: '+15550101234',
      operator: 'simulator' as const,
    }
    await parley.system((tx) => addPhoneNumber(tx, number, clock.now(), sealer))
    expect(await ownShop.post('/send', { to: e164, type: 'text', text: 'Hi' })).toMatchObject({ status: 400 })
  })

  test('is erased like others: chats, messages, comments, and events about them', async () => {
    const ownShop = await openSocialShop(parley, clock)
    const { customerId } = await customerWrites(parley, ownShop, { from: 'asha_r', text: 'My address is …' })
    await customerComments(parley, ownShop, { from: 'asha_r', text: 'Price?' })
    await customerComments(parley, ownShop, { from: 'ben', text: 'Nice' })
    expect(await ownShop.delete(`/contacts/sx:${customerId}`)).toMatchObject({ status: 200 })
    expect((await ownShop.get('/social/conversations')).body.conversations).toEqual([])
    expect((await ownShop.get('/social/comments')).body.comments).toMatchObject([{ username: 'ben' }])
    const left = await parley.system((tx) =>
      tx.sql('select 1 from social_messages where workspace_id = $1', [ownShop.workspaceId]),
    )
    expect(left).toEqual([])
    const { text: events } = await ownShop.get('/events?limit=100')
    expect(events).not.toContain('My address is')
    expect(events).not.toContain('Price?')
  })
})

describe('a chat that a member links to a lead', () => {
  const timeline = async (workspace: TestWorkspace, leadId: string) =>
    (await workspace.get(`/leads/${leadId}/timeline`)).body.entries

  test("shows later messages on the lead's timeline", async () => {
    const ownShop = await openSocialShop(parley, clock)
    const { lead } = (await ownShop.post('/leads', { phone: '+919812345678', name: 'Asha' })).body
    const chat = await customerWrites(parley, ownShop, { from: 'asha_r', text: 'Before' })
    const path = `/social/conversations/${chat.conversationId}`
    expect(await ownShop.patch(path, { leadId: lead.phone })).toMatchObject({
      status: 200,
      body: { conversation: { leadId: lead.id } },
    })
    const later = await customerWrites(parley, ownShop, { from: 'asha_r', text: 'After' })
    const sent = await ownShop.post('/social/send', { conversationId: chat.conversationId, text: 'Yes' })
    expect(await timeline(ownShop, lead.id)).toMatchObject([
      { kind: 'social_message_sent', data: { messageId: sent.body.messageId } },
      {
        kind: 'social_message_received',
        actor: { kind: 'customer' },
        data: { messageId: later.messageId, conversationId: chat.conversationId, type: 'text' },
      },
      { kind: 'social_linked', data: { conversationId: chat.conversationId } },
      { kind: 'captured' },
    ])
    await ownShop.patch(path, { leadId: null })
    await customerWrites(parley, ownShop, { from: 'asha_r', text: 'Later' })
    expect((await timeline(ownShop, lead.id))[0]).toMatchObject({ kind: 'social_unlinked' })
  })

  test('is unlinked when the lead is erased, even while both sides write; no request waits for a deadlock', async () => {
    const ownShop = await openSocialShop(parley, clock)
    const chat = await customerWrites(parley, ownShop, { from: 'asha_r', text: 'Hi' })
    const path = `/social/conversations/${chat.conversationId}`
    const before = await deadlocksIn(parley)
    for (let round = 0; round < 15; round++) {
      const { lead } = (await ownShop.post('/leads', { phone: `+9198123${40_000 + round}` })).body
      expect((await ownShop.patch(path, { leadId: lead.id })).status).toBe(200)
      const [erased, sent] = await Promise.all([
        ownShop.delete(`/contacts/${lead.phone}`),
        ownShop.post('/social/send', { conversationId: chat.conversationId, text: `Yes ${round}` }),
        customerWrites(parley, ownShop, { from: 'asha_r', text: `Still there? ${round}` }),
      ])
      expect([erased.status, sent.status], erased.text + sent.text).toEqual([200, 200])
      expect((await ownShop.get('/social/conversations')).body.conversations[0].leadId).toBeNull()
    }
    expect(await deadlocksIn(parley)).toBe(before)
  })

  test("an unknown lead is 404, and the key needs the scope of the lead's team: crm:write", async () => {
    const ownShop = await openSocialShop(parley, clock)
    const chat = await customerWrites(parley, ownShop, { from: 'asha_r', text: 'Hi' })
    const path = `/social/conversations/${chat.conversationId}`
    expect(await ownShop.patch(path, { leadId: randomUUID() })).toMatchObject({ status: 404 })
    expect(await ownShop.patch(path, {})).toMatchObject({ status: 400 })
    const narrow = await ownShop.as('agent', { scopes: ['social:write'] })
    expect(await narrow.patch(path, { leadId: null })).toMatchObject({
      status: 403,
      body: { error: 'insufficient_scope', required: 'crm:write' },
    })
  })

  test('an erased lead can no longer be linked', async () => {
    const ownShop = await openSocialShop(parley, clock)
    await ownShop.post('/leads', { phone: '+919812345678', name: 'Asha' })
    const chat = await customerWrites(parley, ownShop, { from: 'asha_r', text: 'Hi' })
    await ownShop.patch(`/social/conversations/${chat.conversationId}`, { leadId: '+919812345678' })
    await ownShop.delete('/contacts/+919812345678')
    const { body } = await ownShop.get('/social/conversations')
    expect(body.conversations).toMatchObject([{ id: chat.conversationId, leadId: null }])
    await customerWrites(parley, ownShop, { from: 'asha_r', text: 'Still here' })
  })
})

describe('retention (docs/decisions/retention.md)', () => {
  test('direct messages as long as the workspace keeps messages; reports that could not be applied for a week', async () => {
    const ownShop = await openSocialShop(parley, clock)
    await ownShop.set({ messageDays: 90 })
    const chat = await customerWrites(parley, ownShop, { from: 'asha_r', text: 'Hi' })
    await parley.system((tx) =>
      tx.sql(
        `insert into social_updates (workspace_id, id, account_id, raw, run_at, failed_at, received_at)
         select $1, uuidv7(), $2, '{', $3, $3, $3`,
        [ownShop.workspaceId, ownShop.accountId, clock.now()],
      ),
    )
    aheadMs += 91 * DAY_MS
    const path = `/social/conversations/${chat.conversationId}/messages`
    await parley.system(({ sql: query }) =>
      socialRetentionSource({ database: { query }, clock, operatorDays: 7 }).runDue({}),
    )
    expect((await ownShop.get(path)).body.messages).toEqual([])
    const failed = await parley.system((tx) =>
      tx.sql('select 1 from social_updates where workspace_id = $1', [ownShop.workspaceId]),
    )
    expect(failed).toEqual([])
  })
})
