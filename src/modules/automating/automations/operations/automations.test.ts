import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import {
  automate,
  listRuns,
  newLead,
  newPhone,
  notesOf,
  runsOf,
} from '../../../../../test/support/automations.ts'
import {
  type Body,
  boot,
  type Client,
  clientOf,
  type TestParley,
  type TestWorkspace,
} from '../../../../../test/support/boot.ts'
import { lockWaits } from '../../../../../test/support/lock-waits.ts'
import { makeChats } from '../../../../../test/support/many-chats.ts'
import { makeReceivers } from '../../../../../test/support/receiver.ts'
import { refuseRows } from '../../../../../test/support/refused-rows.ts'
import { customerWrites, openSocialShop } from '../../../../../test/support/social-shop.ts'
import { addCloudNumber } from '../../../../../test/support/stand-in-operator.ts'
import { storeTemplate } from '../../../../../test/support/templates.ts'
import { until } from '../../../../../test/support/until.ts'
import type { Context } from '../../../../core/context.ts'
import { listIdleChats } from '../../../messaging/conversations/operations/idle-chats.ts'

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
const newShop = (): Promise<TestWorkspace> => parley.workspace({ sandbox: true })

const templateOf = async (shop: TestWorkspace, body: string, more: object = {}): Promise<Body> => {
  await storeTemplate(parley, shop, { components: [{ type: 'BODY', text: body }], ...more })
  return (await shop.get('/templates')).body.templates[0]
}
const messagesTo = async (shop: TestWorkspace): Promise<Body[]> =>
  (await shop.get('/messages?direction=outbound')).body.messages.reverse()

test("an event runs its actions in order, and the run's log shows each result", async () => {
  const shop = await newShop()
  await shop.post('/tags', { name: 'vip' })
  const { id } = await automate(shop, {
    trigger: { event: 'lead.created' },
    conditions: { conditions: [{ field: 'lead.rating', op: 'gte', value: 3 }] },
    actions: [
      { type: 'add_tags', tags: ['vip'], on: 'lead' },
      { type: 'set_stage', stage: 'Contacted' },
      { type: 'add_note', text: 'Hello {{lead.name}} in {{event.lead.stage.name}}', on: 'lead' },
      { type: 'create_task', taskType: 'call', dueInMinutes: 60 },
    ],
  })
  const cold = await newLead(shop, { rating: 1 })
  const lead = await newLead(shop, { rating: 4 })
  const [skipped, done] = await runsOf(shop, id, 2)
  expect(skipped).toMatchObject({ status: 'skipped', subject: { leadId: cold.id }, steps: [] })
  expect(done).toMatchObject({
    status: 'done',
    reason: null,
    subject: { leadId: lead.id, contactId: lead.contactId },
    steps: [
      { action: 'add_tags', status: 'done', result: { leadId: lead.id, changed: ['tags_changed'] } },
      { action: 'set_stage', status: 'done' },
      { action: 'add_note', status: 'done' },
      { action: 'create_task', status: 'done' },
    ],
  })
  const { body } = await shop.get(`/leads/${lead.id}`)
  expect(body.lead).toMatchObject({ tags: ['vip'], stage: { name: 'Contacted' } })
  const [note] = await notesOf(shop, lead.id)
  expect(note).toMatchObject({
    actor: { kind: 'platform', id, name: 'Test' },
    data: { body: 'Hello Asha Rao in New' },
  })
  expect((await shop.get('/tasks')).body.tasks).toMatchObject([{ type: 'call', title: 'Test' }])
  const { automations } = (await shop.get('/automations')).body
  expect(automations).toMatchObject([{ id, stats: { done: 1, skipped: 1, failed: 0 }, disabledReason: null }])
})

test('a rolled-back change leaves no run', async () => {
  const shop = await newShop()
  const { id } = await automate(shop, { trigger: { event: 'lead.created' } })
  const refused = await shop.post('/leads', { phone: newPhone(), stage: 'Nowhere' })
  expect(refused.status).toBe(400)
  await newLead(shop)
  expect(await runsOf(shop, id)).toHaveLength(1)
})

test('an automation that sets its own trigger stops immediately', async () => {
  const shop = await newShop()
  const { id } = await automate(shop, {
    trigger: { event: 'lead.stage_changed' },
    conditions: { conditions: [] },
    actions: [{ type: 'set_stage', stage: 'Qualified' }],
  })
  const lead = await newLead(shop)
  await shop.patch(`/leads/${lead.id}`, { stage: 'Contacted' })
  const [first, second] = await runsOf(shop, id, 2)
  expect(first).toMatchObject({ status: 'done' })
  expect(second).toMatchObject({
    status: 'skipped',
    reason: 'This automation led to this event itself.',
  })
})

test('two automations that trigger each other stop', async () => {
  const shop = await newShop()
  const toQualified = await automate(shop, {
    trigger: { event: 'lead.stage_changed' },
    conditions: { conditions: [{ field: 'event.to.name', op: 'eq', value: 'Contacted' }] },
    actions: [{ type: 'set_stage', stage: 'Qualified' }],
  })
  const toContacted = await automate(shop, {
    trigger: { event: 'lead.stage_changed' },
    conditions: { conditions: [{ field: 'event.to.name', op: 'eq', value: 'Qualified' }] },
    actions: [{ type: 'set_stage', stage: 'Contacted' }],
  })
  const lead = await newLead(shop)
  await shop.patch(`/leads/${lead.id}`, { stage: 'Contacted' })
  // Three events: the person's change, A's change, and B's change. Each automation gets a run for each.
  expect((await runsOf(shop, toQualified.id, 3)).map(({ status }) => status)).toEqual([
    'done',
    'skipped',
    'skipped',
  ])
  expect((await runsOf(shop, toContacted.id, 3)).map(({ status }) => status)).toEqual([
    'skipped',
    'done',
    'skipped',
  ])
  expect((await shop.get(`/leads/${lead.id}`)).body.lead.stage.name).toBe('Contacted')
})

