/** `POST /send/preview` agrees with `POST /send`, and stores nothing. */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { boot, type TestParley, type TestWorkspace } from '../../../../test/support/boot.ts'
import { importRates } from '../../../../test/support/rates.ts'
import { seedOf } from '../../../../test/support/seed.ts'
import { storeTemplate } from '../../../../test/support/templates.ts'

const ASHA = '+919812345678'
const BODY = { type: 'BODY', text: 'Hi {{1}}, your order {{2}} is on its way.' }

let parley: TestParley
beforeAll(async () => {
  parley = await boot()
})
afterAll(() => parley.close())

const text = { to: ASHA, type: 'text', text: 'Yes, in every size.' }
const template = (change: object = {}) => ({
  to: ASHA,
  type: 'template',
  payload: {
    type: 'template',
    template: { name: 'order_ok', language: { code: 'en_US' }, variables: ['Asha', '1001'], ...change },
  },
})
const preview = async (shop: Pick<TestWorkspace, 'post'>, body: object) => {
  const answer = await shop.post('/send/preview', body)
  expect(answer.status, answer.text).toBe(200)
  return answer.body.preview
}
/** Everything that a send could have written. */
const stored = (shop: TestWorkspace) =>
  parley.system(async (tx) =>
    Promise.all(
      ['messages', 'conversations', 'contacts', 'events', 'workspace_usage'].map(
        async (table) =>
          (await tx.sql(`select * from ${table} where workspace_id = $1`, [shop.workspaceId])).length,
      ),
    ),
  )

