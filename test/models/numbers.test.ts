/**
 * Random spellings of numbers through every way in, against a plain model: one person has one contact, a message goes to nobody else, and
 * nothing is sent after STOP, whichever spelling it came from (docs/clarifications.md).
 */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Answered, type Body, boot, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { timeFor } from '../support/fault-run.ts'
import { command, playModel } from '../support/play-model.ts'
import { storeTemplate } from '../support/templates.ts'
import { NUMBERED, type NumberedPerson, WRITINGS } from './numbers-people.ts'

let parley: TestParley
beforeAll(async () => {
  parley = await boot()
})
afterAll(() => parley.close())

/** A person whom the workspace knows: their contact, and whether they sent STOP. */
type Known = { contactId: string; stopped: boolean }
type Model = { known: Map<NumberedPerson, Known> }

/** A text that names a person: a full number, or ten digits that mean whoever is stored, else a country that the way in decides. */
type Text = { text: string; person: NumberedPerson | undefined }

const [asha, bob] = NUMBERED as [NumberedPerson, NumberedPerson]
const full: fc.Arbitrary<Text> = fc
  .record({ person: fc.constantFrom(...NUMBERED), spelling: fc.nat(1), write: fc.constantFrom(...WRITINGS) })
  .map(({ person, spelling, write }) => ({
    person,
    text: write(person.spellings[spelling % person.spellings.length]!),
  }))
const bare: fc.Arbitrary<Text> = fc.constant({ text: asha.bare!, person: undefined })
const text = fc.oneof({ weight: 6, arbitrary: full }, { weight: 1, arbitrary: bare })

/** Who a text means. `sending`: the way in knows the sending number, whose country a new bare number takes. */
function meant({ known }: Model, { person }: Text, { sending }: { sending: boolean }): NumberedPerson {
  if (person) return person
  if (known.has(asha)) return asha
  if (known.has(bob)) return bob
  return sending ? bob : asha
}

/** Holds the contact that an answer is about to the model; a new person takes the id from it. */
async function compare(
  model: Model,
  shop: TestWorkspace,
  person: NumberedPerson,
  contactId: string,
): Promise<void> {
  const known = model.known.get(person)
  if (known) expect([person.name, contactId]).toEqual([person.name, known.contactId])
  else model.known.set(person, { contactId, stopped: false })
  const { contact } = (await shop.get(`/contacts/${contactId}`)).body
  expect(person.spellings).toContain(contact.e164)
}

const contactIdOf = async (shop: TestWorkspace, phone: string): Promise<string> =>
  (await shop.get(`/contacts/${encodeURIComponent(phone)}`)).body.contact?.id

type Way = (shop: TestWorkspace, phone: string) => Promise<Answered>
const WAYS_IN: Record<
  string,
  { call: Way; contactId(shop: TestWorkspace, answer: Body): Promise<string> | string }
> = {
  'POST /contacts': {
    call: (shop, phone) => shop.post('/contacts', { phone }),
    contactId: (_, { contact }) => contact.id,
  },
  'POST /contacts/bulk': {
    call: (shop, phone) => shop.post('/contacts/bulk', { contacts: [{ phone }] }),
    contactId: (_, { results }) => results[0].contactId,
  },
  'POST /leads': {
    call: (shop, phone) => shop.post('/leads', { phone }),
    contactId: (shop, { lead }) => contactIdOf(shop, `+${lead.phone}`),
  },
  'the capture link': {
    call: (shop, phone) =>
      parley.anonymous.post(`${parley.url}/api/leads/capture/${shop.captureToken}`, {
        phone,
        note: String(Math.random()),
      }),
    contactId: async (shop) => {
      const { leads } = (await shop.get('/leads?sort=-lastCapturedAt&pageSize=1')).body
      return contactIdOf(shop, `+${leads[0].phone}`)
    },
  },
}

