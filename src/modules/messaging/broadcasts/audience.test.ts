import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Body, boot, type TestParley, type TestWorkspace } from '../../../../test/support/boot.ts'
import { approvedTemplate, makeContacts } from '../../../../test/support/campaigns.ts'
import { type AudienceMember, layOutAudience, readAudienceStep } from './audience.ts'
import type { Stretch } from './queries/walk.ts'

let parley: TestParley
beforeAll(async () => {
  parley = await boot()
})
afterAll(() => parley.close())

type WalkRequest = { segment: object; category?: string; knownOnly?: boolean }

/** Returns a function that previews a segment with a template of a category. */
async function previewer(shop: TestWorkspace) {
  const templates = new Map<string, string>()
  return async ({ segment, category = 'MARKETING', ...more }: WalkRequest): Promise<Body> => {
    if (!templates.has(category))
      templates.set(
        category,
        await approvedTemplate(parley, shop, { name: category.toLowerCase(), category }),
      )
    const plan = { templateId: templates.get(category), phoneNumberId: shop.phoneNumberId, segment, ...more }
    const answer = await shop.post('/broadcasts/preview', plan)
    expect(answer.status, answer.text).toBe(200)
    return answer.body
  }
}

const contact = async (shop: TestWorkspace, phone: string, overrides: object = {}): Promise<string> =>
  (await shop.post('/contacts', { phone, ...overrides })).body.contact.id

/** Sends the marketing template `offer` to a number. */
const sendOffer = (shop: TestWorkspace, to: string, name = 'offer') =>
  shop.post('/send', {
    to,
    type: 'template',
    payload: { type: 'template', template: { name, language: { code: 'en_US' } } },
  })

