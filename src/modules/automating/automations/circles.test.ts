/** Loops of automations, harmful or accidental: each loop ends, and the log shows where. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { automate, listRuns, newLead, newPhone, runsOf } from '../../../../test/support/automations.ts'
import { type Body, boot, type TestParley, type TestWorkspace } from '../../../../test/support/boot.ts'
import { makeReceivers } from '../../../../test/support/receiver.ts'
import { DASHBOARD, signIn } from '../../../../test/support/sessions.ts'
import { until } from '../../../../test/support/until.ts'

const IMPORTS = `${DASHBOARD}/imports`
let parley: TestParley
let receivers: Awaited<ReturnType<typeof makeReceivers>>
beforeAll(async () => {
  receivers = await makeReceivers()
  parley = await boot({ env: receivers.env })
})
afterAll(async () => {
  await parley?.close()
  await receivers?.close()
})

const statusesOf = async (shop: TestWorkspace, id: string): Promise<string[]> =>
  (await listRuns(shop, id)).map(({ status }) => status)

test('automations that move a lead in a ring end: each runs once in a chain, and no chain is longer than five', async () => {
  const shop = await parley.workspace()
  const stages = ['Contacted', 'Qualified', 'Proposal', 'Won', 'New', 'A', 'B', 'C']
  for (const name of ['A', 'B', 'C']) await shop.post('/pipeline/stages', { name, kind: 'active' })
  const ring: string[] = []
  for (const [i, from] of stages.entries()) {
    const created = await automate(shop, {
      trigger: { event: 'lead.stage_changed' },
      conditions: { conditions: [{ field: 'event.to.name', op: 'eq', value: from }] },
      actions: [{ type: 'set_stage', stage: stages[(i + 1) % stages.length] }],
    })
    ring.push(created.id)
  }
  const lead = await newLead(shop)
  await shop.patch(`/leads/${lead.id}`, { stage: 'Contacted' })
  // Six events: the person's move and the five moves that follow. All automations of the ring get each event.
  for (const id of ring) await runsOf(shop, id, 6)
  const doneCounts = await Promise.all(
    ring.map(async (id) => (await statusesOf(shop, id)).filter((status) => status === 'done').length),
  )
  expect(doneCounts).toEqual([1, 1, 1, 1, 1, 0, 0, 0])
  expect((await listRuns(shop, ring[5]!)).map(({ reason }) => reason)).toContain(
    '5 automations led to this event, one after another.',
  )
})

test('automations that assign leads to each other, and tag them, end', async () => {
  const shop = await parley.workspace()
  await shop.post('/tags', { name: 'seen' })
  const { members } = (await shop.get('/team')).body
  const ids: string[] = []
  for (const member of [members[0].id, null]) {
    const { id } = await automate(shop, {
      trigger: { event: 'lead.assigned' },
      actions: [
        { type: 'add_tags', tags: ['seen'] },
        { type: 'add_tags', tags: ['seen'], on: 'lead' },
        { type: 'assign_lead', member },
      ],
    })
    ids.push(id)
  }
  const lead = await newLead(shop)
  await shop.patch(`/leads/${lead.id}`, { owner: members[0].id })
  await until(
    async () =>
      (await Promise.all(ids.map((id) => listRuns(shop, id)))).flat().every((run) => run.finishedAt !== null),
    'all runs are finished',
  )
  const runs = (await Promise.all(ids.map((id) => listRuns(shop, id)))).flat()
  expect(runs.length).toBeLessThanOrEqual(12)
  // Contact changes made by automations publish no event.
  const { events } = (await shop.get('/events?limit=100')).body
  expect(events.filter(({ event }: Body) => event === 'contact.updated')).toEqual([])
})

test('a loop through another server runs twenty times an hour for a contact, and then stops', async () => {
  const shop = await parley.workspace({ sandbox: true })
  const lead = await newLead(shop)
  const stages = ['Contacted', 'Qualified']
  let moves = 0
  // A receiver that answers each call by moving the lead again, with its own API key.
  const receiver = await receivers.open((response) => {
    void shop
      .patch(`/leads/${lead.id}`, { stage: stages[moves++ % 2] })
      .then(() => response.writeHead(200).end())
  })
  const { id } = await automate(shop, {
    trigger: { event: 'lead.stage_changed' },
    actions: [{ type: 'call_webhook', url: receiver.url }],
  })
  await shop.patch(`/leads/${lead.id}`, { stage: stages[moves++ % 2] })
  const runs = await runsOf(shop, id, 21)
  expect(runs.map(({ status }) => status)).toEqual([...Array(20).fill('done'), 'skipped'])
  expect(receiver.received).toHaveLength(20)
})

/** Imports `count` new leads. */
async function importLeads(shop: TestWorkspace, count: number): Promise<void> {
  const owner = await signIn(parley, shop, 'admin')
  const lines = Array.from({ length: count }, () => `${newPhone()},Asha`)
  const file = {
    filename: 'people.csv',
    fileBase64: Buffer.from(['phone,name', ...lines].join('\n')).toString('base64'),
  }
  const { body } = await owner.post(IMPORTS, file)
  const started = await owner.patch(`${IMPORTS}/${body.import.id}`, {
    kind: 'leads',
    mapping: body.import.guess.leads,
  })
  expect(started.status, started.text).toBe(200)
}

