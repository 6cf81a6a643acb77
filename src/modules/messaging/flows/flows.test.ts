import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Body, boot, type TestParley, type TestWorkspace } from '../../../../test/support/boot.ts'
import { makeContacts } from '../../../../test/support/campaigns.ts'
import { lockWaits } from '../../../../test/support/lock-waits.ts'
import { everythingOf } from '../../../../test/support/records.ts'
import {
  accept,
  type CloudShop,
  cloudShop,
  standInOperator,
} from '../../../../test/support/stand-in-operator.ts'
import { storeTemplate } from '../../../../test/support/templates.ts'
import { until } from '../../../../test/support/until.ts'

let operator: Awaited<ReturnType<typeof standInOperator>>
let parley: TestParley
beforeAll(async () => {
  operator = await standInOperator()
  parley = await boot({ env: operator.env })
})
afterAll(async () => {
  await parley.close()
  await operator.close()
})

const asha = '+919812345678'
const sandbox = () => parley.workspace({ sandbox: true })

type Reported = { id: string; name?: string; status?: string; categories?: string[] }

/** Makes the operator return these forms, one list per page. */
function reportFlows(...pages: Reported[][]): { requests: string[] } {
  const requests: string[] = []
  operator.saysOfNumbers(200, (url) => {
    if (!url.includes('/flows?')) return { status: 'CONNECTED' }
    requests.push(url)
    const page = Number(/after=(\d+)/.exec(url)?.[1] ?? 0)
    const next = page + 1 < pages.length ? { next: 'https://…' } : {}
    return {
      data: (pages[page] ?? []).map((flow) => ({
        name: 'Visit',
        status: 'PUBLISHED',
        categories: [],
        ...flow,
      })),
      paging: { cursors: { before: '0', after: String(page + 1) }, ...next },
    }
  })
  return { requests }
}

/** Moves the last sync back by six minutes, so that the shop's forms are requested again. */
const forget = (shop: TestWorkspace) =>
  parley.system((tx) =>
    tx.sql(
      `update flow_syncs set synced_at = synced_at - interval '6 minutes', tried_at = tried_at - interval '6 minutes'
       where workspace_id = $1`,
      [shop.workspaceId],
    ),
  )

const flowsOf = async (shop: TestWorkspace): Promise<Body[]> => {
  const answer = await shop.get('/flows')
  expect(answer.status, answer.text).toBe(200)
  return answer.body.flows
}

