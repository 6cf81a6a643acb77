import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Body, boot, type TestParley, type TestWorkspace } from '../../../../../test/support/boot.ts'
import { inWorkspace } from '../../../../../test/support/in-workspace.ts'
import { eventsOf } from '../../../../../test/support/records.ts'
import { until } from '../../../../../test/support/until.ts'
import { enqueue } from '../../../../database/sql/enqueue-jobs.ts'
import { mergeTwoContacts } from '../jobs.ts'
import { mergeContacts } from './merge-contacts.ts'
import { consentOf } from './merge-rules.ts'

let parley: TestParley
let shop: TestWorkspace

beforeAll(async () => {
  parley = await boot()
  shop = await parley.workspace({ sandbox: true })
})
afterAll(() => parley?.close())

let last = 0
const freshNumber = () => `+9198624${String(++last).padStart(5, '0')}`
const contactAt = async (phone: string, fields: Body = {}) =>
  (await shop.post('/contacts', { phone, ...fields })).body.contact
const shown = async (ref: string) => (await shop.get(`/contacts/${encodeURIComponent(ref)}`)).body.contact
const merge = (kept: string, from: string) => shop.post(`/contacts/${kept}/merge`, { from })
/** Stores two contacts, each with the given fields. */
const storePair = async (kept: Body = {}, merged: Body = {}) => [
  await contactAt(freshNumber(), kept),
  await contactAt(freshNumber(), merged),
]
/** Stores two customers who wrote one message each, the kept contact first. */
const writers = async () => {
  const phones = [freshNumber(), freshNumber()]
  for (const [i, phone] of phones.entries()) await shop.inbound(phone, `Message ${i}`)
  return Promise.all(phones.map(shown))
}
const chatOf = async (phone: string) =>
  (await shop.get(`/conversations?search=${phone.slice(1)}`)).body.conversations
const messagesOf = async (phone: string) =>
  (await shop.get(`/messages?phone=${encodeURIComponent(phone)}`)).body.messages
const leadOf = async (ref: string) => (await shop.get(`/leads/${encodeURIComponent(ref)}`)).body.lead
const notesOn = async (leadId: string): Promise<string[]> =>
  (await shop.get(`/leads/${leadId}/timeline`)).body.entries
    .filter((entry: Body) => entry.kind === 'note')
    .map((entry: Body) => entry.data.body)

