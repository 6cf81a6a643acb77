/** Campaigns that compare templates (spec 4.10; DECISIONS.md "Comparing templates"). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Body, boot, type TestParley, type TestWorkspace } from '../../../../../test/support/boot.ts'
import {
  allowNewRecipients,
  approvedTemplate,
  type Campaigns,
  campaignsOf,
  makeContacts,
} from '../../../../../test/support/campaigns.ts'

import { eventsOf } from '../../../../../test/support/records.ts'
import { DASHBOARD, signIn } from '../../../../../test/support/sessions.ts'

let parley: TestParley
beforeAll(async () => {
  parley = await boot()
})
afterAll(() => parley?.close())

const HOUR_SECONDS = 3_600

type Shop = {
  shop: TestWorkspace
  campaigns: Campaigns
  variants: { templateId: string }[]
  compare(more?: object, test?: object): Promise<Body>
}

/** A shop with two templates, and this many opted-in contacts. */
async function shopWith(count: number, more: object = { optInStatus: 'opted_in' }): Promise<Shop> {
  const shop = await parley.workspace({ sandbox: true })
  const campaigns = await campaignsOf(parley, shop)
  const second = await approvedTemplate(parley, shop, { name: 'offer_b', text: 'Lamps for your terrace.' })
  await makeContacts(shop, count, more)
  const variants = [{ templateId: campaigns.templateId }, { templateId: second }]
  return {
    shop,
    campaigns,
    variants,
    compare: async (fields = {}, test = {}) => {
      const answer = await shop.post('/broadcasts', {
        name: 'Lights',
        phoneNumberId: shop.phoneNumberId,
        segment: {},
        variants,
        test: { samplePercent: 40, decideBy: 'replied', waitMinutes: 120, ...test },
        sendNow: true,
        ...fields,
      })
      expect(answer.status, answer.text).toBe(201)
      return answer.body
    },
  }
}

/** Lets the customers of a variant reply. */
async function reply({ shop, campaigns }: Shop, id: string, variant: string, max = 100): Promise<number> {
  const people = [...(await campaigns.people(id)).values()].filter((person) => person.variant === variant)
  for (const { phone } of people.slice(0, max))
    await shop.post('/sandbox/inbound', { from: phone, text: 'Which colors?' })
  await shop.advance(5)
  return people.length
}

const countOf = (people: Map<string, Body>, variant: string | null): number =>
  [...people.values()].filter((person) => person.variant === variant).length