test('run 21 for a contact within an hour is skipped with a reason, and after five minutes above the limit the automation is turned off', async () => {
  const shop = await newShop()
  const { id } = await automate(shop, { trigger: { event: 'lead.stage_changed' } })
  const lead = await newLead(shop)
  const stages = ['Contacted', 'Qualified']
  const move = (count: number) => shop.patch(`/leads/${lead.id}`, { stage: stages[count % 2] })
  for (let count = 0; count < 21; count++) await move(count)
  const runs = await runsOf(shop, id, 21)
  expect(runs.map(({ status }) => status)).toEqual([...Array(20).fill('done'), 'skipped'])
  expect(runs[20].reason).toBe('It ran 20 times for this contact within an hour.')
  for (let minute = 0; minute < 5; minute += 2.5) {
    await shop.advance(150)
    await move(minute === 0 ? 21 : 22)
    await runsOf(shop, id, minute === 0 ? 22 : 23)
  }
  const { automation } = (await shop.get(`/automations/${id}`)).body
  expect(automation.enabled).toBe(false)
  expect(automation.disabledReason).toContain('It ran 20 times for this contact within an hour.')
  // Turning it on again clears the reason.
  const reenabled = await shop.patch(`/automations/${id}`, { enabled: true })
  expect(reenabled.body.automation).toMatchObject({ enabled: true, disabledReason: null })
})

test('a run whose automation is turned off during a wait does nothing more', async () => {
  const shop = await newShop()
  const { id } = await automate(shop, {
    trigger: { event: 'lead.created' },
    actions: [
      { type: 'add_note', text: 'before', on: 'lead' },
      { type: 'wait', minutes: 60 },
      { type: 'add_note', text: 'after', on: 'lead' },
    ],
  })
  const lead = await newLead(shop)
  await until(async () => (await listRuns(shop, id))[0]?.steps.length === 2, 'the run waits')
  await shop.patch(`/automations/${id}`, { enabled: false })
  await shop.advance(3_600)
  const [run] = await runsOf(shop, id)
  expect(run).toMatchObject({ status: 'skipped', reason: 'The automation was turned off.' })
  expect((await notesOf(shop, lead.id)).map(({ data }) => data.body)).toEqual(['before'])
})

test("the sandbox's clock runs waits in order", async () => {
  const shop = await newShop()
  const trigger = { event: 'lead.created' }
  const waits = async (minutes: number) =>
    automate(shop, {
      trigger,
      actions: [
        { type: 'wait', minutes },
        { type: 'add_note', text: `after ${minutes}`, on: 'lead' },
      ],
    })
  const automations = [await waits(120), await waits(1), await waits(43_200), await waits(30)]
  const lead = await newLead(shop)
  for (const { id } of automations)
    await until(async () => (await listRuns(shop, id))[0]?.status === 'waiting', 'the run waits')
  await shop.advance(30 * 24 * 3_600)
  for (const { id } of automations) await runsOf(shop, id)
  expect((await notesOf(shop, lead.id)).map(({ data }) => data.body)).toEqual([
    'after 1',
    'after 30',
    'after 120',
    'after 43200',
  ])
})

describe('messages', () => {
  test('a closed window: sends the template', async () => {
    const shop = await newShop()
    const template = await templateOf(shop, 'Hi {{1}}')
    const { id } = await automate(shop, {
      trigger: { event: 'lead.created' },
      actions: [
        {
          type: 'send_text',
          text: 'Hi {{lead.name}}',
          orTemplate: template.id,
          variables: ['{{lead.name}}'],
        },
      ],
    })
    await shop.inbound('+919812345670', 'Hello')
    await newLead(shop, { phone: '+919812345670', name: 'Open' })
    await newLead(shop, { name: 'Shut' })
    const runs = await runsOf(shop, id, 2)
    const messages = await messagesTo(shop)
    // Runs of different contacts have no order between them.
    expect(messages.map(({ type, text }) => [type, text]).sort()).toEqual([
      ['template', 'Hi Shut'],
      ['text', 'Hi Open'],
    ])
    // Every message names the automation and the run that sent it.
    const causes = new Set(messages.map(({ automation }) => automation))
    expect(causes).toEqual(new Set(runs.map((run) => ({ id, runId: run.id }))))
  })

  test('an opted-out contact: the step is skipped', async () => {
    const shop = await newShop()
    const template = await templateOf(shop, 'Hello')
    const { id } = await automate(shop, {
      trigger: { event: 'lead.created' },
      actions: [
        { type: 'send_template', templateId: template.id },
        { type: 'add_note', text: 'still here', on: 'lead' },
      ],
    })
    const phone = newPhone()
    await shop.post('/contacts', { phone, optInStatus: 'opted_out' })
    const lead = await newLead(shop, { phone })
    const [run] = await runsOf(shop, id)
    expect(run).toMatchObject({ status: 'done', steps: [{ status: 'skipped' }, { status: 'done' }] })
    expect(run.steps[0].reason).toMatch(/opted out/i)
    expect(await messagesTo(shop)).toEqual([])
    expect(await notesOf(shop, lead.id)).toHaveLength(1)
  })

  test('after ten automatic messages in a chat within ten minutes without a person: the run is skipped', async () => {
    const shop = await newShop()
    const { id } = await automate(shop, {
      trigger: { event: 'message.received' },
      actions: [{ type: 'send_text', text: 'Thanks!' }],
    })
    for (let count = 1; count <= 11; count++) {
      await shop.inbound('+919812345671', `Hello ${count}`)
      await runsOf(shop, id, count)
    }
    const runs = await runsOf(shop, id, 11)
    expect(runs.map(({ status }) => status)).toEqual([...Array(10).fill('done'), 'skipped'])
    expect(runs[10].reason).toMatch(/10 automatic messages/)
    await shop.advance(601)
    await shop.inbound('+919812345671', 'Still there?')
    expect((await runsOf(shop, id, 12))[11]).toMatchObject({ status: 'done' })
  })

  test('a message sent by an automation does not start that automation again', async () => {
    const shop = await newShop()
    const { id } = await automate(shop, {
      trigger: { event: 'message.status' },
      actions: [{ type: 'send_text', text: 'Did you get it?' }],
    })
    await shop.inbound('+919812345672', 'Hello')
    await shop.post('/send', { to: '+919812345672', type: 'text', text: 'By a person' })
    await shop.advance(60)
    // Three receipts of the person's message, and three receipts for each of the three answers.
    const runs = await runsOf(shop, id, 12)
    expect(runs.filter(({ status }) => status === 'done')).toHaveLength(3)
    expect(await messagesTo(shop)).toHaveLength(4)
  })
})

