/** Actions of callers and customers on leads; each is compared with the model. */
import fc from 'fast-check'
import { expect } from 'vitest'
import type { Answered, Body, TestWorkspace } from '../support/boot.ts'
import { command } from '../support/play-model.ts'
import { type Asked, CONDITIONS, listed, VIEWS } from './lead-lists-model.ts'
import {
  capture,
  change,
  erase,
  type Fields,
  findContact,
  findLead,
  type Lead,
  type LeadsModel,
  newContact,
  note,
  type Outcome,
  withIds,
} from './leads-model.ts'
import { somebody } from './people.ts'

/** A workspace, and the end of its day in ISO 8601. */
export type Real = { shop: TestWorkspace; today: string; endOfToday: string }

const LONG_AGO = '2020-03-01T00:00:00.000Z'
const FAR_AWAY = '2035-03-01T00:00:00.000Z'
const TODAY = 'today'

const stage = fc.constantFrom(
  'new',
  'Qualified',
  '#Proposal',
  'WON',
  '#Won',
  'Lost',
  '#Lost',
  'lost',
  'Nowhere',
)
const lostReason = fc.constantFrom('Price', '#Price', 'other', 'Nothing')
const owner = fc.constantFrom('Ravi Iyer', 'MEERA nair', '#Meera Nair', 'ravi@EXAMPLE.com', 'Nobody', null)
const tags = fc.uniqueArray(fc.constantFrom('vip', 'pune', 'x y'), { maxLength: 3 })
const common = {
  name: fc.constantFrom('Asha Rao', 'Natasha', 'Ravi', ' ', null),
  email: fc.constantFrom('asha@example.com', 'blue@shop.example', null),
  source: fc.constantFrom('fair', 'Fair', 'website', '', null),
  owner,
  rating: fc.constantFrom(0, 3, 5),
  dealValue: fc.constantFrom(0, 10.5, 99.99, 48_000),
  tags,
  attributes: fc.dictionary(
    fc.constantFrom('city', 'size'),
    fc.constantFrom<unknown>('Pune', 'Goa', null, { n: 1 }),
    {
      maxKeys: 2,
    },
  ),
  nextFollowUpAt: fc.constantFrom(LONG_AGO, FAR_AWAY, TODAY, null),
}
const NOTES = ['Likes blue.', 'Call 98123', 'asha@example.com is her mail']
/** Mostly omits the stage and the reason, because random pairs of them are usually invalid. */
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 2 })
const arrival: fc.Arbitrary<Fields> = fc.record(
  { ...common, stage, lostReason: optional(lostReason), note: fc.constantFrom(...NOTES) },
  { requiredKeys: [] },
)
const edit: fc.Arbitrary<Fields> = fc.oneof(
  fc.record({ ...common, addTags: tags, removeTags: tags }, { requiredKeys: [] }),
  fc.record({ stage, lostReason, owner, rating: common.rating }, { requiredKeys: [] }),
)

const bodyOf = (model: LeadsModel, { today }: Real, fields: Fields): Fields => {
  const body = withIds(model, fields)
  return body.nextFollowUpAt === TODAY ? { ...body, nextFollowUpAt: today } : body
}
const resolveToday = ({ today }: Real, fields: Fields): Fields =>
  fields.nextFollowUpAt === TODAY ? { ...fields, nextFollowUpAt: today } : fields

/** Returns a lead as in replies, without times. */
export const shown = (lead: Lead) => ({
  id: lead.id,
  name: lead.name,
  phone: lead.contact.e164.slice(1),
  email: lead.email,
  stage: { id: lead.stage.id, name: lead.stage.name, kind: lead.stage.kind },
  lostReason: lead.reason,
  rating: lead.rating,
  source: lead.source,
  owner: lead.owner,
  dealValue: lead.dealValue,
  paidTotal: 0,
  tags: lead.tags,
  nextFollowUpAt: lead.followUpAt,
  captureCount: lead.captureCount,
  contactId: lead.contact.id,
  conversationId: lead.contact.conversationId,
})

/**
 * Compares an answer with the model; new records in the model get their IDs from the answer. `loose`: a
 * concurrent request changed the lead.
 */
function compare(answer: Answered, outcome: Outcome, loose = false): void {
  expect([answer.status, answer.body.error], answer.text).toEqual([
    outcome.status,
    'error' in outcome ? outcome.error : undefined,
  ])
  if ('fields' in outcome) expect(outcome.fields).toContain(answer.body.issues[0].path)
  if (!('lead' in outcome)) return
  const { lead } = outcome
  if (answer.body.note) {
    expect(answer.body.note.leadId).toBe(lead.id)
    return
  }
  if (outcome.status === 201) {
    lead.id = answer.body.lead.id
    lead.contact.leadId = lead.id
    lead.contact.id ||= answer.body.lead.contactId
  }
  expect(answer.body.lead.id).toBe(lead.id)
  if (!loose) {
    expect(answer.body.lead).toMatchObject(shown(lead))
    expect(answer.body.lead.attributes).toEqual(lead.attributes)
  }
  if ('created' in answer.body) expect(answer.body.created).toBe(outcome.status === 201)
  if ('changed' in answer.body) expect(answer.body.changed.toSorted()).toEqual(outcome.changed.toSorted())
}

