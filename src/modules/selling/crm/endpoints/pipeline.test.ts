import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { boot, type TestParley, type TestWorkspace } from '../../../../../test/support/boot.ts'
import { lockWaits } from '../../../../../test/support/lock-waits.ts'
import { until } from '../../../../../test/support/until.ts'
import { addMember } from '../../../platform/workspaces/operations/workspace-members.ts'

let parley: TestParley
let shop: TestWorkspace
let next = 30_000_000
const newPhone = (): string => `+9197${next++}`

beforeAll(async () => {
  parley = await boot()
  shop = await parley.workspace({ sandbox: true })
})
afterAll(() => parley.close())

type Stage = { id: string; name: string; kind: string; position: number }
const stages = async (workspace = shop): Promise<Stage[]> => (await workspace.get('/pipeline')).body.stages
const names = async (workspace = shop): Promise<string[]> =>
  (await stages(workspace)).map((stage) => stage.name)
const idOf = async (name: string, workspace = shop): Promise<string> =>
  (await stages(workspace)).find((stage) => stage.name === name)!.id

describe('stages (spec 2.4a)', () => {
  test('are added at a position, renamed, recolored and reordered', async () => {
    const own = await parley.workspace({ sandbox: true })
    const { status, body } = await own.post('/pipeline/stages', { name: 'Negotiation', position: 1 })
    expect(status).toBe(201)
    expect(body.stage).toMatchObject({ name: 'Negotiation', kind: 'active', position: 1 })
    await own.patch(`/pipeline/stages/${body.stage.id}`, { name: 'In talks', color: '#112233', position: 99 })
    expect(await names(own)).toEqual(['New', 'Contacted', 'Qualified', 'Proposal', 'Won', 'Lost', 'In talks'])
    expect((await stages(own)).map((stage) => stage.position)).toEqual([0, 1, 2, 3, 4, 5, 6])
  })

  test('a name in composed and decomposed Unicode is the same name', async () => {
    const own = await parley.workspace()
    const [composedName, decomposed] = ['Déjà vu'.normalize('NFC'), 'Déjà vu'.normalize('NFD')]
    const { body } = await own.post('/pipeline/stages', { name: decomposed, kind: 'active' })
    expect((await own.post('/pipeline/stages', { name: composedName, kind: 'active' })).status).toBe(409)
    const { lead } = (await own.post('/leads', { phone: '+919812345600' })).body
    const moveAnswer = await own.patch(`/leads/${lead.id}`, { stage: composedName })
    expect(moveAnswer.body.lead?.stage, moveAnswer.text).toMatchObject({
      id: body.stage.id,
      name: decomposed,
    })
  })

  test('a name in use returns 409 and names the stage', async () => {
    const id = await idOf('Contacted')
    const { status, body } = await shop.post('/pipeline/stages', { name: 'contacted' })
    expect([status, body.error, body.id]).toEqual([409, 'conflict', id])
  })

  test.each([
    [' Visit ', 'visit'],
    ['İzmir', 'izmir'],
    ['ΟΔΟΣ', 'οδοσ'],
    ['ΔΡΟΜΟΣ', 'δρομος'],
  ])('%j and %j are the same name', async (first, second) => {
    const own = await parley.workspace({ sandbox: true })
    for (const [path, field] of [
      ['/pipeline/stages', 'name'],
      ['/pipeline/lost-reasons', 'label'],
      ['/views', 'name'],
    ] as const) {
      expect((await own.post(path, { [field]: first })).status).toBe(201)
      expect((await own.post(path, { [field]: second })).status).toBe(409)
    }
    expect((await own.post('/leads', { phone: newPhone(), stage: second })).body.lead.stage.name).toBe(
      first.trim(),
    )
  })

  test('there is always exactly one initial stage', async () => {
    const own = await parley.workspace({ sandbox: true })
    const [first, second] = await stages(own)
    expect((await own.patch(`/pipeline/stages/${first!.id}`, { kind: 'active' })).status).toBe(409)
    expect((await own.delete(`/pipeline/stages/${first!.id}?moveTo=Contacted`)).status).toBe(409)
    expect((await own.post('/pipeline/stages', { name: 'X', kind: 'initial' })).status).toBe(400)
    await Promise.all([
      own.patch(`/pipeline/stages/${second!.id}`, { kind: 'initial' }),
      own.patch(`/pipeline/stages/${(await idOf('Qualified', own))!}`, { kind: 'initial' }),
    ])
    const initial = (await stages(own)).filter((stage) => stage.kind === 'initial')
    expect(initial).toHaveLength(1)
    expect((await own.post('/leads', { phone: newPhone() })).body.lead.stage.id).toBe(initial[0]!.id)
  })

  test('a removed stage moves its leads to its target and fires no event', async () => {
    const own = await parley.workspace({ sandbox: true })
    const phone = newPhone()
    await own.post('/leads', { phone, stage: 'Qualified' })
    const qualified = await idOf('Qualified', own)
    const { status, body } = await own.delete(`/pipeline/stages/${qualified}?moveTo=proposal`)
    expect([status, body]).toEqual([200, { ok: true, deleted: true }])
    expect((await own.get(`/leads/${phone}`)).body.lead.stage.name).toBe('Proposal')
    // After two removals, the lead still has a stage.
    await own.delete(`/pipeline/stages/${await idOf('Proposal', own)}?moveTo=Contacted`)
    expect((await own.get(`/leads/${phone}`)).body.lead.stage.name).toBe('Contacted')
    expect((await own.patch(`/leads/${phone}`, { stage: 'Contacted' })).body.changed).toEqual([])
    expect((await own.delete(`/pipeline/stages/${qualified}?moveTo=New`)).status).toBe(404)
    const { body: log } = await own.get('/events?limit=100')
    expect(log.events.map((event: { event: string }) => event.event)).not.toContain('lead.stage_changed')
  })

  /** Stores `count` removed stages, each replaced by the next and the last by `target`. Returns their ids. */
  const removedChain = (own: TestWorkspace, count: number, target: string): Promise<string[]> =>
    parley.system(async (tx) => {
      const rows = await tx.sql<{ id: string }>(
        `with chain as (select n, ('0197a1b2-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid as id from generate_series(1, $2::int) n)
         insert into pipeline_stages (workspace_id, id, name, color, kind, position, created_at, removed_at, replaced_by)
         select $1, id, 'Stage ' || n, '#112233', 'active', 0, $3, $3, coalesce(lead(id) over (order by n), $4) from chain returning id`,
        [own.workspaceId, count, new Date(), target],
      )
      return rows.map(({ id }) => id)
    })

  test('a stage removed after others passes on their leads: each id leads to the current stage', async () => {
    const own = await parley.workspace({ sandbox: true })
    const replaced = () =>
      parley.system((tx) =>
        tx.sql<{ name: string; to: string }>(
          `select r.name, s.name as to from pipeline_stages r join pipeline_stages s
             on s.workspace_id = r.workspace_id and s.id = r.replaced_by
           where r.workspace_id = $1 order by r.name`,
          [own.workspaceId],
        ),
      )
    await own.delete(`/pipeline/stages/${await idOf('Qualified', own)}?moveTo=Proposal`)
    await own.delete(`/pipeline/stages/${await idOf('Contacted', own)}?moveTo=Proposal`)
    await own.delete(`/pipeline/stages/${await idOf('Proposal', own)}?moveTo=Won`)
    expect(await replaced()).toEqual(
      ['Contacted', 'Proposal', 'Qualified'].map((name) => ({ name, to: 'Won' })),
    )
  })

  test('after the maximum of chained removals, leads are in the last stage', async () => {
    const own = await parley.workspace({ sandbox: true })
    const phone = newPhone()
    await own.post('/leads', { phone })
    const [oldest] = await removedChain(own, 1_000, await idOf('Contacted', own))
    await parley.system((tx) =>
      tx.sql('update leads set stage_id = $2 where workspace_id = $1', [own.workspaceId, oldest]),
    )
    const lead = await own.get(`/leads/${phone}`)
    expect([lead.status, lead.body.lead?.stage.name]).toEqual([200, 'Contacted'])
    const open = await own.get('/leads?view=sys:open')
    expect([open.status, open.body.leads.length]).toEqual([200, 1])
  })

  test('a pipeline keeps a thousand removed stages and reasons; after that they must be renamed', async () => {
    const own = await parley.workspace({ sandbox: true })
    await removedChain(own, 1_000, await idOf('New', own))
    await parley.system((tx) =>
      tx.sql(
        `insert into lost_reasons (workspace_id, id, label, position, created_at, removed_at)
         select $1, uuidv7(), 'Reason ' || n, 0, $2, $2 from generate_series(1, 1000) n`,
        [own.workspaceId, new Date()],
      ),
    )
    for (const [path, body] of [
      ['/pipeline/stages', { name: 'More' }],
      ['/pipeline/lost-reasons', { label: 'More' }],
    ] as const)
      expect((await own.post(path, body)).body).toMatchObject({
        error: 'conflict',
        message: expect.stringMatching(/1000 removed .*rename/i),
      })
    const id = await idOf('Proposal', own)
    expect((await own.patch(`/pipeline/stages/${id}`, { name: 'Offer' })).status).toBe(200)
    expect((await own.delete(`/pipeline/stages/${id}?moveTo=New`)).status).toBe(200)
  })

  test('a lead that leaves a removed stage comes from its replacement', async () => {
    const own = await parley.workspace({ sandbox: true })
    const phone = newPhone()
    await own.post('/leads', { phone, stage: 'Qualified' })
    await own.delete(`/pipeline/stages/${await idOf('Qualified', own)}?moveTo=Proposal`)
    await own.patch(`/leads/${phone}`, { stage: 'Won' })
    const from = { id: await idOf('Proposal', own), name: 'Proposal', kind: 'active' }
    expect((await own.get('/events')).body.events[0]).toMatchObject({
      event: 'lead.stage_changed',
      data: { from },
    })
    expect((await own.get(`/leads/${phone}/timeline`)).body.entries[0]).toMatchObject({
      kind: 'stage_changed',
      data: { from },
    })
  })

  test.each([
    ['a change', (phone: string) => shop.patch(`/leads/${phone}`, { rating: 3 })],
    ['another capture', (phone: string) => shop.post('/leads', { phone })],
    [
      'a task',
      (phone: string) => shop.post('/tasks', { leadId: phone, title: 'Call', dueAt: '2030-01-01T00:00:00Z' }),
    ],
  ])('%s of a lead that moved meanwhile to a newly created stage succeeds', async (_title, request) => {
    const phone = newPhone()
    await shop.post('/leads', { phone })
    const [started, stageCreated] = [Promise.withResolvers<void>(), Promise.withResolvers<string>()]
    // Simulates the request that moves the lead: it holds the lock while the other request waits.
    const holding = parley.system(async (tx) => {
      const held = [shop.workspaceId, phone.slice(1)]
      await tx.sql('select from leads where workspace_id = $1 and phone = $2 for update', held)
      started.resolve()
      await tx.sql(`update leads set stage_id = $3 where workspace_id = $1 and phone = $2`, [
        ...held,
        await stageCreated.promise,
      ])
    })
    await started.promise
    const answer = request(phone)
    await until(
      async () => (await parley.system((tx) => lockWaits(tx.sql))).length > 0,
      'the other request waits for the lead',
    )
    const name = `Stage of ${phone}`
    stageCreated.resolve((await shop.post('/pipeline/stages', { name })).body.stage.id)
    await holding
    expect((await answer).status).toBeLessThan(300)
    expect((await shop.get(`/leads/${phone}`)).body.lead.stage.name).toBe(name)
  })

  test('a removal requires a target', async () => {
    const id = await idOf('Qualified')
    for (const query of ['', '?moveTo=Nowhere', '?moveTo=Qualified'])
      expect((await shop.delete(`/pipeline/stages/${id}${query}`)).body.issues[0].path).toBe('moveTo')
  })

  test('a stage and a lost reason are found by their id in upper or lower case', async () => {
    const own = await parley.workspace({ sandbox: true })
    const id = (await idOf('Qualified', own)).toUpperCase()
    const changed = await own.patch(`/pipeline/stages/${id}`, { name: 'Fit', position: 4 })
    expect([changed.status, changed.body.stage?.id]).toEqual([200, id.toLowerCase()])
    expect(await names(own)).toEqual(['New', 'Contacted', 'Proposal', 'Won', 'Fit', 'Lost'])
    expect((await own.delete(`/pipeline/stages/${id}?moveTo=${id}`)).body.issues?.[0].path).toBe('moveTo')
    expect((await own.delete(`/pipeline/stages/${id}?moveTo=New`)).status).toBe(200)
    expect(await names(own)).toEqual(['New', 'Contacted', 'Proposal', 'Won', 'Lost'])
    const reason = (await own.get('/pipeline')).body.lostReasons[1].id.toUpperCase()
    const path = `/pipeline/lost-reasons/${reason}`
    expect((await own.patch(path, { label: 'Silence' })).body.lostReason).toMatchObject({ position: 1 })
    expect((await own.delete(path)).status).toBe(200)
    expect((await own.delete(path)).status).toBe(404)
  })

  test('only admins can restructure the pipeline', async () => {
    const agent = await shop.as('agent')
    expect((await agent.post('/pipeline/stages', { name: 'Mine' })).body.error).toBe('forbidden')
  })
})

