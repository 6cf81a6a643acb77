/**
 * Compares random spellings of numbers, in every input, with a plain model: one contact per person, messages
 * reach only that person, and nothing is sent after STOP from any spelling (docs/clarifications.md).
 */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { madeService } from '../support/bookings.ts'
import { type Body, boot, type TestParley } from '../support/boot.ts'
import { timeFor } from '../support/fault-run.ts'
import { connectNumber } from '../support/operator-webhooks.ts'
import { command, playModel } from '../support/play-model.ts'
import { madeQuotation } from '../support/sales.ts'
import { signIn } from '../support/sessions.ts'
import { equipSocial, socialChatId } from '../support/social-sandbox.ts'
import { storeTemplate } from '../support/templates.ts'
import { OPERATOR_WAYS, WAYS_IN } from './numbers-inputs.ts'
import { LOOK_UPS } from './numbers-lookups.ts'
import {
  type Beside,
  compare,
  contactIds,
  forget,
  join,
  type Model,
  noteShown,
  personMeant,
  type Sides,
  type Text,
  textOf,
} from './numbers-model.ts'
import { COUNTRIES, NUMBERED, type NumberedPerson, WRITINGS } from './numbers-people.ts'
import { SENDS } from './numbers-sends.ts'

let parley: TestParley
beforeAll(async () => {
  parley = await boot({ env: { PARLEY_TRUST_PROXY: '127.0.0.0/8' }, equip: equipSocial })
})
afterAll(() => parley.close())

const full: fc.Arbitrary<Text> = fc
  .record({
    person: fc.constantFrom(...NUMBERED),
    spelling: fc.nat(1),
    write: fc.constantFrom(...WRITINGS),
    nth: fc.option(fc.nat(5), { nil: undefined }),
  })
  .map(({ person, spelling, write, nth }) => ({
    person,
    text: write(person.spellings[spelling % person.spellings.length]!),
    nth,
  }))
const bare: fc.Arbitrary<Text> = fc.constant({
  text: NUMBERED[0]!.bare!,
  person: undefined,
  nth: undefined,
})
const text = fc.oneof({ weight: 6, arbitrary: full }, { weight: 1, arbitrary: bare })
const parallel: fc.Arbitrary<Beside> = fc
  .record({ of: fc.constantFrom(...COUNTRIES), nth: fc.nat(5) })
  .map(({ of: { person, digits, names }, nth }) => ({ person, digits, country: names[nth % names.length]! }))

async function takeNumber(
  name: string,
  model: Model,
  sides: Sides,
  { person, phone, country }: { person: NumberedPerson; phone: string; country?: string },
): Promise<void> {
  const { take, isLead = false } = WAYS_IN[name]!
  const { contactId, reply } = await take(sides, phone, country)
  noteShown(model, reply)
  const contact = await compare(model, sides, person, contactId)
  contact.isLead ||= isLead
}

const waysIn = Object.entries(WAYS_IN).flatMap(([name, { slow, takesCountry, isIndian }]) => [
  ...Array(slow ? 1 : 2).fill(
    command<Text, Model, Sides>(name, text, (model, sides, input) =>
      takeNumber(name, model, sides, {
        person: isIndian ? (input.person ?? NUMBERED[0]!) : personMeant(model, input, { sending: false }),
        phone: textOf(model, input),
      }),
    ),
  ),
  ...(takesCountry
    ? [
        command<Beside, Model, Sides>(
          `${name}, with a country`,
          parallel,
          (model, sides, { person, digits, country }) =>
            takeNumber(name, model, sides, { person, phone: digits, country }),
        ),
      ]
    : []),
])

const sends = Object.entries(SENDS).map(([name, { send, messageId, always = false }]) =>
  command<Text, Model, Sides>(name, text, async (model, sides, input) => {
    const person = personMeant(model, input, { sending: true })
    const answer = await send(sides, textOf(model, input))
    if (model.contacts.get(person)?.stopped) {
      expect([answer.status, answer.body.error]).toEqual([409, 'contact_opted_out'])
      return
    }
    if (answer.body.error === 'outside_24h_window' && !always) return
    expect([answer.status, answer.text]).toEqual([expect.toBeOneOf([200, 201]), answer.text])
    noteShown(model, answer.body)
    const id = messageId ? await messageId(sides, answer) : answer.body.messageId
    const { message } = (await sides.shop.get(`/messages/${id}`)).body
    const contact = await compare(model, sides, person, message.contactId)
    contact.sent.push(id)
  }),
)

const lookUps = Object.entries(LOOK_UPS).map(([name, { find, ofLeads = false, mayBeEmpty = false }]) =>
  command<Text, Model, Sides>(name, text, async (model, sides, input) => {
    const contact = model.contacts.get(personMeant(model, input, { sending: false }))
    const ids = await find(sides, textOf(model, input))
    if (ids.length === 0 && mayBeEmpty) return
    expect(ids).toEqual(contact && (contact.isLead || !ofLeads) ? [contact.contactId] : [])
  }),
)

const words = fc.constantFrom('Hello', 'STOP', 'START')
type Said = { input: Text; words: string }

function applyWords(model: Model, person: NumberedPerson, words: string): void {
  if (words !== 'Hello') model.contacts.get(person)!.stopped = words === 'STOP'
}

