/**
 * Compares filters and their totals with a simple in-memory model, and tests totals under concurrent writes.
 */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { boot, type TestParley, type TestWorkspace } from '../../../../../test/support/boot.ts'
import { randomFrom, seedOf } from '../../../../../test/support/seed.ts'
import { addMember } from '../../../platform/workspaces/operations/workspace-members.ts'
import { addUpLeadCounts } from '../queries/lead-lists.ts'

let parley: TestParley
let shop: TestWorkspace
let next = 60_000_000
const newPhone = (): string => `+9197${next++}`
const seed = seedOf('filters of leads')
const random = randomFrom(seed)
const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)]!
const sample = <T>(items: readonly T[]): T[] => items.filter(() => random() < 0.4)

const STAGES = ['New', 'Contacted', 'Won', 'Lost']
const NAMES = ['Asha Rao', 'asif', 'Meera', 'zoya 7', null]
const SOURCES = ['Website', 'referral', 'Ads', null]
const TAGS = ['vip', 'pune', 'cold']
const OWNERS = ['Ravi Iyer', 'Meera Nair', null]
const CITIES = ['Pune', 'Delhi', undefined]
const DUE = ['2030-01-01T00:00:00.000Z', '2030-01-02T10:20:00.000Z', null]

type ListedLead = {
  id: string
  name: string | null
  phone: string
  source: string | null
  rating: number
  dealValue: number
  tags: string[]
  attributes: { city?: string; size?: number | string }
  nextFollowUpAt: string | null
  stage: { name: string; kind: string }
  owner: { name: string } | null
}
let leads: ListedLead[]

beforeAll(async () => {
  parley = await boot()
  shop = await parley.workspace({ timezone: 'Asia/Kolkata' })
  for (const [i, name] of ['Ravi Iyer', 'Meera Nair'].entries())
    await parley.system((tx) =>
      addMember(
        tx,
        { workspaceId: shop.workspaceId, email: `m${i}@example.com`, name, role: 'agent' },
        new Date(),
      ),
    )
  const staged = () => {
    const stage = pick(STAGES)
    return stage === 'Lost' ? { stage, lostReason: 'Price' } : { stage }
  }
  const bodies = Array.from({ length: 60 }, () => ({
    phone: newPhone(),
    ...(pick([true, false]) ? { name: pick(NAMES) } : {}),
    ...staged(),
    source: pick(SOURCES),
    owner: pick(OWNERS),
    rating: Math.floor(random() * 6),
    dealValue: Math.floor(random() * 5) * 100,
    tags: sample(TAGS),
    attributes: { city: pick(CITIES), size: pick([1, 2.5, '5', '2.5', 'many', undefined]) },
    nextFollowUpAt: pick(DUE),
  }))
  const answers = await Promise.all(bodies.map((body) => shop.post('/leads', body)))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
  leads = answers.map(({ body }) => body.lead)
})
afterAll(() => parley.close())

type TestCondition = { field: string; op: string; value?: unknown }
type Model = (lead: ListedLead, value: never) => boolean
const lower = (text: string | null): string | undefined => text?.toLowerCase()
const textModel = (textOf: (lead: ListedLead) => string | null): Record<string, Model> => ({
  eq: (lead, value: string) => lower(textOf(lead)) === value.toLowerCase(),
  in: (lead, values: string[]) => values.some((value) => lower(textOf(lead)) === value.toLowerCase()),
  contains: (lead, value: string) => lower(textOf(lead))?.includes(value.toLowerCase()) ?? false,
  starts: (lead, value: string) => lower(textOf(lead))?.startsWith(value.toLowerCase()) ?? false,
  empty: (lead) => !textOf(lead),
})
const numberModel = (numberOf: (lead: ListedLead) => number | undefined): Record<string, Model> => ({
  eq: (lead, value: number) => numberOf(lead) === value,
  in: (lead, values: number[]) => values.includes(numberOf(lead) as number),
  gt: (lead, value: number) => (numberOf(lead) ?? Number.NaN) > value,
  gte: (lead, value: number) => (numberOf(lead) ?? Number.NaN) >= value,
  lt: (lead, value: number) => (numberOf(lead) ?? Number.NaN) < value,
  lte: (lead, value: number) => (numberOf(lead) ?? Number.NaN) <= value,
  between: (lead, [from, to]: [number, number]) =>
    (numberOf(lead) ?? Number.NaN) >= from && (numberOf(lead) ?? Number.NaN) <= to,
})
const spelledModel = (model: Record<string, Model>): Record<string, Model> =>
  Object.fromEntries(
    Object.entries(model).map(([op, matches]): [string, Model] => [
      op,
      (lead, value: unknown) =>
        matches(lead, (Array.isArray(value) ? value.map(Number) : Number(value)) as never),
    ]),
  )
