import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { boot, type TestParley, type TestWorkspace } from '../../../../test/support/boot.ts'
import { until } from '../../../../test/support/until.ts'
import { SCREEN_CHANGED } from '../../../core/event.ts'

let parley: TestParley
let shop: TestWorkspace

beforeAll(async () => {
  parley = await boot()
  shop = await parley.workspace({ sandbox: true })
})
afterAll(() => parley.close())

let count = 0
const order = (overrides: Record<string, unknown> = {}) => ({
  name: `order_${++count}`,
  language: 'en_US',
  category: 'UTILITY',
  components: [
    {
      type: 'BODY',
      text: 'Hi {{1}}, your order {{2}} is on its way.',
      example: { body_text: [['Asha', '1001']] },
    },
  ],
  ...overrides,
})

const submit = async (overrides: Record<string, unknown> = {}) => {
  const { status, body } = await shop.post('/templates', order(overrides))
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}
const read = async (id: string) => (await shop.get(`/templates/${id}`)).body.template
const eventsAbout = async (id: string) =>
  (await shop.get('/events?limit=100')).body.events
    .filter((event: { data: { templateId?: string } }) => event.data.templateId === id)
    .map(({ event, data }: { event: string; data: unknown }) => ({ event, data }))

test('POST /templates/lint returns likely objections of the operator and stores nothing', async () => {
  const words = order({
    category: 'MARKETING',
    components: [{ type: 'BODY', text: 'Come and see us today' }],
  })
  const { status, body } = await shop.post('/templates/lint', words)
  expect(status, JSON.stringify(body)).toBe(200)
  expect(body.warnings).toMatchObject([{ code: 'missing_opt_out', path: 'components' }])
  expect(body).toEqual({ issues: [], warnings: (await submit(words)).warnings })
  // An unfinished template is not an invalid request: it returns the same issues as a submission.
  const wordless = order({ name: 'Not yet', language: 'e', components: [{ type: 'BODY', text: '' }] })
  const linted = await shop.post('/templates/lint', wordless)
  expect(linted).toMatchObject({ status: 200, body: { warnings: [] } })
  expect(linted.body.issues.map((issue: { path: string }) => issue.path)).toEqual(['name', 'language'])
  expect(linted.body.issues).toEqual((await shop.post('/templates', wordless)).body.issues)
  const textless = await shop.post('/templates/lint', order({ components: [{ type: 'BODY', text: '' }] }))
  expect(textless.body.issues.map((issue: { path: string }) => issue.path)).toContain('components[0].text')
  const name = order().name
  await shop.post('/templates/lint', order({ name }))
  expect((await shop.get(`/templates?name=${name}`)).body.templates).toEqual([])
})