describe('POST /contacts/{id}/merge', () => {
  test('the kept contact gets the fields it lacks; the id and the number of the merged contact lead to it', async () => {
    const [kept, merged] = await storePair(
      { tags: ['vip'], attributes: { city: 'Pune' } },
      { displayName: 'Asha Rao', tags: ['vip', 'summer'], attributes: { city: 'Goa', size: 'M' } },
    )
    const answer = await merge(kept.id, merged.phone)
    expect([answer.status, answer.body]).toMatchObject([
      200,
      {
        contact: {
          id: kept.id,
          phone: kept.phone,
          displayName: 'Asha Rao',
          tags: ['vip', 'summer'],
          // Without a lead and a chat, the differing values are stored in a custom field.
          attributes: { city: 'Pune', size: 'M', [`Merged with ${merged.phone}`]: 'city: Goa' },
        },
        merged: {
          contactId: merged.id,
          phone: merged.phone,
          leadId: null,
          keptLeadId: null,
          conversations: [],
        },
      },
    ])
    const spellings = [merged.phone, `tel:${merged.phone}`, merged.phone.slice(1)]
    for (const ref of [kept.id, kept.phone, merged.id, ...spellings])
      expect((await shown(ref)).id).toBe(kept.id)
    const ids = (await shop.get(`/contacts?search=${merged.phone.slice(-9)}`)).body.contacts
    expect(ids).toEqual([])
    expect(await shop.patch(`/contacts/${merged.id}`, { tags: ['gold'] })).toMatchObject({
      status: 200,
      body: { contact: { id: kept.id, tags: ['gold'] } },
    })
    const tagged = await shop.post('/contacts/bulk-tags', {
      contactIds: [merged.id, kept.id],
      addTags: ['late'],
    })
    expect(tagged.body.results.map((result: Body) => result.contactId)).toEqual([kept.id, kept.id])
  })

  test('a repeated request changes nothing and returns the same; so does a request with the ids swapped', async () => {
    const [kept, merged] = await storePair()
    const first = await merge(kept.id, merged.id)
    const before = await eventsOf(parley, shop.workspaceId)
    for (const [ref, from] of [
      [kept.id, merged.id],
      [kept.phone, merged.phone],
      [merged.id, kept.id],
    ] as const)
      expect(await merge(ref, from)).toMatchObject({ status: 200, body: first.body })
    expect(await eventsOf(parley, shop.workspaceId)).toEqual(before)
  })

  test("a contact can't be merged with itself, a missing contact, or a contact of another workspace", async () => {
    const [kept] = await storePair()
    const other = await parley.workspace()
    const foreign = (await other.post('/contacts', { phone: freshNumber() })).body.contact
    expect(await merge(kept.id, kept.phone)).toMatchObject({
      status: 400,
      body: { issues: [{ path: 'from' }] },
    })
    expect((await merge(kept.id, kept.id)).status).toBe(400)
    expect((await merge(kept.id, foreign.id)).status).toBe(404)
    expect((await merge(kept.id, '+919800000000')).status).toBe(404)
    expect((await merge(foreign.id, kept.id)).status).toBe(404)
    expect((await shop.post(`/contacts/${kept.id}/merge`, {})).status).toBe(400)
    const viewer = await shop.as('viewer')
    expect((await viewer.post(`/contacts/${kept.id}/merge`, { from: kept.phone })).status).toBe(403)
  })

  test("a contact of the photo network has no number and can't be merged", async () => {
    const [kept] = await storePair()
    await parley.system((tx) =>
      tx.sql(
        `insert into contacts (workspace_id, id, channel, phone, created_at, updated_at)
         values ($1, gen_random_uuid(), 'social', 'sx:1784', now(), now())`,
        [shop.workspaceId],
      ),
    )
    expect(await merge(kept.id, 'sx:1784')).toMatchObject({ status: 409, body: { error: 'conflict' } })
    expect(await merge('sx:1784', kept.id)).toMatchObject({ status: 409, body: { error: 'conflict' } })
  })

  test('a chain of merges ends at the last kept contact', async () => {
    const [a, b] = await storePair()
    const [c] = await storePair()
    await merge(b.id, a.id)
    await merge(c.id, b.id)
    for (const ref of [a.id, a.phone, b.id, b.phone]) expect((await shown(ref)).id).toBe(c.id)
  })

  test('a contact without a number takes the number of the merged contact', async () => {
    await shop.inbound('chan:IN.77123', 'Hello')
    const [hidden, numbered] = [await shown('chan:IN.77123'), await contactAt(freshNumber())]
    const { contact } = (await merge(hidden.id, numbered.id)).body
    expect(contact).toMatchObject({ id: hidden.id, phone: numbered.phone, userId: 'IN.77123' })
    for (const ref of [numbered.id, numbered.phone, 'chan:IN.77123'])
      expect((await shown(ref)).id).toBe(hidden.id)
  })

  test('fires contact.merged and no contact.deleted, and the activity log has the actor and both ids', async () => {
    const [kept, merged] = await storePair({ displayName: 'Asha' })
    await merge(kept.id, merged.id)
    const events = (await eventsOf(parley, shop.workspaceId)).filter(
      ({ name, data }) => name.startsWith('contact.') && [kept.id, merged.id].includes(data.contactId),
    )
    expect(events.map(({ name }) => name)).toEqual(['contact.created', 'contact.created', 'contact.merged'])
    expect(events[2]!.data).toEqual({
      contactId: kept.id,
      phone: kept.phone,
      name: 'Asha',
      mergedContactId: merged.id,
      mergedPhone: merged.phone,
      leadId: null,
      mergedLeadId: null,
      conversations: [],
      via: 'api',
      mergedAt: expect.any(String),
    })
    const [entry] = (await shop.get('/activity?limit=1')).body.activity
    expect(entry).toMatchObject({
      kind: 'contact.merged',
      actor: { kind: 'key' },
      data: { contactId: kept.id, mergedContactId: merged.id },
    })
  })

  test('a merge frees one place in the contact limit', async () => {
    const small = await parley.workspace()
    await small.set({ contactLimit: 2 })
    const [a, b] = [freshNumber(), freshNumber()]
    for (const phone of [a, b]) expect((await small.post('/contacts', { phone })).status).toBe(201)
    expect((await small.post('/contacts', { phone: freshNumber() })).status).toBe(402)
    expect((await small.post(`/contacts/${a}/merge`, { from: b })).status).toBe(200)
    expect((await small.post('/contacts', { phone: freshNumber() })).status).toBe(201)
    expect((await small.post('/contacts', { phone: freshNumber() })).status).toBe(402)
  })
})