const operatorWays = Object.entries(OPERATOR_WAYS).map(([name, report]) =>
  command<{ person: NumberedPerson; spelling: number; words: string }, Model, Sides>(
    name,
    fc.record({ person: fc.constantFrom(...NUMBERED), spelling: fc.nat(1), words }),
    async (model, sides, { person, spelling, words }) => {
      const digits = person.spellings[spelling % person.spellings.length]!.slice(1)
      const { contactId } = await report(sides, digits, words)
      await compare(model, sides, person, contactId)
      if (name === 'the operator reports a message') applyWords(model, person, words)
    },
  ),
)

const commands = [
  ...waysIn,
  ...sends,
  ...lookUps,
  ...operatorWays,
  command<Text, Model, Sides>('POST /conversations', text, async (model, sides, input) => {
    const answer = await sides.shop.post('/conversations', { phone: textOf(model, input) })
    expect([200, 201]).toContain(answer.status)
    noteShown(model, answer.body)
    await compare(
      model,
      sides,
      personMeant(model, input, { sending: true }),
      answer.body.conversation.contact.id,
    )
  }),
  ...Array(3).fill(
    command<Said, Model, Sides>(
      'a customer writes',
      fc.record({ input: text, words }),
      async (model, sides, { input, words }) => {
        const { shop } = sides
        const person = personMeant(model, input, { sending: false })
        const answer = await shop.post('/sandbox/inbound', { from: textOf(model, input), text: words })
        expect(answer.status).toBe(202)
        await shop.advance(1)
        const { message } = (await shop.get(`/messages/${answer.body.messageId}`)).body
        await compare(model, sides, person, message.contactId)
        applyWords(model, person, words)
      },
    ),
  ),
  command<Text, Model, Sides>('a customer calls', text, async (model, sides, input) => {
    const person = personMeant(model, input, { sending: false })
    const answer = await sides.shop.post('/sandbox/simulate', { kind: 'call', from: textOf(model, input) })
    expect([answer.status, answer.text]).toEqual([expect.toBeOneOf([200, 201, 202]), answer.text])
    await sides.shop.advance(1)
    const { contact } = (await sides.shop.get(`/contacts/${person.spellings[0]}`)).body
    await compare(model, sides, person, contact.id)
  }),
  command<{ target: Text; from: Text }, Model, Sides>(
    'POST /contacts/{id}/merge',
    fc.record({ target: full, from: full }),
    async (model, { shop }, { target, from }) => {
      const [targetPerson, merged] = [target, from].map(({ person }) => person!) as [
        NumberedPerson,
        NumberedPerson,
      ]
      const isOne = model.contacts.get(targetPerson) === model.contacts.get(merged)
      const path = `/contacts/${encodeURIComponent(textOf(model, target))}/merge`
      const answer = await shop.post(path, { from: textOf(model, from) })
      expect([answer.status, answer.text]).toEqual([isOne ? expect.toBeOneOf([200, 400]) : 200, answer.text])
      noteShown(model, answer.body)
      join(model, targetPerson, merged)
    },
    ({ contacts }, { target, from }) => contacts.has(target.person!) && contacts.has(from.person!),
  ),
  command<Text, Model, Sides>('DELETE /contacts/{id}', full, async (model, { shop }, input) => {
    const answer = await shop.delete(`/contacts/${encodeURIComponent(textOf(model, input))}`)
    expect(answer.status).toBe(model.contacts.has(input.person!) ? 200 : 404)
    forget(model, input.person!)
  }),
]

async function begin(): Promise<Sides> {
  const shop = await parley.workspace({ sandbox: true })
  await shop.set({ leadCapture: true, modules: ['invoicing', 'bookings'] })
  await storeTemplate(parley, shop, {
    language: 'en',
    components: [{ type: 'BODY', text: 'Your order is ready.' }],
  })
  const settings = { publicPage: true, maxOpenPerCustomer: 100 }
  const { bookingSettings } = (await shop.call('PUT', '/booking-settings', settings)).body
  const { flows } = (await shop.get('/flows')).body
  return {
    parley,
    shop,
    browser: await signIn(parley, shop, 'agent'),
    number: await connectNumber(parley, shop, { operator: 'simulator' }),
    bookingPath: new URL(bookingSettings.url).pathname,
    serviceId: (await madeService(shop)).id,
    quotationId: (await madeQuotation(shop, { customer: { name: 'Asha' }, issue: true })).id,
    flowId: flows[0].id,
    socialChatId: await socialChatId(shop),
  }
}

/** Compares all contacts, and the recipient of each message. */
async function compareAll(model: Model, { shop }: Sides): Promise<void> {
  const { contacts } = (await shop.get('/contacts?limit=100&channel=chat')).body
  expect(contacts.map(({ id }: Body) => id).sort()).toEqual(contactIds(model))
  for (const { contactId, sent } of new Set(model.contacts.values())) {
    const { messages } = (await shop.get(`/messages?limit=100&contactId=${contactId}`)).body
    expect(messages.map(({ id }: Body) => id)).toEqual(expect.arrayContaining(sent))
  }
}

test(
  'one person has one contact, in any spelling and input, and no message is sent after STOP',
  () =>
    playModel<Model, Sides, null>({
      name: 'numbers',
      commands,
      longest: 40,
      runs: 4,
      setting: fc.constant(null),
      begin: async () => ({ model: { contacts: new Map(), shown: new Map() }, real: await begin() }),
      end: compareAll,
    }),
  timeFor(240_000),
)