describe('POST /templates', () => {
  test('Parley keeps a copy of the sample file, and deletes it with the template', async () => {
    const own = await parley.workspace({ sandbox: true })
    const bytes = Buffer.from('%PDF-1.7 a menu')
    const { id: mediaId } = (await own.post('/media', { fileBase64: bytes.toString('base64') })).body
    const header = { type: 'HEADER', format: 'DOCUMENT', example: { header_handle: [mediaId] } }
    const created = await own.post('/templates', order({ components: [header, ...order().components] }))
    expect(created.status, created.text).toBe(200)
    expect(created.body.template.sampleType).toBeNull()
    const { id } = created.body.template
    const sampleType = async () => (await own.get(`/templates/${id}`)).body.template.sampleType
    await until(async () => (await sampleType()) === 'application/pdf', 'the sample is kept')
    const listed = (await own.get('/templates?limit=100')).body.templates
    expect(listed.map((template: { sampleType: string | null }) => template.sampleType)).toContain(
      'application/pdf',
    )
    expect((await own.delete(`/templates/${id}`)).status).toBe(200)
    const left = await parley.system((tx) =>
      tx.sql('select 1 from media where workspace_id = $1 and id = $2', [own.workspaceId, id]),
    )
    expect(left).toEqual([])
  })

  test("a sample with another workspace's file is answered like an unknown file, and sends continue", async () => {
    const [own, other] = [
      await parley.workspace({ sandbox: true }),
      await parley.workspace({ sandbox: true }),
    ]
    const file = { fileBase64: Buffer.from('%PDF-1.7 not much of one').toString('base64') }
    const foreignId = (await other.post('/media', file)).body.id
    const answers = []
    for (const handle of [foreignId, '999999999999999']) {
      const header = { type: 'HEADER', format: 'DOCUMENT', example: { header_handle: [handle] } }
      const { status, body } = await own.post(
        '/templates',
        order({ components: [header, ...order().components] }),
      )
      answers.push({ status, body })
    }
    expect(answers[0]).toMatchObject({
      status: 400,
      body: { issues: [{ path: 'components[0].example.header_handle[0]' }] },
    })
    expect(answers[0]).toEqual(answers[1])
    expect((await own.get('/phone-numbers')).body.phoneNumbers).toMatchObject([{ state: 'active' }])
    await own.inbound('+919812345678', 'Hello')
    const send = { to: '+919812345678', type: 'text', text: 'Hello yourself' }
    expect((await own.post('/send', send)).status).toBe(200)
  })

  test('returns 200 with the stored template, status pending', async () => {
    const { template, warnings } = await submit()
    expect(template).toMatchObject({
      status: 'pending',
      category: 'UTILITY',
      language: 'en_US',
      metaTemplateId: expect.stringMatching(/^\d+$/),
      parameterFormat: 'POSITIONAL',
      rejectedReason: null,
      components: [{ type: 'BODY', text: 'Hi {{1}}, your order {{2}} is on its way.' }],
    })
    expect(warnings).toEqual([])
    expect(await read(template.id)).toEqual(template)
    expect(await read(template.metaTemplateId)).toEqual(template)
  })

  test('sandbox: approved after a few seconds, with template.approved', async () => {
    const { template } = await submit()
    await shop.advance(2)
    expect(await read(template.id)).toMatchObject({ status: 'pending' })
    await shop.advance(8)
    expect(await read(template.id)).toMatchObject({ status: 'approved' })
    const { id, metaTemplateId, name } = template
    expect(await eventsAbout(id)).toEqual([
      {
        event: 'template.approved',
        data: {
          templateId: id,
          metaTemplateId,
          name,
          language: 'en_US',
          category: 'UTILITY',
          status: 'approved',
        },
      },
    ])
  })

  test('a marketing template without opt-out text: accepted with a warning; the sandbox rejects it', async () => {
    const components = [{ type: 'BODY', text: 'Our new catalogue is here' }]
    const { template, warnings } = await submit({ category: 'MARKETING', components })
    expect(warnings).toMatchObject([{ code: 'missing_opt_out' }])
    await shop.advance(10)
    expect(await read(template.id)).toMatchObject({ status: 'rejected', rejectedReason: expect.any(String) })
    expect(await eventsAbout(template.id)).toMatchObject([
      { event: 'template.rejected', data: { status: 'rejected', reason: expect.any(String) } },
    ])
    const footer = { type: 'FOOTER', text: 'Reply STOP to opt out' }
    const improved = await submit({ category: 'MARKETING', components: [...components, footer] })
    expect(improved.warnings).toEqual([])
    await shop.advance(10)
    expect(await read(improved.template.id)).toMatchObject({ status: 'approved' })
  })

  test('spammy language, excessive capitals or URLs in the body: warnings that never block', async () => {
    const components = [
      { type: 'BODY', text: 'ACT NOW AND BUY THE BLUE ONE at https://shop.example today. Reply STOP to end' },
    ]
    const { warnings } = await submit({ category: 'MARKETING', components })
    expect(warnings.map((warning: { code: string }) => warning.code).sort()).toEqual([
      'excessive_capitals',
      'spam_words',
      'url_in_body',
    ])
  })

  test('a name has one template in each language: conflict names the existing template', async () => {
    const { template } = await submit()
    const repeated = await shop.post('/templates', order({ name: template.name }))
    expect(repeated.status).toBe(409)
    expect(repeated.body).toMatchObject({ error: 'conflict', id: template.id })
    expect(repeated.body.message).toContain(template.id)
    await submit({ name: template.name, language: 'hi' })
  })

  test('parallel duplicates create one template', async () => {
    // Adds the sample that all accounts have.
    await shop.post('/templates/sync', {})
    const body = order()
    const answers = await Promise.all(Array.from({ length: 5 }, () => shop.post('/templates', body)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409])
    const { templates } = (await shop.get(`/templates?name=${body.name}`)).body
    expect(templates).toHaveLength(1)
    expect((await shop.post('/templates/sync', {})).body).toMatchObject({ created: 0, removed: 0 })
  })

  test.each([
    ['name', { name: 'Order OK' }],
    ['language', { language: 'English' }],
    ['category', { category: 'NEWS' }],
    ['components', { components: [] }],
    ['components', { components: 'x' }],
    ['components[0].example.body_text[0][0]', { components: [{ type: 'BODY', text: 'Hi {{1}} there' }] }],
    [
      'components[0].text',
      { components: [{ type: 'BODY', text: '{{1}} there', example: { body_text: [['a']] } }] },
    ],
    ['wabaConnectionId', { wabaConnectionId: 'x' }],
    ['parameter_format', { parameter_format: 'NAMED' }],
    ['shade', { shade: 'blue' }],
  ])('an invalid body gives 400 naming the field: %s', async (path, overrides) => {
    const { status, body } = await shop.post('/templates', order(overrides))
    expect([status, body.error]).toEqual([400, 'invalid'])
    expect(body.issues.map((issue: { path: string }) => issue.path)).toContain(path)
  })

  test('wabaConnectionId names a business account of the workspace, as GET /phone-numbers shows it', async () => {
    const [number] = (await shop.get('/phone-numbers')).body.phoneNumbers
    const { template } = await submit({ wabaConnectionId: number.wabaConnectionId })
    expect(template.wabaConnectionId).toBe(number.wabaConnectionId)
    const other = await parley.workspace({ sandbox: true })
    const foreign = (await other.get('/phone-numbers')).body.phoneNumbers[0].wabaConnectionId
    expect((await shop.post('/templates', order({ wabaConnectionId: foreign }))).body).toMatchObject({
      error: 'invalid_reference',
    })
  })

  test('the category is accepted in lower case, as the operator does, and returned in upper case', async () => {
    const { template } = await submit({ category: 'utility' })
    expect(template.category).toBe('UTILITY')
    const { body } = await shop.get(`/templates/${template.id}`)
    expect(body.template.category).toBe('UTILITY')
  })

  test('en-US becomes en_US', async () => {
    expect((await submit({ language: 'en-US' })).template.language).toBe('en_US')
  })
})

