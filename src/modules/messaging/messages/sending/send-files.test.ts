import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Answered,
  boot,
  SECRET_KEY,
  type TestParley,
  type TestWorkspace,
} from '../../../../../test/support/boot.ts'
import { INTERACTIVE } from '../../../../../test/support/payloads.ts'
import { delivered, issuesOf, refusing } from '../../../../../test/support/sends.ts'
import { storeTemplate } from '../../../../../test/support/templates.ts'
import { createSealer } from '../../../../core/sealing.ts'
import { MEDIA_KINDS } from '../../../../operator/media-types.ts'
import { addPhoneNumber } from '../../../platform/workspaces/operations/phone-numbers.ts'

let parley: TestParley
beforeAll(async () => {
  parley = await boot()
})
afterAll(() => parley.close())

const asha = '+919812345678'
const pdf = {
  fileBase64: Buffer.from('%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF').toString('base64'),
  mimeType: 'application/pdf',
  filename: 'menu.pdf',
}
const png = {
  fileBase64:
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  mimeType: 'image/png',
  filename: 'dot.png',
}

const PICTURE = { type: 'HEADER', format: 'IMAGE', example: { header_handle: ['4:x'] } }
const HELLO = { type: 'BODY', text: 'Hello' }
const CAROUSEL = {
  type: 'CAROUSEL',
  cards: [{ components: [PICTURE, HELLO] }, { components: [PICTURE, HELLO] }],
}

async function openShop(): Promise<TestWorkspace> {
  const shop = await parley.workspace({ sandbox: true })
  await shop.inbound(asha, 'The menu, please')
  return shop
}
async function upload(shop: TestWorkspace, file: object): Promise<string> {
  const answer = await shop.post('/media', file)
  expect(answer, answer.text).toMatchObject({ status: 200 })
  return answer.body.id
}
const send = (type: string, content: unknown) => ({ to: asha, type, payload: { type, [type]: content } })
const refused = async (shop: TestWorkspace, body: unknown, error = 'invalid'): Promise<string[]> =>
  issuesOf(await refusing(() => parley)(shop, body, 400, error))
async function failure(shop: TestWorkspace, id: string): Promise<Answered['body']> {
  await shop.advance(5)
  const { message } = (await shop.get(`/messages/${id}`)).body
  expect(message, JSON.stringify(message)).toMatchObject({ status: 'failed' })
  return message.error
}