test('placeholder values never break a step: long values are cut, and empty ones are left out', async () => {
  const shop = await newShop()
  await shop.post('/contact-fields', { key: 'bio', type: 'text' })
  const bio = 'y'.repeat(199) + '😀'.repeat(200)
  const { contact } = (await shop.post('/contacts', { phone: newPhone(), attributes: { bio } })).body
  const [longPlaceholder, emptyPlaceholder] = ['{{contact.attributes.bio}}', '{{contact.displayName}}']
  const { status, body } = await shop.post('/automations/test', {
    automation: {
      name: 'Fill in',
      trigger: { event: 'contact.created' },
      actions: [
        {
          type: 'create_lead',
          name: longPlaceholder,
          source: emptyPlaceholder,
          note: longPlaceholder.repeat(20),
        },
        { type: 'create_task', title: longPlaceholder, dueInMinutes: 60 },
        { type: 'create_task', title: emptyPlaceholder, dueInMinutes: 60 },
        { type: 'add_note', on: 'lead', text: longPlaceholder.repeat(20) },
      ],
    },
    contactId: contact.id,
  })
  expect([status, body.actions?.map((action: Body) => action.status)]).toEqual([
    200,
    ['done', 'done', 'done', 'done'],
  ])
  const { id } = await automate(shop, {
    trigger: { event: 'contact.updated' },
    actions: [
      { type: 'create_lead', name: longPlaceholder, source: emptyPlaceholder },
      { type: 'create_task', title: longPlaceholder, dueInMinutes: 60 },
      { type: 'create_task', title: emptyPlaceholder, dueInMinutes: 30 },
    ],
  })
  await shop.patch(`/contacts/${contact.id}`, { tags: ['new'] })
  expect(await runsOf(shop, id)).toMatchObject([{ status: 'done' }])
  const cut = `${'y'.repeat(199)}😀`
  expect((await shop.get('/leads')).body.leads).toMatchObject([{ name: cut, source: null }])
  expect((await shop.get('/tasks')).body.tasks.map(({ title }: Body) => title)).toEqual([cut, 'Test'])
})

test("a template value fits on one line, even if the customer's field has several lines", async () => {
  const shop = await newShop()
  await storeTemplate(parley, shop, { components: [{ type: 'BODY', text: 'Hi {{1}}, we come to {{2}}.' }] })
  const template = (await shop.get('/templates')).body.templates[0]
  const { id } = await automate(shop, {
    trigger: { event: 'lead.created' },
    actions: [
      {
        type: 'send_template',
        templateId: template.id,
        variables: ['{{lead.name}}', '{{lead.attributes.address}}'],
      },
    ],
  })
  await newLead(shop, { attributes: { address: '12 MG Road\nPune\t411001      India' } })
  const [run] = await runsOf(shop, id)
  expect(run).toMatchObject({ status: 'done', steps: [{ status: 'done' }] })
  const [message] = await messagesTo(shop)
  expect(message.text).toMatch(/, we come to 12 MG Road, Pune 411001 India\.$/)
})

test('a template with an empty value for this customer is skipped', async () => {
  const shop = await newShop()
  const template = await templateOf(shop, 'Hi {{1}}')
  const { id } = await automate(shop, {
    trigger: { event: 'lead.created' },
    actions: [
      { type: 'send_template', templateId: template.id, variables: ['{{lead.email}}'] },
      { type: 'add_note', text: 'goes on', on: 'lead' },
    ],
  })
  await newLead(shop)
  const [run] = await runsOf(shop, id)
  expect(run).toMatchObject({ status: 'done', steps: [{ status: 'skipped' }, { status: 'done' }] })
  expect(run.steps[0].reason).toBe('Value 1 of the template is empty: its placeholders have no values.')
})

test('a message to a contact of the photo network is skipped, and the run continues', async () => {
  const shop = await openSocialShop(parley)
  await shop.post('/tags', { name: 'dm' })
  const { id } = await automate(shop, {
    trigger: { event: 'social.message.received' },
    actions: [
      { type: 'send_text', text: 'Hello' },
      { type: 'add_tags', tags: ['dm'] },
    ],
  })
  await customerWrites(parley, shop, { from: '17841400000000001', text: 'Is it in stock?' })
  const [run] = await runsOf(shop, id)
  expect(run).toMatchObject({ status: 'done', steps: [{ status: 'skipped' }, { status: 'done' }] })
  expect(run.steps[0].reason).toMatch(/photo network/)
})

