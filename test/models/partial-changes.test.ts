/**
 * Concurrent changes of different fields of one record (spec 4.4, 4.5): none undoes another. Covers every
 * PATCH of the API that takes several fields.
 */
import { randomInt, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { arrange, arranging } from '../contract/arrange.ts'
import { KEYED, nameOf } from '../contract/requests.ts'
import { type Body, boot, type TestParley } from '../support/boot.ts'

const ARRANGING = await arranging()
const ROUNDS = 4
const DAY_MS = 86_400_000

let parley: TestParley
beforeAll(async () => {
  parley = await boot(ARRANGING)
})
afterAll(() => parley.close())

const text = () => `text ${randomUUID()}`
const randomBelow = (limit: number) => randomInt(1, limit)
const randomBoolean = () => randomInt(2) === 1
const pickOne = (...values: string[]): string => values[randomInt(values.length)]!
const time = () => new Date(Date.UTC(2031, 0, 1) + randomInt(1e6) * 60_000).toISOString()
const color = () => `#${randomInt(0x100000, 0xffffff).toString(16)}`
const priority = () => pickOne('low', 'normal', 'high', 'urgent')

/** New values by field; each field may be sent alone. */
const FIELDS: Record<string, Record<string, () => unknown>> = {
  'PATCH /contacts/:id': {
    displayName: text,
    tags: () => [text()],
    optInSource: text,
    attributes: () => ({ [text()]: text() }),
  },
  'PATCH /conversations/:id': {
    state: () => pickOne('open', 'pending', 'resolved'),
    priority,
    isArchived: randomBoolean,
  },
  'PATCH /leads/:id': {
    name: text,
    email: () => `${randomUUID()}@example.com`,
    source: text,
    rating: () => randomBelow(6),
    dealValue: () => randomBelow(1e6),
    tags: () => [text()],
    nextFollowUpAt: time,
  },
  'PATCH /tasks/:id': { title: text, dueAt: time, type: () => pickOne('call', 'email', 'visit'), priority },
  'PATCH /pipeline/stages/:id': { name: text, color },
  'PATCH /views/:id': { name: text, shared: randomBoolean, q: text },
  'PATCH /webhooks/:id': {
    active: randomBoolean,
    url: () => `https://127.0.0.1:9/${randomUUID()}`,
    events: () => [pickOne('contact.created', 'contact.updated', 'lead.created', 'task.created')],
    headers: () => [{ name: `x-${randomUUID()}`, value: text() }],
  },
  'PATCH /segments/:id': { name: text, segment: () => ({ tags: [text()] }) },
  'PATCH /quick-replies/:id': { shortcut: () => randomUUID(), text },
  'PATCH /macros/:id': {
    name: text,
    actions: () => ({ priority: pickOne('low', 'normal', 'high', 'urgent') }),
  },
  'PATCH /teams/:id': {
    name: text,
    description: text,
    assignment: () => pickOne('manual', 'round_robin'),
    capacity: () => 1 + randomBelow(100),
  },
  'PATCH /tags/:id': { name: text, color },
  'PATCH /automations/:id': {
    name: text,
    trigger: () => ({ event: pickOne('call.missed', 'contact.created') }),
  },
  'PATCH /auto-replies/:id': {
    enabled: randomBoolean,
    position: () => randomBelow(100),
    reply: () => ({ text: text() }),
    keywords: () => [text()],
    cooldownMinutes: () => randomBelow(100),
    validFrom: time,
    validUntil: () => new Date(Date.UTC(2035, 0, 1) + randomInt(1e6) * 60_000).toISOString(),
  },
  'PATCH /bots/:id': {
    name: text,
    enabled: randomBoolean,
    idleMinutes: () => randomBelow(60),
    fallback: () => ({ text: text() }),
  },
  'PATCH /sales-invoices/:id': { reference: text, notes: text, terms: text },
  'PATCH /quotations/:id': { reference: text, notes: text, terms: text },
  'PATCH /booking-services/:id': {
    name: text,
    description: text,
    priceMinor: () => randomBelow(1e6),
    capacity: () => randomBelow(20),
    minNoticeMinutes: () => randomBelow(100),
    active: randomBoolean,
  },
  'PATCH /booking-staff/:id': {
    name: text,
    active: randomBoolean,
    timeZone: () => pickOne('Asia/Kolkata', 'Europe/Paris', 'America/Lima'),
  },
  'PATCH /bookings/:id': { notes: text, customer: () => ({ name: text() }) },
  'PATCH /social/posts/:id': {
    caption: text,
    scheduledAt: () => new Date(Date.now() + randomInt(2, 70) * DAY_MS).toISOString(),
  },
}

/** Endpoints with one field, with fields that also reorder other records, or with one change at a time at the operator. */
const OTHERS = [
  'PATCH /broadcasts/:id',
  'PATCH /flows/:id',
  'PATCH /lead-submissions/:id',
  'PATCH /social/conversations/:id',
  'PATCH /pipeline/lost-reasons/:id',
  'PATCH /pipeline/assignment',
  'PATCH /contact-fields/:id',
]

const PATCHES = KEYED.filter(({ method }) => method === 'PATCH')

test('every PATCH of the API is covered', () => {
  expect([...Object.keys(FIELDS), ...OTHERS].sort()).toEqual(PATCHES.map(nameOf).sort())
})

/** Returns a field as answers show it: without the values of headers, which are never returned. */
const shown = ([field, value]: [string, unknown]): [string, unknown] =>
  field === 'headers'
    ? [field, (value as { name: string }[]).map(({ name }) => ({ name, set: true }))]
    : [field, value]

/** Returns the record in a PATCH answer. */
const recordOf = (body: Body): Body =>
  body.id
    ? body
    : Object.values(body).find((value) => value !== null && typeof value === 'object' && 'id' in value)

test.each(Object.entries(FIELDS))(
  '%s: concurrent changes of different fields all take effect',
  async (name, fields) => {
    const shop = await parley.workspace({ sandbox: true })
    const { path } = await arrange(PATCHES.find((endpoint) => nameOf(endpoint) === name)!, shop)
    for (let round = 0; round < ROUNDS; round++) {
      const changes = Object.entries(fields).map(([field, make]): [string, unknown] => [field, make()])
      const answers = await Promise.all(changes.map(([field, value]) => shop.patch(path, { [field]: value })))
      for (const answer of answers) expect(answer.status, answer.text).toBe(200)
      // A PATCH that changes nothing returns the current record.
      const [[field, value]] = changes as [[string, unknown]]
      const now = recordOf((await shop.patch(path, { [field]: value })).body)
      expect(now).toMatchObject(Object.fromEntries(changes.map(shown)))
    }
  },
)