describe('a media id of POST /media', () => {
  test('is sent with its type', async () => {
    const shop = await openShop()
    const [file, picture] = [await upload(shop, pdf), await upload(shop, png)]
    const document = { id: file, filename: 'menu.pdf' }
    expect((await delivered(shop, send('document', document))).content).toEqual(document)
    await delivered(shop, send('image', { id: picture }))
    const header = { type: 'image', image: { id: picture } }
    await delivered(shop, send('interactive', { ...INTERACTIVE.button, header }))
  })

  test('400 invalid names the field in which the file cannot be shown', async () => {
    const shop = await openShop()
    const [file, picture] = [await upload(shop, pdf), await upload(shop, png)]
    expect(await refused(shop, send('image', { id: file }))).toEqual(['payload.image.id'])
    expect(await refused(shop, send('sticker', { id: picture }))).toEqual(['payload.sticker.id'])
    expect(await refused(shop, send('document', { id: picture }))).toEqual(['payload.document.id'])
    const header = { type: 'video', video: { id: picture } }
    expect(await refused(shop, send('interactive', { ...INTERACTIVE.button, header }))).toEqual([
      'payload.interactive.header.video.id',
    ])
    const [first, second] = INTERACTIVE.carousel.action.cards
    const cards = [first, { ...second, header: { type: 'image', image: { id: file } } }]
    expect(await refused(shop, send('interactive', { ...INTERACTIVE.carousel, action: { cards } }))).toEqual([
      'payload.interactive.action.cards[1].header.image.id',
    ])
  })

  test('in the header of a template, by headerMedia and in full', async () => {
    const shop = await openShop()
    const [file, picture] = [await upload(shop, pdf), await upload(shop, png)]
    await storeTemplate(parley, shop, {
      components: [
        { type: 'HEADER', format: 'IMAGE' },
        { type: 'BODY', text: 'Our menu' },
      ],
    })
    const named = { name: 'order_ok', language: { code: 'en_US' } }
    const withImage = (id: string) => [{ type: 'header', parameters: [{ type: 'image', image: { id } }] }]
    await delivered(shop, send('template', { ...named, headerMedia: { id: picture } }))
    await delivered(shop, send('template', { ...named, components: withImage(picture) }))
    expect(await refused(shop, send('template', { ...named, headerMedia: { id: file } }))).toEqual([
      'payload.template.headerMedia.id',
    ])
    expect(await refused(shop, send('template', { ...named, components: withImage(file) }))).toEqual([
      'payload.template.components[0].parameters[0].image.id',
    ])
  })

  test('of another business account than the sending number’s is 400, because the operator would not find it', async () => {
    const shop = await openShop()
    const picture = await upload(shop, png)
    const connect = async (account: { accountId?: string }, number: string): Promise<string> => {
      const input = { workspaceId: shop.workspaceId, number, operator: 'simulator' as const, ...account }
      const added = await parley.system((tx) =>
        addPhoneNumber(tx, input, new Date(), createSealer(SECRET_KEY)),
      )
      return added.phoneNumberId
    }
    const other = await connect({ accountId: '990000000000001' }, '+15550001001')
    expect(await refused(shop, { ...send('image', { id: picture }), phoneNumberId: other })).toEqual([
      'payload.image.id',
    ])
    const sister = await connect({}, '+15550001002')
    const answer = await shop.post('/send', { ...send('image', { id: picture }), phoneNumberId: sister })
    expect(answer.body).toMatchObject({ error: 'outside_24h_window' })
  })

  test('is reusable for about 30 days', async () => {
    const shop = await openShop()
    const id = await upload(shop, pdf)
    await shop.advance(29 * 86_400)
    await shop.inbound(asha, 'Again, please')
    await delivered(shop, send('document', { id }))
    await shop.advance(2 * 86_400)
    await shop.inbound(asha, 'And again')
    const late = await shop.post('/send', send('document', { id }))
    expect(late, late.text).toMatchObject({ status: 400, body: { error: 'invalid' } })
  })

  test('that is unknown to the workspace is 400 invalid_reference, in any field', async () => {
    const shop = await openShop()
    await storeTemplate(parley, shop, { name: 'menu', components: [PICTURE, HELLO] })
    await storeTemplate(parley, shop, { name: 'cards', components: [HELLO, CAROUSEL] })
    const unknown = '1037543291543636'
    const picture = await upload(shop, png)
    const image = (id: string) => ({ type: 'image', image: { id } })
    const template = (name: string, overrides: object) =>
      send('template', { name, language: { code: 'en_US' }, ...overrides })
    const [first, second] = INTERACTIVE.carousel.action.cards
    const carousel = {
      ...INTERACTIVE.carousel,
      action: { cards: [first, { ...second, header: image(unknown) }] },
    }
    const card = (index: number, id: string) => ({
      card_index: index,
      components: [{ type: 'header', parameters: [image(id)] }],
    })
    const places: [object, string][] = [
      ...MEDIA_KINDS.map((kind): [object, string] => [send(kind, { id: unknown }), `payload.${kind}.id`]),
      [
        send('interactive', { ...INTERACTIVE.button, header: image(unknown) }),
        'payload.interactive.header.image.id',
      ],
      [send('interactive', carousel), 'payload.interactive.action.cards[1].header.image.id'],
      [template('menu', { headerMedia: { id: unknown } }), 'payload.template.headerMedia.id'],
      [
        template('menu', { components: [{ type: 'header', parameters: [image(unknown)] }] }),
        'payload.template.components[0].parameters[0].image.id',
      ],
      [
        template('cards', { cards: [{ headerMedia: { id: picture } }, { headerMedia: { id: unknown } }] }),
        'payload.template.cards[1].headerMedia.id',
      ],
      [
        template('cards', {
          components: [{ type: 'carousel', cards: [card(0, picture), card(1, unknown)] }],
        }),
        'payload.template.components[0].cards[1].components[0].parameters[0].image.id',
      ],
    ]
    for (const [body, path] of places)
      expect(await refused(shop, body, 'invalid_reference'), path).toEqual([path])
  })

  test('of another workspace is answered like an unknown id', async () => {
    const [shop, neighbor] = [await openShop(), await openShop()]
    const id = await upload(neighbor, png)
    const of = async (mediaId: string) => {
      const { status, text } = await shop.post('/send', send('image', { id: mediaId }))
      return { status, text: text.replaceAll(mediaId, 'ID') }
    }
    const missing = await of('1037543291543636')
    expect(missing.status).toBe(400)
    expect(await of(id)).toEqual(missing)
    await delivered(neighbor, send('image', { id }))
  })

  test('refuses only its own send in a batch', async () => {
    const shop = await openShop()
    const id = await upload(shop, png)
    const ids = Array.from({ length: 20 }, (_, i) => (i % 3 === 0 ? `999${i}` : id))
    const answers = await Promise.all(
      ids.map((mediaId) => shop.post('/send', send('image', { id: mediaId }))),
    )
    expect(answers.map(({ status }) => status)).toEqual(ids.map((mediaId) => (mediaId === id ? 200 : 400)))
  })

  test('of a campaign is checked too', async () => {
    const shop = await openShop()
    await storeTemplate(parley, shop, { name: 'menu', category: 'MARKETING', components: [PICTURE, HELLO] })
    const { templates } = (await shop.get('/templates?name=menu')).body
    const create = (id: string) =>
      shop.post('/broadcasts', {
        name: 'Menu',
        templateId: templates[0].id,
        phoneNumberId: shop.phoneNumberId,
        segment: {},
        variables: { components: [{ type: 'header', parameters: [{ type: 'image', image: { id } }] }] },
      })
    expect(await create('1037543291543636')).toMatchObject({
      status: 400,
      body: {
        error: 'invalid_reference',
        issues: [{ path: 'variables.components[0].parameters[0].image.id' }],
      },
    })
    expect(await create(await upload(shop, png))).toMatchObject({ status: 201 })
  })

  test("of a customer's message is sent as the file in that message", async () => {
    const [shop, neighbor] = [await openShop(), await openShop()]
    const operatorId = await upload(shop, png)
    await shop.post('/sandbox/inbound', { from: asha, mediaId: operatorId })
    const [message] = (await shop.get('/messages?limit=1')).body.messages
    const { id } = message.content
    expect(id).not.toBe(operatorId)
    expect((await delivered(shop, send('image', { id, caption: 'This?' }))).content).toEqual({
      id: operatorId,
      caption: 'This?',
    })
    const header = { type: 'image', image: { id } }
    await delivered(shop, send('interactive', { ...INTERACTIVE.button, header }))
    expect(await refused(shop, send('document', { id }))).toEqual(['payload.document.id'])
    await refused(neighbor, send('image', { id }), 'invalid_reference')
  })

  test('that the operator has lost fails at the operator in any field, as message.failed for good', async () => {
    const shop = await openShop()
    await storeTemplate(parley, shop, { name: 'menu', components: [PICTURE, HELLO] })
    const id = await upload(shop, png)
    await parley.system((tx) =>
      tx.sql("delete from simulator_objects where kind = 'media' and id = $1", [id]),
    )
    for (const content of [
      send('image', { id }),
      send('template', { name: 'menu', language: { code: 'en_US' }, headerMedia: { id } }),
      send('interactive', { ...INTERACTIVE.button, header: { type: 'image', image: { id } } }),
    ]) {
      const sent = await shop.post('/send', content)
      expect(sent.status, sent.text).toBe(200)
      expect(await failure(shop, sent.body.messageId)).toMatchObject({
        code: 100,
        message: expect.stringContaining("['id'] is not a valid"),
      })
    }
    const { events } = (await shop.get('/events')).body
    const failed = events.filter((event: { event: string }) => event.event === 'message.failed')
    expect(failed).toHaveLength(3)
    for (const { data } of failed) expect(data).toMatchObject({ permanent: true, retryable: false })
  })
})
