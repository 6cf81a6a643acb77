import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { boot, type TestParley, type TestWorkspace } from '../../../../../test/support/boot.ts'
import { addMember } from '../../../platform/workspaces/operations/workspace-members.ts'

let parley: TestParley
let shop: TestWorkspace
let next = 10_000_000
const newPhone = (): string => `+9197${next++}`

beforeAll(async () => {
  parley = await boot()
  shop = await parley.workspace({ sandbox: true })
  for (const [name, email] of [
    ['Ravi Iyer', 'ravi@example.com'],
    ['Meera Nair', 'meera@example.com'],
  ] as const)
    await parley.system((tx) =>
      addMember(tx, { workspaceId: shop.workspaceId, email, name, role: 'agent' }, new Date()),
    )
})
afterAll(() => parley.close())

const eventsOf = async (name: string, phone: string) => {
  const { body } = await shop.get('/events?limit=100')
  return body.events.filter(
    (event: { event: string; data: { lead?: { phone: string } } }) =>
      event.event === name && event.data.lead?.phone === phone.slice(1),
  )
}

describe('GET /pipeline (spec 2.4a)', () => {
  test('a new workspace has a default pipeline with exactly one initial stage', async () => {
    const { status, body } = await shop.get('/pipeline')
    expect(status).toBe(200)
    const initial = body.stages.filter((stage: { kind: string }) => stage.kind === 'initial')
    expect(initial).toHaveLength(1)
    expect(body.initialStageId).toBe(initial[0].id)
    expect(new Set(body.stages.map((stage: { kind: string }) => stage.kind))).toEqual(
      new Set(['initial', 'active', 'won', 'lost']),
    )
    expect(body.lostReasons.length).toBeGreaterThan(0)
    expect(body.stages.map((stage: { position: number }) => stage.position)).toEqual(
      body.stages.map((_: unknown, i: number) => i),
    )
  })

  test('is created once, also by concurrent first requests', async () => {
    const fresh = await parley.workspace({ sandbox: true })
    const answers = await Promise.all(Array.from({ length: 8 }, () => fresh.get('/pipeline')))
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect(answers[0]!.body.stages).toHaveLength(6)
  })
})

