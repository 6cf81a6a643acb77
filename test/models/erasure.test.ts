/**
 * Erasures against their model (spec 4.4, docs/decisions/retention.md): whatever came in about somebody, by whatever
 * way and in whatever order, stands nowhere in the database once they are erased, nor when the operator repeats it.
 */
import { randomInt, randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { boot, type TestParley } from '../support/boot.ts'
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

/** A sandbox whose receiver answers with what it gets, beside a number of the operator. */
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
  known: boolean
  words: string[]
  reported: object[]
  /** The second in which they were erased last. */
  erasedIn?: number
}
type Model = {
  people: Person[]
  /** Words of people who were erased, and their numbers and user ids unless they have come in again. */
  erased: { person: Person; words: string[]; reported: object[] }[]
}

const newPerson = (): Person => ({
  digits: `9198${randomInt(10_000_000, 99_999_999)}`,
  userId: `IN.${randomInt(1e12)}`,
  known: false,
  words: [],
  reported: [],
})
const secondNow = () => Math.floor(Date.now() / 1000)
const newWord = () => `w${randomUUID().replaceAll('-', '')}`

/** What an erasure leaves of the number: `contact.deleted` shows receivers whom to erase too, and what they answer to it is kept. */
const LEFT_OF_NUMBER = ['public.events.data', 'public.deliveries.response']
/** Counters of leads by source and tag, which are added up within seconds. */
const isCounted = ({ needle, place }: Place): boolean =>
  needle.startsWith('w') && /^public\.lead_(counts|changes)\./.test(place)

/** Holds the database to what must not be in it. */
async function compareErased({ erased }: Model): Promise<void> {
  if (erased.length === 0) return
  const words = erased.flatMap((one) => one.words)
  const names = erased.flatMap(({ person }) =>
    person.known ? [] : [person.digits, person.userId.toLowerCase()],
  )
  const look = async () =>
    (await findEverywhere(parley, [...words, ...names])).filter(
      ({ needle, place }) => !(names.includes(needle) && LEFT_OF_NUMBER.includes(place)),
    )
  const found = await look()
  expect(found.filter((one) => !isCounted(one))).toEqual([])
  if (found.length > 0)
    await until(async () => (await look()).length === 0, 'the counters of leads are added up')
}

type Given = { who: number; input: string }

async function takeIn(model: Model, sides: Sides, { who, input }: Given): Promise<void> {
  const person = model.people[who]!
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
  const wasKnown = person.known
  // It says no more than its second, and has no id: in that of the erasure it counts as one that is repeated.
  const mayBeOlder = input === 'a preference' && person.erasedIn === secondNow()
  await INPUTS[input]!({ ...sides, who: person, word, report }).catch((error: Error) => {
    // Whoever wants no more messages is sent none.
    if (!wasKnown || !error.message.includes('contact_opted_out')) throw error
  })
  person.known ||= (await shop.get(`/contacts/+${person.digits}`)).status === 200
  // What is nowhere to be found proves nothing by being nowhere later. Of somebody known an import may have nothing to add.
  if (!wasKnown && !mayBeOlder)
    expect([input, (await findEverywhere(parley, [word])).length]).not.toEqual([input, 0])
}

async function erase(model: Model, { shop }: Sides, who: number): Promise<void> {
  const person = model.people[who]!
  expect((await shop.delete(`/contacts/+${person.digits}`)).status).toBe(200)
  const { words, reported } = person
  Object.assign(person, { known: false, words: [], reported: [], erasedIn: secondNow() })
  model.erased.push({ person, words, reported })
  await compareErased(model)
}

/** The operator did not hear that its reports had come in. */
async function repeat(model: Model, sides: Sides, who: number): Promise<void> {
  const person = model.people[who]!
  for (const { reported } of model.erased.filter((one) => one.person === person))
    for (const body of reported) expect((await sides.number.post(body)).status).toBe(200)
  await applied(sides)
  const { status } = await sides.shop.get(`/contacts/+${person.digits}`)
  expect(status).toBe(person.known ? 200 : 404)
  await compareErased(model)
}

