import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Answered, boot, type TestParley, type TestWorkspace } from '../../../../test/support/boot.ts'
import { INTERACTIVE } from '../../../../test/support/payloads.ts'
import { everythingOf } from '../../../../test/support/records.ts'
import { storeTemplate } from '../../../../test/support/templates.ts'

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
async function refused(shop: TestWorkspace, body: unknown, error = 'invalid'): Promise<string[]> {
  const before = await everythingOf(parley, shop.workspaceId)
  const answer = await shop.post('/send', body)
  expect(answer, answer.text).toMatchObject({ status: 400, body: { error } })
  expect(await everythingOf(parley, shop.workspaceId)).toEqual(before)
  return answer.body.issues.map((issue: { path: string }) => issue.path)
}
async function failure(shop: TestWorkspace, id: string): Promise<Answered['body']> {
  await shop.advance(5)
  const { message } = (await shop.get(`/messages/${id}`)).body
  expect(message, JSON.stringify(message)).toMatchObject({ status: 'failed' })
  return message.error
}
async function delivered(shop: TestWorkspace, body: object): Promise<Answered['body']> {
  const sent = await shop.post('/send', body)
  expect(sent, sent.text).toMatchObject({ status: 200 })
  await shop.advance(5)
  const { message } = (await shop.get(`/messages/${sent.body.messageId}`)).body
  expect(message, JSON.stringify(message)).toMatchObject({ status: 'read', error: null })
  return message
}

describe('a media id of POST /media', () => {
  test('is sent as what it is', async () => {
    const shop = await openShop()
    const [file, picture] = [await upload(shop, pdf), await upload(shop, png)]
    const document = { id: file, filename: 'menu.pdf' }
    expect((await delivered(shop, send('document', document))).content).toEqual(document)
    await delivered(shop, send('image', { id: picture }))
    const header = { type: 'image', image: { id: picture } }
    await delivered(shop, send('interactive', { ...INTERACTIVE.button, header }))
  })

  test('400 invalid names the place where it cannot be shown as it is', async () => {
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
    const inFull = (id: string) => [{ type: 'header', parameters: [{ type: 'image', image: { id } }] }]
    await delivered(shop, send('template', { ...named, headerMedia: { id: picture } }))
    await delivered(shop, send('template', { ...named, components: inFull(picture) }))
    expect(await refused(shop, send('template', { ...named, headerMedia: { id: file } }))).toEqual([
      'payload.template.headerMedia.id',
    ])
    expect(await refused(shop, send('template', { ...named, components: inFull(file) }))).toEqual([
      'payload.template.components[0].parameters[0].image.id',
    ])
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

  test('that we do not know goes to the operator: it may be its own', async () => {
    const shop = await openShop()
    const sent = await shop.post('/send', send('image', { id: '1037543291543636' }))
    expect(sent.status).toBe(200)
    expect(await failure(shop, sent.body.messageId)).toMatchObject({
      code: 100,
      message: "(#100) Param image['id'] is not a valid whatsapp business account media attachment ID",
    })
  })

  test('that the operator does not know fails there wherever it stands, as message.failed for good', async () => {
    const shop = await openShop()
    const picture = { type: 'HEADER', format: 'IMAGE', example: { header_handle: ['4:x'] } }
    await storeTemplate(parley, shop, {
      name: 'menu',
      components: [picture, { type: 'BODY', text: 'Hello' }],
    })
    const id = '1037543291543636'
    for (const content of [
      send('template', { name: 'menu', language: { code: 'en_US' }, headerMedia: { id } }),
      send('interactive', { ...INTERACTIVE.button, header: { type: 'image', image: { id } } }),
    ]) {
      const sent = await shop.post('/send', content)
      expect(sent.status, sent.text).toBe(200)
      expect((await failure(shop, sent.body.messageId)).message).toContain("['image']['id'] is not a valid")
    }
    const { events } = (await shop.get('/events')).body
    const reported = events.filter((one: { event: string }) => one.event === 'message.failed')
    expect(reported).toHaveLength(2)
    for (const { data } of reported) expect(data).toMatchObject({ permanent: true, retryable: false })
  })

  test('of another workspace is one that neither we nor the operator know', async () => {
    const [shop, neighbour] = [await openShop(), await openShop()]
    const id = await upload(neighbour, pdf)
    const sent = await shop.post('/send', send('image', { id }))
    expect(sent.status).toBe(200)
    expect(await failure(shop, sent.body.messageId)).toMatchObject({ code: 100 })
    await refused(neighbour, send('image', { id }))
  })
})