describe('POST /leads (spec 3, 4.5)', () => {
  test('a blank name or source counts as missing', async () => {
    const phone = newPhone()
    await shop.post('/contacts', { phone, displayName: 'Asha Rao' })
    const { body } = await shop.post('/leads', { phone, name: '  ', source: '' })
    expect(body.lead).toMatchObject({ name: 'Asha Rao', source: null })
    const answer = await shop.patch(`/leads/${phone}`, { name: ' ', source: ' ' })
    expect(answer.body).toMatchObject({ changed: ['name_changed'], lead: { name: null, source: null } })
  })

  test('a new number returns 201 with the lead in the initial stage, phone in digits only', async () => {
    const phone = newPhone()
    const { status, body } = await shop.post('/leads', {
      phone,
      name: 'Asha Rao',
      email: 'asha@example.com',
      source: 'website',
      rating: 4,
      dealValue: 1250.5,
      tags: ['vip', 'vip'],
      attributes: { city: 'Pune' },
      owner: 'RAVI iyer',
    })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      created: true,
      lead: {
        name: 'Asha Rao',
        phone: phone.slice(1),
        email: 'asha@example.com',
        stage: { name: 'New', kind: 'initial' },
        lostReason: null,
        rating: 4,
        source: 'website',
        owner: { name: 'Ravi Iyer', email: 'ravi@example.com' },
        dealValue: 1250.5,
        paidTotal: 0,
        tags: ['vip'],
        attributes: { city: 'Pune' },
        nextFollowUpAt: null,
        captureCount: 1,
        conversationId: null,
      },
    })
    expect(await eventsOf('lead.created', phone)).toMatchObject([
      { data: { via: 'api', form: null, source: 'website', lead: { dealValue: 1250.5 } } },
    ])
  })

  test('a known number returns 200, and only its capture count changes', async () => {
    const phone = newPhone()
    const { body: first } = await shop.post('/leads', { phone, name: 'Asha', rating: 2 })
    const { status, body } = await shop.post('/leads', { phone, name: 'Somebody else', rating: 5 })
    expect(status).toBe(200)
    expect(body.created).toBe(false)
    expect(body.lead).toMatchObject({ id: first.lead.id, name: 'Asha', rating: 2, captureCount: 2 })
    expect(await eventsOf('lead.created', phone)).toHaveLength(1)
    expect(await eventsOf('lead.recaptured', phone)).toMatchObject([
      { data: { captureCount: 2, via: 'api' } },
    ])
  })

  test('two identical concurrent posts create one lead', async () => {
    const phone = newPhone()
    const answers = await Promise.all(Array.from({ length: 10 }, () => shop.post('/leads', { phone })))
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(9).fill(200), 201])
    expect(new Set(answers.map(({ body }) => body.lead.id)).size).toBe(1)
    expect((await shop.get(`/leads/${phone}`)).body.lead.captureCount).toBe(10)
    expect(await eventsOf('lead.created', phone)).toHaveLength(1)
    const counts = (await eventsOf('lead.recaptured', phone)).map(
      (event: { data: { captureCount: number } }) => event.data.captureCount,
    )
    expect(counts.sort((a: number, b: number) => a - b)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10])
  })

  test('a bare 10-digit number is stored under the country code of the workspace', async () => {
    const phone = newPhone()
    await shop.post('/leads', { phone: phone.slice(3) })
    expect((await shop.get(`/leads/${phone}`)).body.lead.phone).toBe(phone.slice(1))
    expect((await shop.get(`/leads/${phone.slice(3)}`)).body.lead.phone).toBe(phone.slice(1))
  })

  test('a lead is also a contact, and creating it fires no contact.created', async () => {
    const phone = newPhone()
    const { body } = await shop.post('/leads', { phone, name: 'Asha Rao' })
    const { body: found } = await shop.get(`/contacts/${encodeURIComponent(phone)}`)
    expect(found.contact).toMatchObject({ id: body.lead.contactId, displayName: 'Asha Rao' })
    const { body: log } = await shop.get('/events?limit=100')
    expect(
      log.events.filter(
        (event: { event: string; data: { phone: string } }) =>
          event.event === 'contact.created' && event.data.phone === phone,
      ),
    ).toEqual([])
  })

  test('has the name of its contact unless the request has a name', async () => {
    const [knownPhone, other] = [newPhone(), newPhone()]
    for (const phone of [knownPhone, other]) await shop.post('/contacts', { phone, displayName: 'Asha' })
    expect((await shop.post('/leads', { phone: knownPhone })).body.lead.name).toBe('Asha')
    expect((await shop.post('/leads', { phone: other, name: 'Asha Rao' })).body.lead.name).toBe('Asha Rao')
  })

  test('is linked to the conversation of its contact', async () => {
    const phone = newPhone()
    await shop.inbound(phone, 'Is the blue one in stock?')
    const { body } = await shop.post('/leads', { phone })
    const { body: chats } = await shop.get('/conversations?limit=1')
    expect(body.lead.conversationId).toBe(chats.conversations[0].id)
  })

  test('a new lead past the contact limit returns 402; capturing a known lead again still works', async () => {
    const small = await parley.workspace({ sandbox: true })
    await small.set({ contactLimit: 1 })
    const phone = newPhone()
    expect((await small.post('/leads', { phone })).status).toBe(201)
    expect((await small.post('/leads', { phone })).status).toBe(200)
    const overLimit = await small.post('/leads', { phone: newPhone() })
    expect([overLimit.status, overLimit.body.error]).toEqual([402, 'plan_limit_reached'])
  })

  test.each([
    ['phone', { phone: 'nobody' }],
    ['phone', { phone: 'chan:IN.1' }],
    ['rating', { rating: 6 }],
    ['rating', { rating: 1.5 }],
    ['dealValue', { dealValue: 1.005 }],
    ['dealValue', { dealValue: 1e-7 }],
    ['dealValue', { dealValue: -1 }],
    ['email', { email: 'asha' }],
    ['stage', { stage: 'Contcted' }],
    ['owner', { owner: 'nobody@example.com' }],
    ['lostReason', { lostReason: 'Price' }],
    ['nextFollowUpAt', { nextFollowUpAt: 'tomorrow' }],
    ['shade', { shade: 'blue' }],
  ])('the error names an invalid %s', async (field, change) => {
    const { status, body } = await shop.post('/leads', { phone: newPhone(), ...change })
    expect(status).toBe(400)
    expect(body.error).toBe('invalid')
    expect(body.issues.map((issue: { path: string }) => issue.path)).toContain(field)
  })

  test('an unknown stage returns an error that points to GET /pipeline and names similar stages', async () => {
    const { body } = await shop.post('/leads', { phone: newPhone(), stage: 'contcted' })
    expect(body.message).toContain('GET /pipeline')
    expect(body.message).toContain('"Contacted"')
  })
})

