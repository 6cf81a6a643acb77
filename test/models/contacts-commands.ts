/** Actions of callers and customers on contacts; each is compared with the model. */
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { expect } from 'vitest'
import type { Answered, Body, TestWorkspace } from '../support/boot.ts'
import { command } from '../support/play-model.ts'
import {
  type ContactsModel,
  erase,
  find,
  hear,
  type Known,
  merge,
  nameOf,
  type Outcome,
  type Patch,
  patch,
  post,
  search,
} from './contacts-model.ts'
import { PEOPLE, somebody } from './people.ts'

const name = fc.constantFrom('Asha Rao', 'ravi_i', '100% Zoya', ' Asha Rao ', ' ', null)
const tag = fc.constantFrom('vip', ' vip', 'pune', 'Ü')
const value = fc.constantFrom<unknown>(null, 1, 'x', { n: 1, m: [null] }, [1, 2], false)
const change: fc.Arbitrary<Patch> = fc.record(
  {
    displayName: name,
    tags: fc.array(tag, { maxLength: 4 }),
    attributes: fc.dictionary(fc.constantFrom('city', 'size', '$', ' '), value, { maxKeys: 3 }),
    optInStatus: fc.constantFrom('unknown', 'opted_in', 'opted_out'),
    optInSource: fc.constantFrom('fair', '', null),
  },
  { requiredKeys: [] },
)
const CUSTOMER = 'chan:IN.77'
/** A reference to a contact: its spelling in the URL, and the contact meant. */
const someone = fc.oneof(
  { weight: 3, arbitrary: somebody.map(({ e164, spelling }) => ({ key: e164, spelling })) },
  { weight: 1, arbitrary: fc.constant({ key: CUSTOMER, spelling: CUSTOMER }) },
)

/** Returns the path of a contact: with the spelling, or with our ID if the workspace has the contact. */
const pathOf = (
  model: ContactsModel,
  { key, spelling, byId }: { key: string; spelling: string; byId: boolean },
) => `/contacts/${encodeURIComponent(byId ? (find(model, key)?.id ?? randomUUID()) : spelling)}`

/** Returns a contact as in replies, without times. */
export const shown = (contact: Known) => ({
  id: contact.id,
  e164: contact.key,
  phone: contact.key,
  userId: contact.key.startsWith('chan:') ? contact.key.slice(5) : null,
  username: contact.username,
  displayName: nameOf(contact),
  tags: contact.tags,
  attributes: contact.attributes,
  optInStatus: contact.optInStatus,
  optInSource: contact.optInSource,
  blocked: false,
  channel: 'chat',
})

/** Compares an answer with the model; a new contact in the model gets its ID from the answer. */
function compare(answer: Answered, outcome: Outcome): void {
  expect([answer.status, answer.body.error]).toEqual([
    outcome.status,
    'error' in outcome ? outcome.error : undefined,
  ])
  if (!('contact' in outcome)) return
  const { contact } = answer.body
  if (outcome.status === 201) outcome.contact.id = contact.id
  expect(contact).toMatchObject(shown(outcome.contact))
  expect(contact.attributes).toEqual(outcome.contact.attributes)
  if (outcome.status === 201) expect(contact.updatedAt).toBe(contact.createdAt)
  if ('created' in answer.body) expect(answer.body.created).toBe(outcome.status === 201)
}

export type Real = TestWorkspace

const byRef = fc
  .record({ person: someone, byId: fc.boolean() })
  .map(({ person, byId }) => ({ ...person, byId }))

