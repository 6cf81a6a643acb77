import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type Body, boot, type TestParley, type TestWorkspace } from '../../../../test/support/boot.ts'
import { campaignsOf } from '../../../../test/support/campaigns.ts'
import { whileReadsAreFull } from '../../../../test/support/costly-reads.ts'
import { findEverywhere } from '../../../../test/support/database-search.ts'
import { openAsService } from '../../../../test/support/open-database.ts'
import { untilRead } from '../../../../test/support/read-words.ts'
import { refuseRows } from '../../../../test/support/refused-rows.ts'
import { cloudShop, inbound, standInOperator } from '../../../../test/support/stand-in-operator.ts'
import { storeTemplate } from '../../../../test/support/templates.ts'
import { until } from '../../../../test/support/until.ts'
import { systemClock } from '../../../core/clock.ts'
import { idAt } from '../../../core/ids.ts'
import { MANY_ROWS } from '../../../database/sql/costly-reads.ts'
import { wordsSource } from '../../messaging/messages/work/words-source.ts'
import { listWorkspacesById } from '../../platform/workspaces/queries/workspaces.ts'

let parley: TestParley
let shop: TestWorkspace
let operator: Awaited<ReturnType<typeof standInOperator>>
beforeAll(async () => {
  operator = await standInOperator()
  parley = await boot({ env: operator.env })
  shop = await parley.workspace({ sandbox: true })
  await shop.post('/contacts', { phone: '+919812300001', displayName: 'Asha Rao' })
  await shop.post('/leads', { phone: '+919812300002', name: 'Ashok Rao' })
  await storeTemplate(parley, shop, {
    name: 'rao_notice',
    components: [{ type: 'BODY', text: 'The shop opens at {{1}}.' }],
  })
})
afterAll(async () => {
  await parley?.close()
  await operator?.close()
})

type By = Pick<TestWorkspace, 'get'>
const results = async (q: string, by: By = shop): Promise<Body[]> => {
  const { status, body, text } = await by.get(`/search?q=${encodeURIComponent(q)}`)
  expect(status, text).toBe(200)
  return body.results
}
const found = async (q: string, by: By = shop): Promise<string[]> =>
  (await results(q, by)).map((result) => `${result.kind} ${result.title}`)
/** Returns the texts of the messages found. */
const findTexts = async (q: string, by: By = shop): Promise<string[]> =>
  (await results(q, by)).filter(({ kind }) => kind === 'message').map(({ snippet }) => snippet)
async function isRead(word: string, by: Pick<TestWorkspace, 'get' | 'workspaceId'> = shop): Promise<void> {
  await untilRead(parley, by.workspaceId, word)
  expect(await findTexts(word, by)).toHaveLength(1)
}

test('a few letters find all kinds of data that contain them', async () => {
  expect(await found('rao')).toEqual([
    'contact Ashok Rao',
    'contact Asha Rao',
    'lead Ashok Rao',
    'template rao_notice',
  ])
  expect(await found('9812300001')).toEqual(['contact Asha Rao'])
  expect(await found('nobody at all')).toEqual([])
  expect(await found('  ')).toEqual([])
  const [contact] = await results('asha rao')
  expect(contact).toEqual({
    kind: 'contact',
    id: expect.any(String),
    title: 'Asha Rao',
    snippet: '+919812300001',
    parentId: null,
    at: expect.any(String),
  })
})

test('tasks are found by their title, campaigns by their name', async () => {
  const { id } = (await shop.get('/leads')).body.leads[0]
  const task = await shop.post('/tasks', {
    leadId: id,
    title: 'Measure the 50% veranda',
    type: 'visit',
    dueAt: '2030-01-01T10:00:00Z',
  })
  expect(task.status, task.text).toBe(201)
  expect((await results('50% VER'))[0]).toEqual({
    kind: 'task',
    id: task.body.task.id,
    title: 'Measure the 50% veranda',
    snippet: 'Ashok Rao',
    parentId: id,
    at: task.body.task.createdAt,
  })
  expect(await found('50_ ver')).toEqual([])
  const { create } = await campaignsOf(parley, shop, { name: 'lamps' })
  const campaign = await create({ name: 'Diwali_lamps', confirmNewRecipients: true })
  expect(campaign.status, campaign.text).toBe(201)
  const campaigns = await results('diwali_')
  expect(campaigns[0]).toMatchObject({ kind: 'broadcast', title: 'Diwali_lamps', parentId: null })
  expect((await shop.get(`/broadcasts/${campaigns[0].id}`)).status).toBe(200)
})