describe('the segment of a campaign (spec 4.4)', () => {
  test('a contact must meet tags, excludeTags, optInStatus, and lastSeenWithinDays together', async () => {
    const shop = await parley.workspace({ sandbox: true })
    const preview = await previewer(shop)
    const matched = async (segment: object) => (await preview({ segment })).audience.matched
    await contact(shop, '+919800000001', { tags: ['vip', 'pune'], optInStatus: 'opted_in' })
    await contact(shop, '+919800000002', { tags: ['vip'] })
    await contact(shop, '+919800000003', { tags: ['pune'], optInStatus: 'opted_in' })
    await contact(shop, '+919800000004')
    await shop.inbound('+919800000004', 'Hello')
    expect(await matched({})).toBe(4)
    expect(await matched({ tags: ['vip', 'pune'] }), 'any of the tags').toBe(3)
    expect(await matched({ tags: ['vip'], excludeTags: ['pune'] })).toBe(1)
    expect(await matched({ excludeTags: ['vip', 'pune'] })).toBe(1)
    expect(await matched({ excludeTags: [] })).toBe(4)
    expect(await matched({ tags: ['pune'], optInStatus: 'opted_in' })).toBe(2)
    expect(await matched({ tags: ['Vip'] }), 'letter by letter').toBe(0)
    expect(await matched({ lastSeenWithinDays: 2 })).toBe(1)
    await shop.advance(2 * 86_400)
    expect(await matched({ lastSeenWithinDays: 2 }), 'two days later').toBe(0)
    expect(await matched({ lastSeenWithinDays: 3 })).toBe(1)
  })

  test('contactIds: an empty list selects no contacts; a repeated id is one recipient and a duplicate', async () => {
    const shop = await parley.workspace({ sandbox: true })
    const preview = await previewer(shop)
    const [a, b] = [await contact(shop, '+919800000001'), await contact(shop, '+919800000002')]
    expect((await preview({ segment: { contactIds: [] } })).audience).toEqual({
      matched: 0,
      willSend: 0,
      suppressed: 0,
      reasons: {},
    })
    expect((await preview({ segment: { contactIds: [a, b, a, a!.toUpperCase()] } })).audience).toEqual({
      matched: 4,
      willSend: 2,
      suppressed: 2,
      reasons: { duplicate: 2 },
    })
  })

  test('unknown contactIds, and those of another workspace or network, are listed: 400 invalid_reference', async () => {
    const [shop, other] = [await parley.workspace({ sandbox: true }), await parley.workspace()]
    const own = await contact(shop, '+919800000001')
    const social = randomUUID()
    await parley.system((tx) =>
      tx.sql(
        `insert into contacts (workspace_id, id, channel, phone, created_at, updated_at)
         values ($1, $2, 'social', 'sx:1', $3, $3)`,
        [shop.workspaceId, social, new Date()],
      ),
    )
    const foreign = await contact(other, '+919800000001')
    const templateId = await approvedTemplate(parley, shop)
    const contactIds = [own, foreign, social]
    const answer = await shop.post('/broadcasts/preview', {
      templateId,
      phoneNumberId: shop.phoneNumberId,
      segment: { contactIds },
    })
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_reference' } })
    expect(answer.body.issues.map((issue: Body) => issue.path)).toEqual([
      'segment.contactIds[1]',
      'segment.contactIds[2]',
    ])
    expect(answer.body.message).toContain(foreign)
  })

  test('only contacts of the chat network', async () => {
    const shop = await parley.workspace({ sandbox: true })
    await contact(shop, '+919800000001')
    await parley.system((tx) =>
      tx.sql(
        `insert into contacts (workspace_id, id, channel, phone, created_at, updated_at)
         values ($1, gen_random_uuid(), 'social', 'sx:1', $2, $2)`,
        [shop.workspaceId, new Date()],
      ),
    )
    expect((await (await previewer(shop))({ segment: {} })).audience.matched).toBe(1)
  })

  test('an invalid segment returns 400 naming the field', async () => {
    const shop = await parley.workspace({ sandbox: true })
    const plan = { templateId: randomUUID(), phoneNumberId: shop.phoneNumberId }
    const cases: [unknown, string][] = [
      [undefined, 'segment'],
      [[], 'segment'],
      [{ tags: [] }, 'segment.tags'],
      [{ tags: ['vip', ' '] }, 'segment.tags[1]'],
      [{ tag: ['vip'] }, 'segment.tag'],
      [{ optInStatus: 'yes' }, 'segment.optInStatus'],
      [{ lastSeenWithinDays: 0 }, 'segment.lastSeenWithinDays'],
      [{ lastSeenWithinDays: 1.5 }, 'segment.lastSeenWithinDays'],
      [{ lastSeenWithinDays: 1e9 }, 'segment.lastSeenWithinDays'],
      [{ contactIds: ['me'] }, 'segment.contactIds[0]'],
      [{ contactIds: [], tags: ['vip'] }, 'segment.contactIds'],
      [{ segmentId: randomUUID(), tags: ['vip'] }, 'segment.segmentId'],
      [{ segmentId: 'regulars' }, 'segment.segmentId'],
    ]
    for (const [segment, field] of cases) {
      const answer = await shop.post('/broadcasts/preview', { ...plan, segment })
      expect(answer, JSON.stringify(segment)).toMatchObject({ status: 400, body: { error: 'invalid' } })
      expect(answer.body.issues[0].path, JSON.stringify(segment)).toBe(field)
    }
  })
})