describe('GET /flows', () => {
  test('returns in-chat forms and their published flag; a sandbox has one published form', async () => {
    const shop = await sandbox()
    const { flows, syncedAt } = (await shop.get('/flows')).body
    expect(flows).toEqual([
      {
        id: expect.any(String),
        metaFlowId: expect.stringMatching(/^\d+$/),
        wabaConnectionId: expect.any(String),
        name: 'Book a visit',
        status: 'published',
        published: true,
        categories: ['APPOINTMENT_BOOKING'],
        sent: 0,
        answered: 0,
        createdAt: syncedAt,
        updatedAt: syncedAt,
      },
    ])
    expect((await shop.get('/flows')).body).toEqual({ flows, syncedAt })
  })

  test('a workspace without a number has no forms', async () => {
    expect((await (await parley.workspace()).get('/flows')).body).toEqual({ flows: [], syncedAt: null })
  })

  test("returns states in lower case; throttled forms count as published, blocked and deprecated forms don't", async () => {
    const states = ['DRAFT', 'PUBLISHED', 'DEPRECATED', 'BLOCKED', 'THROTTLED', 'SOMETHING_NEW']
    reportFlows(states.map((status, i) => ({ id: String(i), name: status, status })))
    const found = await flowsOf(await cloudShop(parley))
    const findByName = (name: string) => found.find((flow) => flow.name === name)
    expect(states.map((name) => [findByName(name).status, findByName(name).published])).toEqual([
      ['draft', false],
      ['published', true],
      ['deprecated', false],
      ['blocked', false],
      ['throttled', true],
      ['draft', false],
    ])
  })

  test('requests the forms from the operator when the stored ones are older than five minutes, and reads every page', async () => {
    const shop = await cloudShop(parley)
    const first = reportFlows([{ id: '1' }, { id: '2' }], [{ id: '3' }])
    const before = await flowsOf(shop)
    expect(before.map((flow) => flow.metaFlowId).sort()).toEqual(['1', '2', '3'])
    await flowsOf(shop)
    expect(first.requests).toHaveLength(2)
    expect(first.requests[0]).toContain('fields=id,name,status,categories')

    reportFlows([{ id: '1' }, { id: '3', name: 'Survey', status: 'DEPRECATED' }, { id: '4' }])
    await forget(shop)
    const after = await flowsOf(shop)
    const findById = (flows: Body[], id: string) => flows.find((flow) => flow.metaFlowId === id)
    expect(after.map((flow) => flow.metaFlowId).sort()).toEqual(['1', '3', '4'])
    expect(findById(after, '1')).toEqual(findById(before, '1'))
    expect(findById(after, '3')).toMatchObject({
      id: findById(before, '3').id,
      name: 'Survey',
      status: 'deprecated',
    })
  })

  test('concurrent readers send one request', async () => {
    const shop = await cloudShop(parley)
    reportFlows([{ id: '1' }])
    await flowsOf(shop)
    await forget(shop)
    const { requests } = reportFlows([{ id: '1' }, { id: '2' }])
    await Promise.all(Array.from({ length: 20 }, () => flowsOf(shop)))
    expect(requests).toHaveLength(1)
    expect(await flowsOf(shop)).toHaveLength(2)
  })

  test("without a stored answer the operator's refusal is returned; later the stored forms are", async () => {
    const shop = await cloudShop(parley)
    const refuseCalls = (code: number) => operator.saysOfNumbers(400, { error: { code, message: 'Not now' } })
    refuseCalls(100)
    expect(await shop.get('/flows')).toMatchObject({ status: 400, body: { error: 'meta_error', code: 100 } })
    operator.saysOfNumbers(503, {})
    expect(await shop.get('/flows')).toMatchObject({ status: 429, body: { error: 'meta_error' } })
    reportFlows([{ id: '1' }])
    const before = (await shop.get('/flows')).body
    expect(before.flows).toHaveLength(1)
    refuseCalls(4)
    await forget(shop)
    const { flows, syncedAt } = (await shop.get('/flows')).body
    expect(flows).toEqual(before.flows)
    expect(Date.parse(syncedAt)).toBeLessThan(Date.parse(before.syncedAt))
  })
})