test('letters match in all Unicode forms, and are returned unchanged', async () => {
  const own = await parley.workspace({ sandbox: true })
  // With a dot as a separate character, in one composed with it, and in one composed with it where vowels are
  // in two.
  const names = [
    'caf\u00e9 \u0939\u093f\u0928\u094d\u0926\u0940',
    '\u0932\u0921\u093c\u0915\u093e',
    '\ud55c\uae00',
    '\u09ac\u09be\u09dc\u09cb',
  ]
  const forms = (name: string) => [
    name,
    name.normalize('NFC'),
    name.normalize('NFD'),
    name.normalize('NFC').replaceAll('\u0921\u093c', '\u095c').replaceAll('\u09a1\u09bc', '\u09dc'),
  ]
  for (const [i, name] of names.entries()) {
    const stored = forms(name)[(i + 1) % 4]!
    const created = await own.post('/leads', { phone: `+91981230010${i}`, name: stored, source: stored })
    expect(created.body.lead.name).toBe(stored)
    await own.post('/tasks', {
      leadId: created.body.lead.id,
      title: `Call ${stored}`,
      dueAt: '2030-01-01T10:00:00Z',
      type: 'call',
    })
    await own.post(`/leads/${created.body.lead.id}/notes`, { body: `Says ${stored}` })
    await own.post('/contacts', { phone: `+91981230010${i}`, displayName: stored })
    for (const form of forms(name)) {
      const kinds = (await results(form, own)).map(({ kind }) => kind).sort()
      expect(kinds, JSON.stringify([stored, form])).toEqual(['contact', 'lead', 'task'])
      const listed = async (query: string) => (await own.get(`/leads?${query}`)).body.total
      expect(await listed(`q=${encodeURIComponent(`Says ${form.toUpperCase()}`)}`)).toBe(1)
      for (const field of ['name', 'source'])
        for (const op of ['eq', 'contains', 'starts']) {
          const filter = { match: 'all', conditions: [{ field, op, value: form }] }
          expect(await listed(`filter=${encodeURIComponent(JSON.stringify(filter))}`)).toBe(1)
        }
    }
  }
})

test('messages are found by the beginnings of their words, in both directions, in any language', async () => {
  const customer = '+919812300003'
  await shop.inbound(
    customer,
    'Do you deliver the teakwood cupboard to Pune?\nI need it by Friday, please; the flat is on floor 7.',
  )
  await shop.post('/send', { to: customer, type: 'text', text: 'नमस्ते, हाँ: Lieferung übermorgen' })
  await isRead('übermorgen')
  const [hit] = (await results('teakw friday')).filter(({ kind }) => kind === 'message')
  const { conversations } = (await shop.get('/conversations')).body
  const chat = conversations.find((conversation: Body) => conversation.contact.phone === customer)
  expect(hit).toMatchObject({ title: chat.contact.name ?? customer, parentId: chat.id })
  expect(hit.snippet).toBe(
    'Do you deliver the teakwood cupboard to Pune? I need it by Friday, please; the flat is on floor 7.',
  )
  const around = await shop.get(`/messages?around=${hit.id}`)
  expect(around.body.messages.map(({ id }: Body) => id)).toContain(hit.id)
  expect(await findTexts('UBERMORGEN')).toEqual([])
  expect(await findTexts('नमस्ते')).toHaveLength(1)
  expect(await findTexts('eakwood')).toEqual([])
  expect(await findTexts("pune & !'floor' | :*")).toHaveLength(1)
  expect(await findTexts('!!!')).toEqual([])
})

test("each kind requires only its own scope, in the caller's workspace", async () => {
  expect(await found('rao', await shop.as('viewer', { scopes: ['crm:read'] }))).toEqual(['lead Ashok Rao'])
  expect(await found('rao', await shop.as('viewer', { scopes: ['analytics:read'] }))).toEqual([])
  expect(await found('rao', await parley.workspace())).toEqual([])
  await shop.inbound('+919812300004', 'a sapphire, please')
  await isRead('sapphire')
  expect(await findTexts('sapphire', await shop.as('viewer', { scopes: ['contacts:read'] }))).toEqual([])
  expect(await findTexts('sapphire', await shop.as('viewer', { scopes: ['messages:read'] }))).toHaveLength(1)
  expect(await findTexts('sapphire', await parley.workspace({ sandbox: true }))).toEqual([])
})

test('an erased contact is no longer found, and their words are stored nowhere', async () => {
  await shop.inbound('+919812300005', 'my tourmaline ring')
  await isRead('tourmaline')
  expect((await shop.delete('/contacts/+919812300005')).status).toBe(200)
  expect(await findTexts('tourmaline')).toEqual([])
  expect(await findEverywhere(parley, ['tourmaline'])).toEqual([])
})

