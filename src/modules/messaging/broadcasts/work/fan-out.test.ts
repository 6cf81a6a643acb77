/** The fan-out of a campaign, with concurrent changes to its recipients (DECISIONS.md "Audiences"). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Body, boot, type TestParley, type TestWorkspace } from '../../../../../test/support/boot.ts'
import { allowNewRecipients, campaignsOf, makeContacts } from '../../../../../test/support/campaigns.ts'
import { eventsOf } from '../../../../../test/support/records.ts'
import { goToTime } from '../../../../../test/support/replies.ts'
import { until } from '../../../../../test/support/until.ts'
import { answerTimes } from '../../../../core/values/answer-times.ts'
import { stepSizes } from './step-size.ts'

const DAY = 86_400

let parley: TestParley
beforeAll(async () => {
  parley = await boot()
})
afterAll(() => parley.close())

/** In the morning, so that no step of a test passes midnight: a day and a month have allowances of their own. */
const sandbox = async () => {
  const shop = await parley.workspace({ sandbox: true, plan: 'unlimited' })
  await goToTime(shop, '10:00')
  return shop
}
const optedIn = { optInStatus: 'opted_in' }

/** Inserts contacts as after an import. */
const insertContacts = (shop: TestWorkspace, count: number) =>
  parley.system((tx) =>
    tx.sql(
      `insert into contacts (workspace_id, id, phone, opt_in_status, created_at, updated_at)
       select $1, ('0197a1b2-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, '+9180' || lpad(n::text, 8, '0'), 'opted_in', $2, $2
       from generate_series(1, $3::int) n`,
      [shop.workspaceId, new Date(), count],
    ),
  )

/** Counts how many messages people got: times, people. */
const writtenCounts = (shop: TestWorkspace) =>
  parley.system((tx) =>
    tx.sql<{ times: number; people: number }>(
      `select times::int4, count(*)::int4 as people from (
         select count(*) as times from messages where workspace_id = $1 and direction = 'outbound' group by contact_id
       ) x group by times order by times`,
      [shop.workspaceId],
    ),
  )

const send = (shop: TestWorkspace, to: string) =>
  shop.post('/send', {
    to,
    type: 'template',
    payload: { type: 'template', template: { name: 'offer', language: { code: 'en_US' } } },
  })

const completed = (shop: TestWorkspace, id: string): Promise<Body> =>
  until(
    async () => {
      const { broadcast } = (await shop.get(`/broadcasts/${id}`)).body
      return broadcast.status === 'completed' && broadcast
    },
    'the campaign is completed',
    45_000,
  )

