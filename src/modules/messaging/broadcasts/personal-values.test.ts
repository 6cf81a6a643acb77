/** Values of a campaign from fields of the contacts (DECISIONS.md "Personal values"). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Body, boot, type TestParley, type TestWorkspace } from '../../../../test/support/boot.ts'
import { campaignsOf } from '../../../../test/support/campaigns.ts'
import { storeTemplate } from '../../../../test/support/templates.ts'

let parley: TestParley
beforeAll(async () => {
  parley = await boot()
})
afterAll(() => parley.close())

const TEMPLATE = [
  { type: 'HEADER', format: 'TEXT', text: 'For {{1}}' },
  { type: 'BODY', text: 'Hello {{1}}, our shop in {{2}} is open. {{3}}' },
  { type: 'BUTTONS', buttons: [{ type: 'URL', text: 'Open', url: 'https://shop.example.com/{{1}}' }] },
]
const name = (more: object = {}) => ({ type: 'text', field: 'contact.name', ...more })
const city = (more: object = {}) => ({ type: 'text', field: 'contact.attributes.city', ...more })
const text = (value: string) => ({ type: 'text', text: value })

const valuesOf = (
  body: object[],
  { header = name({ fallback: 'you' }), url = text('offers') }: { header?: object; url?: object } = {},
) => ({
  components: [
    { type: 'header', parameters: [header] },
    { type: 'body', parameters: body },
    { type: 'button', sub_type: 'url', index: '0', parameters: [url] },
  ],
})

/** Creates a shop with the template, and opted-in contacts: one complete, one without a city, one without a name. */
async function arrange() {
  const shop = await parley.workspace({ sandbox: true })
  const campaigns = await campaignsOf(parley, shop)
  await storeTemplate(parley, shop, { name: 'personal', category: 'MARKETING', components: TEMPLATE })
  const templateId = (await shop.get('/templates?name=personal')).body.templates[0].id as string
  const add = async (contact: object): Promise<string> =>
    (await shop.post('/contacts', { optInStatus: 'opted_in', ...contact })).body.contact.id
  const ids = {
    asha: await add({ phone: '+919000000001', displayName: ' Asha\n Rao ', attributes: { city: 'Pune' } }),
    ravi: await add({ phone: '+919000000002', displayName: 'Ravi' }),
    noName: await add({ phone: '+919000000003', attributes: { city: 'Goa & more', size: 9 } }),
  }
  return { shop, campaigns, templateId, ids }
}

const bodiesOf = async (shop: TestWorkspace): Promise<Map<string, Body>> => {
  const { messages } = (await shop.get('/messages?direction=outbound&limit=100')).body
  return new Map(messages.map((message: Body) => [message.contactId, message]))
}

