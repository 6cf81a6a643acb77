/** What a campaign does while it runs, and what others do to its people meanwhile (docs/decisions/audiences.md). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Body, boot, type TestParley, type TestWorkspace } from '../../../test/support/boot.ts'
import { allowNewRecipients, campaignsOf, makeContacts } from '../../../test/support/campaigns.ts'
import { eventsOf } from '../../../test/support/records.ts'
import { until } from '../../../test/support/until.ts'
import { answerTimes } from '../../core/answer-times.ts'
import { nextStepSize, stepSizes } from './work/step-size.ts'

const DAY = 86_400

let parley: TestParley
beforeAll(async () => {
  parley = await boot()
})
afterAll(() => parley.close())

const sandbox = () => parley.workspace({ sandbox: true, plan: 'unlimited' })
const known = { optInStatus: 'opted_in' }

/** People as an import would have left them. */
const people = (shop: TestWorkspace, count: number) =>
  parley.system((tx) =>
    tx.sql(
      `insert into contacts (workspace_id, id, phone, opt_in_status, created_at, updated_at)
       select $1, ('0197a1b2-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, '+9180' || lpad(n::text, 8, '0'), 'opted_in', $2, $2
       from generate_series(1, $3::int) n`,
      [shop.workspaceId, new Date(), count],
    ),
  )