describe('GET /templates', () => {
  test('pages newest first, and filters by status, category, language, name and part of a name', async () => {
    const own = await parley.workspace({ sandbox: true })
    const make = async (overrides: Record<string, unknown>) =>
      (await own.post('/templates', order(overrides))).body.template.id
    const first = await make({ name: 'delivery_note' })
    const second = await make({ name: 'delivery_late', language: 'hi' })
    await own.advance(10)
    const third = await make({ name: 'welcome' })
    const ids = async (query: string) =>
      (await own.get(`/templates?${query}`)).body.templates.map((template: { id: string }) => template.id)
    expect(await ids('')).toEqual([third, second, first])
    expect(await ids('status=pending')).toEqual([third])
    expect(await ids('status=approved&language=hi')).toEqual([second])
    expect(await ids('search=deliv')).toEqual([second, first])
    expect(await ids('search=_')).toEqual([second, first])
    expect(await ids('search=%20deliv%20')).toEqual([second, first])
    expect(await ids('search=%20')).toEqual(await ids(''))
    expect(await ids('name=delivery')).toEqual([])
    expect(await ids('name=delivery_note')).toEqual([first])
    expect(await ids('category=MARKETING')).toEqual([])
    expect(await ids('category=utility&limit=1')).toEqual([third])
    const { nextCursor } = (await own.get('/templates?limit=2')).body
    expect(await ids(`limit=2&cursor=${nextCursor}`)).toEqual([first])
    expect((await own.get('/templates?status=asleep')).status).toBe(400)
  })

  test.each(['x', '0', '01978f2e-9c1b-7d30-8a44-3f5f0e6b9a10', '9'.repeat(40)])(
    'no template %s: 404',
    async (id) => {
      expect((await shop.get(`/templates/${id}`)).body).toMatchObject({ error: 'not_found' })
    },
  )
})