test('lost reasons are added, renamed, moved and removed; lost leads keep their reason', async () => {
  const own = await parley.workspace({ sandbox: true })
  const { body } = await own.post('/pipeline/lost-reasons', { label: 'Moved away', position: 0 })
  const id = body.lostReason.id
  await own.patch(`/pipeline/lost-reasons/${id}`, { label: 'Left town', position: 1 })
  const labels = async () =>
    (await own.get('/pipeline')).body.lostReasons.map((reason: { label: string }) => reason.label)
  expect((await labels()).slice(0, 2)).toEqual(['Price', 'Left town'])
  const phone = newPhone()
  await own.post('/leads', { phone })
  await own.patch(`/leads/${phone}`, { stage: 'Lost', lostReason: 'Left town' })
  await own.delete(`/pipeline/lost-reasons/${id}`)
  expect(await labels()).not.toContain('Left town')
  expect((await own.get(`/leads/${phone}`)).body.lead.lostReason.label).toBe('Left town')
  expect((await own.patch(`/leads/${phone}`, { lostReason: 'Left town' })).status).toBe(400)
})

test('a lead whose lost stage changes kind, or is removed into another kind, has no lost reason any more', async () => {
  const own = await parley.workspace({ sandbox: true })
  const lostStage = await idOf('Lost', own)
  const phone = newPhone()
  await own.post('/leads', { phone })
  await own.patch(`/leads/${phone}`, { stage: 'Lost', lostReason: 'Price' })
  const reason = async () => (await own.get(`/leads/${phone}`)).body.lead.lostReason
  const countListed = async (condition: object) => {
    const filter = JSON.stringify({ conditions: [{ field: 'lostReason', ...condition }] })
    return (await own.get(`/leads?filter=${encodeURIComponent(filter)}`)).body.total
  }
  expect([await countListed({ op: 'eq', value: 'Price' }), await countListed({ op: 'empty' })]).toEqual([
    1, 0,
  ])
  await own.patch(`/pipeline/stages/${lostStage}`, { kind: 'active' })
  expect(await reason()).toBeNull()
  expect([await countListed({ op: 'eq', value: 'Price' }), await countListed({ op: 'empty' })]).toEqual([
    0, 1,
  ])
  // Another change of the lead doesn't report it.
  const renamed = await own.patch(`/leads/${phone}`, { name: 'Asha' })
  expect(renamed.body).toMatchObject({ changed: ['name_changed'], lead: { lostReason: null } })
  // After its stage becomes a lost stage again, the lead has its reason back.
  await own.patch(`/pipeline/stages/${lostStage}`, { kind: 'lost' })
  expect(await reason()).toMatchObject({ label: 'Price' })
  await own.delete(`/pipeline/stages/${lostStage}?moveTo=Contacted`)
  expect(await reason()).toBeNull()
  expect([await countListed({ op: 'neq', value: 'Price' }), await countListed({ op: 'notEmpty' })]).toEqual([
    1, 0,
  ])
  const { body } = await own.get('/events')
  expect(body.events.filter((event: { event: string }) => event.event === 'lead.stage_changed')).toHaveLength(
    1,
  )
})