describe('Consent after a merge', () => {
  const timeAt = (hour: number) => new Date(Date.UTC(2026, 5, 1, hour))
  const consent = (optInStatus: 'unknown' | 'opted_in' | 'opted_out', overrides = {}) => ({
    optInStatus,
    optInSource: null,
    refusedByCustomer: false,
    consentAt: null,
    ...overrides,
  })

  test("the customer's own opt-out outranks the business's opt-out, which outranks other states, at any time", () => {
    const refused = consent('opted_out', {
      refusedByCustomer: true,
      optInSource: 'message 1',
      consentAt: timeAt(1),
    })
    const out = consent('opted_out', { optInSource: 'shop' })
    const optedIn = consent('opted_in', { optInSource: 'form', consentAt: timeAt(9) })
    const unknown = consent('unknown')
    for (const other of [out, optedIn, unknown]) {
      expect(consentOf(refused, other)).toEqual(refused)
      expect(consentOf(other, refused)).toEqual(refused)
    }
    for (const other of [optedIn, unknown]) {
      expect(consentOf(out, other)).toEqual(out)
      expect(consentOf(other, out)).toEqual(out)
    }
    expect(consentOf(unknown, optedIn)).toEqual(optedIn)
    expect(consentOf(optedIn, unknown)).toEqual(optedIn)
    const later = { ...optedIn, optInSource: 'counter', consentAt: timeAt(10) }
    expect(consentOf(optedIn, later)).toEqual(later)
  })

  test("after STOP by either number nothing is sent to either; the API can't lift it", async () => {
    const [kept, merged] = await writers()
    await shop.inbound(merged.phone, 'STOP')
    await merge(kept.id, merged.id)
    expect(await shown(kept.id)).toMatchObject({
      optInStatus: 'opted_out',
      optInSource: expect.stringMatching(/^message /),
    })
    for (const to of [kept.phone, merged.phone])
      expect(await shop.post('/send', { to, type: 'text', text: 'Hello' })).toMatchObject({
        status: 409,
        body: { error: 'contact_opted_out' },
      })
    expect((await shop.patch(`/contacts/${kept.id}`, { optInStatus: 'opted_in' })).status).toBe(409)
  })

  test('a contact is blocked after the merge if either was, and unblocking lifts the block at the operator', async () => {
    const [kept, merged] = await writers()
    await shop.post(`/contacts/${merged.id}/block`)
    await merge(kept.id, merged.id)
    expect(await shown(kept.id)).toMatchObject({ blocked: true })
    expect((await shop.post(`/contacts/${kept.id}/unblock`)).body.contact).toMatchObject({ blocked: false })
    const left = await parley.system((tx) =>
      tx.sql(`select 1 from simulator_objects where workspace_id = $1 and kind = 'blocked'`, [
        shop.workspaceId,
      ]),
    )
    expect(left).toEqual([])
  })
})