describe('POST /broadcasts with values from fields', () => {
  test('each recipient gets their own values, or the fallback of an empty field', async () => {
    const { shop, campaigns, templateId, ids } = await arrange()
    const variables = valuesOf(
      [name({ fallback: 'there' }), city({ fallback: 'your city' }), text('Welcome!')],
      {
        url: city({ fallback: 'all' }),
      },
    )
    const { id } = (await campaigns.create({ templateId, variables, sendNow: true })).body
    await shop.advance(60)
    const campaign = await campaigns.of(id)
    expect(campaign.counts).toMatchObject({ queued: 3, sent: 3, skipped: 0 })
    expect(campaign.variables, 'a copy can send the same').toEqual(variables)
    const messages = await bodiesOf(shop)
    const texts = Object.fromEntries(
      Object.entries(ids).map(([person, contactId]) => [person, messages.get(contactId)!.text]),
    )
    expect(texts).toEqual({
      asha: 'Hello Asha Rao, our shop in Pune is open. Welcome!',
      ravi: 'Hello Ravi, our shop in your city is open. Welcome!',
      noName: 'Hello there, our shop in Goa & more is open. Welcome!',
    })
    const [header, body, button] = messages.get(ids.noName)!.content.components
    expect(header.parameters).toEqual([text('you')])
    expect(body.parameters).toEqual([text('there'), text('Goa & more'), text('Welcome!')])
    expect(button.parameters).toEqual([text('Goa%20%26%20more')])
  })

  test('a recipient without a field that has no fallback is skipped with missing_value, and the preview counts them', async () => {
    const { shop, campaigns, templateId, ids } = await arrange()
    const variables = valuesOf([name(), city(), text('Welcome!')])
    const preview = await shop.post('/broadcasts/preview', {
      templateId,
      phoneNumberId: shop.phoneNumberId,
      segment: {},
      variables,
    })
    expect(preview.status, preview.text).toBe(200)
    expect(preview.body.audience).toEqual({
      matched: 3,
      willSend: 1,
      suppressed: 2,
      reasons: { missing_value: 2 },
    })
    const { id } = (await campaigns.create({ templateId, variables, sendNow: true })).body
    await shop.advance(60)
    const people = await campaigns.people(id)
    expect([ids.asha, ids.ravi, ids.noName].map((contactId) => people.get(contactId)!.reason)).toEqual([
      null,
      'missing_value',
      'missing_value',
    ])
  })

  test('the preview shows real examples of at most three recipients', async () => {
    const { shop, templateId, ids } = await arrange()
    await shop.post('/contacts', { phone: '+919000000004', displayName: 'Meera', optInStatus: 'opted_in' })
    const plan = { templateId, phoneNumberId: shop.phoneNumberId, segment: {} }
    const variables = valuesOf([name({ fallback: 'there' }), city({ fallback: 'town' }), text('Hi!')])
    const { examples } = (await shop.post('/broadcasts/preview', { ...plan, variables })).body
    expect(examples.map((example: Body) => example.text)).toEqual([
      'Hello Meera, our shop in town is open. Hi!',
      'Hello there, our shop in Goa & more is open. Hi!',
      'Hello Ravi, our shop in town is open. Hi!',
    ])
    expect(examples[2]).toMatchObject({
      contactId: ids.ravi,
      name: 'Ravi',
      phone: '+919000000002',
      values: { 'components[0].parameters[0]': 'Ravi', 'components[1].parameters[1]': 'town' },
    })
    const listed = { ...plan, segment: { contactIds: [ids.asha] }, variables }
    expect((await shop.post('/broadcasts/preview', listed)).body.examples).toHaveLength(1)
    const same = valuesOf([text('a'), text('b'), text('c')], { header: text('d') })
    expect((await shop.post('/broadcasts/preview', { ...plan, variables: same })).body.examples).toEqual([])
  })

  test('a value that is too long is cut, so that the header and the body fit', async () => {
    const { shop, campaigns, templateId, ids } = await arrange()
    const long = 'x'.repeat(190)
    await shop.patch(`/contacts/${ids.asha}`, { displayName: long, attributes: { city: long } })
    const variables = valuesOf([name(), city(), text('y'.repeat(700))], { header: name() })
    const created = await campaigns.create({ templateId, variables, sendNow: true })
    expect(created.status, created.text).toBe(201)
    await shop.advance(60)
    const { content, text: body } = (await bodiesOf(shop)).get(ids.asha)!
    expect(content.components[0].parameters[0].text).toHaveLength(60 - 'For '.length)
    expect(body.length).toBeLessThanOrEqual(1024)
    expect(body).toContain('xxx… is open.')
  })

  test.each([
    ['an unknown field', { type: 'text', field: 'contact.mood' }, 'field'],
    ['a field and a text', name({ text: 'Asha' }), 'text'],
    ['a fallback that is blank', name({ fallback: ' ' }), 'fallback'],
    ['a fallback of two lines', name({ fallback: 'a\nb' }), 'fallback'],
    ['a field of another type', { type: 'currency', field: 'contact.name' }, 'field'],
  ])('%s is invalid, and the error names the path', async (_, parameter, part) => {
    const { campaigns, templateId } = await arrange()
    const answer = await campaigns.create({
      templateId,
      variables: valuesOf([parameter, text('b'), text('c')]),
    })
    expect([answer.status, answer.body.error]).toEqual([400, 'invalid_template_parameters'])
    expect(answer.body.issues).toEqual([
      expect.objectContaining({ path: `variables.components[1].parameters[0].${part}` }),
    ])
  })

  test('a key without contacts:read may not use fields', async () => {
    const { shop, templateId } = await arrange()
    const narrowed = await shop.as('admin', { scopes: ['broadcasts:write', 'broadcasts:read'] })
    const answer = await narrowed.post('/broadcasts', {
      name: 'Lights',
      templateId,
      phoneNumberId: shop.phoneNumberId,
      segment: {},
      variables: valuesOf([name(), city(), text('c')]),
    })
    expect([answer.status, answer.body.error]).toEqual([403, 'insufficient_scope'])
  })

  test('a field that is emptied before a scheduled campaign starts skips its contact', async () => {
    const { shop, campaigns, templateId, ids } = await arrange()
    const at = new Date(Date.parse((await shop.get('/sandbox/clock')).body.now) + 3_600_000).toISOString()
    const variables = valuesOf([name({ fallback: 'there' }), city(), text('c')])
    const { id } = (await campaigns.create({ templateId, variables, scheduledAt: at })).body
    await shop.patch(`/contacts/${ids.asha}`, { attributes: { city: null } })
    await shop.patch(`/contacts/${ids.ravi}`, { attributes: { city: 'Delhi' } })
    await shop.advance(3_700)
    const people = await campaigns.people(id)
    expect(people.get(ids.asha)).toMatchObject({ status: 'skipped', reason: 'missing_value' })
    expect((await bodiesOf(shop)).get(ids.ravi)!.text).toContain('Hello Ravi, our shop in Delhi')
  })
})
