// Third-party clients for the operator's API, unmodified, against the simulator (docs/formats.md section 16).
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { GraphApiError, WhatsAppClient } from '@kapso/whatsapp-cloud-api'
import { normalizeWebhook, verifySignature } from '@kapso/whatsapp-cloud-api/server'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { WhatsAppAPI } from 'whatsapp-api-js'
import * as content from 'whatsapp-api-js/messages'
import {
  type StandaloneSimulator,
  startStandaloneSimulator,
} from '../../src/operator/simulator/standalone/start.ts'
import type { Body } from '../support/boot.ts'
import { until } from '../support/until.ts'

const phoneNumberId = '106000000000001'
const businessAccountId = '102000000000001'
const accessToken = 'token-1'
const appSecret = 'app-secret'
const to = '919812345678'
const jpeg = Buffer.from('ffd8ffe000104a46494600010100000100010000ffd9', 'hex')

type Post = { raw: string; signature: string; body: Body }
const posts: Post[] = []
const receiver = createServer(async (req, res) => {
  const chunks: Buffer[] = []
  for await (const chunk of req) chunks.push(chunk as Buffer)
  const raw = Buffer.concat(chunks).toString('utf8')
  posts.push({ raw, signature: String(req.headers['x-hub-signature-256']), body: JSON.parse(raw) })
  res.end()
})
let simulator: StandaloneSimulator
let aheadMs = 0