describe('POST /flows/{id}/send', () => {
  let shop: CloudShop<TestWorkspace>
  let flow: Body
  const body = { to: asha, body: 'Tell us when it suits you.', cta: 'Book a visit' }
  beforeEach(async () => {
    shop = await cloudShop(parley)
    reportFlows([
      { id: `7${Date.now()}` },
      { id: '51', name: 'Draft', status: 'DRAFT' },
      { id: '52', name: 'Blocked', status: 'BLOCKED' },
    ])
    const flows = await flowsOf(shop)
    flow = flows.find((flow) => flow.published)
    await shop.writes(asha)
  })

  const messageOf = async (sent: { status: number; body: Body; text: string }) => {
    expect(sent.status, sent.text).toBe(200)
    expect(Object.keys(sent.body)).toEqual(['ok', 'messageId'])
    return (await shop.get(`/messages/${sent.body.messageId}`)).body.message
  }
  const handedOver = (messageId: string) =>
    until(
      () => operator.taken.find((call) => call.body?.biz_opaque_callback_data === messageId)?.body,
      'the operator has it',
    )

  test("sends an interactive message to the operator in the operator's format", async () => {
    const message = await messageOf(
      await shop.post(`/flows/${flow.id}/send`, {
        ...body,
        header: 'Visit us',
        footer: 'We are open on Saturdays too',
        flowToken: 'token-1',
        screen: 'DATES',
        data: { shop: 'Pune' },
      }),
    )
    const interactive = {
      type: 'flow',
      header: { type: 'text', text: 'Visit us' },
      body: { text: body.body },
      footer: { text: 'We are open on Saturdays too' },
      action: {
        name: 'flow',
        parameters: {
          flow_message_version: '3',
          flow_id: flow.metaFlowId,
          flow_cta: body.cta,
          flow_token: 'token-1',
          flow_action: 'navigate',
          flow_action_payload: { screen: 'DATES', data: { shop: 'Pune' } },
        },
      },
    }
    expect(message).toMatchObject({ type: 'interactive', direction: 'outbound', content: interactive })
    expect(await handedOver(message.id)).toMatchObject({ type: 'interactive', interactive })
  })

  test("accepts the operator's id too, and creates a flow token", async () => {
    const send = async () =>
      (await messageOf(await shop.post(`/flows/${flow.metaFlowId}/send`, body))).content.action.parameters
    const [first, second] = [await send(), await send()]
    expect(first.flow_id).toBe(flow.metaFlowId)
    expect(first.flow_token).toMatch(/^[0-9a-f-]{36}$/)
    expect(second.flow_token).not.toBe(first.flow_token)
    expect(first).not.toHaveProperty('flow_action')
  })

  test("sends into a conversation, from the conversation's number", async () => {
    const { id } = (await shop.get('/conversations')).body.conversations[0]
    const { to: _, ...words } = body
    const message = await messageOf(
      await shop.post(`/flows/${flow.id}/send`, { ...words, conversationId: id }),
    )
    expect(message).toMatchObject({ conversationId: id, phoneNumberId: shop.cloudNumberId })
    const missing = { ...words, conversationId: randomUUID() }
    expect(await shop.post(`/flows/${flow.id}/send`, missing)).toMatchObject({
      status: 404,
      body: { error: 'not_found' },
    })
  })

  test('an unpublished form returns 409, a draft can be sent with mode draft; a blocked form is rejected', async () => {
    const send = (id: string, overrides: object = {}) =>
      shop.post(`/flows/${id}/send`, { ...body, ...overrides })
    expect(await send('51')).toMatchObject({ status: 409, body: { error: 'conflict' } })
    expect(await send(flow.id, { mode: 'draft' })).toMatchObject({ status: 409, body: { error: 'conflict' } })
    const { content } = await messageOf(await send('51', { mode: 'draft' }))
    expect(content.action.parameters).toMatchObject({ flow_id: '51', mode: 'draft' })
    expect(await send('52')).toMatchObject({ status: 400, body: { error: 'meta_error', code: 132068 } })
  })

  test('returns the same errors as POST /send, and then writes nothing', async () => {
    const expectRefusal = async (overrides: object, status: number, error: string) => {
      const before = await everythingOf(parley, shop.workspaceId)
      const answer = await shop.post(`/flows/${flow.id}/send`, { ...body, ...overrides })
      expect(answer, JSON.stringify(overrides)).toMatchObject({ status, body: { error } })
      expect(await everythingOf(parley, shop.workspaceId)).toEqual(before)
    }
    await expectRefusal({ to: '+919899999999' }, 422, 'outside_24h_window')
    await expectRefusal(
      { to: shop.number ?? (await shop.get('/phone-numbers')).body.phoneNumbers[0].number },
      400,
      'cannot_send_to_self',
    )
    await expectRefusal({ phoneNumberId: randomUUID() }, 400, 'invalid_reference')
    await shop.patch(`/contacts/${asha}`, { optInStatus: 'opted_out' })
    await expectRefusal({}, 409, 'contact_opted_out')
  })

  test('a number of another business account is rejected, and the error names the field', async () => {
    const second = await cloudShop({ ...parley, workspace: async () => shop })
    const answer = await shop.post(`/flows/${flow.id}/send`, { ...body, phoneNumberId: second.cloudNumberId })
    expect(answer).toMatchObject({ status: 400, body: { issues: [{ path: 'phoneNumberId' }] } })
    await second.writes(asha)
    const sent = await messageOf(await shop.post(`/flows/${flow.id}/send`, body))
    expect(sent.phoneNumberId).toBe(shop.cloudNumberId)
  })

  test('a retry with the same Idempotency-Key returns the first message', async () => {
    const key = { idempotencyKey: randomUUID() }
    const path = `/flows/${flow.id}/send`
    const [first, repeated] = [await shop.post(path, body, key), await shop.post(path, body, key)]
    expect(repeated.body).toEqual(first.body)
  })

  test('an invalid field returns 400 and names the field', async () => {
    const cases: [object, string][] = [
      [{ to: undefined }, 'to'],
      [{ body: undefined }, 'body'],
      [{ body: ' ' }, 'body'],
      [{ body: 'x'.repeat(1025) }, 'body'],
      [{ cta: undefined }, 'cta'],
      [{ cta: 'x'.repeat(21) }, 'cta'],
      [{ header: 'x'.repeat(61) }, 'header'],
      [{ footer: '' }, 'footer'],
      [{ mode: 'live' }, 'mode'],
      [{ data: { a: 1 } }, 'screen'],
      [{ screen: 'A', data: {} }, 'data'],
      [{ screen: 'A', data: [] }, 'data'],
      [{ conversationId: 'x' }, 'conversationId'],
      [{ conversationId: randomUUID() }, 'to'],
      [{ template: 'x' }, 'template'],
    ]
    for (const [overrides, field] of cases) {
      const answer = await shop.post(`/flows/${flow.id}/send`, { ...body, ...overrides })
      expect(answer, JSON.stringify(overrides)).toMatchObject({ status: 400, body: { error: 'invalid' } })
      expect(answer.body.issues[0].path, JSON.stringify(overrides)).toBe(field)
    }
  })

  test("another workspace's form gets the same answer as a missing form", async () => {
    const neighbor = await cloudShop(parley)
    await neighbor.writes(asha)
    for (const id of [flow.id, flow.metaFlowId, randomUUID(), 'x'])
      expect(await neighbor.post(`/flows/${id}/send`, body)).toMatchObject({
        status: 404,
        body: { error: 'not_found' },
      })
  })

  test('in a sandbox the message is delivered and read', async () => {
    const box = await sandbox()
    await box.inbound(asha, 'hello')
    const [sample] = await flowsOf(box)
    const sent = await box.post(`/flows/${sample.id}/send`, body)
    expect(sent.status, sent.text).toBe(200)
    await box.advance(6)
    expect((await box.get(`/messages/${sent.body.messageId}`)).body.message.status).toBe('read')
  })
})