const wayIn = (name: string) =>
  command<Text, Model, TestWorkspace>(name, text, async (model, shop, one) => {
    const { call, contactId } = WAYS_IN[name]!
    const answer = await call(shop, one.text)
    expect([200, 201]).toContain(answer.status)
    await compare(model, shop, meant(model, one, { sending: false }), await contactId(shop, answer.body))
  })

const template = (to: string) => ({
  to,
  type: 'template',
  payload: { type: 'template', template: { name: 'order_ok', language: { code: 'en' } } },
})

const commands = [
  ...Object.keys(WAYS_IN)
    .filter((name) => name !== 'the capture link')
    .map(wayIn),
  command<Text, Model, TestWorkspace>('POST /send', text, async (model, shop, one) => {
    const person = meant(model, one, { sending: true })
    const answer = await shop.post('/send', template(one.text))
    if (model.known.get(person)?.stopped) {
      expect([answer.status, answer.body.error]).toEqual([409, 'contact_opted_out'])
      return
    }
    expect(answer.status).toBe(200)
    const { message } = (await shop.get(`/messages/${answer.body.messageId}`)).body
    await compare(model, shop, person, message.contactId)
  }),
  command<Text, Model, TestWorkspace>('POST /conversations', text, async (model, shop, one) => {
    const answer = await shop.post('/conversations', { phone: one.text })
    expect([200, 201]).toContain(answer.status)
    await compare(model, shop, meant(model, one, { sending: true }), answer.body.conversation.contact.id)
  }),
  command<{ one: Text; said: string }, Model, TestWorkspace>(
    'a customer writes',
    fc.record({ one: full, said: fc.constantFrom('Hello', 'STOP', 'START') }),
    async (model, shop, { one, said }) => {
      const person = one.person!
      const answer = await shop.post('/sandbox/inbound', { from: one.text, text: said })
      expect(answer.status).toBe(202)
      await shop.advance(1)
      const { message } = (await shop.get(`/messages/${answer.body.messageId}`)).body
      await compare(model, shop, person, message.contactId)
      if (said !== 'Hello') model.known.get(person)!.stopped = said === 'STOP'
    },
  ),
  command<Text, Model, TestWorkspace>('GET /contacts/{id}', text, async (model, shop, one) => {
    const id = await contactIdOf(shop, one.text)
    expect(id).toBe(model.known.get(meant(model, one, { sending: false }))?.contactId)
  }),
  command<Text, Model, TestWorkspace>('GET /contacts?phone=', text, async (model, shop, one) => {
    const { contacts } = (await shop.get(`/contacts?phone=${encodeURIComponent(one.text)}`)).body
    const known = model.known.get(meant(model, one, { sending: false }))
    expect(contacts.map((contact: Body) => contact.id)).toEqual(known ? [known.contactId] : [])
  }),
  command<Text, Model, TestWorkspace>('DELETE /contacts/{id}', full, async (model, shop, one) => {
    const answer = await shop.delete(`/contacts/${encodeURIComponent(one.text)}`)
    expect(answer.status).toBe(model.known.has(one.person!) ? 200 : 404)
    model.known.delete(one.person!)
  }),
]

test(
  'one person has one contact, whatever spelling comes by whatever way, and nothing goes out after STOP',
  () =>
    playModel<Model, TestWorkspace, null>({
      what: 'numbers',
      commands,
      longest: 30,
      runs: 4,
      setting: fc.constant(null),
      begin: async () => {
        const real = await parley.workspace({ sandbox: true })
        await storeTemplate(parley, real, {
          language: 'en',
          components: [{ type: 'BODY', text: 'Your order is ready.' }],
        })
        return { model: { known: new Map() }, real }
      },
      end: async (model, shop) => {
        const { contacts } = (await shop.get('/contacts?limit=100')).body
        expect(contacts.map((contact: Body) => contact.id).sort()).toEqual(
          [...model.known.values()].map(({ contactId }) => contactId).sort(),
        )
      },
    }),
  timeFor(240_000),
)
