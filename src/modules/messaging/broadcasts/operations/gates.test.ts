import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Body, boot, type TestParley, type TestWorkspace } from '../../../../../test/support/boot.ts'
import {
  allowNewRecipients,
  approvedTemplate,
  campaignsOf,
  makeContacts,
} from '../../../../../test/support/campaigns.ts'
import { everythingOf } from '../../../../../test/support/records.ts'

let parley: TestParley
beforeAll(async () => {
  parley = await boot()
})
afterAll(() => parley.close())

const DAY = 86_400
const sandbox = () => parley.workspace({ sandbox: true })

/**
 * Returns the refusal, after checking that it stores nothing and has the counts of new and known recipients.
 */
async function refusal(
  shop: TestWorkspace,
  send: () => Promise<{ status: number; body: Body }>,
): Promise<Body> {
  const before = await everythingOf(parley, shop.workspaceId)
  const { status, body } = await send()
  expect(body).toMatchObject({
    message: expect.any(String),
    newRecipients: expect.any(Number),
    knownRecipients: expect.any(Number),
  })
  expect(await everythingOf(parley, shop.workspaceId)).toEqual(before)
  return {
    status,
    error: body.error,
    newRecipients: body.newRecipients,
    knownRecipients: body.knownRecipients,
  }
}

const setNumber = (shop: TestWorkspace, state: string) =>
  parley.system((tx) =>
    tx.sql('update phone_numbers set state = $2 where workspace_id = $1', [shop.workspaceId, state]),
  )