describe('PATCH /leads/{id} (spec 3, 4.5)', () => {
  test('moves the stage by name, in any case, and by id', async () => {
    const phone = newPhone()
    const { body } = await shop.post('/leads', { phone })
    const moveAnswer = await shop.patch(`/leads/${body.lead.id}`, { stage: 'qualified' })
    expect(moveAnswer.body).toMatchObject({
      changed: ['stage_changed'],
      lead: { stage: { name: 'Qualified' } },
    })
    const unchanged = await shop.patch(`/leads/${phone}`, { stage: moveAnswer.body.lead.stage.id })
    expect(unchanged.body.changed).toEqual([])
    expect(await eventsOf('lead.stage_changed', phone)).toMatchObject([
      { data: { from: { name: 'New' }, to: { name: 'Qualified', kind: 'active' }, lostReason: null } },
    ])
  })

  test('a new lead in a lost stage needs a reason too', async () => {
    const phone = '+919812377001'
    const bare = await shop.post('/leads', { phone, stage: 'Lost' })
    expect([bare.status, bare.body.issues[0].path]).toEqual([400, 'lostReason'])
    const created = await shop.post('/leads', { phone, stage: 'Lost', lostReason: 'Price' })
    expect(created.body.lead).toMatchObject({ stage: { kind: 'lost' }, lostReason: { label: 'Price' } })
  })

  test('a move to a lost stage needs a lost reason, which is removed when the lead moves back', async () => {
    const phone = newPhone()
    await shop.post('/leads', { phone })
    const bare = await shop.patch(`/leads/${phone}`, { stage: 'Lost' })
    expect([bare.status, bare.body.issues[0].path]).toEqual([400, 'lostReason'])
    const moveAnswer = await shop.patch(`/leads/${phone}`, { stage: 'Lost', lostReason: 'price' })
    expect(moveAnswer.body.lead).toMatchObject({ stage: { kind: 'lost' }, lostReason: { label: 'Price' } })
    const other = await shop.patch(`/leads/${phone}`, { lostReason: 'Other' })
    expect(other.body.changed).toEqual(['lost_reason_changed'])
    const reopened = await shop.patch(`/leads/${phone}`, { stage: 'New' })
    expect(reopened.body.lead.lostReason).toBeNull()
    expect((await shop.patch(`/leads/${phone}`, { lostReason: 'Price' })).status).toBe(400)
    expect(await eventsOf('lead.stage_changed', phone)).toMatchObject([
      { data: { to: { name: 'New' }, lostReason: null } },
      { data: { to: { name: 'Lost' }, lostReason: { label: 'Price' } } },
    ])
  })

  test('an unknown person returns an error that points to the team list, which has the names', async () => {
    const phone = newPhone()
    await shop.post('/leads', { phone })
    const { status, body } = await shop.patch(`/leads/${phone}`, { owner: 'Ravi Ier' })
    expect([status, body.issues[0].path]).toEqual([400, 'owner'])
    expect(body.message).toMatch(/Did you mean "Ravi Iyer"\?.*GET \/pipeline.*GET \/team/)
    const { members } = (await shop.get('/team')).body
    for (const { id, name, email } of members) {
      const answer = await shop.patch(`/leads/${phone}`, { owner: id })
      expect(answer.body.lead.owner).toEqual({ id, name, email })
    }
    expect(members.map((member: { email: string }) => member.email)).toContain('ravi@example.com')
  })

  test('assigns by name, email or id; null unassigns', async () => {
    const phone = newPhone()
    await shop.post('/leads', { phone })
    const ravi = await shop.patch(`/leads/${phone}`, { owner: 'ravi@EXAMPLE.com' })
    expect(ravi.body).toMatchObject({ changed: ['owner_changed'], lead: { owner: { name: 'Ravi Iyer' } } })
    const unassigned = await shop.patch(`/leads/${phone}`, { owner: null })
    expect(unassigned.body).toMatchObject({ changed: ['owner_changed'], lead: { owner: null } })
    expect(await eventsOf('lead.assigned', phone)).toMatchObject([
      { data: { from: { name: 'Ravi Iyer' }, to: null } },
      { data: { from: null, to: { name: 'Ravi Iyer' } } },
    ])
  })

  test('tags are added, removed or replaced; attributes merge', async () => {
    const phone = newPhone()
    await shop.post('/leads', { phone, tags: ['a'], attributes: { city: 'Pune', size: 'L' } })
    const added = await shop.patch(`/leads/${phone}`, { addTags: ['b', 'a'], removeTags: ['x'] })
    expect(added.body).toMatchObject({ changed: ['tags_changed'], lead: { tags: ['a', 'b'] } })
    const answer = await shop.patch(`/leads/${phone}`, { removeTags: ['a'], attributes: { size: null } })
    expect(answer.body.lead).toMatchObject({ tags: ['b'], attributes: { city: 'Pune' } })
    // The timeline has the changed tags, not all tags.
    expect((await shop.get(`/leads/${phone}/timeline`)).body.entries).toContainEqual(
      expect.objectContaining({ kind: 'attributes_changed', data: { from: { size: 'L' }, to: {} } }),
    )
    expect((await shop.patch(`/leads/${phone}`, { tags: [] })).body.lead.tags).toEqual([])
    expect((await shop.patch(`/leads/${phone}`, { tags: ['a'], addTags: ['b'] })).status).toBe(400)
  })

  test('every other field can change and is listed in `changed`', async () => {
    const phone = newPhone()
    await shop.post('/leads', { phone })
    const { body } = await shop.patch(`/leads/${phone}`, {
      name: 'Asha',
      email: 'a@example.com',
      source: 'fair',
      rating: 5,
      dealValue: 99.99,
      nextFollowUpAt: '2030-01-01T10:00:00+05:30',
    })
    expect(body.changed).toEqual([
      'name_changed',
      'email_changed',
      'source_changed',
      'rating_changed',
      'deal_value_changed',
      'follow_up_changed',
    ])
    expect(body.lead).toMatchObject({ dealValue: 99.99, nextFollowUpAt: '2030-01-01T04:30:00.000Z' })
  })

  test.each(['9999-12-31T23:59:59.001Z', '7000-06-01T12:34:56.789Z', '4500-01-01T00:00:00.001Z'])(
    'any valid time is stored as it is returned: %s',
    async (nextFollowUpAt) => {
      const phone = newPhone()
      await shop.post('/leads', { phone, nextFollowUpAt })
      const read = (await shop.get(`/leads/${phone}`)).body.lead
      expect(read.nextFollowUpAt).toBe(nextFollowUpAt)
      expect((await shop.patch(`/leads/${phone}`, { nextFollowUpAt })).body.changed).toEqual([])
    },
  )

  test('a missing lead returns 404', async () => {
    const { body } = await shop.post('/leads', { phone: newPhone() })
    const other = await parley.workspace({ sandbox: true })
    for (const path of [`/leads/${body.lead.id}`, `/leads/${newPhone()}`, '/leads/nobody'])
      expect((await other.patch(path, { rating: 1 })).body.error).toBe('not_found')
  })
})

test('POST /leads/{id}/notes returns 201 with the note', async () => {
  const { body } = await shop.post('/leads', { phone: newPhone() })
  const { status, body: answer } = await shop.post(`/leads/${body.lead.phone}/notes`, { body: 'Likes blue.' })
  expect(status).toBe(201)
  expect(answer.note).toMatchObject({ leadId: body.lead.id, body: 'Likes blue.' })
  expect((await shop.post(`/leads/${body.lead.phone}/notes`, { body: ' ' })).status).toBe(400)
})

test('erasing the contact erases its lead', async () => {
  const phone = newPhone()
  await shop.post('/leads', { phone, note: 'Asked.' })
  await shop.delete(`/contacts/${encodeURIComponent(phone)}`)
  expect((await shop.get(`/leads/${phone}`)).status).toBe(404)
  const [left] = await parley.system((tx) =>
    tx.sql<{ count: number }>(
      `select count(*) as count from lead_timeline t where not exists (
         select from leads l where l.workspace_id = t.workspace_id and l.id = t.lead_id)`,
    ),
  )
  expect(left?.count).toBe(0)
})
