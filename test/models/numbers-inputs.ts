/** Ways in which a number arrives and is stored. Each returns the ID of its contact. */
import { randomUUID } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { startIn } from '../support/bookings.ts'
import type { Answered, Body } from '../support/boot.ts'
import { runParley } from '../support/command-line.ts'
import { commandEnv } from '../support/payments.ts'
import { DASHBOARD } from '../support/sessions.ts'
import { deliveriesApplied } from '../support/shops.ts'
import { until } from '../support/until.ts'
import type { Sides } from './numbers-model.ts'

/**
 * `country`: the number's country, in a separate field. `reply`: the answer, for the numbers that it shows.
 */
export type Came = { contactId: string; reply: Body }
export type WayIn = {
  isLead?: boolean
  /** Takes long, so it is rare in runs. */
  slow?: boolean
  /** Accepts a country in a separate field. */
  takesCountry?: boolean
  /** The separate country is always India. */
  isIndian?: boolean
  take(sides: Sides, phone: string, country?: string): Promise<Came>
}

function bodyOrThrow(answer: Answered): Body {
  if (answer.status >= 300) throw new Error(`answered ${answer.status}: ${answer.text}`)
  return answer.body
}

let turns = 0
/** Gives each visitor a new address, because other tests cover the limit per address. */
const newAddress = () => ({ 'x-forwarded-for': `10.${turns++ % 250}.${turns % 250}.7` })
/** Returns a free half-hour slot. */
const nextStart = () => startIn(30, turns++)

const byNumber = async ({ shop }: Sides, phone: string): Promise<string> =>
  bodyOrThrow(await shop.get(`/contacts/${encodeURIComponent(phone)}`)).contact.id

/** Returns the lead that was captured last. */
async function readLastLead(sides: Sides): Promise<Came> {
  const { leads } = bodyOrThrow(await sides.shop.get('/leads?pageSize=100'))
  const last = leads.reduce((latest: Body, other: Body) =>
    latest.lastCapturedAt > other.lastCapturedAt ? latest : other,
  )
  return { contactId: await byNumber(sides, last.phone), reply: last }
}

/** Returns the contact with a tag that no other contact has. */
async function readTaggedContact({ shop }: Sides, tag: string): Promise<Came> {
  const { contacts } = bodyOrThrow(await shop.get(`/contacts?tag=${tag}`))
  expect(contacts.length).toBe(1)
  return { contactId: contacts[0].id, reply: contacts[0] }
}

const newTag = () => `t${randomUUID().slice(0, 8)}`

async function capture(sides: Sides, body: unknown, type: string): Promise<Came> {
  const { parley, shop } = sides
  const headers = { 'content-type': type, ...newAddress() }
  bodyOrThrow(
    await parley.anonymous.post(`${parley.url}/api/leads/capture/${shop.captureToken}`, body, { headers }),
  )
  return readLastLead(sides)
}

const capturedFields = (phone: string, country?: string) => ({
  phone,
  note: randomUUID(),
  ...(country === undefined ? {} : { country }),
})

/** Returns a file with one row. */
const table = (phone: string, tag: string, country?: string) =>
  country === undefined ? `phone,tags\n${phone},${tag}\n` : `phone,country,tags\n${phone},${country},${tag}\n`

async function importByPage(
  sides: Sides,
  kind: 'contacts' | 'leads',
  phone: string,
  country?: string,
): Promise<Came> {
  const { browser } = sides
  const tag = newTag()
  const fileBase64 = Buffer.from(table(phone, tag, country)).toString('base64')
  const { id, guess } = bodyOrThrow(
    await browser.post(`${DASHBOARD}/imports`, { filename: 'people.csv', fileBase64 }),
  ).import
  const path = `${DASHBOARD}/imports/${id}`
  bodyOrThrow(await browser.patch(path, { kind, mapping: guess[kind] }))
  const done = await until(async () => {
    const { state, counts, ...more } = bodyOrThrow(await browser.get(path)).import
    return !['checking', 'running'].includes(state) && { state, counts, ...more }
  }, 'the import is over')
  expect([done.state, JSON.stringify(done)]).toEqual(['done', JSON.stringify(done)])
  return kind === 'contacts' ? readTaggedContact(sides, tag) : readLastLead(sides)
}

async function importByCommand(
  sides: Sides,
  kind: 'contacts' | 'leads',
  phone: string,
  country?: string,
): Promise<Came> {
  const tag = newTag()
  const path = join(tmpdir(), `parley-numbers-${tag}.csv`)
  writeFileSync(path, table(phone, tag, country))
  const words = ['import', kind, path, '--workspace', sides.shop.workspaceId, '--json']
  const { code, stdout, stderr } = await runParley(words, commandEnv(sides.parley))
  rmSync(path)
  expect([code, stderr]).toEqual([0, ''])
  expect(JSON.parse(stdout).refused).toBe(0)
  return kind === 'contacts' ? readTaggedContact(sides, tag) : readLastLead(sides)
}

async function order({ parley, shop }: Sides, store: string, from: string): Promise<Came> {
  const reference = `A${turns++}`
  bodyOrThrow(
    await shop.post('/sandbox/simulate', { kind: 'order', store, type: 'order_placed', reference, from }),
  )
  await deliveriesApplied(parley, shop.workspaceId)
  const { orders } = bodyOrThrow(await shop.get('/orders?limit=100'))
  const placed = orders.find((order: Body) => order.reference.endsWith(reference))
  return { contactId: placed.contactId, reply: placed }
}

/** The operator reports only full numbers. */
const wamid = () => `wamid.${randomUUID()}`
const seconds = () => String(Math.floor(Date.now() / 1000))