describe('errors before anything is stored, each with message, newRecipients, and knownRecipients', () => {
  test('409 number_banned / sending_blocked', async () => {
    const shop = await sandbox()
    const campaigns = await campaignsOf(parley, shop)
    await makeContacts(shop, 2)
    for (const error of ['number_banned', 'sending_blocked']) {
      await setNumber(shop, error)
      const refused = await refusal(shop, () => campaigns.create({ sendNow: true }))
      // The state of the number is checked before the other gates.
      expect(refused).toEqual({ status: 409, error, newRecipients: 2, knownRecipients: 0 })
    }
  })

  test('blank template variable', async () => {
    const shop = await sandbox()
    const campaigns = await campaignsOf(parley, shop, { text: 'Lights for {{1}} only.' })
    await makeContacts(shop, 2, { optInStatus: 'opted_in' })
    const body = (text: string) => ({ components: [{ type: 'body', parameters: [{ type: 'text', text }] }] })
    for (const variables of [undefined, {}, body(''), body('  ')]) {
      const refused = await refusal(shop, () => campaigns.create({ variables, sendNow: true }))
      const error = 'invalid_template_parameters'
      expect(refused).toEqual({ status: 400, error, newRecipients: 0, knownRecipients: 2 })
    }
    expect((await campaigns.create({ variables: body('10 rupees') })).status).toBe(201)
  })

  test('allowance used up', async () => {
    const shop = await sandbox()
    const campaigns = await campaignsOf(parley, shop)
    await makeContacts(shop, 3, { optInStatus: 'opted_in' })
    await shop.set({ messageAllowance: 2 })
    const refused = await refusal(shop, () => campaigns.create({ sendNow: true }))
    expect(refused).toEqual({ status: 402, error: 'quota_exceeded', newRecipients: 0, knownRecipients: 3 })
    await shop.set({ messageAllowance: 3 })
    expect((await campaigns.create({ sendNow: true })).status).toBe(201)
    await shop.advance(10)
    expect((await campaigns.create({ sendNow: true })).body.error).toBe('quota_exceeded')
  })

  test('422 notice_to_new_recipients', async () => {
    const shop = await sandbox()
    const campaigns = await campaignsOf(parley, shop, { category: 'UTILITY' })
    await makeContacts(shop, 2)
    await makeContacts(shop, 1, { optInStatus: 'opted_in' }, 500)
    const refused = await refusal(shop, () => campaigns.create({ confirmNewRecipients: true }))
    const error = 'notice_to_new_recipients'
    expect(refused).toEqual({ status: 422, error, newRecipients: 2, knownRecipients: 1 })
    // knownOnly is always accepted; the others are listed as skipped.
    const { body } = await campaigns.create({ knownOnly: true, sendNow: true })
    expect(body).toMatchObject({ audience: { matched: 3, willSend: 1, suppressed: 2 }, newRecipients: 0 })
    await shop.advance(30)
    const people = await campaigns.people(body.id, '&status=skipped')
    expect([...people.values()].map((person) => person.reason)).toEqual(['known_only', 'known_only'])
  })

  test('422 follow_up_notice_template: a follow-up to a marketing campaign must use a marketing template', async () => {
    const shop = await sandbox()
    const campaigns = await campaignsOf(parley, shop)
    await makeContacts(shop, 2, { optInStatus: 'opted_in' })
    const first = (await campaigns.create({ sendNow: true })).body.id
    await shop.advance(2 * DAY)
    const templateId = await approvedTemplate(parley, shop, { name: 'notice', category: 'UTILITY' })
    const refused = await refusal(shop, () => campaigns.create({ templateId, followUpOf: first }))
    const error = 'follow_up_notice_template'
    expect(refused).toEqual({ status: 422, error, newRecipients: 0, knownRecipients: 2 })
    expect((await campaigns.create({ followUpOf: first })).status).toBe(201)
  })

  test('409 new_recipients_unconfirmed', async () => {
    const shop = await sandbox()
    const campaigns = await campaignsOf(parley, shop)
    await makeContacts(shop, 2)
    const refused = await refusal(shop, () => campaigns.create({ sendNow: true }))
    const error = 'new_recipients_unconfirmed'
    expect(refused).toEqual({ status: 409, error, newRecipients: 2, knownRecipients: 0 })
    const confirmed = await campaigns.create({ confirmNewRecipients: true, sendNow: true })
    expect(confirmed.body).toMatchObject({ status: 'running', newRecipients: 2 })
  })

  test('409 new_recipient_cool_off: a new recipient who did not answer gets no other campaign for seven days', async () => {
    const shop = await sandbox()
    const campaigns = await campaignsOf(parley, shop)
    const [, answering] = await makeContacts(shop, 2)
    const confirmed = { confirmNewRecipients: true, sendNow: true }
    expect((await campaigns.create(confirmed)).status).toBe(201)
    await shop.advance(2 * DAY)
    await shop.inbound('+919000000001', 'Yes, please')
    const refused = await refusal(shop, () => campaigns.create(confirmed))
    const error = 'new_recipient_cool_off'
    expect(refused).toEqual({ status: 409, error, newRecipients: 1, knownRecipients: 1 })
    // A person who answered can be messaged, and so can all known people with knownOnly.
    expect((await campaigns.create({ segment: { contactIds: [answering] } })).status).toBe(201)
    expect((await campaigns.create({ knownOnly: true })).status).toBe(201)
    await shop.advance(5 * DAY + 60)
    expect((await campaigns.create(confirmed)).status).toBe(201)
  })

  test('409 new_recipient_cool_off: of campaigns created together for the same people, one is an error', async () => {
    const shop = await sandbox()
    const campaigns = await campaignsOf(parley, shop)
    const vips = await makeContacts(shop, 3, { tags: ['vip'] })
    await makeContacts(shop, 2, { tags: ['new'] }, 500)
    const segments = [{ tags: ['vip'] }, { contactIds: vips.slice(1) }, {}]
    const confirmed = { confirmNewRecipients: true, sendNow: true }
    const answers = await Promise.all([
      ...segments.map((segment) => campaigns.create({ ...confirmed, segment })),
      // These people are in none of the other campaigns.
      campaigns.create({ ...confirmed, segment: { excludeTags: ['vip'], tags: ['new'] } }),
    ])
    const refused = answers.filter(({ body }) => body.error === 'new_recipient_cool_off')
    const created = answers.filter(({ status }) => status === 201)
    expect(refused.length + created.length).toBe(4)
    await shop.advance(60)
    const { messages } = (await shop.get('/messages?limit=100')).body
    const people: string[] = messages.map((message: Body) => message.contactId)
    expect(new Set(people).size, 'nobody is written to twice').toBe(people.length)
    const promised = created.reduce((sum, { body }) => sum + body.audience.willSend, 0)
    expect(people, 'what was accepted is what was sent').toHaveLength(promised)
  })

  test('409 new_recipient_cool_off: other campaigns cannot reach a person who waits for their day in a running campaign', async () => {
    const shop = await sandbox()
    const campaigns = await campaignsOf(parley, shop)
    await allowNewRecipients(parley, shop, 2)
    await makeContacts(shop, 5)
    const confirmed = { confirmNewRecipients: true, sendNow: true }
    const { id } = (await campaigns.create(confirmed)).body
    await shop.advance(60)
    const waiting = [...(await campaigns.people(id, '&status=waiting')).keys()]
    const [first, ...others] = waiting
    const request = { ...confirmed, segment: { contactIds: [first] } }
    const refused = await refusal(shop, () => campaigns.create(request))
    const error = 'new_recipient_cool_off'
    expect(refused).toEqual({ status: 409, error, newRecipients: 1, knownRecipients: 0 })
    // While it is paused, another campaign may reach the person first; then this one skips them.
    await shop.post(`/broadcasts/${id}/pause`)
    expect((await campaigns.create(request)).status).toBe(201)
    await shop.advance(DAY)
    await shop.post(`/broadcasts/${id}/resume`)
    await shop.advance(2 * DAY)
    expect(await campaigns.of(id)).toMatchObject({
      status: 'completed',
      counts: { recipients: 5, queued: 4, skipped: 1 },
    })
    const skipped = await campaigns.people(id, '&status=skipped')
    expect([...skipped.values()]).toMatchObject([{ contactId: first, reason: 'cool_off' }])
    expect(others).toHaveLength(2)
  })

  test('409 follow_up_too_soon', async () => {
    const shop = await sandbox()
    const campaigns = await campaignsOf(parley, shop)
    await makeContacts(shop, 2, { optInStatus: 'opted_in' })
    const { id } = (await campaigns.create()).body
    const error = 'follow_up_too_soon'
    const refused = { status: 409, error, newRecipients: 0, knownRecipients: 2 }
    expect(await refusal(shop, () => campaigns.create({ followUpOf: id }))).toEqual(refused)
    await shop.post(`/broadcasts/${id}/start`)
    await shop.advance(DAY - 60)
    expect(await refusal(shop, () => campaigns.create({ followUpOf: id }))).toEqual(refused)
    await shop.advance(120)
    expect((await campaigns.create({ followUpOf: id })).status).toBe(201)
  })

  test('409 follow_up_too_soon: a scheduled follow-up uses its scheduled time; starting it earlier uses the current time', async () => {
    const shop = await sandbox()
    const campaigns = await campaignsOf(parley, shop)
    await makeContacts(shop, 2, { optInStatus: 'opted_in' })
    const { id: followUpOf } = (await campaigns.create({ sendNow: true })).body
    await shop.advance(60)
    const completedAt = Date.parse((await campaigns.of(followUpOf)).completedAt)
    const planned = (seconds: number, leader = followUpOf) =>
      campaigns.create({
        followUpOf: leader,
        scheduledAt: new Date(completedAt + seconds * 1_000).toISOString(),
      })
    const error = 'follow_up_too_soon'
    const refused = { status: 409, error, newRecipients: 0, knownRecipients: 2 }
    expect(await refusal(shop, () => planned(DAY - 1))).toEqual(refused)
    const { status, body } = await planned(DAY)
    expect([status, body.status]).toEqual([201, 'scheduled'])
    expect(await refusal(shop, () => shop.post(`/broadcasts/${body.id}/start`))).toEqual(refused)
    await shop.advance(DAY + 60)
    expect(await campaigns.of(body.id)).toMatchObject({ status: 'completed', counts: { queued: 2 } })
    // The time at which an unfinished campaign will end is unknown.
    const draft = (await campaigns.create()).body.id
    expect(await refusal(shop, () => planned(10 * DAY, draft))).toEqual(refused)
  })

  test('409 follow_up_too_soon: knownOnly is always accepted, with a marketing template', async () => {
    const shop = await sandbox()
    const campaigns = await campaignsOf(parley, shop)
    await makeContacts(shop, 2, { optInStatus: 'opted_in' })
    const [draft, cancelled] = [(await campaigns.create()).body.id, (await campaigns.create()).body.id]
    await shop.delete(`/broadcasts/${cancelled}`)
    const completed = (await campaigns.create({ sendNow: true })).body.id
    await shop.advance(60)
    for (const followUpOf of [draft, cancelled, completed]) {
      expect((await campaigns.create({ followUpOf })).body.error).toBe('follow_up_too_soon')
      expect((await campaigns.create({ followUpOf, knownOnly: true })).status).toBe(201)
    }
    const templateId = await approvedTemplate(parley, shop, { name: 'notice', category: 'UTILITY' })
    const notice = { followUpOf: completed, knownOnly: true, templateId }
    expect((await campaigns.create(notice)).body.error).toBe('follow_up_notice_template')
  })

  test('a campaign that was canceled before it started cannot be followed, and the error says so', async () => {
    const shop = await sandbox()
    const campaigns = await campaignsOf(parley, shop)
    const { id } = (await campaigns.create()).body
    await shop.delete(`/broadcasts/${id}`)
    await shop.advance(2 * DAY)
    const refused = await campaigns.create({ followUpOf: id })
    expect(refused.body.error).toBe('follow_up_too_soon')
    expect(refused.body.message).toMatch(/canceled before it started/)
  })

  test('the limits of the gates are settings of the workspace and of its number', async () => {
    const shop = await sandbox()
    const campaigns = await campaignsOf(parley, shop)
    await makeContacts(shop, 5)
    await allowNewRecipients(parley, shop, 2)
    await shop.set({ coolOffDays: 3, followUpHours: 6, marketingCap: 1 })
    const confirmed = { confirmNewRecipients: true, sendNow: true }
    const preview = await shop.post('/broadcasts/preview', {
      templateId: campaigns.templateId,
      phoneNumberId: shop.phoneNumberId,
      segment: {},
    })
    expect(preview.body.forecast).toMatchObject({ days: 3, newRecipientsADay: 2 })
    const first = (await campaigns.create(confirmed)).body.id
    await shop.advance(60)
    expect((await campaigns.of(first)).counts).toMatchObject({ queued: 2, waiting: 3 })
    // A larger allowance applies on the same day.
    await allowNewRecipients(parley, shop, 1_000)
    await shop.advance(2 * DAY + 60)
    expect(await campaigns.of(first)).toMatchObject({ status: 'completed', counts: { queued: 5 } })

    const createAgain = async (overrides: object = {}) =>
      (await campaigns.create({ ...confirmed, ...overrides })).body
    expect(await createAgain({ knownOnly: true, followUpOf: first })).toMatchObject({ status: 'running' })
    expect((await createAgain()).error).toBe('new_recipient_cool_off')
    await shop.set({ coolOffDays: 0 })
    expect(await createAgain()).toMatchObject({ audience: { willSend: 5 } })
    await shop.advance(60)
    expect(await createAgain(), 'one marketing message a day').toMatchObject({
      audience: { matched: 5, willSend: 0, suppressed: 5 },
    })
    await shop.set({ marketingCap: 2 })
    expect(await createAgain()).toMatchObject({ audience: { willSend: 5 } })
  })

  test('a template that is not approved returns the operator’s code', async () => {
    const shop = await sandbox()
    const campaigns = await campaignsOf(parley, shop)
    await parley.system((tx) =>
      tx.sql(`update templates set status = 'paused' where workspace_id = $1`, [shop.workspaceId]),
    )
    expect((await campaigns.create({ sendNow: true })).body).toMatchObject({
      error: 'meta_error',
      code: 132015,
    })
  })

  test('a draft passes the gates again when it starts', async () => {
    const shop = await sandbox()
    const campaigns = await campaignsOf(parley, shop)
    const { id } = (await campaigns.create()).body
    await makeContacts(shop, 2)
    const refused = await refusal(shop, () => shop.post(`/broadcasts/${id}/start`))
    expect(refused).toMatchObject({ error: 'new_recipients_unconfirmed', newRecipients: 2 })
    const started = await shop.post(`/broadcasts/${id}/start`, { confirmNewRecipients: true })
    expect(started.body).toMatchObject({ status: 'running', newRecipients: 2 })
  })
})
