/**
 * Scheduled campaigns whose template, audience, or number changes before their time (DECISIONS.md "Gates").
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { boot, type TestParley, type TestWorkspace } from '../../../../../test/support/boot.ts'
import { campaignsOf, makeContacts } from '../../../../../test/support/campaigns.ts'

let parley: TestParley
beforeAll(async () => {
  parley = await boot()
})
afterAll(() => parley.close())

const sandbox = () => parley.workspace({ sandbox: true, plan: 'unlimited' })
const optedIn = { optInStatus: 'opted_in' }

/** Returns the sandbox's time in a number of seconds. */
async function inSeconds(shop: TestWorkspace, seconds: number): Promise<string> {
  const { now } = (await shop.get('/sandbox/clock')).body
  return new Date(Date.parse(now) + seconds * 1_000).toISOString()
}

/** Changes the workspace's templates, as the operator does. */
const templates = (shop: TestWorkspace, change: string, ...values: unknown[]) =>
  parley.system((tx) =>
    tx.sql(`update templates set ${change} where workspace_id = $1`, [shop.workspaceId, ...values]),
  )

const body = (text: string) => JSON.stringify([{ type: 'BODY', text }])

describe('planning a campaign', () => {
  const days = (count: number) => count * 86_400

  test('the cool-off looks back from the scheduled time: a new recipient can be planned for the end of their cool-off', async () => {
    const shop = await sandbox()
    const campaigns = await campaignsOf(parley, shop)
    await makeContacts(shop, 2)
    const confirmed = { confirmNewRecipients: true }
    await campaigns.create({ ...confirmed, sendNow: true })
    await shop.advance(60)
    const planned = async (seconds: number) =>
      campaigns.create({ ...confirmed, scheduledAt: await inSeconds(shop, seconds) })
    expect((await planned(days(6.9))).body.error).toBe('new_recipient_cool_off')
    const created = await planned(days(7))
    expect(created).toMatchObject({ status: 201, body: { status: 'scheduled', newRecipients: 2 } })
    const early = await shop.post(`/broadcasts/${created.body.id}/start`)
    expect(early.body.error, 'before its time').toBe('new_recipient_cool_off')
    await shop.advance(days(7) + 60)
    expect((await campaigns.of(created.body.id)).counts).toMatchObject({ queued: 2, skipped: 0 })
  })

  test("the cool-off is checked again when a person's turn comes", async () => {
    const shop = await sandbox()
    const campaigns = await campaignsOf(parley, shop)
    await makeContacts(shop, 2)
    const confirmed = { confirmNewRecipients: true }
    const { id } = (await campaigns.create({ ...confirmed, scheduledAt: await inSeconds(shop, days(10)) }))
      .body
    await shop.advance(days(5))
    expect((await campaigns.create({ ...confirmed, sendNow: true })).status).toBe(201)
    await shop.advance(days(5) + 60)
    expect((await campaigns.of(id)).counts).toMatchObject({ queued: 0, skipped: 2 })
  })

  test('the marketing cap uses the scheduled time, lastSeenWithinDays the current time', async () => {
    const shop = await sandbox()
    const campaigns = await campaignsOf(parley, shop)
    await makeContacts(shop, 2, optedIn)
    await shop.set({ marketingCap: 1 })
    const now = (await campaigns.create({ sendNow: true })).body.id
    await shop.advance(60)
    expect((await campaigns.of(now)).counts).toMatchObject({ queued: 2 })
    const { templateId } = campaigns
    const audience = async (seconds: number, segment: object = {}) => {
      const scheduledAt = await inSeconds(shop, seconds)
      const plan = { templateId, phoneNumberId: shop.phoneNumberId, segment, scheduledAt }
      const [preview, created] = [
        (await shop.post('/broadcasts/preview', plan)).body,
        (await campaigns.create({ segment, scheduledAt })).body,
      ]
      expect(preview.audience).toMatchObject(created.audience)
      return created.audience
    }
    expect(await audience(days(0.9))).toEqual({ matched: 2, willSend: 0, suppressed: 2 })
    expect(await audience(days(10))).toEqual({ matched: 2, willSend: 2, suppressed: 0 })
    await shop.inbound('+919000000001', 'Hello')
    expect(await audience(days(10), { lastSeenWithinDays: 1 })).toMatchObject({ matched: 1, willSend: 1 })
  })

  test('the allowance is that of the scheduled month: a used-up allowance does not affect the next month', async () => {
    const shop = await sandbox()
    const campaigns = await campaignsOf(parley, shop)
    await makeContacts(shop, 2, optedIn)
    await shop.set({ messageAllowance: 2 })
    await campaigns.create({ sendNow: true })
    await shop.advance(60)
    const nextMonth = await inSeconds(shop, days(31))
    expect((await campaigns.create({ scheduledAt: await inSeconds(shop, 60) })).body.error).toBe(
      'quota_exceeded',
    )
    const { id } = (await campaigns.create({ scheduledAt: nextMonth })).body
    const early = await shop.post(`/broadcasts/${id}/start`)
    expect(early.body.error, 'in this month').toBe('quota_exceeded')
    await shop.set({ messageAllowance: 1 })
    expect((await campaigns.create({ scheduledAt: nextMonth })).body.error).toBe('quota_exceeded')
    await shop.set({ messageAllowance: 2 })
    await shop.advance(days(31) + 60)
    expect((await campaigns.of(id)).counts).toMatchObject({ queued: 2 })
  })
})

