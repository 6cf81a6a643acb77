import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Body, boot, type TestParley } from '../../../../../test/support/boot.ts'
import { campaignsOf, makeContacts } from '../../../../../test/support/campaigns.ts'
import { planOf } from '../../../../../test/support/plans.ts'
import { eventsOf, everythingOf } from '../../../../../test/support/records.ts'
import { until } from '../../../../../test/support/until.ts'
import { listBroadcastRows } from '../queries/broadcasts.ts'

let parley: TestParley
beforeAll(async () => {
  parley = await boot()
})
afterAll(() => parley.close())

const sandbox = () => parley.workspace({ sandbox: true })

describe('POST /broadcasts', () => {
  test('with sendNow: running; broadcast.completed when all recipients are queued, skipped or excluded', async () => {
    const shop = await sandbox()
    const campaigns = await campaignsOf(parley, shop)
    const ids = await makeContacts(shop, 5, { optInStatus: 'opted_in' })
    await shop.patch(`/contacts/${ids[4]}`, { optInStatus: 'opted_out' })
    const created = await campaigns.create({ sendNow: true })
    expect(created.status, created.text).toBe(201)
    expect(created.body).toEqual({
      id: expect.any(String),
      status: 'running',
      audience: { matched: 5, willSend: 4, suppressed: 1 },
      newRecipients: 0,
    })
    const campaign = await until(async () => {
      await shop.advance(60)
      const campaign = await campaigns.of(created.body.id)
      return campaign.counts.read === 4 && campaign
    }, 'all recipients have read it')
    expect(campaign).toMatchObject({ status: 'completed', progress: 100, pausedReason: null })
    expect(campaign.counts).toEqual({
      recipients: 5,
      waiting: 0,
      queued: 4,
      sent: 4,
      delivered: 4,
      read: 4,
      failed: 0,
      skipped: 1,
    })
    const people = await campaigns.people(created.body.id)
    expect([...people.keys()].sort()).toEqual([...ids].sort())
    expect(people.get(ids[4]!)).toMatchObject({ status: 'skipped', reason: 'opted_out', messageId: null })
    expect(people.get(ids[0]!)).toMatchObject({ status: 'read', reason: null, messageId: expect.any(String) })
    const reported = (await eventsOf(parley, shop.workspaceId)).filter(
      ({ name }) => name === 'broadcast.completed',
    )
    expect(reported.map(({ data }) => data)).toEqual([
      {
        broadcastId: created.body.id,
        name: 'Lights',
        templateName: 'offer',
        totals: expect.objectContaining({ queued: 4, skipped: 1 }),
        recipients: 5,
        startedAt: campaign.startedAt,
        completedAt: campaign.completedAt,
      },
    ])
    const events = await eventsOf(parley, shop.workspaceId)
    expect(events.filter(({ name }) => name === 'message.failed')).toEqual([])
  })

  test('with scheduledAt: scheduled, and it starts at its time', async () => {
    const shop = await sandbox()
    const campaigns = await campaignsOf(parley, shop)
    await makeContacts(shop, 3, { optInStatus: 'opted_in' })
    const { now } = (await shop.get('/sandbox/clock')).body
    const scheduledAt = new Date(Date.parse(now) + 3_600_000).toISOString()
    const { body } = await campaigns.create({ scheduledAt })
    expect(body.status).toBe('scheduled')
    await shop.advance(3_590)
    expect(await campaigns.of(body.id)).toMatchObject({ status: 'scheduled', startedAt: null, progress: 0 })
    await shop.advance(30)
    expect(await campaigns.of(body.id)).toMatchObject({ status: 'completed', counts: { queued: 3 } })
  })

  test('with neither: a draft, which can be started', async () => {
    const shop = await sandbox()
    const campaigns = await campaignsOf(parley, shop)
    await makeContacts(shop, 3, { optInStatus: 'opted_in' })
    const { body } = await campaigns.create()
    expect(body.status).toBe('draft')
    await shop.advance(3_600)
    expect(await campaigns.of(body.id)).toMatchObject({ status: 'draft', counts: { recipients: 0 } })
    const started = await shop.post(`/broadcasts/${body.id}/start`)
    expect([started.status, started.body.status]).toEqual([200, 'running'])
    await shop.advance(30)
    expect(await campaigns.of(body.id)).toMatchObject({ status: 'completed', counts: { queued: 3 } })
    expect((await shop.post(`/broadcasts/${body.id}/start`)).status).toBe(409)
  })

  test('a draft to a list of contacts goes to those who still exist when it starts', async () => {
    const shop = await sandbox()
    const campaigns = await campaignsOf(parley, shop)
    const contactIds = await makeContacts(shop, 3, { optInStatus: 'opted_in' })
    const { body } = await campaigns.create({ segment: { contactIds } })
    await shop.delete(`/contacts/${contactIds[0]}`)
    const started = await shop.post(`/broadcasts/${body.id}/start`)
    expect(started.status, started.text).toBe(200)
    expect(started.body.audience).toEqual({ matched: 2, willSend: 2, suppressed: 0 })
    await shop.advance(30)
    expect([...(await campaigns.people(body.id)).keys()]).toEqual(contactIds.slice(1))
  })

  test('a draft whose template was deleted cannot be started: 409 with this reason', async () => {
    const shop = await sandbox()
    const campaigns = await campaignsOf(parley, shop)
    await makeContacts(shop, 1, { optInStatus: 'opted_in' })
    const { body } = await campaigns.create()
    await shop.delete(`/templates/${campaigns.templateId}`)
    const refused = await shop.post(`/broadcasts/${body.id}/start`)
    expect([refused.status, refused.body.error]).toEqual([409, 'conflict'])
    expect(refused.body.message).toBe('The template was deleted.')
    expect((await campaigns.of(body.id)).status).toBe('draft')
  })

  test('an empty list of contacts selects no one', async () => {
    const shop = await sandbox()
    const campaigns = await campaignsOf(parley, shop)
    await makeContacts(shop, 2, { optInStatus: 'opted_in' })
    const { body } = await campaigns.create({ segment: { contactIds: [] }, sendNow: true })
    expect(body.audience).toEqual({ matched: 0, willSend: 0, suppressed: 0 })
    await shop.advance(10)
    expect(await campaigns.of(body.id)).toMatchObject({ status: 'completed', counts: { recipients: 0 } })
  })

  test('an invalid body returns 400 naming the field, and nothing is stored', async () => {
    const shop = await sandbox()
    const campaigns = await campaignsOf(parley, shop)
    const before = await everythingOf(parley, shop.workspaceId)
    const past = '2020-01-01T00:00:00Z'
    const invalidPlans: [object, string][] = [
      [{ name: '' }, 'name'],
      [{ name: 'x'.repeat(201) }, 'name'],
      [{ templateId: 'x' }, 'templateId'],
      [{ phoneNumberId: 7 }, 'phoneNumberId'],
      [{ segment: { tag: ['x'] } }, 'segment'],
      [{ sendNow: true, scheduledAt: '2099-01-01T00:00:00Z' }, 'scheduledAt'],
      [{ scheduledAt: past }, 'scheduledAt'],
      [{ variables: { components: [{ type: 'body' }], more: 1 } }, 'variables'],
    ]
    for (const [overrides, path] of invalidPlans) {
      const answer = await campaigns.create(overrides)
      expect([answer.status, answer.body.error], answer.text).toEqual([400, 'invalid'])
      expect(answer.body.issues[0].path).toContain(path)
    }
    expect(await everythingOf(parley, shop.workspaceId)).toEqual(before)
  })

  test('references must exist in the workspace', async () => {
    const shop = await sandbox()
    const campaigns = await campaignsOf(parley, shop)
    const [elsewhere, neighbor] = [crypto.randomUUID(), await sandbox()]
    for (const overrides of [
      { templateId: elsewhere },
      { templateId: (await campaignsOf(parley, neighbor)).templateId },
      { phoneNumberId: neighbor.phoneNumberId },
      { followUpOf: elsewhere },
      { segment: { contactIds: await makeContacts(neighbor, 1) } },
    ])
      expect((await campaigns.create(overrides)).body.error).toBe('invalid_reference')
  })

  test('ids in capital letters are the same ids', async () => {
    const shop = await sandbox()
    const campaigns = await campaignsOf(parley, shop)
    const [contactId] = await makeContacts(shop, 1, { optInStatus: 'opted_in' })
    const created = await campaigns.create({
      templateId: campaigns.templateId.toUpperCase(),
      phoneNumberId: shop.phoneNumberId!.toUpperCase(),
      segment: { contactIds: [contactId!.toUpperCase()] },
    })
    expect(created.status, created.text).toBe(201)
    const { id } = created.body
    expect(await campaigns.of(id.toUpperCase())).toMatchObject({
      id,
      templateId: campaigns.templateId,
      phoneNumberId: shop.phoneNumberId,
    })
  })
})

