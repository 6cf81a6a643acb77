import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { lintFromString, loadConfig } from '@redocly/openapi-core'
import { Validator } from '@seriousme/openapi-schema-validator'
import pg from 'pg'
import { request } from 'undici'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ENDPOINTS, EVENTS } from '../../src/catalog.ts'
import { BUCKETS } from '../../src/core/buckets.ts'
import { generateTableTypes } from '../../src/database/table-types.ts'
import { documentedPath } from '../../src/http/openapi/operation.ts'
import { MESSAGE_TYPES } from '../../src/operator/message-payload/payloads.ts'
import { referencePages } from '../../src/tools/reference-pages.ts'
import { boot, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { arrange, arranging, newBroadcast, newPhone, ROWS } from './arrange.ts'
import { document, validatorAt } from './conform.ts'
import { ask, KEYED, named, nameOf } from './requests.ts'

const ARRANGING = await arranging()

const ROOT = join(import.meta.dirname, '../..')

let parley: TestParley
let shop: TestWorkspace
beforeAll(async () => {
  parley = await boot(ARRANGING)
  shop = await parley.workspace({ sandbox: true })
})
afterAll(() => parley.close())

const operationOf = (path: string, method: string) => document.paths[documentedPath(path)][method]

describe('the document', () => {
  test('has no problem under the strict recommended rules of Redocly, with the exceptions of redocly.yaml', async () => {
    const config = await loadConfig({ configPath: join(ROOT, 'redocly.yaml') })
    const problems = await lintFromString({ source: JSON.stringify(document), config })
    expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual(
      [],
    )
  })

  test('is valid OpenAPI 3.1 by its schema', async () => {
    expect(await new Validator().validate(structuredClone(document))).toMatchObject({ valid: true })
  })

  test('no two fields get one name from generators, which join the names on the way to a field', () => {
    const names: string[] = []
    /** A plain text or number has no type of its own, and another shape has its own name. */
    const hasType = ({ type, $ref, anyOf, enum: choices }: Record<string, unknown>): boolean => {
      const options = (anyOf ?? []) as Record<string, unknown>[]
      if ($ref !== undefined || options.some((option) => option.$ref !== undefined)) return false
      return choices !== undefined || [type].flat().includes('object') || anyOf !== undefined
    }
    const visit = (part: Record<string, unknown>, name: string): void => {
      const fields = (part.properties ?? {}) as Record<string, Record<string, unknown>>
      for (const [field, inside] of Object.entries(fields)) {
        const joined = name + field.slice(0, 1).toUpperCase() + field.slice(1)
        if (hasType(inside)) names.push(joined)
        visit(inside, joined)
      }
    }
    for (const [name, schema] of Object.entries(document.components.schemas)) {
      names.push(name)
      visit(schema as Record<string, unknown>, name)
    }
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
  })

  test('every component has a description, and none has a number at its end', () => {
    const schemas = Object.entries<{ description?: string }>(document.components.schemas)
    expect(schemas.filter(([, { description }]) => !description).map(([name]) => name)).toEqual([])
    expect(schemas.map(([name]) => name).filter((name) => /\d$/.test(name))).toEqual([])
  })

  test('every body, result, and event is a component, and every choice by a constant has a discriminator', () => {
    const unnamed: string[] = []
    const ambiguous: string[] = []
    const visit = (part: unknown, ...place: string[]): void => {
      if (typeof part !== 'object' || part === null) return
      const { schema, oneOf, discriminator } = part as Record<string, Record<string, unknown> | undefined>
      const isJson = place.at(-1) === 'application/json' && !place.includes('components')
      if (isJson && schema?.$ref === undefined && schema?.properties) unnamed.push(place.join('/'))
      if (Array.isArray(oneOf) && oneOf.length > 1 && !discriminator) ambiguous.push(place.join('/'))
      for (const [key, inner] of Object.entries(part))
        if (!['example', 'examples'].includes(key)) visit(inner, ...place, key)
    }
    visit(document)
    expect([unnamed, ambiguous]).toEqual([[], []])
  })

  test('every operation has a tag with a description, a scope, a role, and a bucket', () => {
    const described = document.tags.map(({ name }: { name: string }) => name)
    for (const { description, name } of document.tags) expect(description, name).not.toBe(`${name}.`)
    for (const path of Object.values<Record<string, Record<string, string[]>>>(document.paths))
      for (const operation of Object.values(path)) {
        expect(described, String(operation.operationId)).toEqual(expect.arrayContaining(operation.tags!))
        expect(Object.keys(operation)).toEqual(expect.arrayContaining(['x-scope', 'x-role', 'x-bucket']))
      }
  })

  test('every example and default matches its schema', () => {
    const wrong: string[] = []
    const visit = (part: unknown, ...place: string[]): void => {
      if (typeof part !== 'object' || part === null) return
      const { type, examples, default: otherwise } = part as Record<string, unknown>
      const values = [
        ...(Array.isArray(examples) ? examples : []),
        ...(otherwise === undefined ? [] : [otherwise]),
      ]
      if (typeof type === 'string' && values.length > 0) {
        const validate = validatorAt(...place)
        if (!values.every((value) => validate(value))) wrong.push(place.join('/'))
      }
      for (const [key, inner] of Object.entries(part))
        if (!['example', 'examples', 'default', 'enum'].includes(key)) visit(inner, ...place, key)
    }
    visit(document)
    expect(wrong).toEqual([])
  })

  test('is served without a key, names the address of the site, and is downloaded once (spec 4.1.6, 9.3)', async () => {
    const answer = await parley.anonymous.get('/openapi.json')
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({ ...document, servers: [{ url: `${parley.config.siteUrl}/api/v1` }] })
    const repeated = await parley.anonymous.get('/openapi.json', {
      headers: { 'if-none-match': answer.headers.etag as string },
    })
    expect([repeated.status, repeated.text]).toEqual([304, ''])
    const packed = await request(`${parley.url}/api/v1/openapi.json`, {
      headers: { 'accept-encoding': 'gzip' },
    })
    expect(packed.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding' })
    expect(gunzipSync(await packed.body.bytes()).toString()).toBe(answer.text)
  })

  test.each(named(ENDPOINTS))('%s is there with its scope, lowest role, and bucket', (_, value) => {
    const operation = operationOf(value.path, value.method.toLowerCase())
    expect(operation).toMatchObject({ 'x-scope': value.scope, 'x-role': value.role })
    if (value.bucket) {
      const { burst, refill, perSeconds } = BUCKETS[value.bucket]
      expect(operation['x-bucket']).toEqual({
        name: value.bucket,
        burst,
        sustained: { requests: refill, seconds: perSeconds },
      })
    } else expect(operation['x-bucket']).toBeNull()
    if (value.body) {
      const { schema, example } = operation.requestBody.content['application/json']
      expect(schema).toBeDefined()
      expect(example, 'a body has an example').toBeDefined()
      const place = ['paths', documentedPath(value.path), value.method.toLowerCase(), 'requestBody']
      const validate = validatorAt(...place, 'content', 'application/json', 'schema')
      expect(validate(example) || validate.errors).toBe(true)
      expect(value.body.safeParse(example).success).toBe(true)
    }
  })

  test.each([
    [true, { type: 'text', text: 'Yes' }],
    [true, { type: 'text', payload: { type: 'text', text: { body: 'Yes', preview_url: true } } }],
    [false, { type: 'text' }],
    [false, { type: 'image' }],
    [true, { type: 'image', payload: { type: 'image', image: { id: '1037543291543636' } } }],
    [false, { type: 'image', payload: { type: 'video', video: { id: '1037543291543636' } } }],
    [false, { type: 'image', text: 'Yes' }],
    [
      true,
      { type: 'template', payload: { type: 'template', template: { name: 'order_ok', language: 'en' } } },
    ],
    [false, { type: 'fax', text: 'Yes' }],
  ])('POST /send shows which fields a message needs by its type: %s for %j', (fits, message) => {
    const body = { to: '+919812345678', ...message }
    const place = ['paths', '/send', 'post', 'requestBody', 'content', 'application/json', 'schema']
    expect(validatorAt(...place)(body)).toBe(fits)
    const send = ENDPOINTS.find((value) => nameOf(value) === 'POST /send')!
    expect(send.body?.safeParse(body).success).toBe(fits)
  })

  test('POST /send has a discriminator that names every type', () => {
    const { $ref } = operationOf('/send', 'post').requestBody.content['application/json'].schema
    const { oneOf, discriminator } = document.components.schemas[$ref.split('/').at(-1)]
    expect(discriminator.propertyName).toBe('type')
    expect(Object.keys(discriminator.mapping)).toEqual([...MESSAGE_TYPES])
    expect(Object.values(discriminator.mapping)).toEqual(oneOf.map((branch: { $ref: string }) => branch.$ref))
  })

  test('a PDF is bytes, a page is text', () => {
    const { content } = operationOf('/quotations/:id', 'get').responses[200]
    expect(content['application/pdf'].schema).toMatchObject({ type: 'string', format: 'binary' })
    expect(content['text/html'].schema.format).toBeUndefined()
  })

  test.each(EVENTS.map((kind) => [kind.name, kind] as const))(
    'webhook %s is there with its example',
    (name, kind) => {
      const { post } = document.webhooks[name]
      expect(post['x-scope']).toBe(kind.scope)
      const { example } = post.requestBody.content['application/json']
      const validate = validatorAt(
        'webhooks',
        name,
        'post',
        'requestBody',
        'content',
        'application/json',
        'schema',
      )
      expect(validate(example) || validate.errors).toBe(true)
    },
  )
})

describe('the answers', () => {
  test('every endpoint has its row in arrange.ts', () => {
    expect(ENDPOINTS.map(nameOf).filter((name) => !ROWS[name])).toEqual([])
  })

  test.each(named(KEYED))('%s answers a valid request as the document says', async (_, value) => {
    const answer = await ask(shop, value, await arrange(value, shop))
    expect(answer.status, answer.text).toBeLessThan(300)
  })
})

test('a condition without a value is answered as the document says', async () => {
  const value = ENDPOINTS.find((endpoint) => nameOf(endpoint) === 'POST /automations/test')!
  const { path, body } = await arrange(value, shop)
  const automation = {
    ...(body as { automation: object }).automation,
    trigger: { event: 'lead.created' },
    conditions: { match: 'all', conditions: [{ field: 'lead.owner', op: 'empty' }] },
  }
  const answer = await ask(shop, value, { path, body: { automation } })
  expect(answer, answer.text).toMatchObject({ status: 200, body: { conditions: [{ op: 'empty' }] } })
})

describe('the details of errors are in the document', () => {
  const endpointOf = (name: string) => ENDPOINTS.find((value) => nameOf(value) === name)!

  test.each([
    ['POST /webhooks', 'webhookId'],
    ['POST /tags', 'tagId'],
    ['POST /contact-fields', 'fieldId'],
    ['POST /segments', 'segmentId'],
    ['POST /views', 'viewId'],
    ['POST /quick-replies', 'quickReplyId'],
    ['POST /macros', 'macroId'],
    ['POST /teams', 'teamId'],
    ['POST /flows', 'flowId'],
    ['POST /templates', 'id'],
    ['POST /pipeline/stages', 'id'],
    ['POST /pipeline/lost-reasons', 'id'],
    ['POST /bookings', 'nextSlots'],
  ])('%s of an existing record: %s', async (name, field) => {
    const value = endpointOf(name)
    const request = await arrange(value, shop)
    expect((await ask(shop, value, request)).status).toBeLessThan(300)
    const refused = await ask(shop, value, request)
    expect(refused).toMatchObject({ status: 409, body: { error: 'conflict', [field]: expect.anything() } })
  })

  const nothing = randomUUID()
  test.each([
    ['POST /send', 'phoneNumberId', { phoneNumberId: nothing }],
    ['POST /send', 'replyTo', { replyTo: 'wamid.unknown' }],
    ['POST /media', 'phoneNumberId', { phoneNumberId: nothing }],
    ['POST /templates', 'wabaConnectionId', { wabaConnectionId: nothing }],
    ['POST /broadcasts/preview', 'templateId', { templateId: nothing }],
    ['POST /broadcasts/preview', 'followUpOf', { followUpOf: nothing }],
    ['POST /broadcasts/preview', 'segment.segmentId', { segment: { segmentId: nothing } }],
    ['POST /broadcasts/preview', 'segment.contactIds[0]', { segment: { contactIds: [nothing] } }],
    ['PATCH /conversations/:id', 'assignedAgentId', { assignedAgentId: nothing }],
    ['POST /conversations/:id/notes', 'mentions[0]', { mentions: [nothing] }],
    ['POST /sandbox/inbound', 'mediaId', { mediaId: '1', text: undefined }],
    ['POST /social/posts', 'media[0]', { media: [nothing] }],
    ['POST /sales-invoices', 'contactId', { contactId: nothing }],
    ['POST /sales-invoices/preview', 'documentId', { documentId: nothing }],
    ['POST /sales-invoices/:id/send', 'templateId', { via: 'chat', templateId: nothing }],
    ['POST /bookings', 'serviceId', { serviceId: nothing }],
    ['POST /bookings', 'staffId', { staffId: nothing }],
    ['POST /bookings', 'contactId', { contactId: nothing, phone: undefined }],
    ['POST /booking-services', 'staffIds[0]', { staffIds: [nothing] }],
    ['POST /booking-staff', 'memberId', { memberId: nothing }],
    ['POST /auto-replies', 'phoneNumberIds[0]', { phoneNumberIds: [nothing] }],
    ['PUT /review-settings', 'alertMemberId', { alertMemberId: nothing }],
  ])('%s with an unknown id: %s', async (name, path, patch) => {
    const value = endpointOf(name)
    const request = await arrange(value, shop)
    const refused = await ask(shop, value, { ...request, body: { ...(request.body as object), ...patch } })
    expect(refused, refused.text).toMatchObject({
      status: 400,
      body: { error: 'invalid_reference', issues: [{ path, message: expect.any(String) }] },
    })
  })

  test('a campaign to new recipients: how many are new and how many known (spec 4.4)', async () => {
    const { contact } = (await shop.post('/contacts', { phone: newPhone() })).body
    const body = { ...(await newBroadcast(shop)), segment: { contactIds: [contact.id] } }
    const refused = await ask(shop, endpointOf('POST /broadcasts'), { path: '/broadcasts', body })
    expect(refused).toMatchObject({ status: 422, body: { newRecipients: 1, knownRecipients: 0 } })
  })
})

describe('generated files', () => {
  test.each(Object.entries(referencePages(ENDPOINTS, EVENTS)))(
    'docs/reference/%s is up to date (else run `parley reference`)',
    async (name, text) => {
      expect(await readFile(join(ROOT, 'docs/reference', name), 'utf8')).toBe(text)
    },
  )

  test('src/database/sql/tables.ts matches the migrations (else run `parley reference`)', async () => {
    const client = new pg.Client({ connectionString: parley.databaseUrl })
    await client.connect()
    try {
      expect(await readFile(join(ROOT, 'src/database/sql/tables.ts'), 'utf8')).toBe(
        await generateTableTypes(client),
      )
    } finally {
      await client.end()
    }
  })
})

describe('the interactive reference', () => {
  test('fills in no Idempotency-Key: the reader may try several writes', () => {
    const { example, schema } = document.components.parameters.IdempotencyKey
    expect([example, schema.example, schema.examples, schema.default]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ])
  })
})