describe('POST /send/preview', () => {
  test('shows the text that the customer reads, the chat, and the price category', async () => {
    const shop = await parley.workspace({ sandbox: true })
    await storeTemplate(parley, shop, { components: [BODY] })
    expect(await preview(shop, template())).toMatchObject({
      wouldSend: true,
      refusals: [],
      message: { text: 'Hi Asha, your order 1001 is on its way.' },
      phoneNumberId: shop.phoneNumberId,
      contactId: null,
      conversationId: null,
      billable: true,
    })
    await shop.inbound(ASHA, 'Is the blue one in stock?')
    expect(await preview(shop, text)).toMatchObject({
      wouldSend: true,
      message: { content: { body: text.text }, text: text.text },
      contactId: expect.any(String),
      conversationId: expect.any(String),
      windowExpiresAt: expect.any(String),
      category: 'service',
      billable: false,
    })
  })

  test('shows the cost of a template, and none to a key without the right to read costs', async () => {
    const shop = await parley.workspace({ sandbox: true })
    await storeTemplate(parley, shop, { components: [BODY], category: 'MARKETING' })
    expect(await preview(shop, template())).toMatchObject({
      currency: null,
      cost: { messages: 1, charged: 0, unpriced: 1, cost: null },
    })
    await importRates(parley, shop, ['IN,marketing,2020-01-01,784600'])
    expect(await preview(shop, template())).toMatchObject({
      currency: 'INR',
      cost: { messages: 1, charged: 1, unpriced: 0, costMinor: 78, cost: '₹0.78' },
    })
    const narrowed = await shop.as('agent', { scopes: ['messages:send'] })
    expect(await preview(narrowed, template())).toMatchObject({ wouldSend: true, currency: null, cost: null })
    await shop.inbound(ASHA, 'Hello')
    expect(await preview(shop, text)).toMatchObject({ cost: { free: 1, costMinor: 0 } })
  })

  test('shows when the message would leave', async () => {
    const shop = await parley.workspace({ sandbox: true })
    await shop.inbound(ASHA, 'Hello')
    const { leavesAt, waitsFor } = await preview(shop, text)
    expect([Math.abs(Date.parse(leavesAt) - Date.now()) < 60_000, waitsFor]).toEqual([true, null])
    const until = new Date(Date.now() + 600_000)
    await parley.system((tx) =>
      tx.sql(
        `insert into number_lanes (workspace_id, phone_number_id, check_due_at, strikes, paused_until, pause_reason)
         values ($1, $2, now(), 1, $3, 'The operator limits the number') on conflict (workspace_id, phone_number_id)
         do update set paused_until = excluded.paused_until, pause_reason = excluded.pause_reason`,
        [shop.workspaceId, shop.phoneNumberId, until],
      ),
    )
    const paused = await preview(shop, text)
    expect(paused.waitsFor).toBe('The number pauses. The operator limits the number.')
    // A sandbox's clock may be ahead by some seconds.
    expect(Math.abs(Date.parse(paused.leavesAt) - until.getTime())).toBeLessThan(60_000)
    await shop.advance(3_600)
    const moved = await preview(shop, text)
    expect(Date.parse(moved.leavesAt) - Date.parse(paused.leavesAt)).toBe(3_600_000)
    const refused = await preview(shop, { ...text, to: '+15550000000' })
    expect(refused).toMatchObject({ wouldSend: false, leavesAt: null, waitsFor: null })
  })

  test('lists every reason, with its fields', async () => {
    const shop = await parley.workspace({ sandbox: true })
    await shop.inbound(ASHA, 'STOP')
    const [contact] = (await shop.get('/contacts')).body.contacts
    await shop.patch(`/contacts/${contact.id}`, { optInStatus: 'opted_out' })
    await shop.advance(2 * 86_400)
    await shop.set({ messageAllowance: 0 })
    const { refusals, message, wouldSend } = await preview(shop, { ...text, replyTo: 'wamid.unknown' })
    expect(refusals.map(({ error }: { error: string }) => error)).toEqual([
      'contact_opted_out',
      'outside_24h_window',
      'invalid_reference',
      'quota_exceeded',
    ])
    expect([wouldSend, message.text]).toEqual([false, text.text])
    expect((await preview(shop, template({ name: 'unknown' }))).message).toBeNull()
  })

  test('returns the errors of a send: rights, and invalid bodies', async () => {
    const shop = await parley.workspace({ sandbox: true })
    expect((await (await shop.as('viewer')).post('/send/preview', text)).status).toBe(403)
    expect((await shop.post('/send/preview', { ...text, text: '' })).status).toBe(400)
  })

  test('agrees with the send in every state, and stores nothing', { timeout: 120_000 }, async () => {
    const state = fc.record({
      wrote: fc.boolean(),
      isClosed: fc.boolean(),
      isBlocked: fc.constantFrom(false, false, true),
      templateStatus: fc.constantFrom('approved', 'approved', 'paused'),
      restricted: fc.constantFrom(null, null, 'business_initiated', 'customer_initiated'),
      consent: fc.constantFrom(undefined, 'opted_out', 'opted_in'),
      numberState: fc.constantFrom('active', 'active', 'active', 'number_banned'),
      settings: fc.constantFrom({}, {}, { messageAllowance: 0 }, { walletEmpty: true }, { contactLimit: 0 }),
      body: fc.constantFrom(
        text,
        template(),
        template({ name: 'unknown' }),
        template({ variables: ['Asha'] }),
        { ...text, replyTo: 'wamid.unknown' },
        { ...text, to: '+15550000000' },
      ),
    })
    await fc.assert(
      fc.asyncProperty(state, async ({ wrote, isClosed, consent, numberState, settings, body, ...other }) => {
        const shop = await parley.workspace({ sandbox: true })
        await storeTemplate(parley, shop, { components: [BODY] })
        if (wrote) await shop.inbound(ASHA, 'Is the blue one in stock?')
        if (wrote && consent) {
          const [contact] = (await shop.get('/contacts')).body.contacts
          await shop.patch(`/contacts/${contact.id}`, { optInStatus: consent })
        }
        if (wrote && other.isBlocked) await shop.post(`/contacts/${encodeURIComponent(ASHA)}/block`)
        if (isClosed) await shop.advance(2 * 86_400)
        await shop.set(settings)
        await parley.system((tx) =>
          tx.sql('update phone_numbers set state = $2 where workspace_id = $1', [
            shop.workspaceId,
            numberState,
          ]),
        )
        await parley.system((tx) =>
          tx.sql('update templates set status = $2 where workspace_id = $1', [
            shop.workspaceId,
            other.templateStatus,
          ]),
        )
        if (other.restricted)
          await parley.system((tx) =>
            tx.sql(
              `update phone_numbers set ${other.restricted}_blocked_until = '9000-01-01' where workspace_id = $1`,
              [shop.workspaceId],
            ),
          )
        const before = await stored(shop)
        const seen = await preview(shop, body)
        expect(await stored(shop)).toEqual(before)
        const sent = await shop.post('/send', body)
        const [first] = seen.refusals
        expect([seen.wouldSend, first?.error, first?.message]).toEqual([
          sent.status === 200,
          sent.body.error,
          sent.body.message,
        ])
        if (sent.status !== 200) return
        const { message } = (await shop.get(`/messages/${sent.body.messageId}`)).body
        expect(seen.message).toEqual({ content: message.content, text: message.text })
      }),
      { seed: seedOf('send previews'), numRuns: 60, endOnFailure: true },
    )
  })
})
