/** Submission of a campaign's messages to the operator, with pauses and cancellations. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { boot, type TestParley, type TestWorkspace } from '../../../../../test/support/boot.ts'
import {
  allowNewRecipients,
  type Campaigns,
  campaignsOf,
  makeContacts,
} from '../../../../../test/support/campaigns.ts'
import { eventsOf } from '../../../../../test/support/records.ts'
import {
  accept,
  type CloudShop,
  cloudShop,
  receipt,
  standInOperator,
  type Taken,
} from '../../../../../test/support/stand-in-operator.ts'
import { until } from '../../../../../test/support/until.ts'

let operator: Awaited<ReturnType<typeof standInOperator>>
let parley: TestParley
let shop: CloudShop<TestWorkspace>
let campaigns: Campaigns
let held: Taken[]
beforeAll(async () => {
  operator = await standInOperator()
  parley = await boot({ env: operator.env })
})
afterAll(async () => {
  await parley.close()
  await operator.close()
})
beforeEach(async () => {
  operator.taken.length = 0
  held = []
  operator.answer((call) => {
    if (call.request.url?.endsWith('/messages')) held.push(call)
    else accept(call)
  })
  shop = await cloudShop(parley)
  campaigns = await campaignsOf(parley, shop)
})
afterEach(() => release())

/** Answers all requests that the operator has not answered, and all new ones. */
function release(): void {
  operator.answer(accept)
  for (const call of held.splice(0)) accept(call)
}
const customers = (count: number) => makeContacts(shop, count, { optInStatus: 'opted_in' })
/** Starts a campaign to all customers, some of whose messages are at the operator without an answer. */
async function startCampaign(overrides: object = {}): Promise<string> {
  const created = await campaigns.create({ phoneNumberId: shop.cloudNumberId, sendNow: true, ...overrides })
  expect(created.status, created.text).toBe(201)
  await until(() => held.length > 0, 'the operator has some')
  await until(
    async () => (await campaigns.of(created.body.id)).status === 'completed',
    'all messages are queued',
  )
  return created.body.id
}
const sentOut = () => operator.taken.filter((call) => call.request.url?.endsWith('/messages'))
/** Messages that wait for submission or are being submitted. */
const waiting = async () =>
  (
    await parley.system((tx) =>
      tx.sql('select 1 from messages where workspace_id = $1 and run_at is not null', [shop.workspaceId]),
    )
  ).length
const counts = async (id: string) => (await campaigns.of(id)).counts
const failures = async () =>
  (await eventsOf(parley, shop.workspaceId)).filter(({ name }) => name === 'message.failed')