type Who = { e164: string; spelling: string }

/** Returns the path of a lead: with a spelling of its number, or with our ID. */
const pathOf = (model: LeadsModel, { e164, spelling }: Who, byId: boolean): string =>
  `/leads/${encodeURIComponent((byId && findLead(model, e164)?.id) || spelling)}`

const lists: fc.Arbitrary<Asked> = fc.record({
  view: fc.constantFrom(...VIEWS),
  conditions: fc.uniqueArray(fc.constantFrom(...CONDITIONS), { maxLength: 2 }),
  match: fc.constantFrom('all', 'any'),
  q: optional(fc.constantFrom('ASHA', 'blue', '98123', '98 12', '9198981', '+91 98123', 'nobody', ' ')).map(
    (q) => q ?? null,
  ),
})

/** Requests a list, two leads a page, and compares its pages and totals with the model. */
export async function compareList(
  model: LeadsModel,
  { shop, endOfToday }: Real,
  listFilter: Asked,
): Promise<void> {
  const { view, conditions, match, q } = listFilter
  const filter = { match, conditions: conditions.map(({ field, op, value }) => ({ field, op, value })) }
  const query = new URLSearchParams({ view, pageSize: '2' })
  if (conditions.length > 0) query.set('filter', JSON.stringify(filter))
  if (q !== null) query.set('q', q)
  const expected = listed(model, { ...listFilter, q: q?.trim() ? q : null }, endOfToday)
  const rows: Body[] = []
  for (let page = 1; page <= Math.ceil(expected.length / 2) + 1; page++) {
    query.set('page', String(page))
    const { status, body, text } = await shop.get(`/leads?${query}`)
    expect([status, body.total], `${query} ${text}`).toEqual([200, expected.length])
    rows.push(...body.leads)
  }
  const ids = expected.map((lead) => lead.id)
  if (view !== 'sys:followups')
    expect(
      rows.map((row) => row.id),
      String(query),
    ).toEqual(ids)
  else {
    expect(rows.map((row) => row.id).toSorted()).toEqual(ids.toSorted())
    const due = rows.map((row) => row.nextFollowUpAt)
    expect(due).toEqual(due.toSorted())
  }
}

/** Checks the order of a list: leads without a value come last in both directions. */
async function compareSort(model: LeadsModel, { shop }: Real, sort: string, dir: string): Promise<void> {
  const { leads } = (await shop.get(`/leads?sort=${sort}&dir=${dir}`)).body
  expect(leads.map((row: Body) => row.id).toSorted()).toEqual(model.leads.map((lead) => lead.id).toSorted())
  const values: (string | number | null)[] = leads.map((row: Body) => row[sort] ?? null)
  const filled = values.filter((value) => value !== null)
  expect(values).toEqual([...filled, ...values.filter((value) => value === null)])
  const rising = filled.toSorted((a, b) =>
    typeof a === 'number' ? a - Number(b) : a.localeCompare(String(b)),
  )
  expect(filled).toEqual(dir === 'asc' ? rising : rising.toReversed())
}