describe('skipped contacts and their reasons', () => {
  test('each contact has one reason, the first of: opted out, blocked, marketing cap, no number, known only', async () => {
    const shop = await parley.workspace({ sandbox: true })
    const preview = await previewer(shop)
    await preview({ segment: {} })
    const phone = (n: number) => `+91980000000${n}`
    await contact(shop, phone(1), { optInStatus: 'opted_out' })
    await contact(shop, phone(2), { optInStatus: 'opted_in' })
    await contact(shop, phone(3))
    for (const n of [4, 5]) for (const _ of [1, 2]) await sendOffer(shop, phone(n), 'marketing')
    await shop.inbound('chan:IN.13491208655302741918', 'Hello')
    for (const n of [1, 5])
      await parley.system((tx) =>
        tx.sql('update contacts set blocked = true where workspace_id = $1 and phone = $2', [
          shop.workspaceId,
          phone(n),
        ]),
      )
    expect(await preview({ segment: {} })).toMatchObject({
      audience: {
        matched: 6,
        willSend: 3,
        suppressed: 3,
        reasons: { opted_out: 1, blocked: 1, marketing_cap: 1 },
      },
      newRecipients: 1,
      knownRecipients: 2,
    })
    expect((await preview({ segment: {}, knownOnly: true })).audience.reasons).toEqual({
      opted_out: 1,
      blocked: 1,
      marketing_cap: 1,
      known_only: 1,
    })
    expect((await preview({ segment: {}, category: 'AUTHENTICATION' })).audience.reasons).toEqual({
      opted_out: 1,
      blocked: 1,
      no_number: 1,
    })
    expect((await preview({ segment: {}, category: 'UTILITY' })).audience.reasons).toEqual({
      opted_out: 1,
      blocked: 1,
    })
  })

  test('STOP removes a contact from the audience, START adds them again', async () => {
    const shop = await parley.workspace({ sandbox: true })
    const preview = await previewer(shop)
    await shop.inbound('+919800000001', 'STOP')
    expect((await preview({ segment: {} })).audience).toMatchObject({
      willSend: 0,
      reasons: { opted_out: 1 },
    })
    await shop.inbound('+919800000001', 'START')
    expect((await preview({ segment: {} })).audience).toMatchObject({ willSend: 1, reasons: {} })
  })

  test('the marketing cap is two messages in 24 hours; other templates do not count', async () => {
    const shop = await parley.workspace({ sandbox: true })
    const preview = await previewer(shop)
    for (const category of ['MARKETING', 'UTILITY']) await preview({ segment: {}, category })
    const to = '+919800000001'
    const capped = async () => (await preview({ segment: {} })).audience.reasons.marketing_cap ?? 0
    for (const _ of [1, 2, 3]) await sendOffer(shop, to, 'utility')
    expect((await sendOffer(shop, to, 'marketing')).status).toBe(200)
    expect(await capped()).toBe(0)
    await shop.advance(3600)
    expect((await sendOffer(shop, to, 'marketing')).status).toBe(200)
    expect(await capped()).toBe(1)
    expect((await sendOffer(shop, to, 'marketing')).status, 'a single send is not capped by us').toBe(200)
    await shop.advance(23 * 3600 + 60)
    expect(await capped(), 'two of the last 24 hours are left').toBe(1)
    await shop.advance(3600)
    expect(await capped()).toBe(0)
  })

  test('erasing a contact erases their marketing marks', async () => {
    const shop = await parley.workspace({ sandbox: true })
    const preview = await previewer(shop)
    await preview({ segment: {} })
    const to = '+919800000001'
    for (const _ of [1, 2]) await sendOffer(shop, to, 'marketing')
    await shop.delete(`/contacts/${to}`)
    const left = await parley.system((tx) =>
      tx.sql('select 1 from marketing_marks where workspace_id = $1', [shop.workspaceId]),
    )
    expect(left).toEqual([])
  })
})

const TAGS = ['a', 'b', 'c']
const aPerson = fc.record({
  tags: fc.subarray(TAGS),
  optIn: fc.constantFrom('unknown', 'opted_in', 'opted_out'),
  blocked: fc.boolean(),
  /** Hours since the contact's last message; null: they never messaged the business. */
  seen: fc.option(fc.integer({ min: 0, max: 100 })),
  /** Hours since each marketing message, newest first. */
  marketing: fc
    .array(fc.integer({ min: 0, max: 40 }), { maxLength: 3 })
    .map((hours) => hours.sort((x, y) => x - y)),
  hidden: fc.boolean(),
})
type Person = typeof aPerson extends fc.Arbitrary<infer T> ? T : never