describe('a running campaign', () => {
  test('its delivery progress is the share that is sent, failed, or skipped, also after its fan-out', async () => {
    const ids = await customers(20)
    await shop.patch(`/contacts/${ids[0]}`, { optInStatus: 'opted_out' })
    const id = await startCampaign({ segment: { contactIds: ids } })
    expect(await campaigns.of(id)).toMatchObject({
      status: 'completed',
      progress: 5,
      counts: { queued: 19, skipped: 1 },
    })
    release()
    await until(() => sentOut().length === 19, 'all messages are submitted')
    const calls = sentOut()
    await shop.operatorSays(
      ...calls.slice(0, 10).map((call) => receipt('sent', call)),
      receipt('failed', calls[10]!),
    )
    await until(async () => (await campaigns.of(id)).progress >= 60, 'the receipts count')
    expect((await campaigns.of(id)).counts).toMatchObject({ failed: 1 })
  })

  test("an ordinary send is submitted immediately, before the campaign's waiting messages", async () => {
    const contactIds = await customers(300)
    operator.answer(accept)
    await shop.writes('+919812345678')
    const to = { phoneNumberId: shop.cloudNumberId, segment: { contactIds } }
    const created = await campaigns.create({ ...to, sendNow: true })
    await until(() => operator.taken.length > 20, 'the campaign is running')
    const sent = await shop.post('/send', {
      to: '+919812345678',
      type: 'text',
      text: 'At once',
      phoneNumberId: shop.cloudNumberId,
    })
    const before = operator.taken.length
    const ordinary = await until(
      () => operator.taken.find((call) => call.body.biz_opaque_callback_data === sent.body.messageId),
      'the ordinary message is submitted',
    )
    expect(operator.taken.indexOf(ordinary)).toBeLessThan(300)
    // Some messages may start between the reply and the submission: tens of milliseconds at 80 a second.
    expect(operator.taken.indexOf(ordinary) - before).toBeLessThan(60)
    await until(() => operator.taken.length === 301, 'all messages are submitted')
    expect(new Set(operator.taken.map((call) => call.body.to)).size).toBe(301)
    expect(await counts(created.body.id)).toMatchObject({ queued: 300, skipped: 0 })
  })

  test('a customer who waits for their turn still gets other messages, in order', async () => {
    await customers(200)
    const to = '+919000000199'
    await shop.writes(to)
    operator.answer(accept)
    await campaigns.create({ phoneNumberId: shop.cloudNumberId, sendNow: true })
    await until(() => operator.taken.length > 5, 'the campaign is running')
    const overrides = { phoneNumberId: shop.cloudNumberId }
    await shop.post('/send', { to, type: 'text', text: 'At once', ...overrides })
    await until(() => operator.taken.length === 201, 'all messages are submitted')
    const toCustomer = operator.taken.filter((call) => call.body.to === to.slice(1) || call.body.to === to)
    expect(toCustomer).toHaveLength(2)
    expect(toCustomer.map((call) => call.body.type).sort()).toEqual(['template', 'text'])
  })

  test('opt-outs and blocks that arrive during the run are honored: skipped, never message.failed', async () => {
    const ids = await customers(60)
    const id = await startCampaign()
    const atOperator = new Set(held.map((call) => call.body.to))
    const [stopping, blocked] = ids.slice(-2)
    await shop.writes('+919000000058', 'STOP')
    await shop.post(`/contacts/${blocked}/block`)
    expect(atOperator.has('919000000058') || atOperator.has('+919000000058')).toBe(false)
    release()
    await until(async () => (await counts(id)).skipped === 2, 'two are skipped')
    await until(() => sentOut().length === 58, 'the other messages are submitted')
    const people = await campaigns.people(id, '&status=skipped')
    expect([...people.values()].map(({ contactId, reason }) => [contactId, reason])).toEqual([
      [stopping, 'opted_out'],
      [blocked, 'blocked'],
    ])
    expect(await counts(id)).toMatchObject({ recipients: 60, queued: 58, skipped: 2, failed: 0 })
    expect(await failures()).toEqual([])
  })

  test('canceled: submitted messages stay, everything else is skipped', async () => {
    await customers(60)
    const id = await startCampaign()
    const cancelled = await shop.delete(`/broadcasts/${id}`)
    expect([cancelled.status, cancelled.body.status]).toEqual([200, 'cancelled'])
    expect((await shop.delete(`/broadcasts/${id}`)).status).toBe(200)
    const before = held.length
    release()
    await until(async () => (await counts(id)).skipped === 60 - sentOut().length, 'the rest is skipped')
    expect(sentOut().length).toBe(before)
    const reasons = [...(await campaigns.people(id, '&status=skipped')).values()].map(
      (person) => person.reason,
    )
    expect(reasons).toEqual(reasons.map(() => 'cancelled'))
    expect(await failures()).toEqual([])
    for (const step of ['start', 'pause', 'resume'])
      expect((await shop.post(`/broadcasts/${id}/${step}`)).status).toBe(409)
  })

  test('canceled: skipped recipients cost nothing, and can immediately get the corrected campaign', async () => {
    await makeContacts(shop, 60)
    await shop.set({ messageAllowance: 60, marketingCap: 1 })
    await allowNewRecipients(parley, { phoneNumberId: shop.cloudNumberId }, 60)
    const confirmed = { confirmNewRecipients: true }
    const id = await startCampaign(confirmed)
    await shop.delete(`/broadcasts/${id}`)
    release()
    await until(async () => (await counts(id)).skipped === 60 - sentOut().length, 'the rest is skipped')
    const unsent = [...(await campaigns.people(id, '&status=skipped')).keys()]
    const next = { ...confirmed, segment: { contactIds: unsent } }
    const second = await campaigns.create({ phoneNumberId: shop.cloudNumberId, sendNow: true, ...next })
    expect(second.status, second.text).toBe(201)
    expect(second.body.audience.willSend).toBe(unsent.length)
    await until(
      async () => (await campaigns.of(second.body.id)).status === 'completed',
      'all messages are queued',
    )
    await until(() => sentOut().length === 60, 'all recipients got the message')
    expect(new Set(sentOut().map((call) => call.body.to)).size).toBe(60)
    // Recipients of the first campaign are at their marketing cap, and the allowance is used up.
    const preview = await shop.post('/broadcasts/preview', {
      templateId: campaigns.templateId,
      phoneNumberId: shop.cloudNumberId,
      segment: {},
    })
    expect(preview.body.audience).toMatchObject({ willSend: 0, reasons: { marketing_cap: 60 } })
    await shop.writes('+919812345678')
    const body = { to: '+919812345678', type: 'text', text: 'Hi', phoneNumberId: shop.cloudNumberId }
    expect((await shop.post('/send', body)).body.error).toBe('quota_exceeded')
  })

  test('paused: nothing more is submitted until it is resumed; then each person gets one message', async () => {
    await customers(60)
    // The fan-out is done, and the messages wait for their number's pace.
    const id = await startCampaign()
    expect((await shop.post(`/broadcasts/${id}/pause`)).body.status).toBe('paused')
    expect((await shop.post(`/broadcasts/${id}/pause`)).status).toBe(200)
    const before = held.length
    release()
    // Another message of the number is submitted, without any of the campaign.
    await shop.writes('+919812345678')
    const { body } = await shop.post('/send', {
      to: '+919812345678',
      type: 'text',
      text: 'Hi',
      phoneNumberId: shop.cloudNumberId,
    })
    await until(
      () => sentOut().some((call) => call.body.biz_opaque_callback_data === body.messageId),
      'the operator has the message',
    )
    expect(sentOut().length).toBe(before + 1)
    expect((await shop.post(`/broadcasts/${id}/resume`)).body.status).toBe('completed')
    expect((await shop.post(`/broadcasts/${id}/resume`)).status).toBe(200)
    await until(() => sentOut().length === 61, 'the other messages are submitted')
    expect(new Set(sentOut().map((call) => call.body.to)).size).toBe(61)
    await until(async () => (await waiting()) === 0, 'the answers are recorded')
    expect((await shop.post(`/broadcasts/${id}/pause`)).status).toBe(409)
    const reported = (await eventsOf(parley, shop.workspaceId)).filter(
      ({ name }) => name === 'broadcast.completed',
    )
    expect(reported).toHaveLength(1)
  })

  test('paused during its fan-out: no more people are reached until it is resumed', async () => {
    await customers(60)
    const farAhead = { at: new Date(Date.now() + 3_600_000) }
    const { body } = await campaigns.create({ phoneNumberId: shop.cloudNumberId })
    // The first step is delayed, as if it took long.
    await parley.system((tx) =>
      tx.sql(
        "update broadcasts set status = 'running', sending = true, started_at = $2, run_at = $3 where id = $1",
        [body.id, new Date(), farAhead.at],
      ),
    )
    expect((await shop.post(`/broadcasts/${body.id}/pause`)).body.status).toBe('paused')
    expect(await counts(body.id)).toMatchObject({ recipients: 0 })
    expect((await shop.post(`/broadcasts/${body.id}/resume`)).body.status).toBe('running')
    await until(async () => (await campaigns.of(body.id)).status === 'completed', 'all messages are queued')
    expect(await counts(body.id)).toMatchObject({ recipients: 60, queued: 60 })
  })

  test('pauses automatically with the reason when its number cannot send', async () => {
    await customers(3)
    const state = (to: string) =>
      parley.system((tx) =>
        tx.sql('update phone_numbers set state = $2, state_reason = $3 where id = $1', [
          shop.cloudNumberId,
          to,
          to === 'active' ? null : 'The operator blocks it.',
        ]),
      )
    const { body } = await campaigns.create({ phoneNumberId: shop.cloudNumberId })
    await shop.post(`/broadcasts/${body.id}/start`)
    await until(async () => (await campaigns.of(body.id)).status === 'completed', 'the campaign runs')
    await parley.system((tx) =>
      tx.sql(
        "update broadcasts set status = 'running', completed_at = null, walked = false, run_at = $2 where id = $1",
        [body.id, new Date(Date.now() + 3_600_000)],
      ),
    )
    await state('sending_blocked')
    await parley.system((tx) =>
      tx.sql('update broadcasts set run_at = $2 where id = $1', [body.id, new Date()]),
    )
    const paused = await until(async () => {
      const campaign = await campaigns.of(body.id)
      return campaign.status === 'paused' && campaign
    }, 'the campaign is paused')
    expect(paused.pausedReason).toBe('The operator blocks it.')
    expect((await shop.post(`/broadcasts/${body.id}/resume`)).body.error).toBe('sending_blocked')
    await state('active')
    expect((await shop.post(`/broadcasts/${body.id}/resume`)).body.status).toBe('running')
    await until(async () => (await campaigns.of(body.id)).status === 'completed', 'the campaign is completed')
  })

  test('completed, pauses automatically when its number is banned while messages wait, and continues when it is resumed', async () => {
    await customers(70)
    const id = await startCampaign()
    const ban = (state: string, reason: string | null) =>
      parley.system((tx) =>
        tx.sql('update phone_numbers set state = $2, state_reason = $3 where id = $1', [
          shop.cloudNumberId,
          state,
          reason,
        ]),
      )
    await ban('number_banned', 'The operator banned it.')
    await parley.system((tx) => tx.sql('update broadcasts set run_at = $2 where id = $1', [id, new Date()]))
    await until(async () => (await campaigns.of(id)).status === 'paused', 'the campaign pauses')
    expect((await campaigns.of(id)).pausedReason).toBe('The operator banned it.')
    expect((await shop.post(`/broadcasts/${id}/resume`)).body.error).toBe('number_banned')
    release()
    await ban('active', null)
    expect((await shop.post(`/broadcasts/${id}/resume`)).body.status).toBe('completed')
    await until(async () => (await waiting()) === 0, 'all messages are submitted', 20_000)
    const ids = [...(await campaigns.people(id)).values()].map((person) => person.messageId)
    const ofCampaign = sentOut().flatMap(({ body }) =>
      ids.includes(body.biz_opaque_callback_data) ? [body.biz_opaque_callback_data] : [],
    )
    expect(ofCampaign.sort()).toEqual(ids.sort())
    expect(await failures()).toEqual([])
  })

  test('paused automatically, resumes automatically once its number can send again, but not after a manual pause', async () => {
    await customers(70)
    const [left, stopped] = [await startCampaign(), await startCampaign()]
    const number = (state: string, reason: string | null) =>
      parley.system((tx) =>
        tx.sql('update phone_numbers set state = $2, state_reason = $3 where id = $1', [
          shop.cloudNumberId,
          state,
          reason,
        ]),
      )
    /** Makes the next check of both campaigns due now, instead of in a minute. */
    const checkNow = () =>
      parley.system((tx) =>
        tx.sql('update broadcasts set run_at = $2 where id = any($1)', [[left, stopped], new Date()]),
      )
    await number('disconnected', 'The token has expired.')
    await checkNow()
    for (const id of [left, stopped])
      await until(
        async () => (await campaigns.of(id)).pausedReason === 'The token has expired.',
        'the campaign pauses',
      )
    await number('number_banned', 'The operator banned it.')
    await checkNow()
    await until(
      async () => (await campaigns.of(left)).pausedReason === 'The operator banned it.',
      'the campaign shows the new reason of its pause',
    )
    await shop.post(`/broadcasts/${stopped}/pause`)
    release()
    await number('active', null)
    await checkNow()
    await until(async () => (await campaigns.of(left)).status === 'completed', 'the campaign continues')
    await until(
      async () =>
        (
          await parley.system((tx) =>
            tx.sql('select 1 from broadcasts where id = $1 and run_at is null', [stopped]),
          )
        ).length === 1,
      'the other campaign is no longer checked',
    )
    expect(await campaigns.of(stopped)).toMatchObject({ status: 'paused', pausedReason: null })
    await shop.delete(`/broadcasts/${stopped}`)
    await until(async () => (await waiting()) === 0, 'all messages are submitted or skipped', 20_000)
  })
})