export const commands = [
  command<{ person: Who; body: Fields }, LeadsModel, Real>(
    'POST /leads',
    fc.record({ person: somebody, body: arrival }),
    async (model, real, { person, body }) =>
      compare(
        await real.shop.post('/leads', { phone: person.spelling, ...bodyOf(model, real, body) }),
        capture(model, person.e164, resolveToday(real, body)),
      ),
  ),
  command<{ person: Who; byId: boolean; body: Fields }, LeadsModel, Real>(
    'PATCH /leads/{id}',
    fc.record({ person: somebody, byId: fc.boolean(), body: edit }),
    async (model, real, { person, byId, body }) =>
      compare(
        await real.shop.patch(pathOf(model, person, byId), bodyOf(model, real, body)),
        change(model, person.e164, resolveToday(real, body)),
      ),
  ),
  command<{ person: Who; byId: boolean; body: string }, LeadsModel, Real>(
    'POST /leads/{id}/notes',
    fc.record({ person: somebody, byId: fc.boolean(), body: fc.constantFrom(...NOTES) }),
    async (model, { shop }, { person, byId, body }) =>
      compare(
        await shop.post(`${pathOf(model, person, byId)}/notes`, { body }),
        note(model, person.e164, body),
      ),
  ),
  command<Who, LeadsModel, Real>(
    'DELETE /contacts/{id}',
    somebody,
    async (model, { shop }, { e164, spelling }) => {
      const answer = await shop.delete(`/contacts/${encodeURIComponent(spelling)}`)
      expect(answer.status).toBe(erase(model, e164) ? 200 : 404)
    },
  ),
  command<Who, LeadsModel, Real>('a customer writes', somebody, async (model, { shop }, { e164 }) => {
    const answer = await shop.post('/sandbox/inbound', { from: e164, text: 'Hello' })
    expect(answer.status).toBe(202)
    const created = findContact(model, e164) ? undefined : newContact(model, e164, null, true)
    const contact = findContact(model, e164)!
    const opened = contact.conversationId === null
    const { message } = (await shop.get(`/messages/${answer.body.messageId}`)).body
    contact.conversationId = message.conversationId
    contact.wrote++
    contact.id ||= (await shop.get(`/contacts/${encodeURIComponent(e164)}`)).body.contact.id
    findLead(model, e164)?.story.push(['message_received'])
    const events = [
      'message.received',
      ...(created ? ['contact.created'] : []),
      ...(opened ? ['conversation.opened'] : []),
    ]
    model.reported.push(events.map((event) => ({ event, contact })))
  }),
  command<{ person: Who; body: Fields }, LeadsModel, Real>(
    'three concurrent duplicates of POST /leads',
    fc.record({ person: somebody, body: arrival }),
    async (model, real, { person, body }) => {
      const sent = { phone: person.spelling, ...bodyOf(model, real, body) }
      const answers = await Promise.all([1, 2, 3].map(() => real.shop.post('/leads', sent)))
      const countOf = ({ body }: Answered) => body.lead?.captureCount ?? 0
      for (const answer of answers.toSorted((a, b) => countOf(a) - countOf(b)))
        compare(answer, capture(model, person.e164, resolveToday(real, body)))
      const story = findLead(model, person.e164)?.story
      story?.push(story.splice(-answers.length).flat())
    },
  ),
  command<{ person: Who; body: Fields }, LeadsModel, Real>(
    'a lead comes in again while it is changed',
    fc.record({ person: somebody, body: edit }),
    async (model, real, { person, body }) => {
      const [changed, captured] = await Promise.all([
        real.shop.patch(pathOf(model, person, false), bodyOf(model, real, body)),
        real.shop.post('/leads', { phone: person.spelling }),
      ])
      const steps = [
        () => compare(captured, capture(model, person.e164, {}), true),
        () => compare(changed, change(model, person.e164, resolveToday(real, body)), true),
      ]
      const reportedBefore = model.reported.length
      const { story } = findLead(model, person.e164)!
      const storyBegun = story.length
      for (const step of changed.status === 404 ? steps.toReversed() : steps) step()
      story.push(story.splice(storyBegun).flat())
      // Each event may show the lead before or after the other change.
      const reported = model.reported.splice(reportedBefore).flat()
      model.reported.push(reported.map(({ event, contact }) => ({ event, contact })))
    },
    // The model can't tell whether a new lead exists before its concurrent change arrives.
    (model, { person }) => findLead(model, person.e164) !== undefined,
  ),
  command<{ person: Who; body: Fields }, LeadsModel, Real>(
    'POST /leads and DELETE /contacts/{id} at once',
    fc.record({ person: somebody, body: arrival }),
    async (model, real, { person, body }) => {
      const [captured, erased] = await Promise.all([
        real.shop.post('/leads', { phone: person.spelling, ...bodyOf(model, real, body) }),
        real.shop.delete(`/contacts/${encodeURIComponent(person.spelling)}`),
      ])
      const left = (await real.shop.get(pathOf(model, person, false))).status === 200
      const steps = [
        () => compare(captured, capture(model, person.e164, resolveToday(real, body))),
        () => expect(erased.status).toBe(erase(model, person.e164) ? 200 : 404),
      ]
      // A known customer gets an error only after the erasure, if other contacts fill the plan.
      const erasedFirst = captured.status === 402 || (captured.status < 400 && left)
      for (const step of erasedFirst ? steps.toReversed() : steps) step()
    },
  ),
  command<Asked, LeadsModel, Real>('GET /leads', lists, compareList),
  command<[string, string], LeadsModel, Real>(
    'GET /leads?sort',
    fc.tuple(
      fc.constantFrom(
        'rating',
        'dealValue',
        'phone',
        'nextFollowUpAt',
        'createdAt',
        'name',
        'stageChangedAt',
      ),
      fc.constantFrom('asc', 'desc'),
    ),
    (model, real, [sort, dir]) => compareSort(model, real, sort, dir),
  ),
]
