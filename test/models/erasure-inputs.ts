/**
 * Every way in which data about a customer arrives. Each input stores a word, with all data that this way
 * stores.
 */
import { randomInt, randomUUID } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { madeService, startIn } from '../support/bookings.ts'
import { type Answered, type Body, SECRET_KEY, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { runParley } from '../support/command-line.ts'
import type { ConnectedNumber } from '../support/operator-webhooks.ts'
import { page, paidInvoice, requested } from '../support/reviews.ts'
import { madeInvoice, madeQuotation } from '../support/sales.ts'
import { signIn } from '../support/sessions.ts'
import { deliveriesApplied } from '../support/shops.ts'
import { until } from '../support/until.ts'

/** A customer: the digits of the number, and the user ID. */
export type Customer = { digits: string; userId: string }

/** The clients of every side of the service. */
export type Sides = { parley: TestParley; shop: TestWorkspace; number: ConnectedNumber }

export type Planting = Sides & {
  customer: Customer
  word: string
  /** Reports to the callback as the operator does, and remembers the report, so that a test can repeat it. */
  report(field: string, value: object): Promise<void>
}

/** Stores the word; returns false if it can't be found afterwards. */
type Input = (planting: Planting) => Promise<unknown>

/**
 * A name on an invoice is kept after an erasure, because the law requires it, so it isn't one of the words.
 */
const ON_INVOICES = 'Asha Rao'

const seconds = () => String(Math.floor(Date.now() / 1000))
const wamid = () => `wamid.${randomInt(1e12)}`

function bodyOrThrow(answer: Answered): Body {
  if (answer.status >= 300) throw new Error(`answered ${answer.status}: ${answer.text}`)
  return answer.body
}

const contactsOf = ({ customer, word }: Planting) => [
  { wa_id: customer.digits, user_id: customer.userId, profile: { name: word, username: word } },
]

/** Sends a message as the customer; returns the channel's ID of the message. */
async function write(planting: Planting, type: string, content: unknown, more: object = {}): Promise<string> {
  const { customer, report } = planting
  const id = wamid()
  const message = {
    from: customer.digits,
    from_user_id: customer.userId,
    id,
    timestamp: seconds(),
    type,
    [type]: content,
  }
  await report('messages', { contacts: contactsOf(planting), messages: [{ ...message, ...more }] })
  return id
}

/** Sends a message to the sandbox number, so that the shop may answer. */
const open = ({ shop, customer }: Planting) => shop.inbound(`+${customer.digits}`, 'hello')

async function conversation(planting: Planting): Promise<string> {
  await open(planting)
  const { contact } = bodyOrThrow(await planting.shop.get(`/contacts/+${planting.customer.digits}`))
  const { conversations } = bodyOrThrow(await planting.shop.get('/conversations?limit=100'))
  return conversations.find((conversation: Body) => conversation.contact.id === contact.id).id
}

async function send(planting: Planting, body: object): Promise<Body> {
  await open(planting)
  const { shop, customer } = planting
  const sent = bodyOrThrow(
    await shop.post('/send', { to: customer.digits, phoneNumberId: shop.phoneNumberId, ...body }),
  )
  await shop.advance(6)
  return sent
}

const payload = (planting: Planting, type: string, content: unknown) =>
  send(planting, { type, payload: { type, [type]: content } })

/** Uploads a file with the word in its name and content. */
async function upload({ shop, word }: Planting): Promise<string> {
  const fileBase64 = Buffer.from(`hello ${word}`).toString('base64')
  return bodyOrThrow(
    await shop.post('/media', { fileBase64, mimeType: 'text/plain', filename: `${word}.txt` }),
  ).id
}

const lead = async ({ shop, customer }: Planting): Promise<string> =>
  bodyOrThrow(await shop.post('/leads', { phone: customer.digits, name: 'Asha' })).lead.id

/** Imports a table of one row with `parley import`. */
const importOf =
  (kind: 'leads' | 'contacts'): Input =>
  async ({ parley, shop, customer, word }) => {
    const path = join(tmpdir(), `parley-erasure-${randomUUID()}.csv`)
    writeFileSync(
      path,
      `phone,name,email,city,size\n+${customer.digits},${word},${word}@example.com,${word},${word}\n`,
    )
    const words = ['import', kind, path, '--workspace', shop.workspaceId, '--json']
    const done = await runParley(words, {
      PARLEY_DATA_DIR: tmpdir(),
      DATABASE_URL: parley.databaseUrl,
      PARLEY_SECRET_KEY: SECRET_KEY,
    })
    rmSync(path)
    if (done.code !== 0) throw new Error(done.stderr)
  }

type PastFile = {
  source: string
  filename: string
  text(at: string): string
  phone?: string
  dryRun?: boolean
}

/** Imports past messages of a second that has begun meanwhile, so that they are later than any erasure before. */
async function importPast({ parley, shop }: Planting, { text, ...file }: PastFile): Promise<void> {
  const secondNow = async () =>
    Math.floor(Date.parse(bodyOrThrow(await shop.get('/sandbox/clock')).now) / 1_000)
  const start = await secondNow()
  const at = await until(async () => {
    const second = await secondNow()
    return second > start && new Date(second * 1_000).toISOString()
  }, 'another second begins')
  const admin = await signIn(parley, shop, 'admin')
  const path = '/api/dashboard/history-imports'
  const fileBase64 = Buffer.from(text(at)).toString('base64')
  const { id } = bodyOrThrow(
    await admin.post(`${path}/files`, { ...file, fileBase64, timeZone: 'UTC' }),
  ).import
  await until(
    async () => ['checked', 'done'].includes(bodyOrThrow(await admin.get(`${path}/${id}`)).import.state),
    'the import is done',
  )
}

/** The chat of a customer whose name is the word, in the chat, and in the name of its file. */
const exportOf = ({ customer, word }: Planting): PastFile => ({
  source: 'whatsapp_export',
  filename: `WhatsApp Chat with ${word}.txt`,
  phone: `+${customer.digits}`,
  text: (at) => `[${at.slice(0, 10)}, ${at.slice(11, 19)}] ${word}: ${word}\n`,
})

const template = (word: string, header: object[] = []) => ({
  name: header.length > 0 ? 'with_file' : 'order_ok',
  language: { code: 'en_US' },
  components: [...header, { type: 'body', parameters: [{ type: 'text', text: word }] }],
})

const card = (word: string) => [
  { name: { formatted_name: word, first_name: word }, phones: [{ phone: '+14155550104', type: word }] },
]

export const INPUTS: Record<string, Input> = {
  'POST /contacts': async ({ shop, customer, word }) =>
    bodyOrThrow(
      await shop.post('/contacts', {
        phone: customer.digits,
        displayName: word,
        attributes: { [word]: 1, city: word },
        optInSource: word,
      }),
    ),
  'POST /contacts with an Idempotency-Key': async ({ shop, customer, word }) =>
    bodyOrThrow(
      await shop.post('/contacts', { phone: customer.digits, displayName: word }, { idempotencyKey: word }),
    ),
  'a refusal with an Idempotency-Key': async ({ shop, customer, word }) => {
    bodyOrThrow(await shop.post('/contacts', { phone: customer.digits, displayName: word }))
    await shop.post('/tasks', { leadId: word, title: word }, { idempotencyKey: randomUUID() })
  },
  'PATCH /contacts/{id}': async ({ shop, customer, word }) => {
    bodyOrThrow(await shop.post('/contacts', { phone: customer.digits }))
    bodyOrThrow(
      await shop.patch(`/contacts/+${customer.digits}`, { attributes: { nested: { deep: [word] } } }),
    )
  },
  'POST /contacts/bulk': async ({ shop, customer, word }) =>
    bodyOrThrow(
      await shop.post('/contacts/bulk', { contacts: [{ phone: customer.digits, displayName: word }] }),
    ),
  'parley import contacts': importOf('contacts'),
  'parley import leads': importOf('leads'),
  'a file that waits to be imported': async (planting) => {
    await open(planting)
    const { parley, shop, customer, word } = planting
    const text = `mobile,name,city\n${customer.digits},${word},${word}\n`
    const file = { filename: 'people.csv', fileBase64: Buffer.from(text).toString('base64') }
    bodyOrThrow(await (await signIn(parley, shop, 'agent')).post('/api/dashboard/imports', file))
  },
  'a file of which their row was refused': async (planting) => {
    await open(planting)
    const { parley, shop, customer, word } = planting
    const text = `mobile,city,consent\n+${customer.digits},${word},${word}\n`
    const file = { filename: 'people.csv', fileBase64: Buffer.from(text).toString('base64') }
    const asha = await signIn(parley, shop, 'agent')
    const path = '/api/dashboard/imports'
    const { id } = bodyOrThrow(await asha.post(path, file)).import
    bodyOrThrow(
      await asha.patch(`${path}/${id}`, {
        kind: 'contacts',
        mapping: { mobile: 'phone', consent: 'optInStatus' },
      }),
    )
    await until(
      async () => bodyOrThrow(await asha.get(`${path}/${id}`)).import.state === 'done',
      'the import is done',
    )
  },
  'a file of past messages': (planting) =>
    importPast(planting, {
      source: 'history_file',
      filename: 'messages.csv',
      text: (at) =>
        `phone,name,direction,createdAt,text,externalId\n+${planting.customer.digits},${planting.word},inbound,${at},${planting.word},${planting.word}\n`,
    }),
  'an exported chat': (planting) => importPast(planting, exportOf(planting)),
  'an exported chat that waits to be imported': async (planting) => {
    await open(planting)
    await importPast(planting, { ...exportOf(planting), dryRun: true })
  },
  'a capture form': async ({ parley, shop, customer, word }) => {
    const fields = {
      phone: customer.digits,
      name: word,
      email: `${word}@example.com`,
      message: word,
      source: word,
    }
    const more = { utm_source: word, form: word, passportId: word, [word]: 'x', extra: { [word]: [word] } }
    const path = `/api/leads/capture/${shop.captureToken}`
    bodyOrThrow(await parley.anonymous.post(path, JSON.stringify({ ...fields, ...more })))
  },
  'POST /leads': async ({ shop, customer, word }) => {
    const fields = {
      name: word,
      email: `${word}@example.com`,
      source: word,
      tags: [word],
      attributes: { a: word },
    }
    bodyOrThrow(
      await shop.post('/leads', { phone: customer.digits, ...fields }, { idempotencyKey: randomUUID() }),
    )
  },
  'PATCH /leads/{id}': async (planting) => {
    const { shop, word } = planting
    const id = await lead(planting)
    bodyOrThrow(
      await shop.patch(`/leads/${id}`, {
        name: word,
        source: word,
        tags: [word],
        attributes: { [word]: word },
      }),
    )
    bodyOrThrow(await shop.patch(`/leads/${id}`, { stage: 'Contacted' }))
  },
  'POST /leads/{id}/notes': async (planting) => {
    const path = `/leads/${await lead(planting)}/notes`
    bodyOrThrow(await planting.shop.post(path, { body: planting.word }, { idempotencyKey: randomUUID() }))
  },
  'POST and PATCH /tasks': async (planting) => {
    const { shop, word } = planting
    const body = { leadId: await lead(planting), title: word, dueAt: '2030-06-02T10:00:00Z' }
    const { task } = bodyOrThrow(await shop.post('/tasks', body, { idempotencyKey: randomUUID() }))
    bodyOrThrow(await shop.patch(`/tasks/${task.id}`, { status: 'done', outcome: word }))
  },
  'POST /conversations/{id}/notes': async (planting) => {
    const path = `/conversations/${await conversation(planting)}/notes`
    bodyOrThrow(await planting.shop.post(path, { body: planting.word }, { idempotencyKey: randomUUID() }))
  },
  'POST /sandbox/inbound': ({ shop, customer, word }) =>
    shop.inbound(`+${customer.digits}`, word, { name: word }),
  'a file of a customer of the sandbox': async (planting) => {
    const { shop, customer, word } = planting
    const mediaId = await upload(planting)
    const body = { from: customer.digits, mediaId, caption: word }
    bodyOrThrow(await shop.post('/sandbox/inbound', body, { idempotencyKey: randomUUID() }))
    await shop.advance(1)
  },
  'a text that is sent': (planting) => send(planting, { type: 'text', text: planting.word }),
  'a text that is sent with an Idempotency-Key': async (planting) => {
    await open(planting)
    const { shop, customer, word } = planting
    bodyOrThrow(
      await shop.post('/send', { to: customer.digits, type: 'text', text: word }, { idempotencyKey: word }),
    )
  },
  'a file that is sent': async (planting) =>
    payload(planting, 'document', {
      id: await upload(planting),
      caption: planting.word,
      filename: planting.word,
    }),
  'a file in the header of buttons': async (planting) =>
    payload(planting, 'interactive', {
      type: 'button',
      header: { type: 'document', document: { id: await upload(planting), filename: planting.word } },
      body: { text: planting.word },
      action: { buttons: [{ type: 'reply', reply: { id: planting.word, title: 'Yes' } }] },
    }),
  'a template': (planting) => payload(planting, 'template', template(planting.word)),
  'a file in the header of a template': async (planting) => {
    const document = { id: await upload(planting), filename: planting.word }
    const header = { type: 'header', parameters: [{ type: 'document', document }] }
    await payload(planting, 'template', template(planting.word, [header]))
  },
  'cards that are sent': (planting) => payload(planting, 'contacts', card(planting.word)),
  'a place that is sent': (planting) =>
    payload(planting, 'location', {
      latitude: 18.5,
      longitude: 73.8,
      name: planting.word,
      address: planting.word,
    }),
  'an in-chat form that is sent': async (planting) => {
    await open(planting)
    const { shop, customer, word } = planting
    const { flows } = bodyOrThrow(await shop.get('/flows'))
    bodyOrThrow(
      await shop.post(`/flows/${flows[0].id}/send`, { to: customer.digits, body: word, cta: 'Book a visit' }),
    )
    await shop.advance(6)
  },
  'a text': (planting) => write(planting, 'text', { body: planting.word }),
  'a caption': (planting) =>
    write(planting, 'image', {
      id: String(randomInt(1e12)),
      mime_type: 'image/jpeg',
      sha256: 'x',
      caption: planting.word,
    }),
  'the name of a file': (planting) =>
    write(planting, 'document', {
      id: String(randomInt(1e12)),
      mime_type: 'text/plain',
      filename: planting.word,
    }),
  'a reaction': (planting) => write(planting, 'reaction', { message_id: wamid(), emoji: planting.word }),
  cards: (planting) => write(planting, 'contacts', card(planting.word)),
  'a place': (planting) => write(planting, 'location', { latitude: 1, longitude: 2, name: planting.word }),
  'an advertisement': (planting) =>
    write(
      planting,
      'text',
      { body: 'hi' },
      { referral: { headline: planting.word, source_id: planting.word } },
    ),
  'an answer to an in-chat form': ({ word, ...planting }) =>
    write({ word, ...planting }, 'interactive', {
      type: 'nfm_reply',
      nfm_reply: { name: 'flow', body: 'Sent', response_json: JSON.stringify({ nameId: word, [word]: 'x' }) },
    }),
  'a kind of message of tomorrow': (planting) => write(planting, 'kind_of_tomorrow', { a: [planting.word] }),
  'an edit': async (planting) => {
    const id = await write(planting, 'text', { body: 'first' })
    await write(planting, 'edit', {
      original_message_id: id,
      message: { type: 'text', text: { body: planting.word } },
    })
  },
  'an edit without its message': async (planting) => {
    await write(planting, 'text', { body: 'hi' })
    await write(planting, 'edit', {
      original_message_id: wamid(),
      message: { type: 'text', text: { body: planting.word } },
    })
  },
  'a call': ({ customer, word, report, ...planting }) => {
    const call = { id: `wacid.${word}`, from: customer.digits, timestamp: seconds(), event: 'terminate' }
    const contacts = contactsOf({ customer, word, report, ...planting })
    return report('calls', { contacts, calls: [{ ...call, status: 'FAILED', direction: 'USER_INITIATED' }] })
  },
  'the phone app': ({ customer, word, number, report }) =>
    report('smb_message_echoes', {
      message_echoes: [
        {
          from: number.displayNumber,
          to: customer.digits,
          id: wamid(),
          timestamp: seconds(),
          type: 'text',
          text: { body: word },
        },
      ],
    }),
  'the history of the phone app': ({ customer, word, number, report }) =>
    report('history', {
      history: [
        {
          metadata: { phase: 0, chunk_order: 1, progress: 50 },
          threads: [
            {
              id: customer.digits,
              messages: [
                {
                  from: customer.digits,
                  id: wamid(),
                  timestamp: seconds(),
                  type: 'text',
                  text: { body: word },
                },
                {
                  from: number.displayNumber,
                  to: customer.digits,
                  id: wamid(),
                  timestamp: seconds(),
                  type: 'media_placeholder',
                },
              ],
            },
          ],
        },
      ],
    }),
  'a file of the history': ({ customer, word, report }) =>
    report('history', {
      messages: [
        {
          from: customer.digits,
          id: wamid(),
          timestamp: seconds(),
          type: 'document',
          document: { id: '2423', mime_type: 'application/pdf', caption: word, filename: `${word}.pdf` },
        },
      ],
    }),
  'the address book of the phone app': ({ customer, word, report }) =>
    report('smb_app_state_sync', {
      state_sync: [
        {
          type: 'contact',
          contact: { full_name: word, first_name: word, phone_number: customer.digits },
          action: 'add',
          metadata: { timestamp: seconds() },
        },
      ],
    }),
  'an edit in the phone app without its message': async (planting) => {
    const { customer, word, number, report } = planting
    await write(planting, 'text', { body: 'hi' })
    await report('smb_message_echoes', {
      message_echoes: [
        {
          from: number.displayNumber,
          to: customer.digits,
          id: wamid(),
          timestamp: seconds(),
          type: 'edit',
          edit: { original_message_id: wamid(), message: { type: 'text', text: { body: word } } },
        },
      ],
    })
  },
  'a preference': ({ customer, word, report, ...planting }) =>
    report('user_preferences', {
      contacts: contactsOf({ customer, word, report, ...planting }),
      user_preferences: [
        {
          wa_id: customer.digits,
          category: 'marketing_messages',
          value: 'stop',
          timestamp: seconds(),
          detail: word,
        },
      ],
    }),
  'a receipt': async (planting) => {
    const { shop, customer, word, report } = planting
    await open(planting)
    const body = { to: customer.digits, type: 'text', text: 'Yes' }
    const { messageId } = bodyOrThrow(await shop.post('/send', body))
    const errors = [{ code: 131026, title: word, message: word, error_data: { details: word } }]
    const status = {
      id: wamid(),
      status: 'failed',
      timestamp: seconds(),
      recipient_id: customer.digits,
      errors,
    }
    await report('messages', { statuses: [{ ...status, biz_opaque_callback_data: messageId }] })
    await shop.advance(6)
  },
  'a field of tomorrow': async (planting) => {
    const { customer, word, report } = planting
    await write(planting, 'text', { body: 'hi' })
    await report('field_of_tomorrow', { about: { phone: `+${customer.digits}` }, says: [{ deep: word }] })
  },
  'a field of tomorrow that names a message alone': async (planting) => {
    const id = await write(planting, 'text', { body: 'hi' })
    await planting.report('field_of_tomorrow', { message: { id }, says: planting.word })
  },
  'a message that is understood in part': async (planting) => {
    const { customer, word, report } = planting
    const own = { from: customer.digits, timestamp: seconds(), type: 'text', text: { body: word } }
    await report('messages', { contacts: contactsOf(planting), messages: [{ ...own, id: wamid() }, own] })
  },
  'a notice': async (planting) => {
    await write(planting, 'text', { body: 'hi' })
    await write(planting, 'system', { body: planting.word, type: 'customer_identity_changed' })
  },
  'an update that fails for good': async (planting) => {
    await write(planting, 'text', { body: 'hi' })
    await write(planting, 'text', { body: `poison ${planting.word}` })
    await planting.shop.advance(4_400)
  },
  'an update that fails for now': async (planting) => {
    await write(planting, 'text', { body: 'hi' })
    await write(planting, 'text', { body: `poison ${planting.word}` })
  },
  'a body that is no JSON': async (planting) => {
    await write(planting, 'text', { body: 'hi' })
    const { number, customer, word, parley, shop } = planting
    bodyOrThrow(await number.post(`{"from":"${customer.digits}","says":"${word}"${' '.repeat(128 * 1024)},}`))
    await applied({ parley, shop })
  },
  'the draft of an invoice': async ({ shop, customer, word }) => {
    const { contact } = bodyOrThrow(await shop.post('/contacts', { phone: customer.digits }))
    await madeInvoice(shop, { contactId: contact.id, customer: { name: word }, reference: word })
  },
  'an issued invoice': async ({ shop, customer, word }) => {
    const { contact } = bodyOrThrow(await shop.post('/contacts', { phone: customer.digits }))
    const invoiceCustomer = { name: ON_INVOICES, email: `${word}@example.com` }
    const { id } = await madeInvoice(shop, {
      contactId: contact.id,
      customer: invoiceCustomer,
      notes: word,
      issue: true,
    })
    bodyOrThrow(await shop.post(`/sales-invoices/${id}/payments`, { amountMinor: 100, method: 'cash' }))
    bodyOrThrow(await shop.post(`/sales-invoices/${id}/revise`, { notes: `Again: ${word}` }))
  },
  'a quotation': async ({ shop, customer, word }) => {
    const { contact } = bodyOrThrow(await shop.post('/contacts', { phone: customer.digits }))
    const { id } = await madeQuotation(shop, { contactId: contact.id, customer: { name: word }, issue: true })
    bodyOrThrow(await shop.post(`/quotations/${id}/decline`, { reason: word }))
  },
  'a booking': async ({ shop, customer, word }) => {
    const { id } = await madeService(shop, { questions: [{ label: 'Any wishes?' }] })
    const { booking } = bodyOrThrow(
      await shop.post('/bookings', {
        serviceId: id,
        startAt: startIn(30),
        phone: customer.digits,
        name: word,
        email: `${word}@example.com`,
        notes: word,
        answers: { 'Any wishes?': word },
      }),
    )
    bodyOrThrow(await shop.patch(`/bookings/${booking.id}`, { status: 'cancelled', reason: word }))
  },
  'a review': async ({ parley, shop, customer, word }) => {
    const { contact } = bodyOrThrow(await shop.post('/contacts', { phone: customer.digits }))
    const { id } = await paidInvoice(shop, { contactId: contact.id, customer: { name: ON_INVOICES } })
    const { url } = await requested(shop, id)
    const sent = await page(parley, url, { rating: '1', comment: word })
    if (sent.status !== 303) throw new Error(`the page answered ${sent.status}: ${sent.text}`)
  },
  'an order': async ({ parley, shop, customer, word }) => {
    const cod = { enabled: true, delayMinutes: 5 }
    bodyOrThrow(await shop.call('PUT', '/integrations/simulator', { settings: { cod, createLeads: true } }))
    const order = { store: 'shopify', type: 'order_placed', reference: `#${randomInt(1e9)}`, cod: true }
    bodyOrThrow(
      await shop.post('/sandbox/simulate', { kind: 'order', ...order, from: customer.digits, name: word }),
    )
    await deliveriesApplied(parley, shop.workspaceId)
  },
  'an answer to a bot': async (planting) => {
    const { parley, shop, word } = planting
    const wait = { id: 'more', type: 'ask', text: 'And?', saveTo: 'answers.more', next: null }
    const bot = {
      name: 'Bot',
      enabled: true,
      entry: { keywords: ['ask me'] },
      fallback: { text: 'Sorry?' },
      start: 'ask',
      nodes: [
        { id: 'ask', type: 'ask', text: 'What is it?', saveTo: 'answers.it', next: 'note' },
        {
          id: 'note',
          type: 'action',
          action: { type: 'add_note', note: 'Said {{answers.it}}' },
          next: 'more',
        },
        wait,
      ],
    }
    const { bots } = bodyOrThrow(await shop.get('/bots'))
    if (bots.length === 0) {
      bodyOrThrow(await shop.post('/bots', bot))
      await parley.caughtUp()
    }
    await write(planting, 'text', { body: 'ask me' })
    await write(planting, 'text', { body: word })
  },
  'what an automation makes of a message': async (planting) => {
    const { parley, shop, word } = planting
    const { automations } = bodyOrThrow(await shop.get('/automations'))
    if (automations.length === 0) {
      const text = '{{contact.displayName}} said {{event.content.body}}'
      const echo = {
        name: 'Echo',
        trigger: { event: 'message.received' },
        conditions: { conditions: [{ field: 'event.content.body', op: 'starts', value: 'echo' }] },
        actions: [
          { type: 'create_lead', name: text, note: text },
          { type: 'add_note', text },
          { type: 'create_task', title: text, dueInMinutes: 60 },
        ],
      }
      bodyOrThrow(await shop.post('/automations', echo))
      await parley.caughtUp()
    }
    await write(planting, 'text', { body: `echo ${word}` })
    await applied(planting)
    await until(
      () =>
        parley.system(async (tx) => {
          const waiting = `select from automation_starts where workspace_id = $1
            union all select from automation_runs where workspace_id = $1 and finished_at is null`
          return (await tx.sql(waiting, [shop.workspaceId])).length === 0
        }),
      'the run of the automation is finished',
    )
  },
  'an event that is made to happen': async ({ shop, customer, word }) => {
    const { contact } = bodyOrThrow(await shop.post('/contacts', { phone: customer.digits }))
    const data = { contactId: contact.id, phone: contact.phone, name: word }
    bodyOrThrow(await shop.post('/sandbox/events', { event: 'contact.created', data }))
  },
}

/** Waits until every update was applied, or was tried and postponed. */
export const applied = ({ parley, shop }: Pick<Sides, 'parley' | 'shop'>): Promise<unknown> =>
  until(async () => {
    const [row] = await parley.system((tx) =>
      tx.sql<{ waiting: number }>(
        `select count(*)::int as waiting from operator_updates
         where workspace_id = $1 and failed_at is null and attempts = 0 and not holds and run_at <= clock_timestamp()`,
        [shop.workspaceId],
      ),
    )
    return row?.waiting === 0
  }, 'the updates were applied or postponed')