const who = fc.nat({ max: 1 })
const given = fc.record({ who, input: fc.constantFrom(...Object.keys(INPUTS)) })
const commands = [
  ...Array(4).fill(command<Given, Model, Sides>('take in', given, takeIn)),
  command<number, Model, Sides>('erase', who, erase, (model, who) => model.people[who]!.known),
  command<number, Model, Sides>('repeat', who, repeat, (model, who) =>
    model.erased.some(({ person }) => person === model.people[who]),
  ),
  command<null, Model, Sides>('retries of deliveries', fc.constant(null), async (_, { shop }) => {
    await shop.advance(40)
  }),
]

test.each(Object.keys(INPUTS))(
  '%s: found before the erasure, nowhere after it, not even when it is repeated',
  async (input) => {
    const sides = await begin()
    const model: Model = { people: [newPerson()], erased: [] }
    await takeIn(model, sides, { who: 0, input })
    expect(model.people[0]!.known).toBe(true)
    await erase(model, sides, 0)
    await repeat(model, sides, 0)
  },
)

test('numbers and user ids of before go too, with what came under them', async () => {
  const sides = await begin()
  const asha = newPerson()
  const model: Model = { people: [asha], erased: [] }
  for (const input of ['a capture form', 'a field of tomorrow']) await takeIn(model, sides, { who: 0, input })
  const before = { ...asha, known: false, words: [] }
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

test('of two contacts that were merged everything goes, whichever of them it came in about', async () => {
  const sides = await begin()
  const { shop } = sides
  const [kept, merged] = [newPerson(), newPerson()]
  const model: Model = { people: [kept, merged], erased: [] }
  for (const input of ['POST /leads', 'a text', 'a text that is sent'])
    await takeIn(model, sides, { who: 0, input })
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
    await takeIn(model, sides, { who: 1, input })
  const merge = await shop.post(`/contacts/+${kept.digits}/merge`, { from: `+${merged.digits}` })
  expect(merge.status, merge.text).toBe(200)
  await takeIn(model, sides, { who: 1, input: 'a text' })
  const { words, reported } = merged
  Object.assign(merged, { known: false, words: [] })
  model.erased.push({ person: merged, words, reported })
  await erase(model, sides, 0)
  await repeat(model, sides, 0)
  await repeat(model, sides, 1)
})

test('what waits behind an update that is tried again goes too, with what names its messages alone', async () => {
  const sides = await begin()
  const model: Model = { people: [newPerson()], erased: [] }
  for (const input of ['an update that fails for now', 'a field of tomorrow that names a message alone'])
    await takeIn(model, sides, { who: 0, input })
  await erase(model, sides, 0)
  await repeat(model, sides, 0)
})

test('what the operator repeats waits behind nothing that they write anew', async () => {
  const sides = await begin()
  const model: Model = { people: [newPerson()], erased: [] }
  for (const input of ['a text', 'a preference', 'a field of tomorrow'])
    await takeIn(model, sides, { who: 0, input })
  await erase(model, sides, 0)
  await takeIn(model, sides, { who: 0, input: 'an update that fails for now' })
  await repeat(model, sides, 0)
})

test('a report about several people that is tried again says nothing about who was erased once it is set aside', async () => {
  const sides = await begin()
  const { shop, number } = sides
  const [asha, ravi] = [newPerson(), newPerson()]
  const model: Model = { people: [asha, ravi], erased: [] }
  await takeIn(model, sides, { who: 0, input: 'a text' })
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
    'public.operator_updates.raw',
  )
  await shop.advance(4_400)
  model.erased.push({ person: { ...asha, known: false }, words: [word, ...asha.words], reported: [] })
  await compareErased(model)
})

test(
  'of who is erased nothing stays, however it came in, and whatever the operator repeats',
  () =>
    playModel({
      what: 'erasure',
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