test('in a chat of the photo network, each action acts or is skipped with its reason', async () => {
  const shop = await openSocialShop(parley)
  for (const name of ['dm', 'old']) await shop.post('/tags', { name })
  await addCloudNumber(parley, shop.workspaceId)
  await storeTemplate(parley, shop, { components: [{ type: 'BODY', text: 'Hello' }] })
  const [template] = (await shop.get('/templates')).body.templates
  const { bot } = (
    await shop.post('/bots', {
      name: 'Menu',
      fallback: { text: 'Sorry?' },
      start: 'ask',
      nodes: [{ id: 'ask', type: 'ask', text: 'Which size?', saveTo: 'answers.size', next: null }],
    })
  ).body
  const steps: [object, RegExp | 'done'][] = [
    [{ type: 'send_text', text: 'Hello' }, /photo network/],
    [{ type: 'send_template', templateId: template.id }, /photo network/],
    [{ type: 'start_bot', botId: bot.id }, /photo network/],
    [{ type: 'request_review' }, /isn't about an invoice or a booking/],
    [{ type: 'assign_conversation', member: shop.ownerId }, 'done'],
    [{ type: 'add_tags', tags: ['dm', 'old'] }, 'done'],
    [{ type: 'remove_tags', tags: ['old'] }, 'done'],
    [{ type: 'set_field', field: 'contact.displayName', value: 'Asha' }, 'done'],
    [{ type: 'add_note', text: 'From the photo network' }, 'done'],
    [{ type: 'create_lead' }, /no number/],
    [{ type: 'assign_lead', member: shop.ownerId }, /isn't a lead/],
    [{ type: 'set_stage', stage: 'Contacted' }, /isn't a lead/],
    [{ type: 'create_task', dueInMinutes: 60 }, /isn't a lead/],
    [{ type: 'add_note', text: 'x', on: 'lead' }, /isn't a lead/],
    [{ type: 'set_conversation', priority: 'high', state: 'resolved' }, 'done'],
  ]
  await shop.set({ modules: ['reviews'] })
  const { id } = await automate(shop, {
    trigger: { event: 'social.message.received' },
    actions: steps.map(([action]) => action),
  })
  const { conversationId } = await customerWrites(parley, shop, {
    from: '17841400000000002',
    text: 'Is it in stock?',
  })
  const [run] = await runsOf(shop, id)
  expect(run.status, run.reason).toBe('done')
  for (const [place, [action, expected]] of steps.entries()) {
    const { status, reason } = run.steps[place]
    if (expected === 'done') expect({ action, status, reason }).toMatchObject({ action, status: 'done' })
    else
      expect({ action, status, reason }).toEqual({
        action,
        status: 'skipped',
        reason: expect.stringMatching(expected),
      })
  }
  const { conversation } = (await shop.get(`/conversations/${conversationId}`)).body
  expect(conversation).toMatchObject({
    state: 'resolved',
    priority: 'high',
    assignedAgentId: shop.ownerId,
    tags: ['dm'],
    contact: { name: 'Asha' },
  })
  const { notes } = (await shop.get(`/conversations/${conversationId}/notes`)).body
  expect(notes.map(({ body }: Body) => body)).toEqual(['From the photo network'])
})

test('start_bot starts a bot in the chat; a bot that is off is skipped, and a deleted bot fails the run and is named', async () => {
  const shop = await newShop()
  const { bot } = (
    await shop.post('/bots', {
      name: 'Menu',
      enabled: true,
      fallback: { text: 'Sorry?' },
      start: 'ask',
      nodes: [{ id: 'ask', type: 'ask', text: 'Which size?', saveTo: 'answers.size', next: null }],
    })
  ).body
  const unknown = '01a2082b-07b5-7252-948d-9fe59f3c5ce9'
  const body = { name: 'Test', trigger: { event: 'contact.created' } }
  expect(
    (await shop.post('/automations', { ...body, actions: [{ type: 'start_bot', botId: unknown }] })).body,
  ).toMatchObject({ error: 'invalid', issues: [{ path: 'actions[0].botId' }] })
  const { id } = await automate(shop, { ...body, actions: [{ type: 'start_bot', botId: bot.id }] })
  await shop.inbound('+919812345681', 'Hello')
  expect((await runsOf(shop, id, 1))[0]).toMatchObject({ status: 'done', steps: [{ status: 'done' }] })
  expect((await messagesTo(shop)).map(({ text }) => text)).toEqual(['Which size?'])
  await shop.patch(`/bots/${bot.id}`, { enabled: false })
  await shop.inbound('+919812345682', 'Hello')
  const [, skipped] = await runsOf(shop, id, 2)
  expect(skipped.steps).toMatchObject([{ status: 'skipped', reason: 'The bot is turned off.' }])
  await shop.delete(`/bots/${bot.id}`)
  await shop.inbound('+919812345683', 'Hello')
  const [, , failed] = await runsOf(shop, id, 3)
  expect(failed).toMatchObject({ status: 'failed', reason: expect.stringContaining('"Menu"') })
})

test('a message leads to the run that sent it, even after the automation is deleted', async () => {
  const shop = await newShop()
  const { id } = await automate(shop, {
    trigger: { event: 'message.received' },
    actions: [{ type: 'send_text', text: 'Thanks!' }],
  })
  await shop.inbound('+919812345691', 'Hello')
  const [run] = await runsOf(shop, id)
  expect((await shop.delete(`/automations/${id}`)).status).toBe(200)
  const [{ automation }] = await messagesTo(shop)
  expect(automation).toEqual({ id, runId: run.id })
  const { status, body } = await shop.get(`/automations/${automation.id}/runs`)
  expect([status, body.runs]).toEqual([200, [run]])
  expect((await shop.get(`/automations/${id}`)).status).toBe(404)
  const other = await newShop()
  expect((await other.get(`/automations/${id}/runs`)).status).toBe(404)
})

test('a deleted stage fails the run and is named', async () => {
  const shop = await newShop()
  const { stage } = (await shop.post('/pipeline/stages', { name: 'Site visit', kind: 'active' })).body
  const { id } = await automate(shop, {
    trigger: { event: 'lead.created' },
    actions: [
      { type: 'add_note', text: 'first', on: 'lead' },
      { type: 'set_stage', stage: 'site visit' },
      { type: 'add_note', text: 'never', on: 'lead' },
    ],
  })
  const { initialStageId } = (await shop.get('/pipeline')).body
  await shop.call('DELETE', `/pipeline/stages/${stage.id}?moveTo=${initialStageId}`)
  const lead = await newLead(shop)
  const [run] = await runsOf(shop, id)
  expect(run).toMatchObject({ status: 'failed', steps: [{ status: 'done' }, { status: 'failed' }] })
  expect(run.reason).toBe('set_stage: The stage "Site visit" doesn\'t exist anymore. Choose another.')
  expect((await notesOf(shop, lead.id)).map(({ data }) => data.body)).toEqual(['first'])
})

test('unknown names are invalid on saving, and each is named', async () => {
  const shop = await newShop()
  const { status, body } = await shop.post('/automations', {
    name: 'Wrong',
    trigger: { event: 'lead.created' },
    conditions: {
      conditions: [
        { field: 'lead.stage', op: 'eq', value: 'Nowhere' },
        { field: 'event.lead.wings', op: 'eq', value: 1 },
        { field: 'wings', op: 'eq', value: 1 },
      ],
    },
    actions: [
      { type: 'set_stage', stage: 'Nowhere' },
      { type: 'assign_lead', member: 'Nobody' },
      { type: 'add_tags', tags: ['unheard'] },
      { type: 'set_field', field: 'contact.attributes.wings', value: 2 },
      { type: 'send_template', templateId: '01978f2e-9c1b-7d30-8a44-3f5f0e6b9a21' },
      { type: 'send_text', text: 'Hi {{lead.wings}}' },
    ],
  })
  expect([status, body.error]).toEqual([400, 'invalid'])
  expect(body.issues.map(({ path }: Body) => path)).toEqual([
    'conditions.conditions[0].value',
    'conditions.conditions[1].field',
    'conditions.conditions[2].field',
    'actions[0].stage',
    'actions[1].member',
    'actions[5].text',
    'actions[2].tags[0]',
    'actions[3].field',
    'actions[4].templateId',
  ])
})

test('an invalid trigger is rejected with the reason', async () => {
  const shop = await newShop()
  const issueOf = async (trigger: object | null): Promise<Body> =>
    (await shop.post('/automations', { name: 'Test', trigger, actions: [{ type: 'wait', minutes: 1 }] })).body
      .issues?.[0]
  expect(await issueOf({ idle: { side: 'nobody', minutes: 5 } })).toEqual({
    path: 'trigger',
    message: 'idle.side: Must be one of team, customer.',
  })
  expect((await issueOf({ schedule: { at: '10:00' } })).message).toMatch(/^schedule\.every: /)
  expect((await issueOf({ event: 'lead.created', includeImports: 'yes' })).message).toBe(
    'includeImports: Must be true or false.',
  )
  const issue = { path: 'trigger', message: 'Must be {event}, {schedule}, or {idle}.' }
  expect(await issueOf({})).toEqual(issue)
  expect(await issueOf(null)).toEqual(issue)
  expect(await issueOf({ event: 'lead.created', idle: { side: 'team', minutes: 5 } })).toEqual(issue)
})

test.each([
  'constructor',
  'toString.attributes.size',
  '__proto__.name',
  'contact.toString',
  'lead.attributes.__proto__',
])('set_field of %s is invalid on saving, because the field does not exist', async (field) => {
  const shop = await newShop()
  const answer = await shop.post('/automations', {
    name: 'Test',
    trigger: { event: 'lead.created' },
    actions: [{ type: 'set_field', field, value: 'x' }],
  })
  expect(answer).toMatchObject({ status: 400, body: { issues: [{ path: 'actions[0].field' }] } })
})

test('a value that the field can never have is invalid on saving', async () => {
  const shop = await newShop()
  const issuesOf = async (...fields: [string, unknown][]): Promise<string[]> =>
    (
      await shop.post('/automations', {
        name: 'Test',
        trigger: { event: 'lead.created' },
        actions: fields.map(([field, value]) => ({ type: 'set_field', field, value })),
      })
    ).body.issues?.map(({ path }: Body) => path)
  expect(
    await issuesOf(
      ['lead.rating', 9],
      ['lead.email', 'asha'],
      ['lead.dealValue', 'much'],
      ['contact.displayName', 5],
    ),
  ).toEqual([0, 1, 2, 3].map((i) => `actions[${i}].value`))
  expect(
    await issuesOf(
      ['lead.rating', 4],
      ['lead.email', '{{contact.username}}@example.com'],
      ['lead.attributes.size', 42],
      ['contact.displayName', null],
    ),
  ).toBeUndefined()
})

describe('call_webhook', () => {
  test('is signed, has run and step as its key, and is tried at most three times', async () => {
    const [shop, receiver] = [await newShop(), await receivers.open(500)]
    const { id, secret } = await automate(shop, {
      trigger: { event: 'lead.created' },
      actions: [
        { type: 'call_webhook', url: receiver.url },
        { type: 'add_note', text: 'never', on: 'lead' },
      ],
    })
    expect(secret).toMatch(/^whsec_/)
    const lead = await newLead(shop)
    await receiver.wait(1)
    await shop.advance(60)
    const [run] = await runsOf(shop, id)
    expect(run).toMatchObject({
      status: 'failed',
      reason: 'call_webhook: The receiver answered with status 500.',
    })
    expect(receiver.received).toHaveLength(3)
    const { signatureBy } = await import('../../../../../test/support/receiver.ts')
    for (const request of receiver.received) {
      expect(request.headers['x-webhook-signature']).toBe(signatureBy(secret!, request))
      expect(request.headers['idempotency-key']).toBe(`${run.id}-0`)
    }
    expect(new Set(receiver.received.map(({ raw: rawBody }) => rawBody)).size).toBe(1)
    expect(receiver.received[0]!.body.data).toMatchObject({
      automationId: id,
      runId: run.id,
      subject: { leadId: lead.id },
      event: { event: 'lead.created', data: { lead: { id: lead.id } } },
    })
    expect(await notesOf(shop, lead.id)).toEqual([])
  })

  test('continues the run after an answer with 2xx', async () => {
    const [shop, receiver] = [await newShop(), await receivers.open()]
    const { id } = await automate(shop, {
      trigger: { event: 'lead.created' },
      actions: [
        { type: 'call_webhook', url: receiver.url },
        { type: 'add_note', text: 'after', on: 'lead' },
      ],
    })
    const lead = await newLead(shop)
    const [run] = await runsOf(shop, id)
    expect(run.steps).toMatchObject([{ status: 'done', result: { status: 200 } }, { status: 'done' }])
    expect(await notesOf(shop, lead.id)).toHaveLength(1)
  })

  test('by a key with scopes sends only events that the key may read (spec 5.5)', async () => {
    const shop = await newShop()
    const url = 'https://127.0.0.1:9/T0/secret'
    const calling = (event: string) => ({
      name: 'Out',
      trigger: { event },
      actions: [{ type: 'call_webhook', url }],
    })
    const narrowed = await shop.as('admin', { scopes: ['automations:write', 'automations:read', 'crm:read'] })
    const refused = { status: 403, body: { error: 'insufficient_scope', required: 'messages:read' } }
    expect(await narrowed.post('/automations', calling('message.received'))).toMatchObject(refused)
    const created = await narrowed.post('/automations', calling('lead.created'))
    expect(created.status, created.text).toBe(201)
    const path = `/automations/${created.body.automation.id}`
    expect(await narrowed.patch(path, { trigger: { event: 'message.received' } })).toMatchObject(refused)
    const otherAutomation = (await shop.post('/automations', calling('message.received'))).body.automation
    const moved = { actions: [{ type: 'call_webhook', url: 'https://127.0.0.1:9/elsewhere' }] }
    expect(await narrowed.patch(`/automations/${otherAutomation.id}`, moved)).toMatchObject(refused)
    expect((await narrowed.patch(`/automations/${otherAutomation.id}`, { enabled: false })).status).toBe(200)
    await shop.inbound('+919812345670', 'hello')
    const { events } = (await shop.get('/events?limit=100')).body
    const received = events.find(({ event }: { event: string }) => event === 'message.received')
    const test = { automation: calling('message.received'), eventId: received.id }
    expect(await narrowed.post('/automations/test', test)).toMatchObject(refused)
    expect((await shop.post('/automations/test', test)).status).toBe(200)
  })

  test('shows its full address to callers who may change it, and scheme and host to others', async () => {
    const shop = await newShop()
    const url = 'https://127.0.0.1:9/T0/secret?token=1'
    const { id } = await automate(shop, {
      trigger: { event: 'lead.created' },
      actions: [{ type: 'call_webhook', url }],
    })
    const readUrl = async (client: Client) => {
      const url = (await client.get(`/automations/${id}`)).body.automation.actions[0].url
      const listed = (await client.get('/automations')).body.automations[0].actions[0].url
      expect(listed).toBe(url)
      return url
    }
    expect(await readUrl(shop)).toBe(url)
    expect(await readUrl(await shop.as('admin', { scopes: ['automations:read', 'automations:write'] }))).toBe(
      url,
    )
    for (const client of [
      await shop.as('viewer'),
      await shop.as('agent'),
      await shop.as('admin', { scopes: ['automations:read'] }),
    ])
      expect(await readUrl(client)).toBe('https://127.0.0.1:9')
  })

  test('refuses a private address', async () => {
    const shop = await newShop()
    for (const url of ['https://10.0.0.5/x', 'https://169.254.169.254/', 'http://hooks.example.com/x']) {
      const { status, body } = await shop.post('/automations', {
        name: 'Inside',
        trigger: { event: 'lead.created' },
        actions: [{ type: 'call_webhook', url }],
      })
      expect([status, body.issues?.[0]?.path]).toEqual([400, 'actions[0].url'])
      const tried = await shop.post('/automations/test', {
        automation: { trigger: { event: 'lead.created' }, actions: [{ type: 'call_webhook', url }] },
      })
      expect([tried.status, tried.body.issues?.[0]?.path]).toEqual([400, 'automation.actions[0].url'])
    }
  })
})

test('test writes nothing, and returns the expected results', async () => {
  const shop = await newShop()
  const lead = await newLead(shop)
  const before = (await shop.get(`/leads/${lead.id}/timeline`)).body
  const automation = {
    name: 'Try me',
    trigger: { event: 'lead.stage_changed' },
    conditions: {
      conditions: [
        { field: 'lead.name', op: 'eq', value: 'asha rao' },
        { field: 'event.to.kind', op: 'eq', value: 'won' },
      ],
    },
    actions: [
      { type: 'add_note', text: 'Hello {{lead.name}}', on: 'lead' },
      { type: 'send_text', text: 'Hello' },
      { type: 'wait', minutes: 5 },
      { type: 'stop_if', conditions: { conditions: [{ field: 'contact.tags', op: 'notEmpty' }] } },
      { type: 'set_stage', stage: 'Won' },
    ],
  }
  const { status, body } = await shop.post('/automations/test', { automation, contactId: lead.contactId })
  expect([status, body.starts]).toEqual([200, false])
  expect(body.conditions.map(({ held }: Body) => held)).toEqual([true, false])
  expect(body.actions.map(({ action, status }: Body) => [action, status])).toEqual([
    ['add_note', 'done'],
    ['send_text', 'skipped'],
    ['wait', 'waiting'],
    ['stop_if', 'done'],
    ['set_stage', 'done'],
  ])
  expect((await shop.get(`/leads/${lead.id}/timeline`)).body).toEqual(before)
  expect((await shop.get(`/leads/${lead.id}`)).body.lead).toEqual(lead)
  expect((await shop.get('/automations')).body.automations).toEqual([])
})

test('test refuses the same errors as saving, and names their path in the request', async () => {
  const shop = await newShop()
  const { status, body } = await shop.post('/automations/test', {
    automation: {
      trigger: { event: 'lead.created' },
      conditions: { conditions: [{ field: 'lead.stage', op: 'eq', value: 'Nowhere' }] },
      actions: [{ type: 'set_stage', stage: 'Nowhere' }],
    },
  })
  expect([status, body.issues.map(({ path }: Body) => path)]).toEqual([
    400,
    ['automation.conditions.conditions[0].value', 'automation.actions[0].stage'],
  ])
})

test('test accepts invented data; data that names no existing contact is about no contact', async () => {
  const shop = await newShop()
  const automation = { trigger: { event: 'call.missed' }, actions: [{ type: 'send_text', text: 'Hello' }] }
  for (const data of [
    { contactId: 'somebody', conversationId: 'x' },
    { contactId: 7, contact: [] },
  ]) {
    const { status, body } = await shop.post('/automations/test', { automation, data })
    expect([status, body.actions?.[0]?.reason]).toEqual([200, 'The event has no contact.'])
  }
  const { contact } = (await shop.post('/contacts', { phone: newPhone() })).body
  const { body } = await shop.post('/automations/test', {
    automation,
    data: { contactId: contact.id.toUpperCase() },
  })
  expect(body.actions[0].reason).toMatch(/hasn't written/)
})

test('test with an event and data uses the lead, the chat or the number in the data', async () => {
  const shop = await newShop()
  const lead = await newLead(shop)
  await shop.inbound('+919812345690', 'Hello')
  const [chat] = (await shop.get('/conversations')).body.conversations
  const tried = async (event: string, data: object, action: object): Promise<Body> => {
    const automation = { trigger: { event }, actions: [action] }
    const { status, body } = await shop.post('/automations/test', { automation, event, data })
    expect(status).toBe(200)
    return body.actions[0]
  }
  const note = { type: 'add_note', text: 'Hello {{lead.name}}', on: 'lead' }
  for (const [event, data] of [
    ['lead.created', { lead: { id: lead.id } }],
    ['lead.stage_changed', { lead: { id: lead.id, phone: lead.phone }, to: { name: 'Won' } }],
    ['form.submitted', { leadId: lead.id }],
    ['call.missed', { phone: lead.phone }],
  ] as const)
    expect(await tried(event, data, note), event).toMatchObject({ status: 'done', reason: null })
  const text = { type: 'send_text', text: 'Hello' }
  expect(await tried('conversation.rated', { conversationId: chat.id, score: 1 }, text)).toMatchObject({
    status: 'done',
  })
  expect(await tried('lead.created', { lead: { id: 'nobody' } }, note)).toMatchObject({
    status: 'skipped',
    reason: "The contact isn't a lead.",
  })
})

test('test returns that an event of another kind starts nothing', async () => {
  const shop = await newShop()
  const automation = { trigger: { event: 'lead.created' }, actions: [{ type: 'wait', minutes: 1 }] }
  const starts = async (event: string) =>
    (await shop.post('/automations/test', { automation, event })).body.starts
  expect([await starts('lead.created'), await starts('lead.recaptured')]).toEqual([true, false])
})

test('an invented event starts nothing', async () => {
  const shop = await newShop()
  const { id } = await automate(shop, { trigger: { event: 'lead.created' } })
  const triggered = await shop.post('/sandbox/events', { event: 'lead.created' })
  expect(triggered.status).toBeLessThan(300)
  await newLead(shop)
  expect(await runsOf(shop, id)).toHaveLength(1)
})

test('an idle chat starts one run for each unanswered message', async () => {
  const shop = await newShop()
  const team = await automate(shop, {
    trigger: { idle: { side: 'team', minutes: 30 } },
    actions: [{ type: 'add_note', text: 'Nobody answered' }],
  })
  const customer = await automate(shop, {
    trigger: { idle: { side: 'customer', minutes: 60 } },
    actions: [{ type: 'set_conversation', state: 'pending' }],
  })
  await shop.inbound('+919812345673', 'Hello?')
  await shop.advance(29 * 60)
  expect(await listRuns(shop, team.id)).toEqual([])
  await shop.advance(120)
  await shop.advance(3_600)
  expect(await runsOf(shop, team.id)).toMatchObject([{ status: 'done', eventId: null }])
  expect(await listRuns(shop, customer.id)).toEqual([])
  await shop.post('/send', { to: '+919812345673', type: 'text', text: 'Here we are' })
  await shop.advance(61 * 60)
  expect(await runsOf(shop, customer.id)).toMatchObject([{ status: 'done' }])
  expect(await listRuns(shop, team.id)).toHaveLength(1)
  expect((await shop.get('/conversations')).body.conversations[0].state).toBe('pending')
})

test('a page of idle chats includes every chat that fell idle at the same moment', async () => {
  const shop = await newShop()
  await makeChats(parley, shop, 5)
  const chats = await parley.system((tx) =>
    listIdleChats({ tx, workspace: { id: shop.workspaceId } } as Context, 'customer', {
      after: new Date(0),
      until: new Date(Date.now() + 60_000),
      activeFrom: null,
      limit: 2,
    }),
  )
  expect(chats).toHaveLength(5)
})

test('a schedule runs for each lead that matches the conditions', async () => {
  const shop = await newShop()
  const { id } = await automate(shop, {
    trigger: { schedule: { every: 'day', at: '09:30' } },
    conditions: { conditions: [{ field: 'lead.rating', op: 'gte', value: 4 }] },
  })
  const [hot] = [await newLead(shop, { rating: 5 }), await newLead(shop, { rating: 2 })]
  await shop.advance(24 * 3_600)
  expect(await runsOf(shop, id)).toMatchObject([
    { status: 'done', eventId: null, subject: { leadId: hot.id } },
  ])
  await shop.advance(24 * 3_600)
  expect(await runsOf(shop, id, 2)).toHaveLength(2)
  expect(await notesOf(shop, hot.id)).toHaveLength(2)
})

test("a workspace whose schedule can't run does not delay other workspaces", async () => {
  const broken = await newShop()
  const shops = [broken, await newShop(), await newShop()]
  const automationIds = new Map<TestWorkspace, string>()
  for (const shop of shops) {
    await newLead(shop)
    automationIds.set(
      shop,
      (await automate(shop, { trigger: { schedule: { every: 'day', at: '09:30' } } })).id,
    )
  }
  const allow = await refuseRows(parley, 'automation_runs', `new.workspace_id = '${broken.workspaceId}'`)
  onTestFinished(async () => void (await allow().catch(() => {})))
  await parley.system((tx) =>
    tx.sql(
      `update automation_states set run_at = now() - interval '1 minute' where automation_id = any($1)`,
      [[...automationIds.values()]],
    ),
  )
  parley.wake()
  const expectRun = (shop: TestWorkspace) =>
    until(async () => (await listRuns(shop, automationIds.get(shop)!)).length === 1, 'the run starts')
  for (const shop of shops.filter((other) => other !== broken)) await expectRun(shop)
  await allow()
  parley.wake()
  await expectRun(broken)
})

test("two workers keep the order of a contact's runs", async () => {
  const shop = await newShop()
  const other = await boot({ env: receivers.env, databaseUrl: parley.databaseUrl })
  onTestFinished(() => other.close())
  const { id } = await automate(shop, {
    trigger: { event: 'lead.stage_changed' },
    actions: [
      { type: 'add_note', text: '{{event.to.name}} begins', on: 'lead' },
      { type: 'add_note', text: '{{event.to.name}} ends', on: 'lead' },
    ],
  })
  await other.caughtUp()
  const leads = [await newLead(shop), await newLead(shop), await newLead(shop)]
  const stages = ['Contacted', 'Qualified', 'Proposal', 'New', 'Contacted', 'Qualified', 'Proposal', 'New']
  const clients = [shop, clientOf(other.url, shop.key)]
  await Promise.all(
    leads.map(async (lead) => {
      for (const [i, stage] of stages.entries()) await clients[i % 2]!.patch(`/leads/${lead.id}`, { stage })
    }),
  )
  await runsOf(shop, id, leads.length * stages.length)
  const expected = stages.flatMap((stage) => [`${stage} begins`, `${stage} ends`])
  for (const lead of leads)
    expect((await notesOf(shop, lead.id)).map(({ data }) => data.body)).toEqual(expected)
})

test('conditions are checked in the order of events, even if a later run of the contact skips its first step', async () => {
  const shop = await newShop()
  const first = await automate(shop, {
    trigger: { event: 'lead.created' },
    conditions: { conditions: [{ field: 'lead.stage', op: 'eq', value: 'Contacted' }] },
  })
  const second = await automate(shop, {
    trigger: { event: 'lead.created' },
    actions: [
      { type: 'send_text', text: 'Hello' },
      { type: 'set_stage', stage: 'Contacted' },
    ],
  })
  await newLead(shop)
  expect(await runsOf(shop, second.id)).toMatchObject([
    { status: 'done', steps: [{ status: 'skipped' }, { status: 'done' }] },
  ])
  expect(await runsOf(shop, first.id)).toMatchObject([
    { status: 'skipped', reason: "Its conditions didn't match." },
  ])
  expect((await shop.get(`/automations/${first.id}`)).body.automation.stats).toMatchObject({
    done: 0,
    skipped: 1,
  })
})

test('a step with an internal error is tried again, and later runs of the contact wait for it', async () => {
  const shop = await newShop()
  // The database refuses the note, like a full disk would.
  await parley.system((tx) =>
    tx.sql(`create function refuse_note() returns trigger language plpgsql as $$
      begin raise exception 'no room'; end $$`),
  )
  await parley.system((tx) =>
    tx.sql(`create trigger refuse_note before insert on lead_timeline for each row
      when (new.data ->> 'body' = 'no room') execute function refuse_note()`),
  )
  const noted = (text: string, event: string) =>
    automate(shop, { trigger: { event }, actions: [{ type: 'add_note', text, on: 'lead' }] })
  const [first, second] = [
    await noted('no room', 'lead.created'),
    await noted('after it', 'lead.stage_changed'),
  ]
  const lead = await newLead(shop)
  await shop.patch(`/leads/${lead.id}`, { stage: 'Contacted' })
  const other = await newLead(shop)
  await shop.patch(`/leads/${other.id}`, { stage: 'Contacted' })
  await until(async () => {
    const faults = await parley.system((tx) =>
      tx.sql<{ faults: number }>('select faults from automation_runs where automation_id = $1', [first.id]),
    )
    return faults.length === 2 && faults.every((run) => run.faults > 0)
  }, 'the failed runs are recorded')
  const statusesOfSecond = async () => (await listRuns(shop, second.id)).map(({ status }) => status)
  await until(async () => (await statusesOfSecond()).length === 2, 'the later runs are done')
  expect(await statusesOfSecond()).toEqual(['waiting', 'waiting'])
  await parley.system((tx) => tx.sql('drop trigger refuse_note on lead_timeline'))
  await shop.advance(60)
  await runsOf(shop, second.id, 2)
  expect((await notesOf(shop, lead.id)).map(({ data }) => data.body)).toEqual(['no room', 'after it'])
})

test.each([
  // The step has locked the lead and waits to write its entry.
  ['the step of a run', 'lead_timeline'],
  ['runs to be made', 'automation_runs'],
])('an erasure waits for %s, without a deadlock', async (_description, table) => {
  const shop = await newShop()
  await automate(shop, {
    trigger: { event: 'contact.updated' },
    actions: [{ type: 'set_stage', stage: 'Contacted' }],
  })
  const lead = await newLead(shop)
  const waiting = () => parley.system((tx) => lockWaits(tx.sql))
  const [locked, waited] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const holding = parley.system(async (tx) => {
    await tx.sql(`lock table ${table} in share mode`)
    await shop.patch(`/contacts/${lead.contactId}`, { displayName: 'Asha' })
    locked.resolve()
    await waited.promise
  })
  await locked.promise
  await until(async () => (await waiting()).length === 1, 'the automation waits')
  const erased = shop.delete(`/contacts/${lead.contactId}`)
  await until(async () => (await waiting()).length === 2, 'the erasure waits')
  const waitFor = await waiting()
  waited.resolve()
  await holding
  expect((await erased).status).toBe(200)
  expect(waitFor).toEqual(['advisory', 'relation'])
})