/** How often each person of the workspace was written to: times, people. */
const written = (shop: TestWorkspace) =>
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
  test('a chat that it begins waits for nobody until the customer answers; one that was there stays as it was', async () => {
    const shop = await sandbox()
    const campaigns = await campaignsOf(parley, shop)
    await shop.inbound('+919812345670', 'Hello')
    await makeContacts(shop, 2, { optInStatus: 'opted_in' })
    await campaigns.create({ sendNow: true, confirmNewRecipients: true })
    await shop.advance(60)
    const states = async () =>
      (await shop.get('/conversations')).body.conversations.map((one: { state: string }) => one.state).sort()
    const unassigned = async () => (await shop.get('/conversations/counts')).body.unassigned
    expect([await states(), await unassigned()]).toEqual([['open', 'resolved', 'resolved'], 1])
    const { contacts } = (await shop.get('/contacts')).body
    const answering = contacts.find((one: { phone: string }) => one.phone !== '+919812345670')
    await shop.inbound(answering.phone, 'Is it still there?')
    expect([await states(), await unassigned()]).toEqual([['open', 'open', 'resolved'], 2])
  })

  test('who has had their measure of marketing when their turn comes is skipped, and not failed', async () => {
    const shop = await sandbox()
    const campaigns = await campaignsOf(parley, shop)
    const ids = await makeContacts(shop, 3, known)
    const { now } = (await shop.get('/sandbox/clock')).body
    const scheduledAt = new Date(Date.parse(now) + 600_000).toISOString()
    const made = await campaigns.create({ scheduledAt })
    expect(made.body.audience).toMatchObject({ willSend: 3 })
    for (const _ of [1, 2]) expect((await send(shop, '+919000000001')).status).toBe(200)
    await shop.advance(700)
    expect((await campaigns.of(made.body.id)).counts).toMatchObject({ recipients: 3, queued: 2, skipped: 1 })
    const skipped = await campaigns.people(made.body.id, '&status=skipped')
    expect([...skipped.values()]).toMatchObject([
      { contactId: ids[1], reason: 'marketing_cap', messageId: null },
    ])
    const events = await eventsOf(parley, shop.workspaceId)
    expect(events.filter(({ name }) => name === 'message.failed')).toEqual([])
  })

  test('of campaigns that reach for the same people at once, no more than two get each', async () => {
    const shop = await sandbox()
    const campaigns = await campaignsOf(parley, shop)
    await people(shop, 50)
    const made = await Promise.all([1, 2, 3, 4].map(() => campaigns.create({ sendNow: true })))
    const ends = await Promise.all(made.map(({ body }) => completed(shop, body.id)))
    expect(await written(shop)).toEqual([{ times: 2, people: 50 }])
    const total = (name: string) => ends.reduce((sum, { counts }) => sum + counts[name], 0)
    expect({ queued: total('queued'), skipped: total('skipped') }).toEqual({ queued: 100, skipped: 100 })
  })

  test('of campaigns that begin at one moment for people who never wrote, one writes to each; the daily allowance counts them once', async () => {
    const shop = await sandbox()
    const campaigns = await campaignsOf(parley, shop)
    await allowNewRecipients(parley, shop, 30)
    await makeContacts(shop, 40)
    const { now } = (await shop.get('/sandbox/clock')).body
    const plan = { scheduledAt: new Date(Date.parse(now) + 600_000), confirmNewRecipients: true }
    const made = await Promise.all([1, 2, 3].map(() => campaigns.create(plan)))
    await shop.advance(700)
    expect(await written(shop), 'as many as the day allows').toEqual([{ times: 1, people: 30 }])
    await shop.advance(DAY)
    expect(await written(shop)).toEqual([{ times: 1, people: 40 }])
    const ends = await Promise.all(made.map(({ body }) => campaigns.of(body.id)))
    expect(ends.map((one) => one.status)).toEqual(['completed', 'completed', 'completed'])
    const total = (name: string) => ends.reduce((sum, { counts }) => sum + counts[name], 0)
    expect({ queued: total('queued'), skipped: total('skipped') }).toEqual({ queued: 40, skipped: 80 })
    for (const { id } of ends)
      for (const { reason } of (await campaigns.people(id, '&status=skipped')).values())
        expect(reason).toBe('cool_off')
  })

  test('whoever waits for a chat that somebody else begins holds no chat that is there: nothing deadlocks', async () => {
    const shop = await sandbox()
    const campaigns = await campaignsOf(parley, shop)
    const [there, begun] = await makeContacts(shop, 2, known)
    expect((await send(shop, '+919000000000')).status).toBe(200)
    const id = await parley.system(async (tx) => {
      await tx.sql(
        `with made as (
           insert into conversations (workspace_id, contact_id, phone_number_id, id, created_at, updated_at)
           values ($1, $2, $3, $2, $4, $4) returning workspace_id, id)
         insert into conversation_activity (workspace_id, conversation_id, activity_id) select workspace_id, id, id from made`,
        [shop.workspaceId, begun, shop.phoneNumberId, new Date()],
      )
      const made = await campaigns.create({ sendNow: true })
      await until(async () => {
        const waiting = await parley.system((other) =>
          other.sql(
            `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()
             and query like '%conversation_activity%'`,
          ),
        )
        return waiting.length > 0
      }, 'the campaign waits for the chat')
      await tx.sql(
        `select from conversation_activity a join conversations c on c.workspace_id = a.workspace_id and c.id = a.conversation_id
         where c.workspace_id = $1 and c.contact_id = $2 for update of a nowait`,
        [shop.workspaceId, there],
      )
      return made.body.id
    })
    expect(await completed(shop, id)).toMatchObject({ counts: { queued: 2 } })
    const chats = (await shop.get('/conversations')).body.conversations
    expect(chats).toHaveLength(2)
    expect(
      chats.find((chat: Body) => chat.id === begun),
      'it has the message',
    ).toMatchObject({
      contact: { id: begun },
    })
  })

  test('the daily allowance runs out in the middle; the others follow on the next days', async () => {
    const shop = await sandbox()
    const campaigns = await campaignsOf(parley, shop)
    await allowNewRecipients(parley, shop, 2)
    await makeContacts(shop, 1, known)
    const ids = await makeContacts(shop, 6, {}, 100)
    const { id } = (await campaigns.create({ sendNow: true, confirmNewRecipients: true })).body
    await shop.advance(60)
    expect(await campaigns.of(id)).toMatchObject({
      status: 'running',
      counts: { recipients: 7, queued: 3, waiting: 4 },
    })
    // Of those who wait one stops, and one is erased.
    await shop.patch(`/contacts/${ids[2]}`, { optInStatus: 'opted_out' })
    expect((await shop.delete(`/contacts/${ids[3]}`)).status).toBe(200)
    await shop.advance(DAY)
    expect(await campaigns.of(id)).toMatchObject({
      status: 'completed',
      progress: 100,
      counts: { recipients: 6, queued: 5, waiting: 0, skipped: 1 },
    })
    expect(await written(shop)).toEqual([{ times: 1, people: 5 }])
    const reasons = [...(await campaigns.people(id, '&status=skipped')).values()].map((one) => one.reason)
    expect(reasons).toEqual(['opted_out'])
  })

  test('who writes in while they wait is new no longer, and takes no place from those who are', async () => {
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

  test('who is erased while they wait is counted no longer from the next day on', async () => {
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

  test('canceled, it counts nobody who was erased while they waited', async () => {
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

  test('canceled with stretches left: nobody walks them, so nothing of it is in the way of its end', async () => {
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
    const left = () =>
      parley.system((tx) =>
        tx.sql('select 1 from broadcast_stretches where workspace_id = $1', [shop.workspaceId]),
      )
    // While somebody is erased no step gets on: one that had taken a stretch would keep it.
    await parley.system(async (tx) => {
      await tx.sql("select pg_advisory_xact_lock(hashtextextended('erase contacts ' || $1, 0))", [
        shop.workspaceId,
      ])
      await shop.delete(`/broadcasts/${id}`)
      await until(async () => (await left()).length === 0, 'the remaining ranges are deleted', 10_000)
    })
    await shop.advance(10)
    expect(await campaigns.of(id)).toMatchObject({ status: 'cancelled', counts: { waiting: 0, skipped: 1 } })
  })

  test("the month's allowance runs out in the middle: it pauses and says so, and goes on when there is room", async () => {
    const shop = await sandbox()
    const campaigns = await campaignsOf(parley, shop)
    await makeContacts(shop, 5, known)
    await shop.set({ messageAllowance: 6 })
    const { now } = (await shop.get('/sandbox/clock')).body
    const scheduledAt = new Date(Date.parse(now) + 600_000).toISOString()
    const { id } = (await campaigns.create({ scheduledAt })).body
    for (const to of ['+919000000001', '+919000000002']) expect((await send(shop, to)).status).toBe(200)
    await shop.advance(700)
    expect(await campaigns.of(id)).toMatchObject({
      status: 'paused',
      pausedReason: "You have used this month's message allowance.",
      // Nothing of the allowance is left over, and nobody more was come to.
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
    expect(await written(shop)).toEqual([
      { times: 1, people: 3 },
      { times: 2, people: 2 },
    ])
  })

  test('paused for the allowance, it goes on by itself in the next month', async () => {
    const shop = await sandbox()
    const campaigns = await campaignsOf(parley, shop)
    await makeContacts(shop, 5, known)
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

  test('two processes work on it, and everybody is come to once', async () => {
    const duplicate = await boot({ databaseUrl: parley.databaseUrl })
    try {
      const shop = await sandbox()
      const campaigns = await campaignsOf(parley, shop)
      await people(shop, 3_000)
      const { id } = (await campaigns.create({ sendNow: true })).body
      const { counts } = await completed(shop, id)
      expect(counts).toMatchObject({ recipients: 3_000, queued: 3_000, skipped: 0, waiting: 0 })
      expect(await written(shop)).toEqual([{ times: 1, people: 3_000 }])
      const reported = (await eventsOf(parley, shop.workspaceId)).filter(
        ({ name }) => name === 'broadcast.completed',
      )
      expect(reported).toHaveLength(1)
    } finally {
      await duplicate.close()
    }
  })

  test('paused while several stretches of it are walked, and resumed: everybody is come to once', async () => {
    const shop = await sandbox()
    const campaigns = await campaignsOf(parley, shop)
    await people(shop, 5_000)
    const { id } = (await campaigns.create({ sendNow: true })).body
    const reached = () => campaigns.of(id).then(({ counts }) => counts.recipients)
    await until(async () => (await reached()) > 500, 'the campaign is running')
    expect((await shop.post(`/broadcasts/${id}/pause`)).status).toBe(200)
    expect(await campaigns.of(id)).toMatchObject({ status: 'paused' })
    expect((await shop.post(`/broadcasts/${id}/resume`)).status).toBe(200)
    const { counts } = await completed(shop, id)
    expect(counts).toMatchObject({ recipients: 5_000, queued: 5_000, skipped: 0, waiting: 0 })
    expect(await written(shop)).toEqual([{ times: 1, people: 5_000 }])
  })

  test('canceled while several stretches of it are walked: whoever was not handed over is skipped, whoever was not come to is nobody', async () => {
    const shop = await sandbox()
    const campaigns = await campaignsOf(parley, shop)
    await people(shop, 5_000)
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

  test('people who are erased, written to and started chats with meanwhile leave nothing half', async () => {
    const shop = await sandbox()
    const campaigns = await campaignsOf(parley, shop)
    await people(shop, 2_500)
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
    // Who was erased before their turn is nobody's; who was erased after it was counted when it came.
    expect(counts.queued).toBeGreaterThanOrEqual(2_500 - erased.length)
    expect(counts.queued).toBeLessThanOrEqual(2_500)
  })
})

describe('a step of the fan-out', () => {
  test('comes to fewer people where it takes long, and to more by and by where it does not', () => {
    expect(nextStepSize(1_000, 70)).toBe(500)
    expect(nextStepSize(400, 10)).toBe(500)
    expect(nextStepSize(1_000, 1)).toBe(1_000)
    expect(nextStepSize(600, 5_000)).toBe(250)
  })

  test('is small while a process begins, however long it takes, and after a rest', () => {
    let nowMs = 0
    const sizes = stepSizes({ monotonicMs: () => nowMs })
    expect(sizes.ofWalk()).toBe(50)
    sizes.noteWalk(200)
    expect(sizes.ofWalk()).toBe(63)
    for (let i = 0; i < 50; i++) sizes.noteOwn()
    expect([sizes.ofWalk(), sizes.ofOwn()], 'what else it did says little').toEqual([250, 250])
    for (let i = 0; i < 50; i++) sizes.noteWalk(5)
    nowMs = 60_000
    expect(sizes.ofWalk()).toBe(1_000)
    nowMs = 119_000
    expect(sizes.ofWalk()).toBe(1_000)
    nowMs = 180_000
    expect(sizes.ofOwn()).toBe(1_000)
    expect(sizes.ofWalk()).toBe(50)
  })

  test('comes to 200 people at most while requests come in', async () => {
    const shop = await sandbox()
    const campaigns = await campaignsOf(parley, shop)
    await people(shop, 1_500)
    await Promise.all(Array.from({ length: 25 }, () => shop.get('/broadcasts')))
    const { id } = (await campaigns.create({ sendNow: true })).body
    await completed(shop, id)
    const steps = await parley.system((tx) =>
      tx.sql<{ people: number }>(
        'select count(*)::int4 as people from broadcast_recipients where broadcast_id = $1 group by xmin',
        [id],
      ),
    )
    expect(steps.reduce((sum, step) => sum + step.people, 0)).toBe(1_500)
    expect(Math.max(...steps.map((step) => step.people))).toBeLessThanOrEqual(200)
  })

  test('gives way while one answer of fifty in the last seconds is slow', () => {
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