describe('GET /broadcasts', () => {
  test('a list by state uses an index, regardless of the number of campaigns in other states', async () => {
    const shop = await sandbox()
    const campaigns = await campaignsOf(parley, shop)
    const drafts = [(await campaigns.create()).body.id, (await campaigns.create()).body.id]
    await campaigns.create({ scheduledAt: new Date(Date.now() + 3_600_000).toISOString() })
    await parley.system((tx) =>
      tx.sql(
        `insert into broadcasts select (jsonb_populate_record(b, jsonb_build_object('id', gen_random_uuid(), 'status', 'completed'))).*
         from broadcasts b, generate_series(1, 3000) where b.id = $1`,
        [drafts[0]],
      ),
    )
    await parley.system((tx) => tx.sql('analyze broadcasts'))
    const shown = (await shop.get('/broadcasts?status=draft&limit=2')).body
    expect(shown).toMatchObject({ nextCursor: null })
    expect(shown.broadcasts.map((broadcast: Body) => broadcast.id)).toEqual(drafts.toReversed())
    const plans = await parley.system(async (tx) => ({
      inState: await planOf(tx, shop.workspaceId, (ctx) =>
        listBroadcastRows(ctx, { limit: 50, cursor: drafts[0], status: 'draft' }),
      ),
      all: await planOf(tx, shop.workspaceId, (ctx) => listBroadcastRows(ctx, { limit: 50 })),
    }))
    expect(plans.inState).toMatch(
      /Index Scan Backward using broadcasts_status .*\n.*Index Cond: .*workspace_id.*status.*id < /,
    )
    expect(plans.all).toMatch(/Index Scan Backward using broadcasts_pkey/)
    for (const plan of Object.values(plans)) expect(plan).not.toMatch(/Sort|Filter/)
  })
})
