import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { boot, type TestParley, type TestWorkspace } from '../../../../test/support/boot.ts'
import {
  allowNewRecipients,
  approvedTemplate,
  campaignsOf,
  makeContacts,
} from '../../../../test/support/campaigns.ts'
import { whileReadsAreFull } from '../../../../test/support/costly-reads.ts'
import { importRates } from '../../../../test/support/rates.ts'
import { everythingOf } from '../../../../test/support/records.ts'
import { DAY_MS } from '../../../core/clock.ts'
import { dayOf } from '../../../core/values/calendar.ts'

let parley: TestParley
beforeAll(async () => {
  parley = await boot()
})
afterAll(() => parley.close())

const sandbox = () => parley.workspace({ sandbox: true })
const planOf = (shop: TestWorkspace, templateId: string, overrides: object = {}) => ({
  templateId,
  phoneNumberId: shop.phoneNumberId,
  segment: {},
  ...overrides,
})

describe('POST /broadcasts/preview', () => {
  test('returns the audience, new and known recipients, a forecast, and no warning for a campaign that can be sent', async () => {
    const shop = await sandbox()
    const templateId = await approvedTemplate(parley, shop)
    await makeContacts(shop, 3, { optInStatus: 'opted_in' })
    await makeContacts(shop, 1, { optInStatus: 'opted_out' }, 10)
    const answer = await shop.post('/broadcasts/preview', planOf(shop, templateId))
    expect(answer.status, answer.text).toBe(200)
    expect(answer.body).toEqual({
      audience: { matched: 4, willSend: 3, suppressed: 1, reasons: { opted_out: 1 } },
      newRecipients: 0,
      knownRecipients: 3,
      forecast: { messages: 3, days: 1, minutes: 1, newRecipientsADay: 1000, messagesASecond: 80 },
      currency: null,
      cost: { messages: 3, free: 0, charged: 0, unpriced: 3, costMinor: null, cost: null },
      costByMarket: [
        { market: 'IN', messages: 3, free: 0, charged: 0, unpriced: 3, costMinor: null, cost: null },
      ],
      examples: [],
      warnings: [],
    })
  })

  test('returns 429 with Retry-After 1 while too many requests read the many contacts of the workspace', async () => {
    const shop = await sandbox()
    const templateId = await approvedTemplate(parley, shop)
    const preview = () => shop.post('/broadcasts/preview', planOf(shop, templateId))
    expect(await whileReadsAreFull(parley, shop.workspaceId, preview), 'few contacts').toMatchObject({
      status: 200,
    })
    await parley.system((tx) =>
      tx.sql(
        `insert into contacts (workspace_id, id, phone, created_at, updated_at)
         select $1, gen_random_uuid(), '+9170' || lpad(n::text, 8, '0'), now(), now() from generate_series(1, 6000) n`,
        [shop.workspaceId],
      ),
    )
    const refused = await whileReadsAreFull(parley, shop.workspaceId, preview)
    expect(refused).toMatchObject({ status: 429, body: { error: 'rate_limited' } })
    expect(refused.headers['retry-after']).toBe('1')
    expect((await preview()).status).toBe(200)
  })

  test('costs nothing and stores nothing', async () => {
    const shop = await sandbox()
    const templateId = await approvedTemplate(parley, shop)
    await makeContacts(shop, 2)
    const before = await everythingOf(parley, shop.workspaceId)
    for (const overrides of [{}, { sendNow: true, confirmNewRecipients: true }, { name: 'Lights' }])
      expect((await shop.post('/broadcasts/preview', planOf(shop, templateId, overrides))).status).toBe(200)
    expect(await everythingOf(parley, shop.workspaceId)).toEqual(before)
    expect((await shop.get('/broadcasts')).body.broadcasts).toEqual([])
  })

  test('counts like POST /broadcasts, and warns of its errors, in its order', async () => {
    const shop = await sandbox()
    const templateId = await approvedTemplate(parley, shop, { name: 'notice', category: 'UTILITY' })
    await makeContacts(shop, 2)
    await makeContacts(shop, 1, { optInStatus: 'opted_in' }, 10)
    const reported = (await shop.post('/broadcasts/preview', planOf(shop, templateId))).body
    expect(reported.warnings.map((warning: { error: string }) => warning.error)).toEqual([
      'notice_to_new_recipients',
      'new_recipients_unconfirmed',
    ])
    const refused = await shop.post('/broadcasts', planOf(shop, templateId, { name: 'Notice' }))
    expect(refused.body).toMatchObject({
      error: reported.warnings[0].error,
      message: reported.warnings[0].message,
      newRecipients: reported.newRecipients,
      knownRecipients: reported.knownRecipients,
    })
  })

  test('a follow-up that is too soon has the earliest allowed time', async () => {
    const shop = await sandbox()
    const campaigns = await campaignsOf(parley, shop)
    await makeContacts(shop, 2, { optInStatus: 'opted_in' })
    const { id } = (await campaigns.create({ sendNow: true })).body
    await shop.advance(60)
    const { completedAt, templateId } = await campaigns.of(id)
    const plan = planOf(shop, templateId, { followUpOf: id })
    const [warning] = (await shop.post('/broadcasts/preview', plan)).body.warnings
    expect(warning.error).toBe('follow_up_too_soon')
    expect(Date.parse(warning.earliestAt) - Date.parse(completedAt)).toBe(24 * 3_600_000)
    const refused = await shop.post('/broadcasts', { ...plan, name: 'Again' })
    expect(refused.body).toMatchObject({ error: 'follow_up_too_soon', earliestAt: warning.earliestAt })
  })

  test('an impossible start time is an error, as in POST /broadcasts', async () => {
    const shop = await sandbox()
    const templateId = await approvedTemplate(parley, shop)
    const hour = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
    for (const overrides of [
      { scheduledAt: hour(-1) },
      { scheduledAt: hour(24 * 400) },
      { scheduledAt: hour(1), sendNow: true },
    ]) {
      const request = planOf(shop, templateId, { name: 'Lights', ...overrides })
      const [reported, refused] = [
        await shop.post('/broadcasts/preview', request),
        await shop.post('/broadcasts', request),
      ]
      expect(reported.body).toMatchObject({ error: 'invalid', issues: [{ path: 'scheduledAt' }] })
      expect(reported.body).toEqual(refused.body)
    }
    const later = planOf(shop, templateId, { scheduledAt: hour(1) })
    expect((await shop.post('/broadcasts/preview', later)).status).toBe(200)
  })

  test('a blank template variable is a warning with its name', async () => {
    const shop = await sandbox()
    const templateId = await approvedTemplate(parley, shop, { name: 'named', text: 'Hello {{1}}, we open.' })
    await makeContacts(shop, 1, { optInStatus: 'opted_in' })
    const variables = { components: [{ type: 'body', parameters: [{ type: 'text', text: ' ' }] }] }
    const { warnings } = (await shop.post('/broadcasts/preview', planOf(shop, templateId, { variables })))
      .body
    expect(warnings).toMatchObject([{ error: 'invalid_template_parameters', issues: [expect.anything()] }])
  })

  test('new recipients take a day for each thousand, after people who already wait', async () => {
    const shop = await parley.workspace({ sandbox: true, plan: 'unlimited' })
    const campaigns = await campaignsOf(parley, shop)
    await makeContacts(shop, 1_500, { tags: ['first'] })
    await makeContacts(shop, 1_200, { tags: ['second'] }, 5_000)
    const daysOf = async (overrides: object) =>
      (await shop.post('/broadcasts/preview', planOf(shop, campaigns.templateId, overrides))).body.forecast
        .days
    expect(await daysOf({ segment: { tags: ['first'] } })).toBe(2)
    expect(await daysOf({ segment: { tags: ['first', 'second'] } })).toBe(3)
    expect(await daysOf({ segment: { tags: ['first'] }, knownOnly: true })).toBe(0)
    const overrides = { segment: { tags: ['first'] }, confirmNewRecipients: true, sendNow: true }
    expect((await campaigns.create(overrides)).status).toBe(201)
    await shop.advance(120)
    expect(await daysOf({ segment: { tags: ['second'] } }), 'today is used up, 500 wait').toBe(3)
  })

  test('the forecast of a scheduled campaign leaves out people whose day comes before its start', async () => {
    const shop = await sandbox()
    const campaigns = await campaignsOf(parley, shop)
    await allowNewRecipients(parley, shop, 2)
    await makeContacts(shop, 10, { tags: ['first'] })
    await makeContacts(shop, 2, { tags: ['second'] }, 100)
    const first = { segment: { tags: ['first'] }, confirmNewRecipients: true, sendNow: true }
    expect((await campaigns.create(first)).status).toBe(201)
    const now = await shop.advance(60)
    const daysIn = async (days: number) => {
      const scheduledAt = days === 0 ? undefined : new Date(now.getTime() + days * DAY_MS).toISOString()
      const plan = planOf(shop, campaigns.templateId, { segment: { tags: ['second'] }, scheduledAt })
      return (await shop.post('/broadcasts/preview', plan)).body.forecast.days
    }
    // Eight people wait, and the allowance of today and the following four days is used up.
    expect([await daysIn(0), await daysIn(1), await daysIn(3), await daysIn(9)]).toEqual([6, 5, 3, 1])
  })

  test('references must exist: 400 invalid_reference', async () => {
    const [shop, other] = [await sandbox(), await sandbox()]
    const foreign = await approvedTemplate(parley, other)
    const own = await approvedTemplate(parley, shop)
    for (const plan of [
      planOf(shop, foreign),
      planOf(shop, own, { phoneNumberId: other.phoneNumberId }),
      planOf(shop, own, { followUpOf: other.ownerId }),
    ])
      expect(await shop.post('/broadcasts/preview', plan)).toMatchObject({
        status: 400,
        body: { error: 'invalid_reference' },
      })
  })
})