const MODEL: Record<string, Record<string, Model>> = {
  name: textModel((lead) => lead.name),
  source: textModel((lead) => lead.source),
  'attributes.city': {
    contains: textModel((lead) => lead.attributes.city ?? null).contains!,
    eq: (lead, value: string) => lead.attributes.city === value,
  },
  stage: {
    eq: (lead, value: string) => lead.stage.name === value,
    in: (lead, values: string[]) => values.includes(lead.stage.name),
  },
  stageKind: { eq: (lead, value: string) => lead.stage.kind === value },
  owner: {
    eq: (lead, value: string) => lead.owner?.name === value,
    in: (lead, values: string[]) => values.includes(lead.owner?.name ?? ''),
    empty: (lead) => lead.owner === null,
  },
  rating: numberModel((lead) => lead.rating),
  dealValue: numberModel((lead) => lead.dealValue),
  // Text that spells a number equals that number, on both sides.
  'attributes.size': spelledModel(
    numberModel(({ attributes: { size } }) =>
      size === undefined || size === 'many' ? undefined : Number(size),
    ),
  ),
  tags: {
    eq: (lead, value: string) => lead.tags.includes(value),
    in: (lead, values: string[]) => values.some((value) => lead.tags.includes(value)),
    empty: (lead) => lead.tags.length === 0,
  },
  nextFollowUpAt: {
    gte: (lead, value: string) => lead.nextFollowUpAt !== null && lead.nextFollowUpAt >= value,
    lt: (lead, value: string) => lead.nextFollowUpAt !== null && lead.nextFollowUpAt < value,
    empty: (lead) => lead.nextFollowUpAt === null,
  },
}
const OPPOSITES: Record<string, string> = { neq: 'eq', nin: 'in', notEmpty: 'empty' }

function fulfils(lead: ListedLead, { field, op, value }: TestCondition): boolean {
  const opposite = OPPOSITES[op]
  return opposite ? !fulfils(lead, { field, op: opposite, value }) : MODEL[field]![op]!(lead, value as never)
}

const values = (field: string): fc.Arbitrary<unknown> => {
  const numbers = [-1, 0, 1, 2, 2.5, 3, 5, 100, 200.01, 400]
  if (field === 'attributes.size') return fc.constantFrom<unknown>(...numbers, ...numbers.map(String))
  if (['rating', 'dealValue'].includes(field)) return fc.constantFrom(...numbers)
  if (field === 'nextFollowUpAt')
    return fc.constantFrom(
      '2030-01-01T00:00:00.000Z',
      '2030-01-01T00:00:00.001Z',
      '2030-01-02T10:20:00.000Z',
      '2031-01-01T00:00:00.000Z',
    )
  const texts: Record<string, string[]> = {
    name: ['asha rao', 'AS', 'a', '7', 'ee', '%'],
    source: ['website', 'Ref', 'ads', 'e', ''],
    'attributes.city': ['Pune', 'Delhi', 'e'],
    stage: STAGES,
    stageKind: ['initial', 'active', 'won', 'lost'],
    owner: ['Ravi Iyer', 'Meera Nair'],
    tags: [...TAGS, 'nothing'],
  }
  return fc.constantFrom(...texts[field]!)
}