describe('forms that are designed here', () => {
  const screens = [
    {
      title: 'Book a visit',
      text: 'We are open from 9 to 6.',
      fields: [
        { name: 'full_name', kind: 'text', label: 'Your name', required: true, help: 'As on your card' },
        { name: 'party', kind: 'number', label: 'Guests' },
      ],
      button: 'Next',
    },
    {
      title: 'Your day',
      fields: [
        { name: 'visit_day', kind: 'date', label: 'Day of your visit', required: true },
        { name: 'part_of_day', kind: 'choice', label: 'Part of the day', options: ['Morning', 'Evening'] },
        { name: 'extras', kind: 'choices', label: 'Extras', options: ['Tea', 'Parking'] },
        { name: 'agreed', kind: 'consent', label: 'I agree to the rules of the house.', required: true },
      ],
      button: 'Send',
    },
  ]
  const design = (more: object = {}) => ({
    name: `Visits ${randomUUID().slice(0, 8)}`,
    categories: ['APPOINTMENT_BOOKING'],
    screens,
    ...more,
  })
  const made = async (shop: TestWorkspace, more: object = {}): Promise<Body> => {
    const answer = await shop.post('/flows', design(more))
    expect(answer.status, answer.text).toBe(200)
    return answer.body.flow
  }

  test('a form is created as a draft, changed, published, sent, answered, and withdrawn', async () => {
    const shop = await sandbox()
    const draft = await made(shop)
    expect(draft).toMatchObject({ status: 'draft', published: false, screens, faults: [] })
    expect((await shop.get(`/flows/${draft.metaFlowId}`)).body.flow).toEqual(draft)
    expect((await flowsOf(shop)).map(({ id, name }) => [id, name])).toContainEqual([draft.id, draft.name])

    const shorter = [{ ...screens[1]!, title: 'Only the day' }]
    const changed = await shop.patch(`/flows/${draft.id}`, { name: `${draft.name} 2`, screens: shorter })
    expect(changed.body.flow).toMatchObject({ id: draft.id, name: `${draft.name} 2`, screens: shorter })

    const published = await shop.post(`/flows/${draft.id}/publish`, {})
    expect(published.body.flow, published.text).toMatchObject({ status: 'published', published: true })
    expect(await shop.patch(`/flows/${draft.id}`, { name: 'Late' })).toMatchObject({ status: 409 })
    expect(await shop.delete(`/flows/${draft.id}`)).toMatchObject({ status: 409 })

    await shop.inbound(asha, 'hello')
    const sent = await shop.post(`/flows/${draft.id}/send`, { to: asha, body: 'When?', cta: 'Book a visit' })
    await shop.advance(6)
    const { chanmid } = (await shop.get(`/messages/${sent.body.messageId}`)).body.message
    const answers = { visit_day: '2026-07-01', part_of_day: 'Morning', extras: ['Tea'], agreed: true }
    const answer = await shop.inbound(asha, '', {
      text: undefined,
      formAnswers: { ...answers, flow_token: 'secret' },
      replyTo: chanmid,
    })
    expect(answer.status, answer.text).toBe(202)
    const listed = (await shop.get(`/flows/${draft.id}/answers`)).body
    expect(listed).toMatchObject({ answers: [{ fields: answers }], nextCursor: null })
    expect(listed.answers[0].fields).not.toHaveProperty('flow_token')
    const { message } = (await shop.get(`/messages/${listed.answers[0].messageId}`)).body
    expect(message).toMatchObject({ contactId: listed.answers[0].contactId, direction: 'inbound' })

    expect((await shop.post(`/flows/${draft.id}/deprecate`, {})).body.flow.status).toBe('deprecated')
    const late = await shop.post(`/flows/${draft.id}/send`, { to: asha, body: 'When?', cta: 'Book' })
    expect(late).toMatchObject({ status: 409, body: { error: 'conflict' } })
  })

  /** Publishes and sends a form; returns a function that submits answers to it. */
  async function sentForm(shop: TestWorkspace) {
    const { id } = await made(shop)
    await shop.post(`/flows/${id}/publish`, {})
    await shop.inbound(asha, 'hello')
    const sent = await shop.post(`/flows/${id}/send`, { to: asha, body: 'When?', cta: 'Book' })
    await shop.advance(6)
    const { chanmid } = (await shop.get(`/messages/${sent.body.messageId}`)).body.message
    const submit = (formAnswers: object) =>
      shop.inbound(asha, '', { text: undefined, formAnswers, replyTo: chanmid })
    return { id, submit }
  }

  test('the list counts the sends of 30 days and those that were answered, each once', async () => {
    const shop = await sandbox()
    const { id, submit } = await sentForm(shop)
    const again = await shop.post(`/flows/${id}/send`, { to: asha, body: 'When?', cta: 'Book' })
    expect(again.status, again.text).toBe(200)
    const countsOf = async () => {
      const { sent, answered } = (await flowsOf(shop)).find((flow) => flow.id === id)!
      return { sent, answered }
    }
    expect(await countsOf()).toEqual({ sent: 2, answered: 0 })
    await submit({ part_of_day: 'Morning' })
    await submit({ part_of_day: 'Evening' })
    expect(await countsOf()).toEqual({ sent: 2, answered: 1 })
    await shop.advance(31 * 86_400)
    await submit({ part_of_day: 'Night' })
    expect(await countsOf()).toEqual({ sent: 0, answered: 0 })
  })

  test('forms in a button of a template count, once each: in campaigns, sends, and retries; their answers belong to the form', async () => {
    const shop = await sandbox()
    const { id } = await made(shop)
    const { flow } = (await shop.post(`/flows/${id}/publish`, {})).body
    const ofForm = (formId: unknown) => [
      { type: 'BODY', text: 'Visit us.' },
      { type: 'BUTTONS', buttons: [{ type: 'FLOW', text: 'Choose a day', flow_id: formId }] },
    ]
    await storeTemplate(parley, shop, {
      name: 'visit',
      category: 'MARKETING',
      components: ofForm(Number(flow.metaFlowId)),
    })
    await storeTemplate(parley, shop, { name: 'other', components: ofForm('1') })
    const { templates } = (await shop.get('/templates?name=visit')).body
    await makeContacts(shop, 2, { optInStatus: 'opted_in' })
    const campaign = await shop.post('/broadcasts', {
      name: 'Visits',
      templateId: templates[0].id,
      phoneNumberId: shop.phoneNumberId,
      segment: {},
      sendNow: true,
    })
    expect(campaign.status, campaign.text).toBe(201)
    await shop.advance(60)
    const send = (name: string, key?: string) =>
      shop.post(
        '/send',
        {
          to: asha,
          type: 'template',
          payload: { type: 'template', template: { name, language: { code: 'en_US' } } },
        },
        key ? { idempotencyKey: key } : {},
      )
    const key = randomUUID()
    const [first, retry] = [await send('visit', key), await send('visit', key)]
    expect(first.status, first.text).toBe(200)
    expect(retry.body).toEqual(first.body)
    await send('other')
    await shop.advance(60)
    const countsOf = async () => {
      const { sent, answered } = (await flowsOf(shop)).find((form) => form.id === id)!
      return { sent, answered }
    }
    expect(await countsOf()).toEqual({ sent: 3, answered: 0 })
    const { chanmid } = (await shop.get(`/messages/${first.body.messageId}`)).body.message
    for (const part_of_day of ['Morning', 'Evening'])
      await shop.inbound(asha, '', { text: undefined, formAnswers: { part_of_day }, replyTo: chanmid })
    expect(await countsOf()).toEqual({ sent: 3, answered: 1 })
    const { answers } = (await shop.get(`/flows/${id}/answers`)).body
    expect(answers.map(({ fields }: Body) => fields)).toEqual([
      { part_of_day: 'Evening' },
      { part_of_day: 'Morning' },
    ])
    await shop.advance(31 * 86_400)
    expect(await countsOf()).toEqual({ sent: 0, answered: 0 })
  })

  test('answers are summarized question by question', async () => {
    const shop = await sandbox()
    const { id, submit } = await sentForm(shop)
    const day = { part_of_day: 'Morning', agreed: true }
    await submit({
      ...day,
      full_name: 'Asha',
      party: '4',
      visit_day: '2026-07-03',
      extras: ['Tea', 'Parking'],
    })
    await submit({ ...day, full_name: 'Ravi', party: '10', visit_day: '2026-07-01', extras: ['Tea'] })
    await submit({
      full_name: 'Nisha',
      party: 2,
      part_of_day: 'Later',
      extras: [],
      agreed: true,
      note: 'Late',
    })
    const { status, body, text } = await shop.get(`/flows/${id}/answers/summary`)
    expect(status, text).toBe(200)
    const { fields, ...counts } = body.summary
    expect(counts).toEqual({ answers: 3, limited: false })
    const without = { options: [], range: null, texts: [] }
    const textOf = (text: string) => ({ messageId: expect.any(String), text, createdAt: expect.any(String) })
    expect(fields).toEqual([
      {
        ...without,
        name: 'full_name',
        label: 'Your name',
        kind: 'text',
        answered: 3,
        texts: ['Nisha', 'Ravi', 'Asha'].map(textOf),
      },
      {
        ...without,
        name: 'party',
        label: 'Guests',
        kind: 'number',
        answered: 3,
        range: { smallest: '2', median: '4', largest: '10' },
      },
      {
        ...without,
        name: 'visit_day',
        label: 'Day of your visit',
        kind: 'date',
        answered: 2,
        range: { smallest: '2026-07-01', median: '2026-07-01', largest: '2026-07-03' },
      },
      {
        ...without,
        name: 'part_of_day',
        label: 'Part of the day',
        kind: 'choice',
        answered: 3,
        options: [
          { value: 'Morning', count: 2 },
          { value: 'Evening', count: 0 },
          { value: 'Later', count: 1 },
        ],
      },
      {
        ...without,
        name: 'extras',
        label: 'Extras',
        kind: 'choices',
        answered: 2,
        options: [
          { value: 'Tea', count: 2 },
          { value: 'Parking', count: 1 },
        ],
      },
      {
        ...without,
        name: 'agreed',
        label: 'I agree to the rules of the house.',
        kind: 'consent',
        answered: 3,
        options: [
          { value: 'true', count: 3 },
          { value: 'false', count: 0 },
        ],
      },
      { ...without, name: 'note', label: 'note', kind: null, answered: 1, texts: [textOf('Late')] },
    ])
  })

  test('the answers with a value, and those of a period, are listed and summarized', async () => {
    const shop = await sandbox()
    const { id, submit } = await sentForm(shop)
    await submit({ full_name: 'Asha', extras: ['Tea', 'Parking'], agreed: true })
    await submit({ full_name: 'Ravi', extras: ['Tea'], agreed: false })
    const later = await shop.advance(2 * 86_400)
    await submit({ full_name: 'Nisha', extras: ['Parking'], agreed: true })
    const listed = async (query: string) => {
      const { status, body, text } = await shop.get(`/flows/${id}/answers?${query}`)
      expect(status, text).toBe(200)
      return body.answers.map(({ fields }: Body) => fields.full_name)
    }
    expect(await listed('field=extras&value=Parking')).toEqual(['Nisha', 'Asha'])
    expect(await listed('field=full_name&value=Ravi')).toEqual(['Ravi'])
    expect(await listed('field=agreed&value=true')).toEqual(['Nisha', 'Asha'])
    expect(await listed('field=extras&value=Coffee')).toEqual([])
    expect(await listed(`from=${later.toISOString()}`)).toEqual(['Nisha'])
    expect(await listed(`field=extras&value=Parking&to=${later.toISOString()}`)).toEqual(['Asha'])
    const first = (await shop.get(`/flows/${id}/answers?field=agreed&value=true&limit=1`)).body
    expect(await listed(`field=agreed&value=true&cursor=${first.nextCursor}`)).toEqual(['Asha'])
    const summary = (await shop.get(`/flows/${id}/answers/summary?from=${later.toISOString()}`)).body.summary
    expect([summary.answers, summary.fields[0].answered]).toEqual([1, 1])
    for (const [query, path] of [
      ['field=extras', 'value'],
      ['value=Tea', 'field'],
    ])
      expect(await shop.get(`/flows/${id}/answers?${query}`)).toMatchObject({
        status: 400,
        body: { error: 'invalid', issues: [{ path, message: expect.stringContaining('Required') }] },
      })
  })

  test('of many answers, the newest 20,000 are summarized', async () => {
    const shop = await sandbox()
    const { id } = await made(shop)
    const insert = (count: number, part: string, age: string) =>
      parley.system((tx) =>
        tx.sql(
          `insert into flow_answers (workspace_id, id, flow_id, fields, created_at)
           select $1, gen_random_uuid(), $2, json_build_object('part_of_day', $3::text), now() - $4::interval
           from generate_series(1, $5)`,
          [shop.workspaceId, id, part, age, count],
        ),
      )
    await insert(10, 'Morning', '2 days')
    await insert(19_990, 'Evening', '1 hour')
    const read = async () => (await shop.get(`/flows/${id}/answers/summary`)).body.summary
    const optionsOf = ({ fields }: Body) => fields[3].options.map(({ count }: Body) => count)
    const whole = await read()
    expect([whole.answers, whole.limited, optionsOf(whole)]).toEqual([20_000, false, [10, 19_990]])
    await insert(5, 'Evening', '1 minute')
    const limited = await read()
    expect([limited.answers, limited.limited, optionsOf(limited)]).toEqual([20_000, true, [5, 19_995]])
  })

  test('answers leave with their contact', async () => {
    const shop = await sandbox()
    const { id } = await made(shop)
    await shop.post(`/flows/${id}/publish`, {})
    await shop.inbound(asha, 'hello')
    const sent = await shop.post(`/flows/${id}/send`, { to: asha, body: 'When?', cta: 'Book' })
    await shop.advance(6)
    const { chanmid } = (await shop.get(`/messages/${sent.body.messageId}`)).body.message
    await shop.inbound(asha, '', { text: undefined, formAnswers: { party: '2' }, replyTo: chanmid })
    expect((await shop.get(`/flows/${id}/answers`)).body.answers).toHaveLength(1)
    await shop.delete(`/contacts/${asha}`)
    const rows = await parley.system((tx) =>
      tx.sql('select id from flow_answers where workspace_id = $1', [shop.workspaceId]),
    )
    expect(rows).toEqual([])
  })

  test('a name is used once; a draft can be deleted, and its name used again', async () => {
    const shop = await sandbox()
    const { id, name } = await made(shop)
    expect(await shop.post('/flows', design({ name }))).toMatchObject({ status: 409, body: { flowId: id } })
    expect((await shop.delete(`/flows/${id}`)).body).toEqual({ ok: true, deleted: true })
    expect((await shop.get(`/flows/${id}`)).status).toBe(404)
    await made(shop, { name })
  })

  test('of three requests for the same name at the same time, one creates the form', async () => {
    const shop = await sandbox()
    const body = design()
    const answers = await Promise.all([1, 2, 3].map(() => shop.post('/flows', body)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    expect((await flowsOf(shop)).filter(({ name }) => name === body.name)).toHaveLength(1)
  })

  test('a name that another request stored in the meantime returns 409', async () => {
    const shop = await sandbox()
    const body = design()
    await flowsOf(shop)
    const { answer, id } = await parley.system(async (tx) => {
      await tx.sql('lock table flow_claims in share mode')
      const answer = shop.post('/flows', body)
      await until(
        async () => (await lockWaits((text) => tx.sql(text))).length > 0,
        'the request waits for the reservation of the name',
      )
      const [row] = await tx.sql<{ id: string }>(
        `insert into flows (workspace_id, account_id, id, operator_id, name, status, categories, created_at, updated_at)
         select workspace_id, account_id, $2, 'other', $3, 'draft', categories, created_at, updated_at
         from flows where workspace_id = $1 returning id`,
        [shop.workspaceId, randomUUID(), body.name],
      )
      return { answer: { promise: answer }, id: row!.id }
    })
    expect(await answer.promise).toMatchObject({ status: 409, body: { flowId: id } })
  })

  test('a retry with the same Idempotency-Key returns the first form', async () => {
    const shop = await sandbox()
    const [body, key] = [design(), { idempotencyKey: randomUUID() }]
    const [first, repeated] = [await shop.post('/flows', body, key), await shop.post('/flows', body, key)]
    expect(first.status, first.text).toBe(200)
    expect(repeated.body).toEqual(first.body)
  })

  test('after an answer that was lost, the next request finds the form at the operator', async () => {
    const shop = await cloudShop(parley)
    const body = design()
    const calls: string[] = []
    let lost = true
    operator.answer(({ request, response, body: sent }) => {
      calls.push(`${request.method} ${request.url?.replace(/^\/v[\d.]+/, '')}`)
      const json = (status: number, value: object) => {
        response.writeHead(status, { 'content-type': 'application/json' })
        response.end(JSON.stringify(value))
      }
      if (request.url?.endsWith('/flows') && lost) return void response.destroy()
      if (request.url?.endsWith('/flows'))
        return json(400, { error: { code: 100, error_subcode: 4016019, message: 'Name taken' } })
      if (!request.url?.endsWith('/assets')) expect(sent).toMatchObject({ name: body.name })
      json(200, { success: true, validation_errors: [] })
    })
    reportFlows([])
    expect(await shop.post('/flows', body)).toMatchObject({ status: 429, body: { error: 'meta_error' } })
    lost = false
    reportFlows([{ id: '77', name: body.name, status: 'DRAFT' }])
    const found = await shop.post('/flows', body)
    expect(found.body.flow, found.text).toMatchObject({ metaFlowId: '77', name: body.name, screens })
    operator.answer(accept)
  })

  test('an invalid design names the field', async () => {
    const shop = await sandbox()
    const [first, last] = screens as [(typeof screens)[0], (typeof screens)[1]]
    const withField = (field: object) => [{ ...first, fields: [field] }]
    const cases: [object, string][] = [
      [{ name: ' ' }, 'name'],
      [{ categories: ['PIZZA'] }, 'categories[0]'],
      [{ screens: [] }, 'screens'],
      [{ screens: Array.from({ length: 9 }, () => first) }, 'screens'],
      [{ screens: [{ ...first, title: 'x'.repeat(31) }] }, 'screens[0].title'],
      [{ screens: [{ ...first, fields: [], text: undefined }, last] }, 'screens[0].fields'],
      [{ screens: [{ ...first, fields: [] }] }, 'screens[0].fields'],
      [{ screens: [first, first] }, 'screens[1].fields[0].name'],
      [{ screens: withField({ name: 'Size', kind: 'text', label: 'Size' }) }, 'screens[0].fields[0].name'],
      [{ screens: withField({ name: 'size', kind: 'slider', label: 'Size' }) }, 'screens[0].fields[0].kind'],
      [
        { screens: withField({ name: 'a', kind: 'text', label: 'x'.repeat(21) }) },
        'screens[0].fields[0].label',
      ],
      [{ screens: withField({ name: 'a', kind: 'choice', label: 'A' }) }, 'screens[0].fields[0].options'],
      [
        { screens: withField({ name: 'a', kind: 'text', label: 'A', options: ['B'] }) },
        'screens[0].fields[0].options',
      ],
      [
        { screens: withField({ name: 'a', kind: 'choice', label: 'A', options: ['B', 'B'] }) },
        'screens[0].fields[0].options[1]',
      ],
    ]
    for (const [more, field] of cases) {
      const answer = await shop.post('/flows', design(more))
      expect(answer, JSON.stringify(more)).toMatchObject({ status: 400, body: { error: 'invalid' } })
      expect(answer.body.issues[0].path, JSON.stringify(more)).toBe(field)
    }
  })

  test('errors that the operator finds are shown, and the form cannot be published', async () => {
    const shop = await cloudShop(parley)
    operator.answer(({ response }) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ id: '88', validation_errors: [{ message: 'The label is too long.' }] }))
    })
    const flow = await made(shop)
    expect(flow.faults).toEqual(['The label is too long.'])
    expect(await shop.post(`/flows/${flow.id}/publish`, {})).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('The label is too long.') },
    })
    operator.answer(accept)
  })
})