beforeAll(async () => {
  receiver.listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  simulator = await startStandaloneSimulator({
    port: 0,
    host: '127.0.0.1',
    numbers: [
      {
        operatorId: phoneNumberId,
        accountId: businessAccountId,
        token: accessToken,
        displayNumber: '15550100',
      },
    ],
    appSecret,
    // Delays of seconds take milliseconds.
    clock: { now: () => new Date(Date.now() + aheadMs), monotonicMs: () => performance.now() },
    after: (ms, run) => {
      const timer = setTimeout(run, ms / 100)
      return () => clearTimeout(timer)
    },
    settings: {
      callbackUrl: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`,
      receipts: { sentMs: 1, deliveredMs: 2, readMs: 3 },
    },
  })
})
afterAll(async () => {
  await simulator.close()
  receiver.closeAllConnections()
  receiver.close()
})
beforeEach(() => {
  posts.length = 0
})

/** Stores an approved template. */
async function orderTemplate(client: WhatsAppClient, name: string): Promise<string> {
  const components = [
    { type: 'BODY', text: 'Order {{1}} is on its way.', example: { body_text: [['1001']] } },
  ]
  const template = { name, language: 'en_US', category: 'UTILITY', components }
  const { id } = (await client.templates.create({ businessAccountId, ...template })) as Body
  await until(
    () => posts.some(({ body }) => body.entry[0].changes[0].value.event === 'APPROVED'),
    'the template is approved',
  )
  aheadMs += 3_000
  posts.length = 0
  return id
}

const kapsoClient = () => new WhatsAppClient({ accessToken, baseUrl: simulator.url, graphVersion: 'v24.0' })

describe('whatsapp-api-js', () => {
  // The library has a fixed address; its fetch option replaces the address.
  const localUrl = (url: string | URL) => String(url).replace('https://graph.facebook.com', simulator.url)
  const client = new WhatsAppAPI({
    token: accessToken,
    appSecret,
    v: 'v24.0',
    ponyfill: {
      fetch: ((url: string | URL, init?: RequestInit) => fetch(localUrl(url), init)) as typeof fetch,
    },
  })
  const { Body: Text, Button, ActionButtons, ActionList, ListSection, Row, ActionCTA, Interactive } = content

  test.each<[string, content.Text | content.Image]>([
    ['text', new content.Text('Hi 🙏', true)],
    ['image', new content.Image('http://example.com/a.jpg', false, 'Look')],
    ['video', new content.Video('https://example.com/a.mp4')],
    ['audio', new content.Audio('https://example.com/a.ogg')],
    ['document', new content.Document('https://example.com/a.pdf', false, 'Bill', 'a.pdf')],
    ['sticker', new content.Sticker('https://example.com/a.webp')],
    ['location', new content.Location(77.59, 12.97, 'Office', 'MG Road')],
    [
      'contacts',
      new content.Contacts([new content.Name('Asha Rao', 'Asha'), new content.Phone('+919812345678')]),
    ],
    ['reaction', new content.Reaction('wamid.X', '👍')],
    [
      'buttons',
      new Interactive(new ActionButtons(new Button('a', 'Yes'), new Button('b', 'No')), new Text('?')),
    ],
    [
      'list',
      new Interactive(
        new ActionList('Open', new ListSection('S', new Row('r1', 'Row', 'more'))),
        new Text('?'),
      ),
    ],
    ['link', new Interactive(new ActionCTA('See', 'https://example.com'), new Text('?'))],
    ['flow', new Interactive(new content.ActionNavigateFlow('t', '1', 'Open', 'START'), new Text('?'))],
    ['location request', new Interactive(new content.ActionLocation(), new Text('Where?'))],
    ['catalog', new Interactive(new content.ActionCatalog(), new Text('Browse'))],
  ] as [string, content.Text][])('sends %s', async (_what, message) => {
    const answer = await client.sendMessage(phoneNumberId, to, message, undefined, 'our-id')
    expect(answer).toMatchObject({
      messaging_product: 'whatsapp',
      contacts: [{ input: to, wa_id: to }],
      messages: [{ id: expect.stringMatching(/^wamid\./) }],
    })
  })

  test('sends a template', async () => {
    await orderTemplate(kapsoClient(), 'order_first')
    const body = new content.BodyComponent(new content.BodyParameter('1001'))
    const message = new content.Template('order_first', 'en_US', body)
    const answer = await client.sendMessage(phoneNumberId, to, message)
    expect(answer).toMatchObject({ messages: [{ message_status: 'accepted' }] })
    const missing = new content.Template('nowhere', 'en_US')
    expect(await client.sendMessage(phoneNumberId, to, missing)).toMatchObject({
      error: { code: 132001 },
    })
  })

  test('sends to a user id, marks as read, types', async () => {
    const answer = await client.sendMessage(phoneNumberId, 'IN.1349', new content.Text('Hi'))
    expect(answer).toMatchObject({ contacts: [{ input: 'IN.1349', user_id: 'IN.1349' }] })
    expect(await client.markAsRead(phoneNumberId, 'wamid.IN', 'text')).toEqual({ success: true })
  })

  test('uploads a file, finds, downloads and deletes it', async () => {
    const form = new FormData()
    form.set('file', new Blob([jpeg], { type: 'image/jpeg' }), 'a.jpg')
    const uploaded = (await client.uploadMedia(phoneNumberId, form)) as { id: string }
    const image = new content.Image(uploaded.id, true)
    expect(await client.sendMessage(phoneNumberId, to, image)).toHaveProperty('messages')
    const found = (await client.retrieveMedia(uploaded.id, phoneNumberId)) as { url: string }
    expect(found).toMatchObject({ id: uploaded.id, mime_type: 'image/jpeg', messaging_product: 'whatsapp' })
    expect(Number((found as Body).file_size)).toBe(jpeg.byteLength)
    const bytes = await client.fetchMedia(found.url)
    expect(Buffer.from(await bytes.arrayBuffer())).toEqual(jpeg)
    expect(await client.deleteMedia(uploaded.id)).toEqual({ success: true })
    expect(await client.retrieveMedia(uploaded.id)).toMatchObject({ error: { code: 100 } })
  })

  test('blocks and unblocks, without a version in its address', async () => {
    await simulate('/inbound', { from: to, text: 'Hi' })
    const added = { added_users: [{ input: to, wa_id: to }] }
    expect(await client.blockUser(phoneNumberId, to)).toMatchObject({ block_users: added })
    const removed = { removed_users: [{ input: to, wa_id: to }] }
    expect(await client.unblockUser(phoneNumberId, to)).toMatchObject({ block_users: removed })
  })

  test("verifies the webhook's requests and calls its handlers", async () => {
    const received: Body[] = []
    client.on.message = ({ from, message, name }) =>
      void received.push({ from, name, text: (message as Body).text })
    client.on.status = ({ status, id, biz_opaque_callback_data }) =>
      void received.push({ status, id, biz_opaque_callback_data })
    const sent = await client.sendMessage(phoneNumberId, to, new content.Text('Hi'), undefined, 'our-7')
    await until(() => posts.length === 3, 'three statuses')
    await simulate('/inbound', { from: to, name: 'आशा / Rao', text: 'नमस्ते 🙏 / hi' })
    await until(() => posts.length === 4, 'a message arrives')
    for (const { raw, signature, body } of posts) await client.post(body, raw, signature)
    const id = (sent as Body).messages[0].id
    expect(received).toEqual([
      ...['sent', 'delivered', 'read'].map((status) => ({ status, id, biz_opaque_callback_data: 'our-7' })),
      { from: to, name: 'आशा / Rao', text: { body: 'नमस्ते 🙏 / hi' } },
    ])
    await expect(client.post(posts[0]!.body, `${posts[0]!.raw} `, posts[0]!.signature)).rejects.toThrow()
  })
})

describe('@kapso/whatsapp-cloud-api', () => {
  let client: WhatsAppClient
  const base = { phoneNumberId, to }
  const accepted = { messages: [{ id: expect.stringMatching(/^wamid\./) }] }

  beforeAll(() => {
    client = kapsoClient()
  })

  const image = { link: 'https://example.com/a.jpg' }
  test.each<[string, () => Promise<unknown>]>([
    ['text', () => client.messages.sendText({ ...base, body: 'Hi', bizOpaqueCallbackData: 'our-id' })],
    ['image', () => client.messages.sendImage({ ...base, image: { ...image, caption: 'Look' } })],
    ['video', () => client.messages.sendVideo({ ...base, video: { link: 'https://example.com/a.mp4' } })],
    ['audio', () => client.messages.sendAudio({ ...base, audio: { link: 'https://example.com/a.ogg' } })],
    [
      'document',
      () =>
        client.messages.sendDocument({
          ...base,
          document: { link: 'https://example.com/a.pdf', filename: 'a.pdf' },
        }),
    ],
    [
      'sticker',
      () => client.messages.sendSticker({ ...base, sticker: { link: 'https://example.com/a.webp' } }),
    ],
    [
      'location',
      () => client.messages.sendLocation({ ...base, location: { latitude: 12.97, longitude: 77.59 } }),
    ],
    [
      'contacts',
      () =>
        client.messages.sendContacts({
          ...base,
          contacts: [
            { name: { formattedName: 'Asha Rao', firstName: 'Asha' }, phones: [{ phone: '+919812345678' }] },
          ],
        }),
    ],
    [
      'reaction',
      () => client.messages.sendReaction({ ...base, reaction: { messageId: 'wamid.X', emoji: '😀' } }),
    ],
    [
      'buttons',
      () =>
        client.messages.sendInteractiveButtons({
          ...base,
          header: { type: 'image', image },
          bodyText: 'Pick',
          footerText: 'F',
          buttons: [
            { id: 'a', title: 'Accept' },
            { id: 'd', title: 'Decline' },
          ],
        }),
    ],
    [
      'list',
      () =>
        client.messages.sendInteractiveList({
          ...base,
          bodyText: 'Pick',
          buttonText: 'Open',
          sections: [{ title: 'S', rows: [{ id: 'r1', title: 'Row' }] }],
        }),
    ],
    [
      'link',
      () =>
        client.messages.sendInteractiveCtaUrl({
          ...base,
          bodyText: 'See',
          parameters: { displayText: 'See', url: 'https://example.com' },
        }),
    ],
    [
      'carousel',
      () =>
        client.messages.sendInteractiveCarousel({
          ...base,
          bodyText: 'Choose',
          cards: [0, 1].map((cardIndex) => ({
            cardIndex,
            header: { type: 'image' as const, image },
            bodyText: 'Card',
            action: { displayText: 'View', url: 'https://example.com' },
          })),
        }),
    ],
    [
      'catalog',
      () =>
        client.messages.sendInteractiveCatalogMessage({
          ...base,
          bodyText: 'Browse',
          parameters: { thumbnailProductRetailerId: 'SKU-1' },
        }),
    ],
  ])('sends %s', async (_what, send) => {
    expect(await send()).toMatchObject(accepted)
  })

  test('sends a template, and gets a typed error when that fails', async () => {
    await orderTemplate(client, 'order_ok')
    const components = [{ type: 'body' as const, parameters: [{ type: 'text' as const, text: '1001' }] }]
    const template = { name: 'order_ok', language: { code: 'en_US' }, components }
    expect(await client.messages.sendTemplate({ ...base, template })).toMatchObject(accepted)
    const refused = client.messages.sendTemplate({ ...base, template: { ...template, components: [] } })
    await expect(refused).rejects.toMatchObject({ code: 132000, category: 'template', httpStatus: 400 })
  })

  test('recognizes throttles and expired tokens', async () => {
    simulator.faults.arm({ call: 'POST messages', does: { error: 130429, retryAfterSeconds: 7 }, times: 1 })
    const throttled = await client.messages.sendText({ ...base, body: 'Hi' }).catch((error: unknown) => error)
    expect(throttled).toBeInstanceOf(GraphApiError)
    expect(throttled).toMatchObject({ category: 'throttling', retry: { retryAfterMs: 7000 } })
    const outsider = new WhatsAppClient({ accessToken: 'other', baseUrl: simulator.url })
    const unknown = await outsider.messages.sendText({ ...base, body: 'Hi' }).catch((error: unknown) => error)
    expect(unknown).toMatchObject({ code: 190, category: 'authorization' })
  })

  test('marks as read and types', async () => {
    const read = { phoneNumberId, messageId: 'wamid.IN', typingIndicator: { type: 'text' as const } }
    expect(await client.messages.markRead(read)).toEqual({ success: true })
  })

  test('uploads a file, finds, downloads and deletes it', async () => {
    const file = { phoneNumberId, type: 'image/jpeg', file: new Blob([jpeg], { type: 'image/jpeg' }) }
    const { id: mediaId } = await client.media.upload({ ...file, fileName: 'a.jpg' })
    expect(await client.messages.sendImage({ ...base, image: { id: mediaId } })).toMatchObject(accepted)
    expect(await client.media.get({ mediaId })).toMatchObject({ id: mediaId, mimeType: 'image/jpeg' })
    const bytes = await client.media.download({ mediaId, auth: 'always' })
    expect(Buffer.from(bytes as ArrayBuffer)).toEqual(jpeg)
    expect(await client.media.delete({ mediaId, phoneNumberId })).toEqual({ success: true })
    await expect(client.media.get({ mediaId })).rejects.toMatchObject({ code: 100 })
  })

  test('registers the number and keeps its profile', async () => {
    expect(await client.phoneNumbers.register({ phoneNumberId, pin: '123456' })).toEqual({ success: true })
    const profile = { phoneNumberId, about: 'Open daily', websites: ['https://shop.example'] }
    expect(await client.phoneNumbers.businessProfile.update(profile)).toEqual({ success: true })
    const { data } = (await client.phoneNumbers.businessProfile.get({ phoneNumberId })) as Body
    expect(data[0]).toMatchObject({ about: 'Open daily', websites: ['https://shop.example'] })
  })

  test('creates, lists, and deletes templates', async () => {
    const id = await orderTemplate(client, 'order_made')
    const listed = await client.templates.list({ businessAccountId, name: 'order_made' })
    expect(listed.data).toMatchObject([{ id, name: 'order_made', status: 'APPROVED', language: 'en_US' }])
    const page = await client.templates.list({ businessAccountId, limit: 1 })
    expect(page).toMatchObject({ data: [{}], paging: { cursors: { after: expect.any(String) } } })
    const duplicate = orderTemplate(client, 'order_made')
    await expect(duplicate).rejects.toMatchObject({ code: 100, errorSubcode: 2388024 })
    expect(await client.templates.delete({ businessAccountId, name: 'order_made' })).toEqual({
      success: true,
    })
    expect((await client.templates.list({ businessAccountId, name: 'order_made' })).data).toEqual([])
  })

  test("verifies and reads the webhook's requests", async () => {
    await simulate('/inbound', { from: to, name: 'आशा', text: 'नमस्ते 🙏 / hi' })
    await until(() => posts.length === 1, 'a message arrives')
    const [{ raw, signature, body }] = posts as [Post]
    expect(verifySignature({ appSecret, rawBody: raw, signatureHeader: signature })).toBe(true)
    expect(verifySignature({ appSecret: 'other', rawBody: raw, signatureHeader: signature })).toBe(false)
    const { messages, contacts } = normalizeWebhook(body)
    expect(messages).toMatchObject([{ from: to, text: { body: 'नमस्ते 🙏 / hi' } }])
    expect(contacts).toMatchObject([{ profile: { name: 'आशा' } }])
  })
})

async function simulate(path: string, body: object): Promise<void> {
  const answer = await fetch(`${simulator.url}/_simulator${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  expect(answer.status).toBe(200)
}