describe('Chats after a merge', () => {
  test('both chats on one number become one, in time order, with the sum of unread counts', async () => {
    const [kept, merged] = await writers()
    await shop.inbound(kept.phone, 'Message 2')
    const [[chat], [mergedChat]] = [await chatOf(kept.phone), await chatOf(merged.phone)]
    await shop.post(`/conversations/${mergedChat.id}/notes`, { body: 'She prefers mornings' })
    await shop.patch(`/conversations/${mergedChat.id}`, { priority: 'high' })
    await shop.patch(`/conversations/${chat.id}`, { state: 'resolved' })
    const ids = [...(await messagesOf(kept.phone)), ...(await messagesOf(merged.phone))].map(
      (message) => message.id,
    )
    const answer = (await merge(kept.id, merged.id)).body
    expect(answer.merged.conversations).toEqual([{ id: mergedChat.id, keptId: chat.id }])
    const [keptChat, ...others] = await chatOf(kept.phone)
    expect(others).toEqual([])
    expect(keptChat).toMatchObject({ id: chat.id, unreadCount: 3, state: 'open', priority: 'high' })
    expect(keptChat.windowExpiresAt >= mergedChat.windowExpiresAt).toBe(true)
    const messages = await messagesOf(merged.phone)
    expect(messages.map((message: Body) => message.text)).toEqual(['Message 2', 'Message 1', 'Message 0'])
    expect(messages.map((message: Body) => message.id)).toEqual(ids.sort().reverse())
    for (const message of messages)
      expect(message).toMatchObject({ conversationId: chat.id, contactId: kept.id })
    const notes = (await shop.get(`/conversations/${chat.id}/notes`)).body.notes
    expect(notes.map((note: Body) => note.body)).toEqual(['She prefers mornings'])
    // The id of the merged chat leads to the kept chat.
    expect((await shop.get(`/conversations/${mergedChat.id}`)).body.conversation.id).toBe(chat.id)
    expect((await shop.get(`/messages?conversationId=${mergedChat.id}`)).body.messages).toHaveLength(3)
    expect((await shop.get(`/messages?contactId=${merged.id}`)).body.messages).toHaveLength(3)
    await shop.post(`/conversations/${mergedChat.id}/read`)
    expect((await chatOf(kept.phone))[0].unreadCount).toBe(0)
  })

  test('a customer who writes from the merged number appears in the one chat', async () => {
    const [kept, merged] = await writers()
    await merge(kept.id, merged.id)
    await shop.inbound(merged.phone, 'It is me again')
    const chats = await chatOf(kept.phone)
    expect(chats).toHaveLength(1)
    expect((await messagesOf(kept.phone))[0]).toMatchObject({ text: 'It is me again', contactId: kept.id })
  })

  test("a customer whom we answered last in either chat isn't waiting", async () => {
    const [kept, merged] = await writers()
    await shop.post('/send', { to: merged.phone, type: 'text', text: 'Yes, we do' })
    await merge(kept.id, merged.id)
    expect((await chatOf(kept.phone))[0]).toMatchObject({ waitingSince: null })
    const [first, second] = await writers()
    const [waiting] = await chatOf(first.phone)
    await merge(first.id, second.id)
    expect((await chatOf(first.phone))[0].waitingSince).toBe(waiting.waitingSince)
  })
})