const aPlan = fc.record({
  category: fc.constantFrom('MARKETING', 'UTILITY', 'AUTHENTICATION'),
  knownOnly: fc.boolean(),
  segment: fc.oneof(
    fc.record(
      {
        tags: fc.subarray(TAGS, { minLength: 1 }),
        excludeTags: fc.subarray(TAGS),
        optInStatus: fc.constantFrom('unknown', 'opted_in', 'opted_out'),
        lastSeenWithinDays: fc.integer({ min: 1, max: 4 }),
      },
      { requiredKeys: [] },
    ),
    fc.record({ contactIds: fc.array(fc.nat(11), { maxLength: 15 }) }),
  ),
})
type Plan = typeof aPlan extends fc.Arbitrary<infer T> ? T : never

/** Applies the rules of the specification in a simple second implementation. */
function expected(people: Person[], { category, knownOnly, segment }: Plan) {
  const belongs = (person: Person): boolean => {
    if ('contactIds' in segment) return false
    const { tags, excludeTags = [], optInStatus = person.optIn, lastSeenWithinDays } = segment
    return (
      (!tags || tags.some((tag) => person.tags.includes(tag))) &&
      !excludeTags.some((tag) => person.tags.includes(tag)) &&
      person.optIn === optInStatus &&
      (lastSeenWithinDays === undefined || (person.seen !== null && person.seen <= lastSeenWithinDays * 24))
    )
  }
  const listedPositions =
    'contactIds' in segment ? segment.contactIds.filter((n) => n < people.length) : undefined
  const chosen = listedPositions
    ? [...new Set(listedPositions)].map((n) => people[n]!)
    : people.filter(belongs)
  const isKnown = (person: Person) => person.seen !== null || person.optIn === 'opted_in'
  const reasonOf = (person: Person): string | undefined => {
    if (person.optIn === 'opted_out') return 'opted_out'
    if (person.blocked) return 'blocked'
    if (category === 'MARKETING' && person.marketing.filter((hours) => hours < 24).length >= 2)
      return 'marketing_cap'
    if (category === 'AUTHENTICATION' && person.hidden) return 'no_number'
    return knownOnly && !isKnown(person) ? 'known_only' : undefined
  }
  const reasons: Record<string, number> = {}
  const add = (reason: string, added = 1) => {
    if (added > 0) reasons[reason] = (reasons[reason] ?? 0) + added
  }
  for (const person of chosen) if (reasonOf(person)) add(reasonOf(person)!)
  if (listedPositions) add('duplicate', listedPositions.length - chosen.length)
  const sending = chosen.filter((person) => !reasonOf(person))
  const suppressed = Object.values(reasons).reduce((sum, count) => sum + count, 0)
  return {
    audience: { matched: sending.length + suppressed, willSend: sending.length, suppressed, reasons },
    newRecipients: sending.filter((person) => !isKnown(person)).length,
    knownRecipients: sending.filter(isKnown).length,
  }
}

async function settle(shop: TestWorkspace, people: Person[]): Promise<string[]> {
  const now = new Date((await shop.get('/sandbox/clock')).body.now)
  const hoursBefore = (hours: number) => new Date(now.getTime() - hours * 3_600_000 - 1)
  const ids = people.map(() => randomUUID())
  await parley.system(async (tx) => {
    await tx.sql('delete from contacts where workspace_id = $1', [shop.workspaceId])
    await tx.sql(
      `insert into contacts (workspace_id, id, phone, tags, opt_in_status, blocked, last_seen_at, created_at, updated_at)
       select $1, x.id, x.phone, array(select jsonb_array_elements_text(x.tags)), x.opt_in, x.blocked, x.seen, $3, $3
       from jsonb_to_recordset($2::jsonb)
         as x (id uuid, phone text, tags jsonb, opt_in text, blocked boolean, seen timestamptz)`,
      [
        shop.workspaceId,
        JSON.stringify(
          people.map((person, n) => ({
            id: ids[n],
            phone: person.hidden ? `chan:IN.${n}` : `+9198000000${String(n).padStart(2, '0')}`,
            tags: person.tags,
            opt_in: person.optIn,
            blocked: person.blocked,
            seen: person.seen === null ? null : hoursBefore(person.seen - 0.5),
          })),
        ),
        hoursBefore(1000),
      ],
    )
    for (const [n, person] of people.entries())
      if (person.marketing.length > 0)
        await tx.sql('insert into marketing_marks (workspace_id, contact_id, times) values ($1, $2, $3)', [
          shop.workspaceId,
          ids[n],
          person.marketing.map(hoursBefore),
        ])
  })
  return ids
}