describe('assignment of new leads (DECISIONS.md "Leads")', () => {
  test('round robin assigns each new lead to the next chosen member and fires lead.assigned', async () => {
    const own = await parley.workspace({ sandbox: true })
    for (const name of ['Ravi', 'Meera', 'Kiran'])
      await parley.system((tx) =>
        addMember(
          tx,
          { workspaceId: own.workspaceId, email: `${name}@example.com`, name, role: 'agent' },
          new Date(),
        ),
      )
    const { body } = await own.patch('/pipeline/assignment', {
      mode: 'round_robin',
      members: ['Ravi', 'meera@example.com'],
    })
    expect(body.members.map((member: { name: string }) => member.name)).toEqual(['Ravi', 'Meera'])
    const owners = await Promise.all(
      Array.from(
        { length: 10 },
        async () => (await own.post('/leads', { phone: newPhone() })).body.lead.owner.name,
      ),
    )
    expect(owners.filter((name) => name === 'Ravi')).toHaveLength(5)
    const { body: log } = await own.get('/events?limit=100')
    const assigned = log.events.filter((event: { event: string }) => event.event === 'lead.assigned')
    expect(assigned).toHaveLength(10)
    expect((await own.post('/leads', { phone: newPhone(), owner: null })).body.lead.owner).toBeNull()
    expect((await own.post('/leads', { phone: newPhone(), owner: 'Kiran' })).body.lead.owner.name).toBe(
      'Kiran',
    )
  })

  test('fixed assigns all leads to one member; none assigns none', async () => {
    const own = await parley.workspace({ sandbox: true })
    await own.patch('/pipeline/assignment', { mode: 'fixed', members: [own.ownerId] })
    const { lead } = (await own.post('/leads', { phone: newPhone() })).body
    expect(lead.owner.id).toBe(own.ownerId)
    expect((await own.get(`/leads/${lead.id}/timeline`)).body.entries).toMatchObject([
      { kind: 'owner_changed', actor: { kind: 'platform' }, data: { from: null, to: lead.owner } },
      { kind: 'captured' },
    ])
    await own.patch('/pipeline/assignment', { mode: 'none' })
    expect((await own.post('/leads', { phone: newPhone() })).body.lead.owner).toBeNull()
    expect((await own.patch('/pipeline/assignment', { mode: 'fixed' })).body.issues[0].path).toBe('members')
    const unknown = await own.patch('/pipeline/assignment', { mode: 'fixed', members: ['Nobody'] })
    expect(unknown.body.issues[0].path).toBe('members[0]')
  })
})