describe('the activity log of campaigns', () => {
  test('confirmNewRecipients is recorded, and so is each actor who starts, pauses, resumes, and cancels', async () => {
    const shop = await sandbox()
    const campaigns = await campaignsOf(parley, shop)
    await makeContacts(shop, 3)
    // Two people wait for another day, so that the campaign stays running.
    await allowNewRecipients(parley, shop, 1)
    const { id } = (await campaigns.create({ confirmNewRecipients: true })).body
    // Without room for new recipients today and tomorrow, the campaign runs until it is paused or canceled.
    const days = [0, 1].map((day) => dayOf(new Date(Date.now() + day * DAY_MS), 'Asia/Kolkata'))
    await parley.system((tx) =>
      tx.sql(
        `insert into new_recipient_days (workspace_id, phone_number_id, day, used)
         select $1, $2, day, 1000 from unnest($3::date[]) day`,
        [shop.workspaceId, shop.phoneNumberId, days],
      ),
    )
    for (const action of ['start', 'pause', 'resume'])
      expect((await shop.post(`/broadcasts/${id}/${action}`, {})).status, action).toBe(200)
    expect((await shop.delete(`/broadcasts/${id}`)).status).toBe(200)
    const { activity } = (await shop.get('/activity')).body
    const entries = activity.filter((entry: { kind: string }) => entry.kind.startsWith('broadcast.'))
    expect(entries.map((entry: { kind: string }) => entry.kind)).toEqual([
      'broadcast.cancelled',
      'broadcast.resumed',
      'broadcast.paused',
      'broadcast.started',
      'broadcast.new_recipients_confirmed',
    ])
    expect(entries.at(-1)).toMatchObject({
      actor: { kind: 'key' },
      data: { broadcastId: id, name: 'Lights', newRecipients: 3 },
    })
  })

  test('the actor who scheduled a campaign is recorded, because it starts automatically', async () => {
    const shop = await sandbox()
    const campaigns = await campaignsOf(parley, shop)
    await makeContacts(shop, 1, { optInStatus: 'opted_in' })
    const { now } = (await shop.get('/sandbox/clock')).body
    const scheduledAt = new Date(Date.parse(now) + 600_000).toISOString()
    const { id } = (await campaigns.create({ scheduledAt })).body
    await shop.advance(700)
    expect((await campaigns.of(id)).status).toBe('completed')
    const { activity } = (await shop.get('/activity')).body
    expect(activity.filter((entry: { kind: string }) => entry.kind.startsWith('broadcast.'))).toMatchObject([
      { kind: 'broadcast.scheduled', actor: { kind: 'key' }, data: { broadcastId: id, scheduledAt } },
    ])
  })

  test('the actor who confirmed is recorded, even if a draft gets its new recipients only later', async () => {
    const shop = await sandbox()
    const campaigns = await campaignsOf(parley, shop)
    const { id } = (await campaigns.create({ confirmNewRecipients: true })).body
    await makeContacts(shop, 2)
    expect((await shop.post(`/broadcasts/${id}/start`)).body).toMatchObject({ newRecipients: 2 })
    const { activity } = (await shop.get('/activity?kind=broadcast.new_recipients_confirmed')).body
    expect(activity).toMatchObject([{ data: { broadcastId: id, newRecipients: 0 } }])
  })

  test('knownOnly needs no confirmation, and a failed creation leaves no entry', async () => {
    const shop = await sandbox()
    const campaigns = await campaignsOf(parley, shop)
    await makeContacts(shop, 2)
    expect((await campaigns.create({ sendNow: true })).status).toBe(409)
    await campaigns.create({ confirmNewRecipients: true, knownOnly: true })
    const { activity } = (await shop.get('/activity')).body
    expect(activity.filter((entry: { kind: string }) => entry.kind.startsWith('broadcast.'))).toEqual([])
  })
})