describe('a campaign with variants', () => {
  test('sends them to a sample, waits, and sends the better one to the rest; each recipient gets one message', async () => {
    const arranged = await shopWith(60)
    const { shop, campaigns, compare, variants } = arranged
    const { id } = await compare()
    await shop.advance(60)
    const sampled = await campaigns.people(id)
    const { counts, test, status, progress } = await campaigns.of(id)
    expect([countOf(sampled, 'A'), countOf(sampled, 'B')].every((count) => count > 3)).toBe(true)
    expect(countOf(sampled, null)).toBe(0)
    expect(sampled.size).toBeLessThan(40)
    expect({ status, recipients: counts.recipients }).toEqual({ status: 'running', recipients: sampled.size })
    expect(progress).toBeLessThan(100)
    expect(test).toMatchObject({ state: 'measuring', winner: null, decidedAt: null })
    expect(test.variants.map((variant: Body) => [variant.name, variant.templateName, variant.share])).toEqual(
      [
        ['A', 'offer', 50],
        ['B', 'offer_b', 50],
      ],
    )
    const texts = async () =>
      Map.groupBy(
        (
          await parley.system((tx) =>
            tx.sql<{ contactId: string; templateText: string }>(
              'select contact_id, template_text from messages where workspace_id = $1 and broadcast_id = $2',
              [shop.workspaceId, id],
            ),
          )
        ).map(({ contactId, templateText }) => ({ contactId, templateText })),
        ({ contactId }) => contactId,
      )
    const before = await texts()
    for (const [contactId, { variant }] of sampled)
      expect(before.get(contactId)).toEqual([
        { contactId, templateText: variant === 'A' ? 'Lights for everybody.' : 'Lamps for your terrace.' },
      ])

    const replied = await reply(arranged, id, 'B')
    const results = (await shop.get(`/broadcasts/${id}/results`)).body
    expect(results.variants).toMatchObject([
      { name: 'A', templateName: 'offer', sent: { rate: 1 }, replied: { count: 0, rate: 0 } },
      {
        name: 'B',
        templateName: 'offer_b',
        messages: replied,
        sent: { count: replied },
        replied: { count: replied, rate: 1 },
        optedOut: { count: 0, rate: 0 },
      },
    ])
    expect(results.comparisons).toContainEqual({ metric: 'replied', leader: 'B', certainty: 'too_few' })
    await shop.advance(2 * HOUR_SECONDS)
    const done = await campaigns.of(id)
    expect(done.test).toMatchObject({ state: 'decided', winner: 'B', decidesAt: null })
    expect(done).toMatchObject({
      status: 'completed',
      templateId: variants[1]!.templateId,
      templateName: 'offer_b',
      progress: 100,
      counts: { recipients: 60, queued: 60, sent: 60 },
    })
    const after = await texts()
    expect(after.size).toBe(60)
    for (const [contactId, messages] of after) {
      expect(messages).toHaveLength(1)
      expect(messages[0]!.templateText).toBe(
        sampled.get(contactId)?.variant === 'A' ? 'Lights for everybody.' : 'Lamps for your terrace.',
      )
    }
    const people = await campaigns.people(id)
    expect(countOf(people, null)).toBe(60 - sampled.size)
  })

  test('without responses, the rest gets variant A', async () => {
    const { shop, campaigns, compare } = await shopWith(30)
    const { id } = await compare({}, { decideBy: 'tapped', waitMinutes: 15 })
    await shop.advance(HOUR_SECONDS)
    expect(await campaigns.of(id)).toMatchObject({ status: 'completed', test: { winner: 'A' } })
  })

  test('an admin chooses by hand, once; and before the time of the decision', async () => {
    const { shop, campaigns, compare } = await shopWith(30)
    const { id } = await compare({}, { decideBy: 'manual' })
    const choose = (variant: string) => shop.post(`/broadcasts/${id}/choose`, { variant })
    await shop.advance(30 * 24 * HOUR_SECONDS)
    expect((await campaigns.of(id)).test).toMatchObject({ state: 'measuring', decidesAt: null })
    expect((await choose('C')).body.error).toBe('conflict')
    const answers = await Promise.all([choose('B'), choose('B')])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect((await choose('A')).body.error).toBe('conflict')
    await shop.advance(60)
    expect(await campaigns.of(id)).toMatchObject({
      status: 'completed',
      test: { winner: 'B' },
      counts: { recipients: 30, queued: 30 },
    })
    const early = await compare({ knownOnly: true }, { decideBy: 'read', waitMinutes: 1_000 })
    await shop.advance(60)
    const chosen = await shop.post(`/broadcasts/${early.id}/choose`, { variant: 'B' })
    expect(chosen.body.broadcast.test).toMatchObject({ state: 'decided', winner: 'B' })
    await shop.advance(60)
    expect(await campaigns.of(early.id)).toMatchObject({ status: 'completed' })
  })

  test('the creator is notified when they can choose by hand, once', async () => {
    const { shop, variants } = await shopWith(30)
    const creator = await signIn(parley, shop, 'admin')
    const created = await creator.post('/broadcasts', {
      name: 'Lights',
      phoneNumberId: shop.phoneNumberId,
      segment: {},
      variants,
      test: { samplePercent: 40, decideBy: 'manual' },
      sendNow: true,
    })
    expect(created.status, created.text).toBe(201)
    const { id } = created.body
    await shop.advance(HOUR_SECONDS)
    for (const step of ['pause', 'resume']) await shop.post(`/broadcasts/${id}/${step}`)
    await shop.advance(HOUR_SECONDS)
    const { notifications } = (await creator.get(`${DASHBOARD}/notifications`)).body
    expect(notifications).toMatchObject([
      { kind: 'campaign_to_decide', title: 'Lights', subjectId: id, actorName: null },
    ])
    expect((await creator.post(`/broadcasts/${id}/choose`, { variant: 'B' })).status).toBe(200)
  })

  test('the file of recipients names the variant and the template of each, and the campaign its values', async () => {
    const { shop, campaigns, compare } = await shopWith(20)
    const { id } = await compare()
    await shop.advance(4 * HOUR_SECONDS)
    const people = await campaigns.people(id)
    const { text } = await shop.get(`/broadcasts/${id}/recipients?format=csv`)
    const [heading, ...lines] = text.trimEnd().split('\r\n')
    expect(heading).toBe('contactId,phone,name,status,reason,messageId,errorCode,response,variant,template')
    const cells = lines.map((line) => line.split(','))
    const { test } = await campaigns.of(id)
    const templates = Object.fromEntries(
      test.variants.map(({ name, templateName }: Body) => [name, templateName]),
    )
    expect(cells.map((line) => [line[0], line.at(-2), line.at(-1)])).toEqual(
      [...people.values()].map(({ contactId, variant }) => [
        contactId,
        variant ?? '',
        templates[variant ?? test.winner],
      ]),
    )
    expect(new Set(cells.map((line) => line.at(-2)))).toEqual(new Set(['A', 'B', '']))
    expect(test.variants[0].variables).toBeNull()
  })

  test('pausing keeps the sample and its time; resuming after the time decides', async () => {
    const { shop, campaigns, compare } = await shopWith(30)
    const { id } = await compare()
    await shop.advance(60)
    await shop.post(`/broadcasts/${id}/pause`)
    await shop.advance(5 * HOUR_SECONDS)
    expect(await campaigns.of(id)).toMatchObject({ status: 'paused', test: { state: 'measuring' } })
    await shop.post(`/broadcasts/${id}/resume`)
    await shop.advance(60)
    expect(await campaigns.of(id)).toMatchObject({
      status: 'completed',
      test: { state: 'decided' },
      counts: { recipients: 30, queued: 30 },
    })
  })

  test('a paused campaign takes a choice, and continues when it is resumed', async () => {
    const { shop, campaigns, compare } = await shopWith(30)
    const { id } = await compare()
    await shop.advance(60)
    await shop.post(`/broadcasts/${id}/pause`)
    expect((await shop.post(`/broadcasts/${id}/choose`, { variant: 'B' })).status).toBe(200)
    await shop.advance(60)
    expect(await campaigns.of(id)).toMatchObject({ status: 'paused', test: { winner: 'B' } })
    await shop.post(`/broadcasts/${id}/resume`)
    await shop.advance(60)
    expect(await campaigns.of(id)).toMatchObject({ status: 'completed', counts: { queued: 30 } })
  })

  test('canceling before the decision sends nothing to the rest', async () => {
    const { shop, campaigns, compare } = await shopWith(30)
    const { id } = await compare()
    await shop.advance(60)
    const { counts } = await campaigns.of(id)
    await shop.delete(`/broadcasts/${id}`)
    expect((await shop.post(`/broadcasts/${id}/choose`, { variant: 'A' })).body.error).toBe('conflict')
    await shop.advance(5 * HOUR_SECONDS)
    expect(await campaigns.of(id)).toMatchObject({ status: 'cancelled', counts })
  })

  test('with a sample of 100 percent, everyone gets a variant, and nothing is decided', async () => {
    const { shop, campaigns, compare } = await shopWith(30)
    const { id } = await compare({}, { samplePercent: 100 })
    await shop.advance(60)
    expect(await campaigns.of(id)).toMatchObject({
      status: 'completed',
      test: { state: 'compared', winner: null },
      counts: { recipients: 30 },
    })
    expect(countOf(await campaigns.people(id), null)).toBe(0)
  })

  test('new recipients of the sample who wait for their day get their variant before the measuring starts', async () => {
    const { shop, campaigns, compare } = await shopWith(20, {})
    await allowNewRecipients(parley, shop, 8)
    const { id } = await compare({ confirmNewRecipients: true }, { samplePercent: 60 })
    await shop.advance(60)
    const first = await campaigns.of(id)
    expect(first).toMatchObject({ status: 'running', test: { state: 'sampling' }, counts: { queued: 8 } })
    const sampled = await campaigns.people(id)
    expect(countOf(sampled, null)).toBe(0)
    await shop.advance(4 * 24 * HOUR_SECONDS)
    expect(await campaigns.of(id)).toMatchObject({
      status: 'completed',
      counts: { recipients: 20, queued: 20 },
    })
    const people = await campaigns.people(id)
    for (const [contactId, { variant }] of sampled) expect(people.get(contactId)!.variant).toBe(variant)
  })

  test('two processes and an admin decide once', async () => {
    const duplicate = await boot({ databaseUrl: parley.databaseUrl })
    try {
      const { shop, campaigns, compare } = await shopWith(200)
      const { id } = await compare({}, { waitMinutes: 15 })
      await shop.advance(60)
      const choose = (variant: string) => shop.post(`/broadcasts/${id}/choose`, { variant })
      const [answers] = await Promise.all([
        Promise.all([choose('A'), choose('B'), choose('B')]),
        shop.advance(HOUR_SECONDS),
      ])
      await shop.advance(HOUR_SECONDS)
      const campaign = await campaigns.of(id)
      expect(campaign).toMatchObject({ status: 'completed', counts: { recipients: 200, queued: 200 } })
      const chosen = (await eventsOf(parley, shop.workspaceId)).filter(
        ({ name }) => name === 'broadcast.variant_chosen',
      )
      expect(chosen.map(({ data }) => data)).toEqual([
        {
          broadcastId: id,
          name: 'Lights',
          variant: campaign.test.winner,
          templateName: campaign.templateName,
          decideBy: expect.any(String),
        },
      ])
      expect(answers.filter(({ status }) => ![200, 409].includes(status))).toEqual([])
    } finally {
      await duplicate.close()
    }
  })

  test('a recipient of the sample who is merged into another contact gets no second message', async () => {
    const { shop, campaigns, compare } = await shopWith(40)
    const { id } = await compare()
    await shop.advance(60)
    const sampled = [...(await campaigns.people(id)).keys()]
    const { contacts } = (await shop.get('/contacts?limit=100')).body
    const rest: string[] = contacts
      .map((contact: Body) => contact.id)
      .filter((id: string) => !sampled.includes(id))
    const merged = await shop.post(`/contacts/${rest[0]}/merge`, { from: sampled[0] })
    expect(merged.status, merged.text).toBe(200)
    await shop.advance(3 * HOUR_SECONDS)
    expect(await campaigns.of(id)).toMatchObject({ status: 'completed' })
    const rows = await parley.system((tx) =>
      tx.sql<{ contactId: string; count: number }>(
        `select contact_id, count(*) as count from messages
         where workspace_id = $1 and broadcast_id = $2 group by contact_id having count(*) > 1`,
        [shop.workspaceId, id],
      ),
    )
    expect(rows).toEqual([])
    const reached = await campaigns.people(id)
    expect(reached.size).toBe(39)
    expect(reached.get(rest[0]!)!.variant).not.toBeNull()
  })

  test('a scheduled campaign starts with its variants; a template that lost its approval pauses it', async () => {
    const { shop, campaigns, compare, variants } = await shopWith(30)
    const scheduledAt = new Date(Date.now() + HOUR_SECONDS * 1000).toISOString()
    const { id } = await compare({ sendNow: undefined, scheduledAt })
    expect((await campaigns.of(id)).test).toMatchObject({ state: 'planned' })
    const setStatus = (status: string) =>
      parley.system((tx) =>
        tx.sql('update templates set status = $2 where id = $1', [variants[1]!.templateId, status]),
      )
    await setStatus('paused')
    await shop.advance(HOUR_SECONDS + 60)
    expect(await campaigns.of(id)).toMatchObject({
      status: 'paused',
      pausedReason: 'The template is paused.',
    })
    await setStatus('approved')
    await shop.post(`/broadcasts/${id}/resume`)
    await shop.advance(60)
    expect((await campaigns.of(id)).test).toMatchObject({ state: 'measuring' })
  })

  test('values from fields are filled by variant, and a customer without one is skipped', async () => {
    const { shop, campaigns, variants, compare } = await shopWith(30)
    const personal = await approvedTemplate(parley, shop, { name: 'hello', text: 'Hello {{1}}.' })
    await shop.post('/contacts', { phone: '+919811111111', name: 'Asha', optInStatus: 'opted_in' })
    const parameters = [{ type: 'text', field: 'contact.name', fallback: 'friend' }]
    const { id } = await compare(
      {
        variants: [
          variants[0],
          { templateId: personal, variables: { components: [{ type: 'body', parameters }] }, share: 70 },
        ],
      },
      { samplePercent: 100 },
    )
    await shop.advance(60)
    const people = await campaigns.people(id)
    const rows = await parley.system((tx) =>
      tx.sql<{ contactId: string; templateText: string }>(
        'select contact_id, template_text from messages where workspace_id = $1 and broadcast_id = $2',
        [shop.workspaceId, id],
      ),
    )
    for (const { contactId, templateText } of rows) {
      const { variant, name } = people.get(contactId)!
      expect(templateText).toBe(variant === 'A' ? 'Lights for everybody.' : `Hello ${name ?? 'friend'}.`)
    }
    expect((await campaigns.of(id)).test.variants.map((variant: Body) => variant.share)).toEqual([30, 70])
  })
})