test('an edited message is found by its current text, a deleted one not at all', async () => {
  const cloud = await cloudShop(parley)
  const asha = '+919812300006'
  const message = inbound(asha, 'two garnets')
  await cloud.operatorSays(message)
  await cloud.settled()
  await isRead('garnets', cloud)
  const id = message.messages[0]!.id
  const report = async (overrides: object) => {
    await cloud.operatorSays(inbound(asha, '', { text: undefined, ...overrides }))
    await cloud.settled()
  }
  await report({
    type: 'edit',
    edit: { original_message_id: id, message: { type: 'text', text: { body: 'three opals' } } },
  })
  await until(async () => (await findTexts('opals', cloud)).length > 0, 'the edit is found')
  expect(await findTexts('garnets', cloud)).toEqual([])
  await report({ type: 'revoke', revoke: { original_message_id: id } })
  await until(async () => (await findTexts('opals', cloud)).length === 0, 'the revocation takes effect')
  expect(await findEverywhere(parley, ['opals'])).toEqual([])
})

test('a message whose transaction commits late is still indexed', async () => {
  const sandbox = await parley.workspace({ sandbox: true })
  await sandbox.inbound('+919812300007', 'first of all')
  await isRead('first', sandbox)
  // Simulates a transaction of several minutes: its id is older than those already indexed.
  const minutesAgo = (minutes: number) => idAt(new Date(Date.now() - minutes * 60_000))
  await parley.system(async (tx) => {
    await tx.sql(
      `insert into messages (workspace_id, id, conversation_id, contact_id, phone_number_id, direction, type, content, status, created_at)
       select workspace_id, $2, conversation_id, contact_id, phone_number_id, direction, type, '{"body": "amethyst"}', status, created_at
       from messages where workspace_id = $1 limit 1`,
      [sandbox.workspaceId, minutesAgo(10)],
    )
    await tx.sql(`update message_words set id = $2 where workspace_id = $1`, [
      sandbox.workspaceId,
      minutesAgo(5),
    ])
    // Other runs may have followed the first.
    await tx.sql(`update message_word_walks set read_to = $2, checked_to = $3 where workspace_id = $1`, [
      sandbox.workspaceId,
      minutesAgo(5),
      minutesAgo(15),
    ])
  })
  await isRead('amethyst', sandbox)
})

test('a workspace whose messages cannot be indexed delays no other', async () => {
  const broken = await parley.workspace({ sandbox: true })
  const others = [await parley.workspace({ sandbox: true }), await parley.workspace({ sandbox: true })]
  const allow = await refuseRows(parley, 'message_words', `new.workspace_id = '${broken.workspaceId}'`)
  for (const workspace of [broken, ...others]) await workspace.inbound('+919812300009', 'turquoise')
  for (const workspace of others) await isRead('turquoise', workspace)
  await allow()
  await isRead('turquoise', broken)
})

test('messages are indexed a minute late at most, for any duration of slow answers', async () => {
  const web = await boot({ env: { PARLEY_ROLES: 'web' } })
  const database = openAsService(web.databaseUrl)
  onTestFinished(async () => {
    await database.close()
    await web.close()
  })
  const sandbox = await web.workspace({ sandbox: true })
  await storeTemplate(web, sandbox, {
    name: 'malachite',
    components: [{ type: 'BODY', text: 'Malachite is in.' }],
  })
  const template = { name: 'malachite', language: { code: 'en_US' } }
  const body = { to: '+919812300001', type: 'template', payload: { type: 'template', template } }
  const sent = await sandbox.post('/send', body)
  expect(sent.status, sent.text).toBe(200)
  let elapsedMs = 0
  const source = wordsSource({
    database,
    clock: { now: systemClock.now, monotonicMs: () => elapsedMs },
    workspaces: async (ids) =>
      new Map((await listWorkspacesById(database.query, ids)).map((workspace) => [workspace.id, workspace])),
    areAnswersSlow: () => true,
  })
  const readAt = async (ms: number) => {
    elapsedMs = ms
    await source.runDue({})
    return findTexts('malachite', sandbox)
  }
  expect(await readAt(59_000)).toEqual([])
  expect(await readAt(60_000)).toEqual(['Malachite is in.'])
})

test('a search that no index narrows waits for its turn if there are many messages', async () => {
  const sandbox = await parley.workspace({ sandbox: true })
  await parley.system((tx) =>
    tx.sql(
      `insert into message_words (workspace_id, id, words)
       select $1, gen_random_uuid(), '''of'':1'::tsvector from generate_series(1, $2::int)`,
      [sandbox.workspaceId, MANY_ROWS + 1],
    ),
  )
  const key = await sandbox.as('viewer', { scopes: ['messages:read'] })
  await whileReadsAreFull(parley, sandbox.workspaceId, async () => {
    expect((await key.get('/search?q=of')).body.error).toBe('rate_limited')
    expect((await key.get('/search?q=offer')).status).toBe(200)
  })
})