describe('the expected cost of a preview', () => {
  const costOf = async (shop: TestWorkspace, templateId: string, overrides: object = {}) => {
    const answer = await shop.post('/broadcasts/preview', planOf(shop, templateId, overrides))
    expect(answer.status, answer.text).toBe(200)
    const { currency, cost, costByMarket } = answer.body
    return { currency, cost, costByMarket }
  }

  test('each recipient costs the rate of their country and of the category; recipients without a rate are unpriced', async () => {
    const shop = await sandbox()
    const templateId = await approvedTemplate(parley, shop)
    await makeContacts(shop, 4, { optInStatus: 'opted_in' })
    await makeContacts(shop, 2, { optInStatus: 'opted_out' }, 10)
    for (const phone of ['+447400123456', '+447400123457', '+14155550123'])
      await shop.post('/contacts', { phone, optInStatus: 'opted_in' })
    await importRates(parley, shop, ['IN,marketing,2026-01-01,882550', 'GB,marketing,2026-01-01,5290000'])
    expect(await costOf(shop, templateId)).toEqual({
      currency: 'INR',
      cost: { messages: 7, free: 0, charged: 6, unpriced: 1, costMinor: 1411, cost: '₹14.11' },
      costByMarket: [
        { market: 'IN', messages: 4, free: 0, charged: 4, unpriced: 0, costMinor: 353, cost: '₹3.53' },
        { market: 'GB', messages: 2, free: 0, charged: 2, unpriced: 0, costMinor: 1058, cost: '₹10.58' },
        { market: 'US', messages: 1, free: 0, charged: 0, unpriced: 1, costMinor: null, cost: null },
      ],
    })
    await importRates(parley, shop, ['*,marketing,2026-01-01,1000000'])
    expect((await costOf(shop, templateId)).cost).toMatchObject({ charged: 7, unpriced: 0, costMinor: 1511 })
  })

  test('the rates of the day of sending apply', async () => {
    const shop = await sandbox()
    const templateId = await approvedTemplate(parley, shop)
    await makeContacts(shop, 1, { optInStatus: 'opted_in' })
    const scheduledAt = new Date(Date.now() + 10 * DAY_MS)
    const later = dayOf(new Date(scheduledAt.getTime() - DAY_MS), 'Asia/Kolkata')
    await importRates(parley, shop, ['IN,marketing,2026-01-01,1000000', `IN,marketing,${later},2000000`])
    expect((await costOf(shop, templateId)).cost.costMinor).toBe(100)
    expect((await costOf(shop, templateId, { scheduledAt: scheduledAt.toISOString() })).cost.costMinor).toBe(
      200,
    )
  })

  test('a utility template is free for customers whose window is open when it is sent', async () => {
    const shop = await sandbox()
    const templateId = await approvedTemplate(parley, shop, { name: 'notice', category: 'UTILITY' })
    const offerId = await approvedTemplate(parley, shop)
    await makeContacts(shop, 2, { optInStatus: 'opted_in' })
    await shop.inbound('+919000000000', 'Hello')
    await importRates(parley, shop, ['IN,utility,2026-01-01,1000000', 'IN,marketing,2026-01-01,1000000'])
    expect((await costOf(shop, templateId)).cost).toMatchObject({ free: 1, charged: 1, costMinor: 100 })
    expect((await costOf(shop, offerId)).cost).toMatchObject({ free: 0, charged: 2 })
    const scheduledAt = new Date(Date.now() + 2 * DAY_MS).toISOString()
    expect((await costOf(shop, templateId, { scheduledAt })).cost).toMatchObject({ free: 0, charged: 2 })
  })

  test('a list of contacts counts each recipient once, without those at the marketing limit', async () => {
    const shop = await sandbox()
    const campaigns = await campaignsOf(parley, shop)
    const contactIds = await makeContacts(shop, 3, { optInStatus: 'opted_in' })
    await importRates(parley, shop, ['*,marketing,2026-01-01,1000000'])
    const first = { segment: { contactIds: contactIds.slice(0, 1) } }
    for (let sent = 0; sent < 10; sent++) {
      const preview = await shop.post('/broadcasts/preview', planOf(shop, campaigns.templateId, first))
      if (preview.body.audience.willSend === 0) break
      await campaigns.create({ ...first, sendNow: true })
      await shop.advance(5)
    }
    const listed = { segment: { contactIds: [...contactIds, contactIds[1]] } }
    const preview = await shop.post('/broadcasts/preview', planOf(shop, campaigns.templateId, listed))
    expect(preview.body).toMatchObject({
      audience: { willSend: 2, reasons: { marketing_cap: 1, duplicate: 1 } },
      cost: { messages: 2, charged: 2, costMinor: 200 },
    })
  })

  test('a key without billing:read gets no cost', async () => {
    const shop = await sandbox()
    const templateId = await approvedTemplate(parley, shop)
    await makeContacts(shop, 1, { optInStatus: 'opted_in' })
    const narrowed = await shop.as('agent', { scopes: ['broadcasts:read', 'broadcasts:write'] })
    const answer = await narrowed.post('/broadcasts/preview', planOf(shop, templateId))
    expect(answer.body).toMatchObject({ currency: null, cost: null, costByMarket: [] })
  })
})
