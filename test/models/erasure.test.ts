/**
 * Compares erasures with their model (spec 4.4, docs/decisions/retention.md). Data about a customer may
 * arrive in any way and order; after the erasure, the database has none of it, not even when the operator
 * repeats its reports.
 */
import { randomInt, randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { boot, type TestParley } from '../support/boot.ts'
import { TEST_CELL } from '../support/cell.ts'
import { findEverywhere, type Place } from '../support/database-search.ts'
import { timeFor } from '../support/fault-run.ts'
import { connectNumber } from '../support/operator-webhooks.ts'
import { command, playModel } from '../support/play-model.ts'
import { makeReceivers, type Receiver } from '../support/receiver.ts'
import { standInOperator } from '../support/stand-in-operator.ts'
import { storeTemplate } from '../support/templates.ts'
import { until } from '../support/until.ts'
import { applied, type Customer, INPUTS, type Sides } from './erasure-inputs.ts'

let parley: TestParley
let receivers: Awaited<ReturnType<typeof makeReceivers>>
let operator: Awaited<ReturnType<typeof standInOperator>>
let echo: Receiver
beforeAll(async () => {
  receivers = await makeReceivers()
  echo = await receivers.open((response, { raw }) => void response.writeHead(500).end(raw))
  operator = await standInOperator()
  parley = await boot({ env: { ...receivers.env, ...operator.env } })
  await parley.system((tx) =>
    tx.sql(
      `alter table messages add constraint no_poison check (not starts_with(content ->> 'body', 'poison')) not valid`,
    ),
  )
})
afterAll(async () => {
  await parley.close()
  await receivers.close()
  await operator.close()
})

const BODY = { type: 'BODY', text: 'Hi {{1}}' }

/** Creates a sandbox workspace whose receiver echoes deliveries, and a number of the operator. */
async function begin(): Promise<Sides> {
  const shop = await parley.workspace({ sandbox: true })
  await shop.set({ leadCapture: true, modules: ['invoicing', 'bookings', 'reviews'] })
  await shop.post('/webhooks', { url: echo.url })
  await storeTemplate(parley, shop, { components: [BODY] })
  await storeTemplate(parley, shop, {
    name: 'with_file',
    components: [{ type: 'HEADER', format: 'DOCUMENT' }, BODY],
  })
  return { parley, shop, number: await connectNumber(parley, shop) }
}

type Person = Customer & {
  exists: boolean
  words: string[]
  reported: object[]
  /** The second of the customer's last erasure. */
  erasedIn?: number
}
type Model = {
  people: Person[]
  /** Words of erased customers, and their numbers and user IDs unless these arrived again. */
  erased: { person: Person; words: string[]; reported: object[] }[]
}

const newPerson = (): Person => ({
  digits: `9198${randomInt(10_000_000, 99_999_999)}`,
  userId: `IN.${randomInt(1e12)}`,
  exists: false,
  words: [],
  reported: [],
})
const secondNow = () => Math.floor(Date.now() / 1000)
const newWord = () => `w${randomUUID().replaceAll('-', '')}`

/**
 * The places of the number that an erasure leaves: `contact.deleted` names the customer for receivers, and
 * their answers are kept.
 */
const LEFT_OF_NUMBER = [`${TEST_CELL}.events.data`, `${TEST_CELL}.deliveries.response`]
/** Counts of leads by source and tag are summed up within seconds. */
const isCounted = ({ needle, place }: Place): boolean =>
  needle.startsWith('w') && /^public\.lead_(counts|changes)\./.test(place)

/** Checks that the database contains no erased data. */
async function compareErased({ erased }: Model): Promise<void> {
  if (erased.length === 0) return
  const words = erased.flatMap((person) => person.words)
  const names = erased.flatMap(({ person }) =>
    person.exists ? [] : [person.digits, person.userId.toLowerCase()],
  )
  const findRemaining = async () =>
    (await findEverywhere(parley, [...words, ...names])).filter(
      ({ needle, place }) => !(names.includes(needle) && LEFT_OF_NUMBER.includes(place)),
    )
  const found = await findRemaining()
  expect(found.filter((row) => !isCounted(row))).toEqual([])
  if (found.length > 0)
    await until(async () => (await findRemaining()).length === 0, 'the counters of leads are added up')
}

type Given = { personIndex: number; input: string }

async function plantInput(model: Model, sides: Sides, { personIndex, input }: Given): Promise<void> {
  const person = model.people[personIndex]!
  const word = newWord()
  const { number, shop } = sides
  const metadata = { display_phone_number: number.displayNumber, phone_number_id: number.operatorId }
  const report = async (field: string, value: object) => {
    const time = secondNow()
    const entry = [{ id: number.accountId, time, changes: [{ field, value: { metadata, ...value } }] }]
    person.reported.push({ object: 'whatsapp_business_account', entry })
    expect((await number.post(person.reported.at(-1))).status).toBe(200)
    await applied(sides)
  }
  person.words.push(word)
  const wasKnown = person.exists
  // A preference has only a second and no ID: in the second of the erasure, it counts as a repeated one.
  const mayBeOlder = input === 'a preference' && person.erasedIn === secondNow()
  await INPUTS[input]!({ ...sides, customer: person, word, report }).catch((error: Error) => {
    // A customer who opted out gets no messages.
    if (!wasKnown || !error.message.includes('contact_opted_out')) throw error
  })
  person.exists ||= (await shop.get(`/contacts/+${person.digits}`)).status === 200
  // A word that was never found proves nothing when it isn't found later. For a known customer, an import may
  // add nothing.
  if (!wasKnown && !mayBeOlder)
    expect([input, (await findEverywhere(parley, [word])).length]).not.toEqual([input, 0])
}

async function erase(model: Model, { shop }: Sides, index: number): Promise<void> {
  const person = model.people[index]!
  expect((await shop.delete(`/contacts/+${person.digits}`)).status).toBe(200)
  const { words, reported } = person
  Object.assign(person, { exists: false, words: [], reported: [], erasedIn: secondNow() })
  model.erased.push({ person, words, reported })
  await compareErased(model)
}

/** Repeats the operator's reports, as after lost answers. */
async function repeat(model: Model, sides: Sides, index: number): Promise<void> {
  const person = model.people[index]!
  for (const { reported } of model.erased.filter((erasure) => erasure.person === person))
    for (const body of reported) expect((await sides.number.post(body)).status).toBe(200)
  await applied(sides)
  const { status } = await sides.shop.get(`/contacts/+${person.digits}`)
  expect(status).toBe(person.exists ? 200 : 404)
  await compareErased(model)
}

const index = fc.nat({ max: 1 })
const arrivals = fc.record({ personIndex: index, input: fc.constantFrom(...Object.keys(INPUTS)) })
const commands = [
  ...Array(4).fill(command<Given, Model, Sides>('take in', arrivals, plantInput)),
  command<number, Model, Sides>('erase', index, erase, (model, index) => model.people[index]!.exists),
  command<number, Model, Sides>('repeat', index, repeat, (model, index) =>
    model.erased.some(({ person }) => person === model.people[index]),
  ),
  command<null, Model, Sides>('retries of deliveries', fc.constant(null), async (_, { shop }) => {
    await shop.advance(40)
  }),
]

test.each(Object.keys(INPUTS))(
  '%s: found before the erasure, nowhere after it, even when repeated',
  async (input) => {
    const sides = await begin()
    const model: Model = { people: [newPerson()], erased: [] }
    await plantInput(model, sides, { personIndex: 0, input })
    expect(model.people[0]!.exists).toBe(true)
    await erase(model, sides, 0)
    await repeat(model, sides, 0)
  },
)

test('an erasure deletes earlier numbers and user IDs, with their data', async () => {
  const sides = await begin()
  const asha = newPerson()
  const model: Model = { people: [asha], erased: [] }
  for (const input of ['a capture form', 'a field of tomorrow'])
    await plantInput(model, sides, { personIndex: 0, input })
  const before = { ...asha, exists: false, words: [] }
  const { digits, userId } = newPerson()
  const system = {
    type: 'user_changed_number',
    wa_id: digits,
    user_id: userId,
    body: 'Asha has a new number',
  }
  const message = {
    id: 'wamid.changed',
    type: 'system',
    timestamp: String(Math.floor(Date.now() / 1000)),
    system,
  }
  await sides.number.report('messages', {
    messages: [{ ...message, from: asha.digits, from_user_id: asha.userId }],
  })
  Object.assign(asha, { digits, userId })
  model.erased.push({ person: before, words: [], reported: [] })
  await erase(model, sides, 0)
})

test('an erasure of a merged contact deletes the data of both', async () => {
  const sides = await begin()
  const { shop } = sides
  const [target, merged] = [newPerson(), newPerson()]
  const model: Model = { people: [target, merged], erased: [] }
  for (const input of ['POST /leads', 'a text', 'a text that is sent'])
    await plantInput(model, sides, { personIndex: 0, input })
  for (const input of [
    'POST /contacts',
    'a capture form',
    'POST /leads/{id}/notes',
    'POST and PATCH /tasks',
    'POST /conversations/{id}/notes',
    'a text',
    'a text that is sent',
    'an edit',
    'a call',
    'a field of tomorrow',
    'the draft of an invoice',
    'a booking',
    'a review',
    'an order',
  ])
    await plantInput(model, sides, { personIndex: 1, input })
  const merge = await shop.post(`/contacts/+${target.digits}/merge`, { from: `+${merged.digits}` })
  expect(merge.status, merge.text).toBe(200)
  await plantInput(model, sides, { personIndex: 1, input: 'a text' })
  const { words, reported } = merged
  Object.assign(merged, { exists: false, words: [] })
  model.erased.push({ person: merged, words, reported })
  await erase(model, sides, 0)
  await repeat(model, sides, 0)
  await repeat(model, sides, 1)
})

test('an erasure deletes updates that wait behind a retried update, including those that name only its messages', async () => {
  const sides = await begin()
  const model: Model = { people: [newPerson()], erased: [] }
  for (const input of ['an update that fails for now', 'a field of tomorrow that names a message alone'])
    await plantInput(model, sides, { personIndex: 0, input })
  await erase(model, sides, 0)
  await repeat(model, sides, 0)
})

test("a repeated report of an erased customer does not wait behind the customer's new updates", async () => {
  const sides = await begin()
  const model: Model = { people: [newPerson()], erased: [] }
  for (const input of ['a text', 'a preference', 'a field of tomorrow'])
    await plantInput(model, sides, { personIndex: 0, input })
  await erase(model, sides, 0)
  await plantInput(model, sides, { personIndex: 0, input: 'an update that fails for now' })
  await repeat(model, sides, 0)
})

test('a retried report about several customers contains nothing about an erased one after it is set aside', async () => {
  const sides = await begin()
  const { shop, number } = sides
  const [asha, ravi] = [newPerson(), newPerson()]
  const model: Model = { people: [asha, ravi], erased: [] }
  await plantInput(model, sides, { personIndex: 0, input: 'a text' })
  const word = newWord()
  const echo = { from: number.displayNumber, timestamp: '1780000000', type: 'text' }
  const value = {
    metadata: { display_phone_number: number.displayNumber, phone_number_id: number.operatorId },
    message_echoes: [
      { ...echo, to: asha.digits, id: 'wamid.asha', text: { body: word } },
      { ...echo, to: ravi.digits, id: 'wamid.ravi', text: { body: 'poison' } },
    ],
  }
  const changes = [{ field: 'smb_message_echoes', value }]
  expect((await number.post({ entry: [{ id: number.accountId, changes }] })).status).toBe(200)
  await applied(sides)
  expect((await shop.delete(`/contacts/+${asha.digits}`)).status).toBe(200)
  expect((await findEverywhere(parley, [word])).map(({ place }) => place)).toContain(
    `${TEST_CELL}.operator_updates.raw`,
  )
  await shop.advance(4_400)
  model.erased.push({ person: { ...asha, exists: false }, words: [word, ...asha.words], reported: [] })
  await compareErased(model)
})

test(
  'nothing of an erased customer stays, in any input and after any repetition by the operator',
  () =>
    playModel({
      name: 'erasure',
      commands,
      longest: 16,
      runs: 1,
      setting: fc.constant(null),
      begin: async () => ({
        model: { people: [newPerson(), newPerson()], erased: [] },
        real: await begin(),
      }),
      end: compareErased,
    }),
  timeFor(240_000),
)