const messageContact = async ({ shop }: Sides, ref: string): Promise<Came> => {
  const { message } = bodyOrThrow(await shop.get(`/messages/${encodeURIComponent(ref)}`))
  return { contactId: message.contactId, reply: message }
}

export const WAYS_IN: Record<string, WayIn> = {
  'POST /contacts': {
    take: async ({ shop }, phone) => {
      const reply = bodyOrThrow(await shop.post('/contacts', { phone }))
      return { contactId: reply.contact.id, reply }
    },
  },
  'POST /contacts with e164': {
    take: async ({ shop }, e164) => {
      const reply = bodyOrThrow(await shop.post('/contacts', { e164 }))
      return { contactId: reply.contact.id, reply }
    },
  },
  'POST /contacts/bulk': {
    take: async ({ shop }, phone) => {
      const reply = bodyOrThrow(await shop.post('/contacts/bulk', { contacts: [{ phone }, { phone }] }))
      expect(reply.results[1].contactId).toBe(reply.results[0].contactId)
      return { contactId: reply.results[0].contactId, reply }
    },
  },
  'POST /leads': {
    isLead: true,
    take: async (sides, phone) => {
      const reply = bodyOrThrow(await sides.shop.post('/leads', { phone }))
      return { contactId: await byNumber(sides, reply.lead.phone), reply }
    },
  },
  'the capture link, JSON': {
    isLead: true,
    takesCountry: true,
    take: (sides, phone, country) =>
      capture(sides, JSON.stringify(capturedFields(phone, country)), 'application/json'),
  },
  'the capture link, a form': {
    isLead: true,
    takesCountry: true,
    take: (sides, phone, country) =>
      capture(
        sides,
        new URLSearchParams(capturedFields(phone, country)).toString(),
        'application/x-www-form-urlencoded',
      ),
  },
  'a submission that a person completes': {
    isLead: true,
    take: async (sides, phone) => {
      const { parley, shop } = sides
      const headers = { 'content-type': 'application/json', ...newAddress() }
      const note = randomUUID()
      const path = `${parley.url}/api/leads/capture/${shop.captureToken}`
      expect((await parley.anonymous.post(path, JSON.stringify({ note }), { headers })).status).toBe(400)
      const { submissions } = bodyOrThrow(await shop.get('/lead-submissions?limit=1'))
      bodyOrThrow(await shop.post(`/lead-submissions/${submissions[0].id}/lead`, { phone }))
      return readLastLead(sides)
    },
  },
  'the import page, contacts': {
    takesCountry: true,
    slow: true,
    take: (sides, phone, country) => importByPage(sides, 'contacts', phone, country),
  },
  'the import page, leads': {
    isLead: true,
    takesCountry: true,
    slow: true,
    take: (sides, phone, country) => importByPage(sides, 'leads', phone, country),
  },
  'parley import contacts': {
    takesCountry: true,
    slow: true,
    take: (sides, phone, country) => importByCommand(sides, 'contacts', phone, country),
  },
  'parley import leads': {
    isLead: true,
    takesCountry: true,
    slow: true,
    take: (sides, phone, country) => importByCommand(sides, 'leads', phone, country),
  },
  'an order of Shopify': { isIndian: true, take: (sides, phone) => order(sides, 'shopify', phone) },
  'an order of WooCommerce': { isIndian: true, take: (sides, phone) => order(sides, 'woocommerce', phone) },
  'POST /bookings': {
    take: async ({ shop, serviceId }, phone) => {
      const body = { serviceId, startAt: nextStart(), phone, name: 'Asha' }
      const { booking } = bodyOrThrow(await shop.post('/bookings', body))
      return { contactId: booking.customer.contactId, reply: booking }
    },
  },
  'the booking page': {
    take: async ({ parley, shop, serviceId, bookingPath }, phone) => {
      const query = new URLSearchParams({ service: serviceId, at: nextStart() })
      const answer = await parley.anonymous.post(
        `${parley.url}${bookingPath}?${query}`,
        new URLSearchParams({ phone, name: 'Asha' }).toString(),
        { headers: { 'content-type': 'application/x-www-form-urlencoded', ...newAddress() } },
      )
      expect([answer.status, answer.text]).toEqual([303, answer.text])
      const { bookings } = bodyOrThrow(await shop.get('/bookings?limit=100'))
      const booking = bookings.find(
        // The booking of an erased customer has no page.
        ({ url }: Body) => url !== null && new URL(url).pathname === answer.headers.location,
      )
      return { contactId: booking.customer.contactId, reply: booking }
    },
  },
}

/** Ways in which the operator names the customer, by digits only. */
export const OPERATOR_WAYS: Record<string, (sides: Sides, digits: string, text: string) => Promise<Came>> = {
  'the operator reports a message': async (sides, from, text) => {
    const id = wamid()
    await sides.number.report('messages', {
      contacts: [{ wa_id: from, profile: { name: 'Asha' } }],
      messages: [{ from, id, timestamp: seconds(), type: 'text', text: { body: text } }],
    })
    return messageContact(sides, id)
  },
  'the operator reports an echo': async (sides, to, text) => {
    const id = wamid()
    await sides.number.report('smb_message_echoes', {
      message_echoes: [
        {
          from: sides.number.displayNumber,
          to,
          id,
          timestamp: seconds(),
          type: 'text',
          text: { body: `Echo of ${text}` },
        },
      ],
    })
    return messageContact(sides, id)
  },
  'the operator reports a call': async (sides, from) => {
    const id = `wacid.${randomUUID()}`
    await sides.number.report('calls', {
      contacts: [{ wa_id: from, profile: { name: 'Asha' } }],
      calls: [
        { id, from, timestamp: seconds(), event: 'terminate', status: 'FAILED', direction: 'USER_INITIATED' },
      ],
    })
    return { contactId: await byNumber(sides, `+${from}`), reply: {} }
  },
}