describe('POST /broadcasts', () => {
  test.each([
    ['without a template', 'templateId', () => ({ variants: undefined, test: undefined })],
    ['with variants and no test', 'test', () => ({ test: undefined })],
    ['with a test and no variants', 'test', (first: object) => ({ ...first, variants: undefined })],
    ['with a template and variants', 'templateId', (first: object) => first],
    ['with one variant', 'variants', (first: object) => ({ variants: [first] })],
    [
      'with shares above 100',
      'variants',
      (first: object) => ({
        variants: [
          { ...first, share: 60 },
          { ...first, share: 60 },
        ],
      }),
    ],
    [
      'with no share left for a variant',
      'variants',
      (first: object) => ({ variants: [{ ...first, share: 99 }, first, first] }),
    ],
  ] as const)('a campaign %s gets an error', async (_, path, fault) => {
    const { shop, variants } = await shopWith(1)
    const answer = await shop.post('/broadcasts', {
      name: 'Lights',
      phoneNumberId: shop.phoneNumberId,
      segment: {},
      test: { samplePercent: 40, decideBy: 'read' },
      variants,
      ...fault(variants[0]!),
    })
    expect(answer.status, answer.text).toBe(400)
    expect(answer.body.issues.map((issue: Body) => issue.path)).toContain(path)
  })

  test('templates of different categories cannot be compared, and a fault names its variant', async () => {
    const { shop, variants } = await shopWith(1)
    const utility = await approvedTemplate(parley, shop, { name: 'notice', category: 'UTILITY' })
    const blank = await approvedTemplate(parley, shop, { name: 'hello', text: 'Hello {{1}}.' })
    const create = (templateId: string) =>
      shop.post('/broadcasts', {
        name: 'Lights',
        phoneNumberId: shop.phoneNumberId,
        segment: {},
        variants: [variants[0], { templateId }],
        test: { samplePercent: 40, decideBy: 'read' },
      })
    expect((await create(utility)).body.issues).toEqual([
      { path: 'variants', message: 'Must have templates of the same category.' },
    ])
    const refused = await create(blank)
    expect(refused.body).toMatchObject({ error: 'invalid_template_parameters' })
    expect(refused.body.message).toMatch(/^Variant B: /)
  })
})