const condition: fc.Arbitrary<TestCondition> = fc.constantFrom(...Object.keys(MODEL)).chain((field) => {
  const knownOps = Object.keys(MODEL[field]!)
  const opposites = Object.keys(OPPOSITES).filter((op) => knownOps.includes(OPPOSITES[op]!))
  return fc.constantFrom(...knownOps, ...opposites).chain((op): fc.Arbitrary<TestCondition> => {
    if (op === 'empty' || op === 'notEmpty') return fc.constant({ field, op })
    const value =
      op === 'in' || op === 'nin'
        ? fc.array(values(field), { maxLength: 3 })
        : op === 'between'
          ? fc.tuple(values(field), values(field))
          : values(field)
    return value.map((element) => ({ field, op, value: element }))
  })
})

const VIEWS: Record<string, (lead: ListedLead) => boolean> = {
  'sys:all': () => true,
  'sys:open': ({ stage }) => ['initial', 'active'].includes(stage.kind),
  'sys:unassigned': ({ owner }) => owner === null,
  'sys:won': ({ stage }) => stage.kind === 'won',
}

const SORTED: Record<string, (lead: ListedLead) => string | number | null> = {
  phone: (lead) => lead.phone,
  rating: (lead) => lead.rating,
  dealValue: (lead) => lead.dealValue,
  name: (lead) => lead.name?.toLowerCase() ?? null,
  nextFollowUpAt: (lead) => lead.nextFollowUpAt,
}

describe('filters against an in-memory model', () => {
  test('lists and totals contain exactly the leads that match view, filter and search, in order', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(condition, { maxLength: 3 }),
        fc.constantFrom('all', 'any'),
        fc.constantFrom(...Object.keys(VIEWS)),
        fc.option(fc.constantFrom('as', 'MEERA', '7', '9197', '97600'), { nil: undefined }),
        fc.constantFrom(undefined, ...Object.keys(SORTED)),
        fc.constantFrom('asc', 'desc'),
        async (conditions, match, view, q, sort, dir) => {
          const digits = q !== undefined && /^\d{3,}$/.test(q)
          const expected = leads.filter((lead) => {
            const held = conditions.map((condition) => fulfils(lead, condition))
            const filtered = match === 'all' || held.length === 0 ? held.every(Boolean) : held.some(Boolean)
            const found =
              q === undefined ||
              (lead.name?.toLowerCase().includes(q.toLowerCase()) ?? false) ||
              (digits && (lead.phone.startsWith(q) || lead.phone.startsWith(`91${q}`)))
            return VIEWS[view]!(lead) && filtered && found
          })
          const query = new URLSearchParams({
            view,
            filter: JSON.stringify({ match, conditions }),
            pageSize: '100',
            ...(q === undefined ? {} : { q }),
            ...(sort === undefined ? {} : { sort, dir }),
          })
          const { status, body } = await shop.get(`/leads?${query}`)
          expect(status, JSON.stringify(body)).toBe(200)
          const listedLeads = body.leads as ListedLead[]
          expect(new Set(listedLeads.map(({ id }) => id))).toEqual(new Set(expected.map(({ id }) => id)))
          expect([body.total, listedLeads.length]).toEqual([expected.length, expected.length])
          if (sort === undefined) return
          const keys = listedLeads.map(SORTED[sort]!)
          const full = keys.filter((key) => key !== null)
          const inOrder = [...full].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
          expect(full).toEqual(dir === 'asc' ? inOrder : inOrder.reverse())
          expect(keys.slice(full.length).every((key) => key === null)).toBe(true)
        },
      ),
      { numRuns: 300, seed },
    )
  })
})