test('an import starts no run, unless the automation includes imports', async () => {
  const shop = await parley.workspace()
  const silent = await automate(shop, { trigger: { event: 'lead.created' } })
  const importAutomation = await automate(shop, { trigger: { event: 'lead.created', includeImports: true } })
  await importLeads(shop, 30)
  const runs = await runsOf(shop, importAutomation.id, 30)
  expect(runs.every(({ status }) => status === 'done')).toBe(true)
  await newLead(shop)
  expect(await runsOf(shop, silent.id)).toHaveLength(1)
})

test('a started run continues before many other runs start', async () => {
  const shop = await parley.workspace()
  const { id } = await automate(shop, {
    trigger: { event: 'lead.created', includeImports: true },
    actions: ['1', '2', '3', '4', '5'].map((text) => ({ type: 'add_note', text, on: 'lead' })),
  })
  await importLeads(shop, 60)
  const runs = await runsOf(shop, id, 60)
  const startTimes = runs.map(({ steps }) => steps[0].at).toSorted()
  const endTimes = runs.map(({ finishedAt }) => finishedAt).toSorted()
  expect(endTimes[10]! < startTimes[50]!, `${endTimes[10]} ${startTimes[50]}`).toBe(true)
})

test('a hundred automations are the limit, and one event runs them all in order', async () => {
  const shop = await parley.workspace({ sandbox: true })
  const ids: string[] = []
  for (let i = 0; i < 100; i++) {
    const answer = await shop.post('/automations', {
      name: `Automation ${i}`,
      trigger: { event: 'lead.created' },
      conditions: { conditions: [{ field: 'lead.rating', op: 'gte', value: i < 97 ? 5 : 0 }] },
      actions: [{ type: 'add_note', text: `${i}`, on: 'lead' }],
    })
    if (answer.status === 429) {
      await shop.advance(Number(answer.headers['retry-after']))
      i--
      continue
    }
    expect(answer.status).toBe(201)
    ids.push(answer.body.automation.id)
  }
  const lead = await newLead(shop)
  // Runs end in order, so the last automation is read first. Sequential reads stay within the rate limit.
  for (const id of ids.toReversed()) await runsOf(shop, id)
  const { entries } = (await shop.get(`/leads/${lead.id}/timeline?limit=100`)).body
  const notes = entries.filter(({ kind }: Body) => kind === 'note').map(({ data }: Body) => data.body)
  expect(notes.reverse()).toEqual(['97', '98', '99'])
})