describe('Leads after a merge', () => {
  test('two leads become one: the older is kept with the fields of both, and a note has the differences', async () => {
    const [a, b] = [freshNumber(), freshNumber()]
    const old = (
      await shop.post('/leads', {
        phone: a,
        name: 'Asha',
        tags: ['vip'],
        attributes: { city: 'Pune' },
        source: 'Shop',
      })
    ).body.lead
    const later = (
      await shop.post('/leads', {
        phone: b,
        name: 'Asha Rao',
        email: 'asha@example.com',
        tags: ['summer'],
        attributes: { city: 'Goa', size: 'M' },
        source: 'Website',
        rating: 4,
      })
    ).body.lead
    await shop.post('/leads', { phone: b })
    await shop.post(`/leads/${later.id}/notes`, { body: 'Call after six' })
    const task = (
      await shop.post('/tasks', {
        leadId: later.id,
        type: 'call',
        title: 'Call',
        dueAt: '2030-01-02T10:00:00.000Z',
      })
    ).body.task
    // The kept contact belongs to the younger lead.
    const answer = (await merge(b, a)).body
    expect(answer.merged).toMatchObject({ leadId: later.id, keptLeadId: old.id })
    const lead = await leadOf(b)
    expect(lead).toMatchObject({
      id: old.id,
      contactId: later.contactId,
      phone: b.slice(1),
      name: 'Asha',
      email: 'asha@example.com',
      tags: ['vip', 'summer'],
      attributes: { city: 'Pune', size: 'M' },
      source: 'Shop',
      rating: 4,
      captureCount: 3,
      nextFollowUpAt: '2030-01-02T10:00:00.000Z',
    })
    for (const ref of [a, old.id, later.id]) expect((await leadOf(ref)).id).toBe(old.id)
    const [note, ...others] = await notesOn(old.id)
    expect(others).toEqual(['Call after six'])
    expect(note).toBe(
      [
        `Merged with ${a}.`,
        'Not kept from the other contact:',
        'Name: Asha',
        'Lead name: Asha Rao',
        'Source: Website',
        'city: Goa',
      ].join('\n'),
    )
    expect((await shop.get(`/tasks?leadId=${later.id}`)).body.tasks.map((task: Body) => task.id)).toEqual([
      task.id,
    ])
    expect(await shop.patch(`/tasks/${task.id}`, { status: 'done' })).toMatchObject({ status: 200 })
    expect((await leadOf(old.id)).nextFollowUpAt).toBeNull()
  })

  test('a won lead is kept before an older lead, and so is a lead with a deal; amounts are added up', async () => {
    const stages = (await shop.get('/pipeline')).body.stages
    const won = stages.find((stage: Body) => stage.kind === 'won').name
    for (const change of [{ stage: won, dealValue: 100 }, { dealValue: 100 }]) {
      const [a, b] = [freshNumber(), freshNumber()]
      const old = (await shop.post('/leads', { phone: a })).body.lead
      const later = (await shop.post('/leads', { phone: b })).body.lead
      await shop.patch(`/leads/${later.id}`, change)
      await parley.system((tx) =>
        tx.sql('update leads set paid_total = 10 where workspace_id = $1 and id = any ($2::uuid[])', [
          shop.workspaceId,
          change.stage ? [old.id, later.id] : [later.id],
        ]),
      )
      await merge(a, b)
      expect(await leadOf(a)).toMatchObject({
        id: later.id,
        contactId: old.contactId,
        phone: a.slice(1),
        dealValue: 100,
        paidTotal: change.stage ? 20 : 10,
      })
      expect((await leadOf(old.id)).id).toBe(later.id)
    }
  })

  test('the only lead of both moves to the kept contact', async () => {
    const [a, b] = [freshNumber(), freshNumber()]
    const kept = await contactAt(a)
    const lead = (await shop.post('/leads', { phone: b, name: 'Ravi' })).body.lead
    const { merged } = (await merge(a, b)).body
    expect(merged).toMatchObject({ leadId: null, keptLeadId: lead.id })
    expect(await leadOf(a)).toMatchObject({
      id: lead.id,
      contactId: kept.id,
      phone: a.slice(1),
      name: 'Ravi',
    })
    expect(await notesOn(lead.id)).toEqual([`Merged with ${b}.`])
    // Totals are updated from changes.
    await shop.get('/leads/summary')
  })

  test('more than 50 tags: the note has the rest', async () => {
    const tags = (letter: string) => Array.from({ length: 30 }, (_, i) => `${letter}${i}`)
    const [a, b] = [freshNumber(), freshNumber()]
    await shop.post('/leads', { phone: a, tags: tags('a') })
    await shop.post('/leads', { phone: b, tags: tags('b') })
    await merge(a, b)
    const lead = await leadOf(a)
    expect(lead.tags).toEqual([...tags('a'), ...tags('b').slice(0, 20)])
    expect((await notesOn(lead.id))[0]).toContain(`Lead tags: ${tags('b').slice(20).join(', ')}`)
  })
})