describe('counts and walks', () => {
  test('counts match a simple model, and a walk reaches the same people', async () => {
    const shop = await parley.workspace({ sandbox: true })
    const preview = await previewer(shop)
    await fc.assert(
      fc.asyncProperty(fc.array(aPerson, { maxLength: 12 }), aPlan, async (people, plan) => {
        const ids = await settle(shop, people)
        const { contactIds } = plan.segment as { contactIds?: number[] }
        const segment = contactIds
          ? { contactIds: contactIds.filter((n) => n < ids.length).map((n) => ids[n]!) }
          : plan.segment
        const reported = await preview({ ...plan, segment })
        expect(reported).toMatchObject(expected(people, plan))
        expect(reported.audience.reasons).toEqual(expected(people, plan).audience.reasons)
        const { at, members } = await walkAudience(shop, { ...plan, segment }, 3)
        expect(at.getTime()).toBeGreaterThan(0)
        const skipped = members.filter(({ skip }) => skip !== null).length
        const duplicates = reported.audience.reasons.duplicate ?? 0
        expect([members.length, skipped]).toEqual([
          reported.audience.matched - duplicates,
          reported.audience.suppressed - duplicates,
        ])
        expect(members.filter((member) => member.skip === null && member.isNew)).toHaveLength(
          reported.newRecipients,
        )
      }),
      { numRuns: 60 },
    )
  })

  test('a walk in small steps reaches each person once, in order, also if few contacts match', async () => {
    const shop = await parley.workspace({ sandbox: true })
    const ids = [
      ...(await makeContacts(shop, 250, { tags: ['some'] })),
      ...(await makeContacts(shop, 1, { tags: ['rare'] }, 500)),
    ]
    const everybody = await walkAudience(shop, { segment: {} }, 40)
    expect(everybody.members.map((member) => member.contactId)).toEqual([...ids].sort())
    const rare = await walkAudience(shop, { segment: { tags: ['rare'] } }, 40)
    expect(rare.members.map((member) => member.contactId)).toEqual([ids.at(-1)])
  })

  test('contacts created later are not part of the audience', async () => {
    const shop = await parley.workspace({ sandbox: true })
    const [first] = await makeContacts(shop, 1)
    const snapshot = new Date((await shop.get('/sandbox/clock')).body.now)
    await shop.advance(10)
    await makeContacts(shop, 1, {}, 5)
    expect(
      (await walkAudience(shop, { segment: {} }, 10, snapshot)).members.map((member) => member.contactId),
    ).toEqual([first])
  })
})

/** Returns the people whom the steps of a walk reach. */
async function walkAudience(
  shop: TestWorkspace,
  { segment, category = 'MARKETING', knownOnly = false }: WalkRequest,
  limit: number,
  asOf?: Date,
) {
  const snapshot = asOf ?? new Date((await shop.get('/sandbox/clock')).body.now)
  const audience = {
    segment,
    category: category as 'MARKETING',
    knownOnly,
    requiredFields: [],
    phoneNumberId: '',
    at: snapshot,
  }
  const own = { id: shop.workspaceId, marketingCap: 2 }
  const members: AudienceMember[] = []
  const { stretches, isComplete } = await parley.system((tx) =>
    layOutAudience({ tx, workspace: own }, segment, { after: null, max: 4 }),
  )
  expect(isComplete).toBe(true)
  for (const stretch of stretches) {
    let { after }: { after: string | null } = stretch
    while (after !== null) {
      const from: Stretch & { limit: number } = { ...stretch, after, limit }
      const step: { members: AudienceMember[]; reached: string | null } = await parley.system((tx) =>
        readAudienceStep({ tx }, own, audience, from),
      )
      members.push(...step.members)
      after = step.reached
    }
  }
  return { at: snapshot, members }
}
