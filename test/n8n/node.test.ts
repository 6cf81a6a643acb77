/** The rules of the n8n node that no single operation shows: retries, errors, pages, files, and fields. */
import { randomUUID } from 'node:crypto'
import type { IDataObject } from 'n8n-workflow'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Parley } from '../../n8n/src/nodes/Parley/Parley.node.ts'
import { boot, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { type Run, runNode } from '../support/n8n/run-node.ts'
import { freePort } from '../support/redis-server.ts'

let parley: TestParley
let shop: TestWorkspace
beforeAll(async () => {
  // Links to files name the address of the site.
  const port = String(await freePort())
  parley = await boot({ env: { PORT: port, PARLEY_SITE_URL: `http://localhost:${port}` } })
  shop = await parley.workspace({ sandbox: true })
})
afterAll(() => parley?.close())

const PHONE = '+919812345701'
const run = (parameters: IDataObject, more: Partial<Run> = {}, apiKey = shop.key) =>
  runNode({ baseUrl: parley.url, apiKey }, { executionId: randomUUID(), parameters, ...more })
const ofLead = (operation: string, more: IDataObject): IDataObject => ({
  resource: 'lead',
  operation,
  ...more,
})
const note = (id: string, more: IDataObject = {}) => ofLead('addNote', { id, body: 'Call back', ...more })
const notesOf = async (id: string): Promise<number> =>
  (await shop.get(`/leads/${id}/timeline`)).body.entries.filter((entry: object) =>
    JSON.stringify(entry).includes('Call back'),
  ).length

describe('retries', () => {
  test('an execution that runs an item again changes nothing twice', async () => {
    const { id } = (await shop.post('/leads', { phone: PHONE })).body.lead
    const before = await notesOf(id)
    for (const _ of [1, 2]) await run(note(id), { executionId: 'same' })
    expect(await notesOf(id)).toBe(before + 1)
  })

  test.each<[string, Partial<Run>]>([
    ['another item', { itemIndex: 1 }],
    ['another turn of a loop', { runIndex: 1 }],
    ['another execution', { executionId: '2' }],
    ['another n8n', { instanceId: 'other' }],
  ])('%s is another change', async (_, more) => {
    const { id } = (await shop.post('/leads', { phone: '+919812345702' })).body.lead
    const before = await notesOf(id)
    const executionId = randomUUID()
    await run(note(id), { executionId })
    await run(note(id), { executionId, ...more })
    expect(await notesOf(id)).toBe(before + 2)
  })

  test('the key of the user counts over executions', async () => {
    const { id } = (await shop.post('/leads', { phone: '+919812345703' })).body.lead
    const before = await notesOf(id)
    const more = { additionalFields: { idempotencyKey: `order-${randomUUID()}` } }
    for (const _ of [1, 2]) await run(note(id, more))
    expect(await notesOf(id)).toBe(before + 1)
  })
})

describe('errors', () => {
  test("the node shows the API's own message, code, and page", async () => {
    await expect(run(ofLead('get', { id: '+919800000000' }))).rejects.toMatchObject({
      message: expect.stringContaining('not found'),
      httpCode: '404',
      description: expect.stringMatching(
        /^Error code: not_found\. Explanation: http\S+\/docs\/errors#not_found$/,
      ),
    })
  })

  test('a wrong key is an error in words', async () => {
    await expect(run({ resource: 'workspace', operation: 'getMe' }, {}, 'par_wrong')).rejects.toMatchObject({
      httpCode: '401',
      message: expect.stringMatching(/key/i),
    })
  })

  test('an error in place of a file is an error in words too', async () => {
    const parameters = { resource: 'salesInvoice', operation: 'download', id: randomUUID(), format: 'pdf' }
    await expect(run(parameters)).rejects.toMatchObject({ httpCode: expect.stringMatching(/^40[34]$/) })
  })

  test.each(['', ' ', '.', '..'])('the id "%s" fails before the request', async (id) => {
    await expect(run(ofLead('get', { id }))).rejects.toThrow('must be an ID')
  })

  test('an id with a slash cannot lead to another address', async () => {
    await expect(run(ofLead('get', { id: '../contacts' }))).rejects.toMatchObject({ httpCode: '404' })
  })

  test('JSON that is not valid names its field', async () => {
    const parameters = { resource: 'contact', operation: 'create', additionalFields: { attributes: '{' } }
    await expect(run(parameters)).rejects.toThrow('The field "attributes" must be valid JSON.')
  })
})

describe('lists', () => {
  let other: TestWorkspace
  beforeAll(async () => {
    other = await parley.workspace({ sandbox: true })
    const contacts = Array.from({ length: 130 }, (_, i) => ({ phone: `+9198765${String(43_000 + i)}` }))
    await other.post('/contacts/bulk', { contacts })
    await other.post('/leads', { phone: contacts[0]!.phone })
    await other.post('/leads', { phone: contacts[1]!.phone })
    await other.post('/leads', { phone: contacts[2]!.phone })
  })
  const list = (resource: string, more: IDataObject) =>
    run({ resource, operation: 'getAll', ...more }, {}, other.key)

  test('with "Return All", every row is an item', async () => {
    const { items, requests } = await list('contact', { returnAll: true })
    expect(new Set(items.map(({ json }) => json.id)).size).toBe(130)
    expect(requests).toHaveLength(2)
  })

  test.each([
    [3, 1],
    [100, 1],
    [120, 2],
  ])('a limit of %i makes that many items in %i requests', async (limit, count) => {
    const { items, requests } = await list('contact', { limit })
    expect([items.length, requests.length]).toEqual([limit, count])
  })

  test('a list by numbered pages stops after its last row', async () => {
    expect((await list('lead', { limit: 2 })).items).toHaveLength(2)
    const leadList = await list('lead', { returnAll: true })
    expect([leadList.items.length, leadList.requests.length]).toEqual([3, 1])
  })
})

describe('fields', () => {
  test('lists, empty values, times, and JSON have the form of the API', async () => {
    const { id } = (await shop.post('/leads', { phone: '+919812345704', email: 'asha@example.com' })).body
      .lead
    const updateFields = {
      addTags: 'vip, sofa ,',
      email: '',
      nextFollowUpAt: '2031-05-01T10:00:00+05:30',
      attributes: '{"size": "large"}',
      dealValue: 1500,
    }
    const { requests } = await run(ofLead('update', { id, updateFields }))
    expect(requests[0]!.body).toMatchObject({
      addTags: ['vip', 'sofa'],
      email: null,
      attributes: { size: 'large' },
    })
    const { lead } = (await shop.get(`/leads/${id}`)).body
    expect(lead).toMatchObject({ email: null, nextFollowUpAt: '2031-05-01T04:30:00.000Z', dealValue: 1500 })
  })

  test('lists and objects of expressions are sent as they are', async () => {
    const { id } = (await shop.post('/leads', { phone: '+919812345705' })).body.lead
    const updateFields = { addTags: ['one, two'], attributes: { size: 'small' } }
    const { requests } = await run(ofLead('update', { id, updateFields }))
    expect(requests[0]!.body).toEqual(updateFields)
  })

  test('each parameter has a name, a default, and a description', () => {
    const { properties } = new Parley().description
    const nested = properties.flatMap((property) => [property, ...(property.options ?? [])])
    expect(nested.length).toBeGreaterThan(400)
    for (const property of nested) {
      if (!('displayName' in property)) continue
      expect(property.displayName).toMatch(/^[A-Z]/)
      expect(property).toHaveProperty('default')
      if (property.type !== 'collection' && property.name !== 'resource' && property.name !== 'operation')
        expect([property.name, property.description]).toEqual([
          property.name,
          expect.stringMatching(/^[^`]+$/),
        ])
    }
  })
})

describe('files', () => {
  const bytes = Buffer.from('%PDF-1.4\n%menu\n')

  test("a file of the workflow is uploaded, sent, and a customer's file comes back", async () => {
    const binary = { data: { bytes, mimeType: 'application/pdf', fileName: 'menu.pdf' } }
    const uploaded = await run(
      { resource: 'media', operation: 'upload', binaryPropertyName: 'data' },
      { binary },
    )
    const { id } = uploaded.items[0]!.json
    await shop.inbound('+919812345706', '', { text: undefined, mediaId: id })
    const { messages } = (await shop.get('/messages?phone=%2B919812345706')).body
    const parameters = { resource: 'message', operation: 'downloadMedia', id: messages[0].id }
    const { items } = await run({ ...parameters, binaryPropertyName: 'file' })
    const { file } = items[0]!.binary!
    expect(Buffer.from(file!.data, 'base64').equals(bytes)).toBe(true)
    expect(file).toMatchObject({ mimeType: 'application/pdf', fileName: 'menu.pdf' })
    expect(items[0]!.json).toEqual({
      mimeType: 'application/pdf',
      filename: 'menu.pdf',
      sizeBytes: bytes.length,
    })
  })
})