describe('a scheduled campaign at its time', () => {
  test('uses the category that its template has when it starts', async () => {
    const shop = await sandbox()
    const campaigns = await campaignsOf(parley, shop, { name: 'notice', category: 'UTILITY' })
    await makeContacts(shop, 2, optedIn)
    await shop.set({ marketingCap: 1 })
    const [first, second] = [
      (await campaigns.create({ scheduledAt: await inSeconds(shop, 600) })).body.id,
      (await campaigns.create({ scheduledAt: await inSeconds(shop, 1_200) })).body.id,
    ]
    await templates(shop, "category = 'MARKETING'")
    await shop.advance(1_300)
    expect(await campaigns.of(first)).toMatchObject({ category: 'MARKETING', counts: { queued: 2 } })
    expect((await campaigns.of(second)).counts).toMatchObject({ queued: 0, skipped: 2 })
  })

  test('without confirmation, skips new recipients who joined its audience later as known_only', async () => {
    const shop = await sandbox()
    const campaigns = await campaignsOf(parley, shop)
    const segment = { tags: ['vip'] }
    const customers = await makeContacts(shop, 2, { ...optedIn, ...segment })
    const [unconfirmed, confirmed] = [
      (await campaigns.create({ segment, scheduledAt: await inSeconds(shop, 600) })).body.id,
      (
        await campaigns.create({
          segment,
          scheduledAt: await inSeconds(shop, 1_200),
          confirmNewRecipients: true,
        })
      ).body.id,
    ]
    const newRecipients = await makeContacts(shop, 2, segment, 100)
    await shop.advance(1_300)
    const skipped = await campaigns.people(unconfirmed, '&status=skipped')
    expect([...skipped.values()].map(({ contactId, reason }) => [contactId, reason])).toEqual(
      newRecipients.map((id) => [id, 'known_only']),
    )
    expect((await campaigns.of(unconfirmed)).counts).toMatchObject({ queued: customers.length, skipped: 2 })
    expect((await campaigns.of(confirmed)).counts).toMatchObject({ queued: 4, skipped: 0 })
  })

  test("never sends a notice to new recipients, regardless of the template's earlier category", async () => {
    const shop = await sandbox()
    const campaigns = await campaignsOf(parley, shop)
    await makeContacts(shop, 1, optedIn)
    const newRecipients = await makeContacts(shop, 2, {}, 100)
    const scheduledAt = await inSeconds(shop, 600)
    const { id } = (await campaigns.create({ scheduledAt, confirmNewRecipients: true })).body
    await templates(shop, "category = 'UTILITY'")
    await shop.advance(700)
    expect(await campaigns.of(id)).toMatchObject({
      status: 'completed',
      category: 'UTILITY',
      counts: { queued: 1, skipped: 2 },
    })
    expect([...(await campaigns.people(id, '&status=skipped')).keys()]).toEqual(newRecipients)
  })

  test("paused at its time, starts when it is resumed, with the template's category and text of that moment", async () => {
    const shop = await sandbox()
    const campaigns = await campaignsOf(parley, shop, { category: 'UTILITY' })
    await shop.set({ marketingCap: 1 })
    await makeContacts(shop, 2, optedIn)
    const { id } = (await campaigns.create({ scheduledAt: await inSeconds(shop, 600) })).body
    await templates(shop, "status = 'rejected'")
    await shop.advance(700)
    expect(await campaigns.of(id)).toMatchObject({
      status: 'paused',
      pausedReason: 'The template is rejected.',
    })
    expect((await shop.post(`/broadcasts/${id}/resume`)).body.error).toBe('conflict')
    await templates(
      shop,
      "status = 'approved', category = 'MARKETING', components = $2::jsonb",
      body('New lights.'),
    )
    expect((await shop.post(`/broadcasts/${id}/resume`)).body.status).toBe('running')
    await shop.advance(30)
    expect(await campaigns.of(id)).toMatchObject({ category: 'MARKETING', counts: { queued: 2 } })
    const { messages } = (await shop.get('/messages')).body
    expect(JSON.stringify(messages[0])).toContain('New lights.')
    expect((await campaigns.create()).body.audience).toEqual({ matched: 2, willSend: 0, suppressed: 2 })
  })

  test('paused at its time, starts automatically once its template is approved again, but not after a manual pause', async () => {
    const shop = await sandbox()
    const campaigns = await campaignsOf(parley, shop)
    await makeContacts(shop, 2, optedIn)
    const planned = async () => (await campaigns.create({ scheduledAt: await inSeconds(shop, 600) })).body.id
    const [left, stopped] = [await planned(), await planned()]
    await templates(shop, "status = 'paused'")
    await shop.advance(700)
    expect((await campaigns.of(stopped)).pausedReason).toBe('The template is paused.')
    expect((await shop.post(`/broadcasts/${stopped}/pause`)).body.status).toBe('paused')
    expect((await campaigns.of(stopped)).pausedReason).toBeNull()
    await templates(shop, "status = 'approved'")
    await shop.advance(3600)
    expect(await campaigns.of(left)).toMatchObject({ status: 'completed', counts: { queued: 2 } })
    expect(await campaigns.of(stopped)).toMatchObject({ status: 'paused', startedAt: null })
  })

  test('pauses at its time if its template requires a value that it does not have', async () => {
    const shop = await sandbox()
    const campaigns = await campaignsOf(parley, shop)
    await makeContacts(shop, 1, optedIn)
    const { id } = (await campaigns.create({ scheduledAt: await inSeconds(shop, 600) })).body
    await templates(shop, 'components = $2::jsonb', body('Lights for {{1}}.'))
    await shop.advance(700)
    const paused = await campaigns.of(id)
    expect(paused).toMatchObject({ status: 'paused', startedAt: null, counts: { recipients: 0 } })
    expect(paused.pausedReason).toContain('{{1}}')
    expect((await shop.post(`/broadcasts/${id}/resume`)).body).toMatchObject({
      error: 'invalid_template_parameters',
      message: paused.pausedReason,
    })
  })
})
