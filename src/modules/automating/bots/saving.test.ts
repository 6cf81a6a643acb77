/** Rules for saving a bot, and its test run (DECISIONS.md). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Body, boot, type TestParley, type TestWorkspace } from '../../../../test/support/boot.ts'

let parley: TestParley
let shop: TestWorkspace
beforeAll(async () => {
  parley = await boot()
  shop = await parley.workspace({ sandbox: true })
})
afterAll(() => parley.close())

const bot = (nodes: object[], more: object = {}) => ({
  name: 'Bot',
  fallback: { text: 'Please tap.' },
  start: 'a',
  nodes,
  ...more,
})
const message = (id: string, next: string | null = null) => ({
  id,
  type: 'message',
  text: `I am ${id}.`,
  next,
})
const buttons = (id: string, ...targets: (string | null)[]) => ({
  id,
  type: 'buttons',
  text: 'Which?',
  options: targets.map((next, index) => ({ id: `o${index}`, title: `Option ${index}`, next })),
})

async function refused(nodes: object[], more: object = {}): Promise<Record<string, string>> {
  const { status, body } = await shop.post('/bots', bot(nodes, more))
  expect(status, JSON.stringify(body)).toBe(400)
  return Object.fromEntries(body.issues.map(({ path, message: text }: Body) => [path, text]))
}

describe('invalid on saving', () => {
  test('faults of the script, each with its path', async () => {
    expect(await refused([message('a', 'b')])).toEqual({ 'nodes[0].next': 'Unknown node: b.' })
    const waiting = [message('a', 'b'), buttons('b', 'a', 'c'), message('c', 'b')]
    expect((await shop.post('/bots', bot(waiting))).status).toBe(201)
  })

  test('a node without a type, or of an unknown type', async () => {
    const kinds = 'one of message, buttons, list, ask, condition, action, ai, request, handover, end'
    expect(await refused([{ id: 'a' }])).toEqual({ 'nodes[0].type': `Required: ${kinds}.` })
    expect(await refused([{ id: 'a', type: 'x' }])).toEqual({ 'nodes[0].type': `Must be ${kinds}.` })
  })

  test('an answer stored under a name that cannot keep a value', async () => {
    for (const saveTo of ['answers.__proto__', 'contact.attributes.__proto__', 'contact.tags'])
      expect(await refused([{ id: 'a', type: 'ask', text: 'Which?', saveTo, next: null }])).toEqual({
        'nodes[0].saveTo': 'Must be answers.<name>, contact.name or contact.attributes.<key>.',
      })
  })

  test('more messages in a row than the automatic limit, and options or titles above the operator’s limits', async () => {
    const chain = (length: number) =>
      Array.from({ length }, (_, index) =>
        message(index === 0 ? 'a' : `n${index}`, index === length - 1 ? null : `n${index + 1}`),
      )
    expect(Object.keys(await refused(chain(11)))).toEqual(['nodes[0].id'])
    expect((await shop.post('/bots', bot(chain(10)))).status).toBe(201)
    expect(Object.keys(await refused([buttons('a', null, null, null, null)]))).toEqual(['nodes[0].options'])
    const titled = (title: string, type = 'buttons') => ({
      id: 'a',
      type,
      text: 'Which?',
      options: [{ id: 'o', title }],
    })
    expect(Object.keys(await refused([titled('x'.repeat(21))]))).toEqual(['nodes[0].options[0].title'])
    expect(Object.keys(await refused([titled('x'.repeat(25), 'list')]))).toEqual([
      'nodes[0].options[0].title',
    ])
    expect(
      Object.keys(
        await refused([...chain(10), ...Array.from({ length: 191 }, (_, index) => message(`m${index}`))]),
      ),
    ).toEqual(['nodes'])
  })

  test('unknown members, on a change as well', async () => {
    const missing = '01978f2e-9c1b-7d30-8a44-3f5f0e6b9a11'
    const nodes = [{ id: 'a', type: 'handover', assign: missing }]
    expect(await shop.post('/bots', bot(nodes))).toMatchObject({
      status: 400,
      body: { error: 'invalid_reference', issues: [{ path: 'nodes[0].assign' }] },
    })
    const created = (await shop.post('/bots', bot([message('a')]))).body.bot
    expect((await shop.patch(`/bots/${created.id}`, { nodes })).body.error).toBe('invalid_reference')
    expect((await shop.patch(`/bots/${created.id}`, { start: 'b' })).body.issues[0].path).toBe('start')
    expect((await shop.get(`/bots/${created.id}`)).body.bot).toEqual(created)
  })
})

test('entry: an absent or null entry is off', async () => {
  const noEntry = {
    keywords: [],
    patterns: [],
    newConversation: false,
    default: false,
    validFrom: null,
    validUntil: null,
  }
  for (const entry of [undefined, {}, { keywords: null, newConversation: null, default: null }])
    expect((await shop.post('/bots', bot([message('a')], { entry }))).body.bot.entry).toEqual(noEntry)
  const { id } = (await shop.post('/bots', bot([message('a')], { entry: { keywords: ['Hi'] } }))).body.bot
  const { body } = await shop.patch(`/bots/${id}`, { entry: { keywords: null, default: true } })
  expect(body.bot).toMatchObject({ version: 1, entry: { ...noEntry, default: true } })
})

describe('POST /bots/{id}/test', () => {
  test("plays the customer's turns, and writes nothing", async () => {
    const nodes = [
      buttons('a', 'ask', 'help'),
      { id: 'ask', type: 'ask', text: 'Your e-mail?', kind: 'email', saveTo: 'answers.mail', next: 'tag' },
      { id: 'tag', type: 'action', action: { type: 'add_tags', tags: ['vip'] }, next: 'thanks' },
      { id: 'thanks', type: 'message', text: 'We write to {{answers.mail}}, {{contact.name}}.' },
      { id: 'help', type: 'ai', instructions: 'Be kind.' },
    ]
    const { id } = (await shop.post('/bots', bot(nodes))).body.bot
    const play = async (turns: object[]) =>
      (await shop.post(`/bots/${id}/test`, { turns, contact: { name: 'Asha' } })).body
    const menu = {
      type: 'buttons',
      text: 'Which?',
      options: [
        { id: 'o0', title: 'Option 0' },
        { id: 'o1', title: 'Option 1' },
      ],
    }
    expect(await play([{ text: 'hi' }])).toEqual({
      turns: [{ understood: true, said: [menu], did: [], asked: false }],
      state: 'waiting',
      node: 'a',
      answers: {},
    })
    const result = await play([
      { text: 'hi' },
      { option: 'o0' },
      { text: 'nobody' },
      { text: 'Asha@Shop.example' },
    ])
    expect(
      result.turns
        .slice(1)
        .map(({ understood, said, did }: Body) => [understood, said.map(({ text }: Body) => text), did]),
    ).toEqual([
      [true, ['Your e-mail?'], []],
      [false, ['Please tap.'], []],
      [true, ['We write to asha@shop.example, Asha.'], ['adds the tags vip']],
    ])
    expect(result).toMatchObject({ state: 'ended', node: null, answers: { mail: 'asha@shop.example' } })
    const questionResult = await play([{ text: 'hi' }, { option: 'o1' }, { text: 'When do you open?' }])
    expect(questionResult.turns.map((turn: Body) => turn.asked)).toEqual([false, false, true])
    const first = await shop.post(`/bots/${id}/test`, { turns: [{ option: 'o0' }] })
    expect([first.status, first.body.issues[0].path]).toEqual([400, 'turns[0].option'])
    expect((await shop.get('/messages')).body.messages).toEqual([])
    expect((await shop.get('/contacts')).body.contacts).toEqual([])
  })
})

test('a tap counts as its title in POST /bots/{id}/test too', async () => {
  const nodes = [
    buttons('a', 'is'),
    { id: 'is', type: 'condition', field: 'message.text', is: 'equals', value: 'option 0', next: 'yes' },
    message('yes'),
  ]
  const { id } = (await shop.post('/bots', bot(nodes))).body.bot
  const { turns } = (await shop.post(`/bots/${id}/test`, { turns: [{ text: 'hi' }, { option: 'o0' }] })).body
  expect(turns[1].said).toMatchObject([{ text: 'I am yes.' }])
})

test('at most 50 bots', async () => {
  const full = await parley.workspace()
  const { id } = (await full.post('/bots', bot([message('a')]))).body.bot
  await parley.system((tx) =>
    tx.sql(
      `insert into bots (workspace_id, id, name, enabled, version, entry, created_at, updated_at)
       select workspace_id, gen_random_uuid(), name, false, 1, entry, created_at, updated_at
       from bots, generate_series(1, 49) where id = $1`,
      [id],
    ),
  )
  expect(await full.post('/bots', bot([message('a')]))).toMatchObject({
    status: 409,
    body: { error: 'conflict' },
  })
})