describe('while a campaign runs', () => {
  test('a chat that the campaign creates stays resolved until the customer writes; an existing chat does not change', async () => {
    const shop = await sandbox()
    const campaigns = await campaignsOf(parley, shop)
    await shop.inbound('+919812345670', 'Hello')
    await makeContacts(shop, 2, { optInStatus: 'opted_in' })
    await campaigns.create({ sendNow: true, confirmNewRecipients: true })
    await shop.advance(60)
    const states = async () =>
      (await shop.get('/conversations')).body.conversations
        .map((conversation: { state: string }) => conversation.state)
        .sort()
    const unassigned = async () => (await shop.get('/conversations/counts')).body.unassigned
    expect([await states(), await unassigned()]).toEqual([['open', 'resolved', 'resolved'], 1])
    const { contacts } = (await shop.get('/contacts')).body
    const answering = contacts.find((contact: { phone: string }) => contact.phone !== '+919812345670')
    await shop.inbound(answering.phone, 'Is it still there?')
    expect([await states(), await unassigned()]).toEqual([['open', 'open', 'resolved'], 2])
  })

  test('a person who reaches the marketing cap before their turn is skipped, not failed', async () => {
    const shop = await sandbox()
    const campaigns = await campaignsOf(parley, shop)
    const ids = await makeContacts(shop, 3, optedIn)
    const { now } = (await shop.get('/sandbox/clock')).body
    const scheduledAt = new Date(Date.parse(now) + 600_000).toISOString()
    const created = await campaigns.create({ scheduledAt })
    expect(created.body.audience).toMatchObject({ willSend: 3 })
    for (const _ of [1, 2]) expect((await send(shop, '+919000000001')).status).toBe(200)
    await shop.advance(700)
    expect((await campaigns.of(created.body.id)).counts).toMatchObject({
      recipients: 3,
      queued: 2,
      skipped: 1,
    })
    const skipped = await campaigns.people(created.body.id, '&status=skipped')
    expect([...skipped.values()]).toMatchObject([
      { contactId: ids[1], reason: 'marketing_cap', messageId: null },
    ])
    const events = await eventsOf(parley, shop.workspaceId)
    expect(events.filter(({ name }) => name === 'message.failed')).toEqual([])
  })

  test('of concurrent campaigns to the same people, at most two reach each person', async () => {
    const shop = await sandbox()
    const campaigns = await campaignsOf(parley, shop)
    await insertContacts(shop, 50)
    const created = await Promise.all([1, 2, 3, 4].map(() => campaigns.create({ sendNow: true })))
    const ends = await Promise.all(created.map(({ body }) => completed(shop, body.id)))
    expect(await writtenCounts(shop)).toEqual([{ times: 2, people: 50 }])
    const total = (name: string) => ends.reduce((sum, { counts }) => sum + counts[name], 0)
    expect({ queued: total('queued'), skipped: total('skipped') }).toEqual({ queued: 100, skipped: 100 })
  })

  test('of campaigns that start together for new recipients, one reaches each person; the daily allowance counts them once', async () => {
    const shop = await sandbox()
    const campaigns = await campaignsOf(parley, shop)
    await allowNewRecipients(parley, shop, 30)
    await makeContacts(shop, 40)
    const { now } = (await shop.get('/sandbox/clock')).body
    const plan = { scheduledAt: new Date(Date.parse(now) + 600_000), confirmNewRecipients: true }
    const created = await Promise.all([1, 2, 3].map(() => campaigns.create(plan)))
    await shop.advance(700)
    expect(await writtenCounts(shop), 'as many as the day allows').toEqual([{ times: 1, people: 30 }])
    await shop.advance(DAY)
    expect(await writtenCounts(shop)).toEqual([{ times: 1, people: 40 }])
    const ends = await Promise.all(created.map(({ body }) => campaigns.of(body.id)))
    expect(ends.map((campaign) => campaign.status)).toEqual(['completed', 'completed', 'completed'])
    const total = (name: string) => ends.reduce((sum, { counts }) => sum + counts[name], 0)
    expect({ queued: total('queued'), skipped: total('skipped') }).toEqual({ queued: 40, skipped: 80 })
    for (const { id } of ends)
      for (const { reason } of (await campaigns.people(id, '&status=skipped')).values())
        expect(reason).toBe('cool_off')
  })

  test('a campaign that waits for a new chat locks no existing chat, so there is no deadlock', async () => {
    const shop = await sandbox()
    const campaigns = await campaignsOf(parley, shop)
    const [existing, started] = await makeContacts(shop, 2, optedIn)
    expect((await send(shop, '+919000000000')).status).toBe(200)
    const id = await parley.system(async (tx) => {
      await tx.sql(
        `insert into conversations (workspace_id, contact_id, phone_number_id, id, created_at, updated_at)
         values ($1, $2, $3, $2, $4, $4)`,
        [shop.workspaceId, started, shop.phoneNumberId, new Date()],
      )
      await tx.sql(
        'insert into conversation_activity (workspace_id, conversation_id, activity_id) values ($1, $2, $2)',
        [shop.workspaceId, started],
      )
      const created = await campaigns.create({ sendNow: true })
      await until(async () => {
        const waiting = await parley.system((other) =>
          other.sql(
            `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()
             and query like '%open_campaign_conversations%'`,
          ),
        )
        return waiting.length > 0
      }, 'the campaign waits for the chat')
      await tx.sql(
        `select from conversation_activity a join conversations c on c.workspace_id = a.workspace_id and c.id = a.conversation_id
         where c.workspace_id = $1 and c.contact_id = $2 for update of a nowait`,
        [shop.workspaceId, existing],
      )
      return created.body.id
    })
    expect(await completed(shop, id)).toMatchObject({ counts: { queued: 2 } })
    const chats = (await shop.get('/conversations')).body.conversations
    expect(chats).toHaveLength(2)
    expect(
      chats.find((chat: Body) => chat.id === started),
      'it has the message',
    ).toMatchObject({
      contact: { id: started },
    })
  })

  test('the daily allowance is used up during a campaign; the others follow on the next days', async () => {
    const shop = await sandbox()
    const campaigns = await campaignsOf(parley, shop)
    await allowNewRecipients(parley, shop, 2)
    await makeContacts(shop, 1, optedIn)
    const ids = await makeContacts(shop, 6, {}, 100)
    const { id } = (await campaigns.create({ sendNow: true, confirmNewRecipients: true })).body
    await shop.advance(60)
    expect(await campaigns.of(id)).toMatchObject({
      status: 'running',
      counts: { recipients: 7, queued: 3, waiting: 4 },
    })
    // Of the people who wait, one opts out and one is erased.
    await shop.patch(`/contacts/${ids[2]}`, { optInStatus: 'opted_out' })
    expect((await shop.delete(`/contacts/${ids[3]}`)).status).toBe(200)
    await shop.advance(DAY)
    expect(await campaigns.of(id)).toMatchObject({
      status: 'completed',
      progress: 100,
      counts: { recipients: 6, queued: 5, waiting: 0, skipped: 1 },
    })
    expect(await writtenCounts(shop)).toEqual([{ times: 1, people: 5 }])
    const reasons = [...(await campaigns.people(id, '&status=skipped')).values()].map(
      (person) => person.reason,
    )
    expect(reasons).toEqual(['opted_out'])
  })

  test('a person who messages the business while they wait is no longer new, and uses no place of the daily allowance', async () => {
    const shop = await sandbox()
    const campaigns = await campaignsOf(parley, shop)
    await allowNewRecipients(parley, shop, 2)
    const ids = await makeContacts(shop, 8)
    const { id } = (await campaigns.create({ sendNow: true, confirmNewRecipients: true })).body
    await shop.advance(60)
    expect((await campaigns.of(id)).counts).toMatchObject({ queued: 2, waiting: 6 })
    await shop.inbound('+919000000003', 'Do you have lamps?')
    await shop.patch(`/contacts/${ids[4]}`, { optInStatus: 'opted_in' })
    await shop.advance(DAY)
    expect((await campaigns.of(id)).counts).toMatchObject({ queued: 6, waiting: 2 })
    expect([...(await campaigns.people(id, '&status=waiting')).keys()]).toEqual(ids.slice(6))
  })

  test('a person who is erased while they wait is no longer counted from the next day on', async () => {
    const shop = await sandbox()
    const campaigns = await campaignsOf(parley, shop)
    await allowNewRecipients(parley, shop, 1)
    const ids = await makeContacts(shop, 4)
    const { id } = (await campaigns.create({ sendNow: true, confirmNewRecipients: true })).body
    await shop.advance(60)
    await shop.delete(`/contacts/${ids[3]}`)
    await shop.advance(DAY)
    expect(await campaigns.of(id)).toMatchObject({
      status: 'running',
      counts: { recipients: 3, queued: 2, waiting: 1 },
    })
    expect((await campaigns.people(id)).size).toBe(3)
  })

  test('a canceled campaign does not count people who were erased while they waited', async () => {
    const shop = await sandbox()
    const campaigns = await campaignsOf(parley, shop)
    await allowNewRecipients(parley, shop, 2)
    const ids = await makeContacts(shop, 6)
    const { id } = (await campaigns.create({ sendNow: true, confirmNewRecipients: true })).body
    await shop.advance(60)
    await shop.delete(`/contacts/${ids[4]}`)
    await shop.delete(`/broadcasts/${id}`)
    await shop.advance(10)
    expect(await campaigns.of(id)).toMatchObject({
      status: 'cancelled',
      progress: 100,
      counts: { recipients: 5, queued: 2, waiting: 0, skipped: 3 },
    })
  })

  test('a canceled campaign with stretches left drops them, so that it can end', async () => {
    const shop = await sandbox()
    const campaigns = await campaignsOf(parley, shop)
    await allowNewRecipients(parley, shop, 2)
    await makeContacts(shop, 3)
    const { id } = (await campaigns.create({ sendNow: true, confirmNewRecipients: true })).body
    await shop.advance(60)
    expect((await campaigns.of(id)).counts).toMatchObject({ queued: 2, waiting: 1 })
    await parley.system((tx) =>
      tx.sql(
        `insert into broadcast_stretches (workspace_id, broadcast_id, after_id, until_id)
         select $1, $2, gen_random_uuid(), gen_random_uuid() from generate_series(1, 2)`,
        [shop.workspaceId, id],
      ),
    )
    const readLeft = () =>
      parley.system((tx) =>
        tx.sql('select 1 from broadcast_stretches where workspace_id = $1', [shop.workspaceId]),
      )
    // An erasure blocks steps. A step that had taken a stretch would keep it.
    await parley.system(async (tx) => {
      await tx.sql("select pg_advisory_xact_lock(hashtextextended('erase contacts ' || $1, 0))", [
        shop.workspaceId,
      ])
      await shop.delete(`/broadcasts/${id}`)
      await until(async () => (await readLeft()).length === 0, 'the remaining ranges are deleted', 10_000)
    })
    await shop.advance(10)
    expect(await campaigns.of(id)).toMatchObject({ status: 'cancelled', counts: { waiting: 0, skipped: 1 } })
  })

  test("the month's allowance is used up during a campaign: it pauses with the reason, and continues when there is room", async () => {
    const shop = await sandbox()
    const campaigns = await campaignsOf(parley, shop)
    await makeContacts(shop, 5, optedIn)
    await shop.set({ messageAllowance: 6 })
    const { now } = (await shop.get('/sandbox/clock')).body
    const scheduledAt = new Date(Date.parse(now) + 600_000).toISOString()
    const { id } = (await campaigns.create({ scheduledAt })).body
    for (const to of ['+919000000001', '+919000000002']) expect((await send(shop, to)).status).toBe(200)
    await shop.advance(700)
    expect(await campaigns.of(id)).toMatchObject({
      status: 'paused',
      pausedReason: "You have used this month's message allowance.",
      // The allowance is completely used up, and no other person was reached.
      counts: { recipients: 4, queued: 4 },
    })
    expect((await shop.post(`/broadcasts/${id}/resume`)).body).toMatchObject({
      error: 'quota_exceeded',
      message: "You have used this month's message allowance.",
    })
    await shop.set({ messageAllowance: 100 })
    expect((await shop.post(`/broadcasts/${id}/resume`)).status).toBe(200)
    await shop.advance(60)
    expect(await campaigns.of(id)).toMatchObject({ status: 'completed', counts: { queued: 5 } })
    expect(await writtenCounts(shop)).toEqual([
      { times: 1, people: 3 },
      { times: 2, people: 2 },
    ])
  })

  test('a campaign paused for the allowance resumes automatically in the next month', async () => {
    const shop = await sandbox()
    const campaigns = await campaignsOf(parley, shop)
    await makeContacts(shop, 5, optedIn)
    await shop.set({ messageAllowance: 5 })
    const { id } = (
      await campaigns.create({
        scheduledAt: new Date(Date.parse((await shop.get('/sandbox/clock')).body.now) + 60_000).toISOString(),
      })
    ).body
    expect((await send(shop, '+919000000001')).status).toBe(200)
    await shop.advance(120)
    expect(await campaigns.of(id)).toMatchObject({ status: 'paused', counts: { queued: 4 } })
    await shop.advance(32 * 86_400)
    expect(await campaigns.of(id)).toMatchObject({
      status: 'completed',
      pausedReason: null,
      counts: { queued: 5 },
    })
  })

  test('two processes work on a campaign, and reach each person once', async () => {
    const duplicate = await boot({ databaseUrl: parley.databaseUrl })
    try {
      const shop = await sandbox()
      const campaigns = await campaignsOf(parley, shop)
      await insertContacts(shop, 3_000)
      const { id } = (await campaigns.create({ sendNow: true })).body
      const { counts } = await completed(shop, id)
      expect(counts).toMatchObject({ recipients: 3_000, queued: 3_000, skipped: 0, waiting: 0 })
      expect(await writtenCounts(shop)).toEqual([{ times: 1, people: 3_000 }])
      const reported = (await eventsOf(parley, shop.workspaceId)).filter(
        ({ name }) => name === 'broadcast.completed',
      )
      expect(reported).toHaveLength(1)
    } finally {
      await duplicate.close()
    }
  })

  test('paused during several stretches, and resumed: each person is reached once', async () => {
    const shop = await sandbox()
    const campaigns = await campaignsOf(parley, shop)
    await insertContacts(shop, 5_000)
    const { id } = (await campaigns.create({ sendNow: true })).body
    const reached = () => campaigns.of(id).then(({ counts }) => counts.recipients)
    await until(async () => (await reached()) > 500, 'the campaign is running')
    expect((await shop.post(`/broadcasts/${id}/pause`)).status).toBe(200)
    expect(await campaigns.of(id)).toMatchObject({ status: 'paused' })
    expect((await shop.post(`/broadcasts/${id}/resume`)).status).toBe(200)
    const { counts } = await completed(shop, id)
    expect(counts).toMatchObject({ recipients: 5_000, queued: 5_000, skipped: 0, waiting: 0 })
    expect(await writtenCounts(shop)).toEqual([{ times: 1, people: 5_000 }])
  })

  test('canceled during several stretches: unsubmitted messages are skipped, and people not yet reached are not recipients', async () => {
    const shop = await sandbox()
    const campaigns = await campaignsOf(parley, shop)
    await insertContacts(shop, 5_000)
    const { id } = (await campaigns.create({ sendNow: true })).body
    await until(async () => (await campaigns.of(id)).counts.recipients > 500, 'the campaign is running')
    expect((await shop.delete(`/broadcasts/${id}`)).status).toBe(200)
    const [left] = await until(async () => {
      const rows = await parley.system((tx) =>
        tx.sql<{ queued: number; stretches: number; listed: number }>(
          `select (select count(*)::int4 from messages where workspace_id = $1 and run_at is not null) as queued,
                  (select count(*)::int4 from broadcast_stretches where workspace_id = $1) as stretches,
                  (select count(*)::int4 from broadcast_recipients where workspace_id = $1) as listed`,
          [shop.workspaceId],
        ),
      )
      return rows[0]!.queued + rows[0]!.stretches === 0 && rows
    }, 'the campaign has no work left')
    const { status, counts } = await campaigns.of(id)
    expect(status).toBe('cancelled')
    expect(counts.recipients).toBe(left!.listed)
    expect(left!.listed).toBeLessThan(5_000)
  })

  test('concurrent erasures, messages, and new chats leave complete results', async () => {
    const shop = await sandbox()
    const campaigns = await campaignsOf(parley, shop)
    await insertContacts(shop, 2_500)
    const phone = (n: number) => `+9180${String(n).padStart(8, '0')}`
    const erased = Array.from({ length: 15 }, (_, i) => phone(2_450 - i * 160))
    const written = Array.from({ length: 15 }, (_, i) => phone(2_400 - i * 160))
    const { id } = (await campaigns.create({ sendNow: true })).body
    const answers = await Promise.all([
      ...erased.map((to) => shop.delete(`/contacts/${encodeURIComponent(to)}`)),
      ...written.map((to) => send(shop, to)),
    ])
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    const { counts } = await completed(shop, id)
    const [found] = await parley.system((tx) =>
      tx.sql(
        `select
           (select count(*)::int4 from messages m where workspace_id = $1 and not exists
             (select from contacts c where c.workspace_id = $1 and c.id = m.contact_id)) as orphan_messages,
           (select count(*)::int4 from conversations v where workspace_id = $1 and not exists
             (select from contacts c where c.workspace_id = $1 and c.id = v.contact_id)) as orphan_chats,
           (select count(*)::int4 from broadcast_recipients r where workspace_id = $1 and not exists
             (select from contacts c where c.workspace_id = $1 and c.id = r.contact_id)) as orphan_recipients,
           (select count(*)::int4 from messages m where workspace_id = $1 and not exists
             (select from conversation_activity a where a.workspace_id = $1 and a.conversation_id = m.conversation_id)) as without_activity,
           (select count(*)::int4 from messages where workspace_id = $1 and broadcast_id = $2) as messages,
           (select count(*)::int4 from conversations where workspace_id = $1) as chats`,
        [shop.workspaceId, id],
      ),
    )
    expect(found).toEqual({
      orphanMessages: 0,
      orphanChats: 0,
      orphanRecipients: 0,
      withoutActivity: 0,
      messages: 2_500 - erased.length,
      chats: 2_500 - erased.length,
    })
    // A person erased before their turn is not counted; a person erased after it is counted.
    expect(counts.queued).toBeGreaterThanOrEqual(2_500 - erased.length)
    expect(counts.queued).toBeLessThanOrEqual(2_500)
  })
})