describe('DELETE /templates/{id}', () => {
  test('deletes it at the operator too: its name is free again, and a synchronization does not restore it', async () => {
    const { template } = await submit()
    expect((await shop.delete(`/templates/${template.id}`)).body).toEqual({ ok: true, deleted: true })
    expect((await shop.get(`/templates/${template.id}`)).status).toBe(404)
    expect((await shop.delete(`/templates/${template.id}`)).status).toBe(404)
    expect((await shop.post('/templates/sync')).body).toMatchObject({ created: 0 })
    await submit({ name: template.name })
  })

  test('only in its language', async () => {
    const { template } = await submit()
    const hindi = await submit({ name: template.name, language: 'hi' })
    await shop.delete(`/templates/${template.id}`)
    expect(await read(hindi.template.id)).toMatchObject({ language: 'hi' })
    expect((await shop.post('/templates/sync')).body).toMatchObject({ removed: 0 })
  })

  test('concurrent duplicates both succeed', async () => {
    const { template } = await submit()
    const answers = await Promise.all([1, 2].map(() => shop.delete(`/templates/${template.id}`)))
    expect(answers.map(({ status }) => status)).toSatisfy((statuses: number[]) =>
      statuses.every((status) => status === 200 || status === 404),
    )
    expect((await shop.get(`/templates/${template.id}`)).status).toBe(404)
  })
})

describe('POST /templates/sync', () => {
  test('the first sync counts no unchanged templates, and adds the sample that all accounts have', async () => {
    const own = await parley.workspace({ sandbox: true })
    const { template } = (await own.post('/templates', order())).body
    expect(template.quality).toBe('UNKNOWN')
    await own.advance(10)
    const counts = { synced: 2, updated: 0, removed: 0 }
    expect((await own.post('/templates/sync')).body).toMatchObject({ ...counts, created: 1 })
    expect((await own.get('/templates?name=hello_world')).body.templates).toMatchObject([
      { language: 'en_US', category: 'UTILITY', status: 'approved' },
    ])
    expect((await own.post('/templates/sync')).body).toMatchObject({ ...counts, created: 0 })
    expect((await own.get(`/templates/${template.id}`)).body.template.quality).toBe('UNKNOWN')
  })

  test("stores the operator's templates, applies changes, removes deleted ones", async () => {
    const own = await parley.workspace({ sandbox: true })
    await own.post('/templates/sync')
    const make = async (overrides: Record<string, unknown>) =>
      (await own.post('/templates', order(overrides))).body.template
    const [kept, deleted, lost] = [await make({}), await make({}), await make({})]
    await own.advance(10)
    await parley.system(async (tx) => {
      const parameters = [own.workspaceId]
      await tx.sql('delete from simulator_objects where workspace_id = $1 and id = $2', [
        ...parameters,
        deleted.metaTemplateId,
      ])
      await tx.sql('delete from templates where workspace_id = $1 and id = $2', [...parameters, lost.id])
      await tx.sql(
        `update simulator_objects set value = value || '{"category": "MARKETING", "quality": "RED"}'
         where workspace_id = $1 and id = $2`,
        [...parameters, kept.metaTemplateId],
      )
    })
    expect((await own.post('/templates/sync', {})).body).toEqual({
      ok: true,
      synced: 3,
      created: 1,
      updated: 1,
      removed: 1,
    })
    const { templates } = (await own.get('/templates')).body
    expect(templates).toMatchObject([
      { metaTemplateId: lost.metaTemplateId, name: lost.name, status: 'approved' },
      { id: kept.id, category: 'MARKETING', quality: 'RED' },
      { name: 'hello_world' },
    ])
    expect((await own.post('/templates/sync')).body).toMatchObject({
      synced: 3,
      created: 0,
      updated: 0,
      removed: 0,
    })
    const events = (await own.get('/events?limit=100')).body.events
    expect(
      events.filter((event: { event: string }) => event.event === 'template.category_changed'),
    ).toMatchObject([{ data: { templateId: kept.id, previousCategory: 'UTILITY', category: 'MARKETING' } }])
  })

  test('announces removed templates to open pages, and nothing if nothing is removed', async () => {
    const own = await parley.workspace({ sandbox: true })
    await own.post('/templates/sync')
    const { template } = (await own.post('/templates', order())).body
    await own.advance(10)
    const changes = () =>
      parley.system((tx) =>
        tx.sql<{ data: unknown }>(
          'select data from events where workspace_id = $1 and name = $2 order by id',
          [own.workspaceId, SCREEN_CHANGED],
        ),
      )
    const before = (await changes()).length
    await parley.system((tx) =>
      tx.sql('delete from simulator_objects where workspace_id = $1 and id = $2', [
        own.workspaceId,
        template.metaTemplateId,
      ]),
    )
    expect((await own.post('/templates/sync')).body).toMatchObject({ removed: 1 })
    expect((await own.post('/templates/sync')).body).toMatchObject({ removed: 0 })
    expect((await changes()).slice(before)).toEqual([{ data: { touched: { template: [template.id] } } }])
  })
})