describe('Erasing the kept contact', () => {
  test('erases all data of both, and no earlier id leads to a contact', async () => {
    const [kept, merged] = await writers()
    const lead = (await shop.post('/leads', { phone: merged.phone, name: 'Secretname' })).body.lead
    await shop.inbound(merged.phone, 'Secretword')
    await merge(kept.id, merged.id)
    expect((await shop.delete(`/contacts/${merged.id}`)).status).toBe(200)
    for (const ref of [kept.id, merged.id, kept.phone, merged.phone])
      expect((await shop.get(`/contacts/${encodeURIComponent(ref)}`)).status).toBe(404)
    expect((await shop.get(`/leads/${lead.id}`)).status).toBe(404)
    const rows = await parley.system((tx) =>
      tx.sql<{ text: string }>(
        `select (select string_agg(e.data::text, '') from events e where e.workspace_id = $1 and e.name <> 'contact.deleted')
           || coalesce((select string_agg(m::text, '') from merged_contacts m where m.workspace_id = $1), '')
           || coalesce((select string_agg(a::text, '') from contact_aliases a where a.workspace_id = $1), '') as text`,
        [shop.workspaceId],
      ),
    )
    for (const word of ['Secretword', 'Secretname', merged.phone, kept.phone])
      expect(rows[0]!.text).not.toContain(word)
    // The operator repeats its report: the repeat is ignored, for either number.
    expect((await shop.inbound(merged.phone, 'Hello, I am new')).status).toBe(202)
    await until(
      async () => (await shown(merged.phone))?.id !== undefined,
      'a customer who writes afterwards is a new contact',
    )
  })
})

describe('Merges by the platform', () => {
  test('run in order in one transaction, and fire contact.merged via platform', async () => {
    const [a, b] = await storePair()
    const [c, d] = await storePair()
    const done = await inWorkspace(parley, shop, (ctx) =>
      mergeContacts(ctx, [
        { ctx, keptId: a.id, mergedId: b.id },
        { ctx, keptId: a.id, mergedId: c.id },
        { ctx, keptId: b.id, mergedId: d.id },
        { ctx, keptId: a.id, mergedId: b.id },
      ]),
    )
    expect(done.map((outcome) => outcome?.contact.id)).toEqual([a.id, a.id, a.id, undefined])
    for (const contact of [b, c, d]) expect((await shown(contact.phone)).id).toBe(a.id)
  })

  test('found during a batch run in a job, which fires contact.merged via platform', async () => {
    const [kept, merged] = await storePair()
    await inWorkspace(parley, shop, (ctx) =>
      enqueue(ctx, mergeTwoContacts, { keptId: kept.id, mergedId: merged.id }),
    )
    parley.wake()
    await until(async () => (await shown(merged.id)).id === kept.id, 'the job has merged both')
    const events = (await eventsOf(parley, shop.workspaceId)).filter(({ name }) => name === 'contact.merged')
    expect(events.at(-1)!.data).toMatchObject({
      via: 'platform',
      contactId: kept.id,
      mergedContactId: merged.id,
    })
  })
})