describe('a step of the fan-out', () => {
  test('is small when a process starts, regardless of its duration, and after a rest', () => {
    let nowMs = 0
    const sizes = stepSizes({ monotonicMs: () => nowMs })
    expect(sizes.ofWalk()).toBe(50)
    sizes.noteWalk({ people: 50, ms: 200 })
    expect(sizes.ofWalk()).toBe(63)
    for (let i = 0; i < 50; i++) sizes.noteOwn()
    expect([sizes.ofWalk(), sizes.ofOwn()], 'what else it did says little').toEqual([250, 250])
    for (let i = 0; i < 50; i++) sizes.noteWalk({ people: sizes.ofWalk(), ms: 5 })
    nowMs = 60_000
    expect(sizes.ofWalk()).toBe(1_000)
    nowMs = 119_000
    expect(sizes.ofWalk()).toBe(1_000)
    nowMs = 180_000
    expect(sizes.ofOwn()).toBe(1_000)
    expect(sizes.ofWalk()).toBe(50)
  })

  test('has at most 200 people while requests arrive', async () => {
    const shop = await sandbox()
    const campaigns = await campaignsOf(parley, shop)
    await insertContacts(shop, 1_500)
    const readOften = () => Promise.all(Array.from({ length: 25 }, () => shop.get('/broadcasts')))
    await readOften()
    let isRunning = true
    const reading = (async () => {
      while (isRunning) await readOften()
    })()
    const { id } = (await campaigns.create({ sendNow: true })).body
    await completed(shop, id)
    isRunning = false
    await reading
    const steps = await parley.system((tx) =>
      tx.sql<{ people: number }>(
        'select count(*)::int4 as people from broadcast_recipients where broadcast_id = $1 group by xmin',
        [id],
      ),
    )
    expect(steps.reduce((sum, step) => sum + step.people, 0)).toBe(1_500)
    expect(Math.max(...steps.map((step) => step.people))).toBeLessThanOrEqual(200)
  })

  test('gives way while one in fifty answers of the last seconds is slow', () => {
    let nowMs = 0
    const answers = answerTimes({ monotonicMs: () => nowMs })
    for (let i = 0; i < 19; i++) answers.note(500)
    expect([answers.areFrequent(), answers.areSlow()], 'too few to tell').toEqual([false, false])
    for (let i = 0; i < 1_000; i++) answers.note(5)
    expect([answers.areFrequent(), answers.areSlow()]).toEqual([true, false])
    answers.note(500)
    answers.note(500)
    expect(answers.areSlow()).toBe(true)
    nowMs = 1_500
    expect(answers.areSlow()).toBe(true)
    nowMs = 3_500
    expect([answers.areFrequent(), answers.areSlow()], 'long ago').toEqual([false, false])
  })
})