test('totals after concurrent writes, erasures and counter sums equal the stored leads', async () => {
  const own = await parley.workspace()
  const phones = Array.from({ length: 40 }, newPhone)
  await Promise.all(phones.map((phone) => own.post('/leads', { phone, source: 'a', tags: ['x'] })))
  const addUpCounts = () => parley.system((tx) => addUpLeadCounts((text, values) => tx.sql(text, values), 30))
  const change = async (phone: string, i: number) => {
    await own.post('/leads', { phone })
    await own.patch(`/leads/${phone}`, {
      stage: pick(STAGES.slice(0, 3)),
      rating: i % 6,
      source: pick(['a', 'b']),
      tags: sample(TAGS),
      nextFollowUpAt: pick(DUE),
    })
    if (i % 5 === 0) await own.delete(`/contacts/${encodeURIComponent(phone)}`)
  }
  await Promise.all([...phones.map(change), addUpCounts(), addUpCounts(), addUpCounts()])
  const total = async (query: Record<string, string>) =>
    (await own.get(`/leads?${new URLSearchParams({ pageSize: '100', ...query })}`)).body
  const where = (field: string, op: string, value: unknown) => ({
    filter: JSON.stringify({ conditions: [{ field, op, value }] }),
  })
  const queries: Record<string, string>[] = [
    {},
    { view: 'sys:open' },
    { view: 'sys:won' },
    { view: 'sys:unassigned' },
    { view: 'sys:new_today' },
    where('rating', 'gte', 3),
    where('source', 'eq', 'a'),
    where('source', 'neq', 'a'),
    where('tags', 'eq', 'vip'),
    where('nextFollowUpAt', 'lt', '2030-01-02'),
    { q: '9197' },
    { q: phones[1]!.slice(1) },
  ]
  const compare = async () => {
    for (const query of queries) {
      const body = await total(query)
      expect(body.total, JSON.stringify(query)).toBe(body.leads.length)
    }
  }
  expect((await total({})).total).toBe(32)
  await compare()
  while ((await addUpCounts()) > 0);
  await compare()
  const rows = await parley.system((tx) =>
    tx.sql<{ amount: number }>('select amount from lead_counts where workspace_id = $1', [own.workspaceId]),
  )
  expect(rows.every(({ amount }) => amount > 0)).toBe(true)
})

test('another capture of a known number writes no counter', async () => {
  const own = await parley.workspace()
  const phone = newPhone()
  const changes = () =>
    parley.system(async (tx) => {
      const rows = await tx.sql<{ source: string }>(
        'select source from lead_changes where workspace_id = $1',
        [own.workspaceId],
      )
      return rows.map(({ source }) => source)
    })
  await own.post('/leads', { phone, source: 'a' })
  expect(await changes()).toEqual(['a'])
  while ((await parley.system((tx) => addUpLeadCounts((text, values) => tx.sql(text, values), 100))) > 0);
  await own.post('/leads', { phone, source: 'b' })
  expect(await changes()).toEqual([])
  await own.patch(`/leads/${phone}`, { name: 'Asha' })
  expect(await changes()).toEqual([])
})

test('phone eq, in, neq, and nin also know the number of a merged contact', async () => {
  const own = await parley.workspace()
  const [phone, earlier] = [newPhone(), newPhone()]
  const { lead } = (await own.post('/leads', { phone })).body
  await own.post('/leads', { phone: newPhone() })
  const { contact } = (await own.post('/contacts', { phone: earlier })).body
  const mergeAnswer = await own.post(`/contacts/${encodeURIComponent(phone)}/merge`, { from: contact.id })
  expect(mergeAnswer.status, mergeAnswer.text).toBe(200)
  const idsOf = async (op: string, value: string | string[]): Promise<string[]> => {
    const filter = JSON.stringify({ match: 'all', conditions: [{ field: 'phone', op, value }] })
    const { body } = await own.get(`/leads?filter=${encodeURIComponent(filter)}`)
    return body.leads.map(({ id }: ListedLead) => id)
  }
  expect(await idsOf('eq', earlier)).toEqual([lead.id])
  expect(await idsOf('eq', earlier.slice(3))).toEqual([lead.id])
  expect(await idsOf('in', [earlier, newPhone()])).toEqual([lead.id])
  expect(await idsOf('neq', earlier)).not.toContain(lead.id)
  expect(await idsOf('nin', [earlier])).toHaveLength(1)
})