export const commands = [
  command<{ person: { e164: string; spelling: string }; body: Patch }, ContactsModel, Real>(
    'POST /contacts',
    fc.record({ person: somebody, body: change }),
    async (model, shop, { person, body }) =>
      compare(
        await shop.post('/contacts', { phone: person.spelling, ...body }),
        post(model, person.e164, body),
      ),
  ),
  command<{ person: { key: string; spelling: string; byId: boolean }; body: Patch }, ContactsModel, Real>(
    'PATCH /contacts/{id}',
    fc.record({ person: byRef, body: change }),
    async (model, shop, { person, body }) => {
      const path = pathOf(model, person)
      const before = await shop.get(path)
      const answer = await shop.patch(path, body)
      const outcome = patch(model, person.key, body)
      compare(answer, outcome)
      if ('contact' in outcome && outcome.changed.length === 0) expect(answer.body).toEqual(before.body)
    },
  ),
  command<{ key: string; spelling: string; byId: boolean }, ContactsModel, Real>(
    'DELETE /contacts/{id}',
    byRef,
    async (model, shop, person) => {
      const answer = await shop.delete(pathOf(model, person))
      const outcome = erase(model, person.key)
      if (!('contact' in outcome)) return compare(answer, outcome)
      expect([answer.status, answer.body]).toEqual([200, { ok: true, deleted: true }])
    },
  ),
  command<{ target: { e164: string; spelling: string }; from: { e164: string } }, ContactsModel, Real>(
    'POST /contacts/{id}/merge, and the end of whom it keeps',
    fc.record({ target: somebody, from: somebody }),
    async (model, shop, { target, from }) => {
      const path = `/contacts/${encodeURIComponent(target.spelling)}`
      const merged = find(model, from.e164)
      const answer = await shop.post(`${path}/merge`, { from: from.e164 })
      const sources = [find(model, target.e164), merged].map((contact) => contact?.optInSource)
      const outcome = merge(model, target.e164, from.e164)
      // If both customers wrote the same word, the later message is the proof; both may be in the same
      // second.
      const source = answer.body.contact?.optInSource
      if ('contact' in outcome && outcome.contact.refused && sources.includes(source))
        outcome.contact.optInSource = source
      compare(answer, outcome)
      if (!('contact' in outcome) || !merged) return
      for (const ref of [merged.id, from.e164])
        compare(await shop.get(`/contacts/${encodeURIComponent(ref)}`), outcome)
      // By the merged contact's ID: afterwards, both numbers are unknown again.
      expect((await shop.delete(`/contacts/${merged.id}`)).status).toBe(200)
      for (const reported of model.reported) if (reported.contact === merged) reported.erased = true
      erase(model, target.e164)
      expect((await shop.get(`/contacts/${encodeURIComponent(from.e164)}`)).status).toBe(404)
    },
  ),
  command<{ key: string; spelling: string; byId: boolean }, ContactsModel, Real>(
    'GET /contacts/{id}',
    byRef,
    async (model, shop, person) => {
      const contact = find(model, person.key)
      compare(
        await shop.get(pathOf(model, person)),
        contact ? { status: 200, contact, changed: [] } : { status: 404, error: 'not_found' },
      )
    },
  ),
  command<{ person: { key: string }; text: string; name?: string; username?: string }, ContactsModel, Real>(
    'POST /sandbox/inbound',
    fc.record(
      {
        person: someone,
        text: fc.constantFrom('STOP', 'START', 'Is it in stock?'),
        name: fc.constantFrom('Asha', 'Meera N'),
      },
      { requiredKeys: ['person', 'text'] },
    ),
    async (model, shop, { person, text, name }) => {
      const username = person.key === CUSTOMER ? { username: 'zoya.k' } : {}
      const answer = await shop.post('/sandbox/inbound', {
        from: person.key,
        text,
        ...(name ? { name } : {}),
        ...username,
      })
      expect(answer.status, answer.text).toBe(202)
      const { chanmid } = (await shop.get(`/messages/${answer.body.messageId}`)).body.message
      const contact = hear(model, person.key, { text, chanmid, ...(name ? { name } : {}), ...username })
      const read = await shop.get(`/contacts/${encodeURIComponent(person.key)}`)
      contact.id ||= read.body.contact?.id
      compare(read, { status: 200, contact, changed: [] })
    },
  ),
  command<{ person: { e164: string; spelling: string }; body: Patch }, ContactsModel, Real>(
    'three concurrent duplicates of POST /contacts',
    fc.record({ person: somebody, body: change }),
    async (model, shop, { person, body }) => {
      const duplicate = () => shop.post('/contacts', { phone: person.spelling, ...body })
      const answers = (await Promise.all([duplicate(), duplicate(), duplicate()])).sort(
        (a, b) => b.status - a.status,
      )
      const isNew = !find(model, person.e164)
      for (const answer of answers) compare(answer, post(model, person.e164, body))
      if (isNew) expect(answers.map((answer) => answer.status)).not.toEqual([201, 201, 200])
    },
  ),
  command<{ e164: string; spelling: string }, ContactsModel, Real>(
    'two changes of one contact at once',
    somebody,
    async (model, shop, { e164, spelling }) => {
      const patches: Patch[] = [{ attributes: { left: 1 } }, { attributes: { right: 1 } }]
      const path = `/contacts/${encodeURIComponent(spelling)}`
      const answers = await Promise.all(patches.map((body) => shop.patch(path, body)))
      const outcomes = patches.map((body) => patch(model, e164, body))
      expect(answers.map(({ status }) => status)).toEqual(outcomes.map(({ status }) => status))
    },
  ),
  command<{ person: { e164: string; spelling: string }; body: Patch }, ContactsModel, Real>(
    'POST and DELETE of one number at once',
    fc.record({ person: somebody, body: change }),
    async (model, shop, { person, body }) => {
      const existed = find(model, person.e164) !== undefined
      const [posted, erased] = await Promise.all([
        shop.post('/contacts', { phone: person.spelling, ...body }),
        shop.delete(`/contacts/${encodeURIComponent(person.spelling)}`),
      ])
      // The answers show which request came first; the result must be as if they ran in that order.
      const erasedFirst = existed ? [201, 402].includes(posted.status) : erased.status === 404
      const steps = [
        () => compare(posted, post(model, person.e164, body)),
        () => expect(erased.status).toBe(erase(model, person.e164).status),
      ]
      for (const step of erasedFirst ? steps.reverse() : steps) step()
    },
  ),
  command<[string, object], ContactsModel, Real>(
    'a bad body',
    fc.constantFrom<[string, object]>(
      ['phone', {}],
      ['phone', { phone: CUSTOMER }],
      ['displayName', { phone: PEOPLE[0]!.e164, displayName: 'x'.repeat(201) }],
      ['tags[0]', { phone: PEOPLE[0]!.e164, tags: [' '] }],
      ['optInStatus', { phone: PEOPLE[0]!.e164, optInStatus: 'maybe' }],
      ['nickname', { phone: PEOPLE[0]!.e164, nickname: 'A' }],
    ),
    async (_model, shop, [field, body]) => {
      const answer = await shop.post('/contacts', body)
      expect([answer.status, answer.body.error, answer.body.issues?.[0]?.path]).toEqual([
        400,
        'invalid',
        field,
      ])
    },
  ),
  command<string, ContactsModel, Real>(
    'GET /contacts?search',
    fc.constantFrom(
      'asha',
      'RAO',
      '_',
      '%',
      '98123',
      '+91 98-98',
      ' ',
      '0001',
      'zoya.K',
      'nobody',
      '  ravi_I ',
    ),
    async (model, shop, text) => {
      const found = (await shop.get(`/contacts?search=${encodeURIComponent(text)}`)).body.contacts
      expect(found.map((contact: Body) => contact.e164)).toEqual(
        search(model, text)
          .map((contact) => contact.key)
          .toReversed(),
      )
    },
  ),
  command<{ e164: string; spelling: string }, ContactsModel, Real>(
    'GET /contacts?phone',
    somebody,
    async (model, shop, { e164, spelling }) => {
      const found = (await shop.get(`/contacts?phone=${encodeURIComponent(spelling)}`)).body.contacts
      expect(found.map((contact: Body) => contact.id)).toEqual(
        find(model, e164) ? [find(model, e164)!.id] : [],
      )
    },
  ),
]
