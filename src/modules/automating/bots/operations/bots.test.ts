/** Bots in chats (DECISIONS.md). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Body, boot, type TestParley, type TestWorkspace } from '../../../../../test/support/boot.ts'
import { inWorkspace } from '../../../../../test/support/in-workspace.ts'
import { lockWaits } from '../../../../../test/support/lock-waits.ts'
import { connectNumber } from '../../../../../test/support/operator-webhooks.ts'
import {
  chatWith,
  goToTime,
  listReplies,
  madeBot,
  madeReply,
  offered,
  tap,
} from '../../../../../test/support/replies.ts'
import { signIn } from '../../../../../test/support/sessions.ts'
import { standInOperator } from '../../../../../test/support/stand-in-operator.ts'
import { until } from '../../../../../test/support/until.ts'
import { startBot } from './start-bot.ts'

const operator = await standInOperator()
let parley: TestParley
let shop: TestWorkspace
beforeAll(async () => {
  parley = await boot({ env: operator.env })
})
afterAll(async () => {
  await parley?.close()
  await operator.close()
})
beforeEach(async () => {
  shop = await parley.workspace({ sandbox: true })
})

const ASHA = '+919812345678'
const MINUTE = 60
const write = (words: string) => shop.inbound(ASHA, words)
const press = (title: string, id?: string) => tap(shop, ASHA, title, id)
const make = (body: object) => madeBot(parley, shop, body)
const contact = async () => (await shop.get(`/contacts/${ASHA}`)).body.contact
const notes = async (): Promise<string[]> => {
  const { id } = await chatWith(shop, ASHA)
  return (await shop.get(`/conversations/${id}/notes`)).body.notes.map(({ body }: Body) => body)
}
const running = async () => (await shop.get('/bots')).body.bots.map((bot: Body) => bot.running)

const sizes = (more: object = {}) => ({
  name: 'Sizes',
  entry: { keywords: ['menu'] },
  start: 'menu',
  nodes: [
    {
      id: 'menu',
      type: 'buttons',
      text: 'What do you need?',
      options: [
        { id: 'size', title: 'A size', next: 'size' },
        { id: 'person', title: 'A person', next: 'person' },
      ],
    },
    {
      id: 'size',
      type: 'list',
      text: 'Which size?',
      button: 'Sizes',
      options: [
        { id: 's', title: 'Small', next: 'name' },
        { id: 'l', title: 'Large', description: 'From 42', next: 'name' },
      ],
    },
    { id: 'name', type: 'ask', text: 'What is your name?', saveTo: 'contact.name', next: 'thanks' },
    { id: 'thanks', type: 'message', text: 'Thank you, {{contact.name}}!' },
    { id: 'person', type: 'handover', note: 'Asked for a person.' },
  ],
  ...more,
})

describe('a menu', () => {
  test('POST /sandbox/inbound drives a menu: a keyword, a button, a row, an answer', async () => {
    await make(sizes())
    await write('Menu')
    expect(await offered(shop)).toEqual({ 'A size': expect.any(String), 'A person': expect.any(String) })
    await press('A size')
    const rows = await offered(shop)
    expect(Object.keys(rows)).toEqual(['Small', 'Large'])
    await shop.inbound(ASHA, '', { text: undefined, listId: rows.Large, title: 'Large' })
    await write('Asha Rao')
    expect(await listReplies(shop)).toEqual([
      'What do you need?',
      'Which size?',
      'What is your name?',
      'Thank you, Asha Rao!',
    ])
    expect(await contact()).toMatchObject({ displayName: 'Asha Rao' })
    expect(await running()).toEqual([0])
  })

  test("an option's title or number, sent as text, selects the option", async () => {
    await make(sizes())
    await write('menu')
    await write('a  SIZE')
    await write('2')
    expect((await listReplies(shop)).at(-1)).toBe('What is your name?')
  })

  test("an old menu's tap is text", async () => {
    await make(sizes())
    await write('menu')
    const old = (await offered(shop))['A person']!
    await press('A size')
    await shop.advance(MINUTE)
    await press('A person', old)
    expect((await listReplies(shop)).slice(1)).toEqual(['Which size?', 'Please tap.'])
    // After the session has ended, a tap is text as well.
    await shop.advance(31 * MINUTE)
    await press('A person', old)
    expect(await listReplies(shop)).toHaveLength(3)
    expect((await chatWith(shop, ASHA)).state).toBe('open')
    expect(await notes()).toEqual([])
  })

  test('two fast taps advance once', async () => {
    await make(sizes())
    await write('menu')
    const id = (await offered(shop))['A size']!
    const together = [1, 2].map(() =>
      shop.post('/sandbox/inbound', { from: ASHA, buttonId: id, title: 'A size' }),
    )
    expect((await Promise.all(together)).map(({ status }) => status)).toEqual([202, 202])
    await shop.advance(1)
    expect(await listReplies(shop)).toEqual(['What do you need?', 'Which size?'])
  })

  test('two fast taps advance once, also if a menu returns, and at the end of the bot', async () => {
    await madeReply(parley, shop, {
      kind: 'away',
      schedule: 'always',
      cooldownMinutes: 0,
      reply: { text: 'Away.' },
    })
    await make({
      name: 'Questions',
      entry: { keywords: ['menu'] },
      start: 'menu',
      nodes: [
        {
          id: 'menu',
          type: 'buttons',
          text: 'What is it?',
          options: [
            { id: 'hours', title: 'Hours', next: 'hours' },
            { id: 'bye', title: 'Nothing', next: 'bye' },
          ],
        },
        { id: 'hours', type: 'message', text: 'From ten to six.', next: 'menu' },
        { id: 'bye', type: 'message', text: 'Goodbye!' },
      ],
    })
    await write('menu')
    await press('Hours')
    await press('Hours')
    const expected = ['What is it?', 'From ten to six.', 'What is it?']
    expect(await listReplies(shop)).toEqual(expected)
    // Later, the same tap selects from the returned menu.
    await shop.advance(11)
    await press('Hours')
    expect(await listReplies(shop)).toEqual([...expected, ...expected.slice(1)])
    await press('Nothing')
    await press('Nothing')
    expect((await listReplies(shop)).slice(5)).toEqual(['Goodbye!'])
  })

  test('an unknown answer gets the fallback, then a teammate takes over', async () => {
    await make(sizes({ fallback: { text: 'Please tap.', maxMisses: 2 } }))
    await write('menu')
    for (const words of ['hm', 'hmm', 'hmmm', 'hmmmm']) await write(words)
    expect((await listReplies(shop)).slice(1)).toEqual(['Please tap.', 'Please tap.'])
    expect(await notes()).toEqual(["The bot didn't understand the customer."])
  })
})

describe('the end of a session', () => {
  test('an idle session ends without a message', async () => {
    await make(sizes({ idleMinutes: 10 }))
    await write('menu')
    await shop.advance(9 * MINUTE)
    await write('1')
    expect(await running()).toEqual([1])
    await shop.advance(11 * MINUTE)
    expect(await running()).toEqual([0])
    await write('1')
    expect(await listReplies(shop)).toHaveLength(2)
  })

  test('a message by a teammate ends the session', async () => {
    await make(sizes())
    await write('menu')
    const meera = await signIn(parley, shop)
    const answer = { to: ASHA, type: 'text', text: 'Hello, I am Meera.' }
    expect((await meera.post('/api/v1/send', answer)).status).toBe(200)
    await press('A size')
    expect((await listReplies(shop)).slice(1)).toEqual([answer.text])
    expect(await running()).toEqual([0])
  })

  test('a handover opens and assigns the chat, adds a note, and leaves the chat to teammates', async () => {
    const meera = await signIn(parley, shop, 'agent')
    const nodes = sizes().nodes.map((node) =>
      node.id === 'person' ? { ...node, assign: meera.memberId } : node,
    )
    await make(sizes({ nodes, entry: { keywords: ['menu'], default: true } }))
    await write('menu')
    const { id } = await chatWith(shop, ASHA)
    await shop.patch(`/conversations/${id}`, { state: 'pending' })
    await press('A person')
    expect(await chatWith(shop, ASHA)).toMatchObject({ state: 'open', assignedAgentId: meera.memberId })
    expect(await notes()).toEqual(['Asked for a person.'])
    await write('Hello?')
    expect(await listReplies(shop)).toHaveLength(1)
    await shop.advance(31 * MINUTE)
    await write('Hello?')
    expect(await listReplies(shop)).toHaveLength(2)
  })

  test('a bot that is turned off or deleted ends its sessions immediately', async () => {
    const { id } = await make(sizes())
    await write('menu')
    expect((await shop.patch(`/bots/${id}`, { enabled: false })).status).toBe(200)
    await write('1')
    expect((await shop.patch(`/bots/${id}`, { enabled: true })).status).toBe(200)
    await parley.caughtUp()
    await write('1')
    await write('menu')
    expect((await shop.delete(`/bots/${id}`)).status).toBe(200)
    await write('1')
    expect(await listReplies(shop)).toEqual(['What do you need?', 'What do you need?'])
  })
})

describe('versions of a bot', () => {
  // Turning the bot off and deleting idle versions both miss a session that starts in the meantime.
  test.each([
    ['switched off', 'update bots set enabled = false where id = $1'],
    ['changed', 'delete from bot_versions where bot_id = $1'],
  ])(
    'a bot that was %s just as its session started leaves the chat to the next answer',
    async (_, change) => {
      const { id } = await make(sizes())
      await madeReply(parley, shop, { kind: 'away', schedule: 'always', reply: { text: 'Away.' } })
      await write('menu')
      await parley.system((tx) => tx.sql(change, [id]))
      await write('1')
      expect(await listReplies(shop)).toEqual(['What do you need?', 'Away.'])
      const left = await parley.system((tx) =>
        tx.sql('select from bot_sessions where workspace_id = $1', [shop.workspaceId]),
      )
      expect(left).toEqual([])
    },
  )

  test('sessions keep their version', async () => {
    const { id } = await make(sizes())
    await write('menu')
    const nodes = sizes().nodes.map((node) =>
      node.id === 'size' ? { ...node, text: 'Size, please?' } : node,
    )
    expect((await shop.patch(`/bots/${id}`, { nodes })).body.bot).toMatchObject({ version: 2 })
    expect((await shop.patch(`/bots/${id}`, { name: 'Main', nodes })).body.bot).toMatchObject({
      version: 2,
      name: 'Main',
    })
    await press('A size')
    await shop.inbound('+919812340000', 'menu')
    await tap(shop, '+919812340000', 'A size')
    const sent = await listReplies(shop)
    expect([sent[1], sent[3]]).toEqual(['Which size?', 'Size, please?'])
    const versions = async () =>
      (
        await parley.system((tx) =>
          tx.sql<{ version: number }>('select version from bot_versions where bot_id = $1 order by version', [
            id,
          ]),
        )
      ).map(({ version }) => version)
    expect(await versions()).toEqual([1, 2])
    await shop.advance(31 * MINUTE)
    expect((await shop.patch(`/bots/${id}`, { idleMinutes: 5 })).status).toBe(200)
    expect(await versions()).toEqual([3])
  })
})

describe('the order of answers', () => {
  test('the running bot, then a keyword, then a bot for new chats, then the welcome', async () => {
    await make({
      name: 'Everything',
      entry: { default: true },
      start: 'ask',
      nodes: [{ id: 'ask', type: 'ask', text: 'What is it about?', saveTo: 'answers.about', next: null }],
    })
    await madeReply(parley, shop, { kind: 'keyword', keywords: ['price'], reply: { text: 'From 100.' } })
    await madeReply(parley, shop, { kind: 'welcome', reply: { text: 'Welcome!' } })
    await write('price')
    await write('Hello')
    await write('the price')
    await write('price')
    expect(await listReplies(shop)).toEqual(['From 100.', 'What is it about?', 'From 100.'])
  })

  test('a chat is new if the customer is new or was silent for a day', async () => {
    await make({
      name: 'Hello',
      entry: { newConversation: true },
      start: 'hello',
      nodes: [{ id: 'hello', type: 'message', text: 'Hello!' }],
    })
    await write('Hi')
    await write('Hi')
    await shop.advance(25 * 60 * MINUTE)
    await write('Hi')
    expect(await listReplies(shop)).toEqual(['Hello!', 'Hello!'])
  })

  test('an answer to a rating request does not start a bot', async () => {
    await shop.call('PUT', '/rating-settings', { enabled: true })
    await make({
      name: 'Echo',
      entry: { default: true },
      start: 'm',
      nodes: [{ id: 'm', type: 'message', text: 'Hm.' }],
    })
    await write('Hi')
    const { id } = await chatWith(shop, ASHA)
    await shop.patch(`/conversations/${id}`, { state: 'resolved' })
    await shop.advance(1)
    await write('4')
    expect((await listReplies(shop)).filter((words) => words === 'Hm.')).toHaveLength(1)
    await write('4')
    expect((await listReplies(shop)).filter((words) => words === 'Hm.')).toHaveLength(2)
  })

  test('two bots that answer each other stop', async () => {
    await make({
      name: 'Parrot',
      entry: { default: true },
      start: 'm',
      nodes: [{ id: 'm', type: 'message', text: 'What can I do for you?' }],
    })
    for (let i = 0; i < 14; i++) await write('What can I do for you?')
    expect(await listReplies(shop)).toHaveLength(10)
    // A teammate writes. After the quiet time, the bot answers the customer again.
    const meera = await signIn(parley, shop)
    await meera.post('/api/v1/send', { to: ASHA, type: 'text', text: 'Who is this?' })
    await shop.advance(31 * MINUTE)
    await write('What can I do for you?')
    expect(await listReplies(shop)).toHaveLength(12)
  })
})

describe('hours over midnight', () => {
  const EVERY_DAY = [1, 2, 3, 4, 5, 6, 7]
  const HOURS = {
    'one range, 20:00 to 04:00': [{ from: '20:00', to: '04:00' }],
    'two ranges, as they were saved earlier': [
      { from: '00:00', to: '04:00' },
      { from: '20:00', to: '24:00' },
    ],
  }
  test.each(Object.entries(HOURS))(
    '%s: a bot hands over at 01:00, and sends that we are away at 05:00',
    async (_, ranges) => {
      const weekly = EVERY_DAY.flatMap((day) => ranges.map((range) => ({ day, ...range })))
      const saved = await shop.call('PUT', '/business-hours', { timeZone: 'Asia/Kolkata', weekly })
      expect(saved.status, saved.text).toBe(200)
      const bot = await make({
        name: 'Desk',
        entry: { keywords: ['help'] },
        start: 'hours',
        nodes: [
          {
            id: 'hours',
            type: 'condition',
            field: 'now.open',
            is: 'equals',
            value: 'true',
            next: 'desk',
            otherwise: 'closed',
          },
          { id: 'desk', type: 'message', text: 'One moment.', next: 'person' },
          { id: 'person', type: 'handover', note: 'Asked at night.' },
          { id: 'closed', type: 'message', text: 'We open at eight in the evening.', next: null },
        ],
      })
      await madeReply(parley, shop, { kind: 'away', reply: { text: 'We are away.' }, cooldownMinutes: 0 })

      let customers = 10
      /**
       * Returns the bot's answers to a new customer who asks for help at a time and then writes again, and
       * whether teammates have the chat.
       */
      const sendAndRead = async (time: string): Promise<[messages: string[], isWithPeople: boolean]> => {
        await goToTime(shop, time)
        const customer = `+9198123456${customers++}`
        const before = (await listReplies(shop)).length
        await shop.inbound(customer, 'help')
        await shop.inbound(customer, 'Are you there?')
        const { id } = await chatWith(shop, customer)
        const { notes: storedNotes } = (await shop.get(`/conversations/${id}/notes`)).body
        const tried = (await shop.post(`/bots/${bot.id}/test`, { turns: [{ text: 'help' }] })).body
        expect(JSON.stringify(tried).includes('One moment.'), `the test of the bot at ${time}`).toBe(
          storedNotes.length > 0,
        )
        return [(await listReplies(shop)).slice(before), storedNotes.length > 0]
      }
      const open = [['One moment.'], true]
      const closed = [['We open at eight in the evening.', 'We are away.'], false]
      expect(await sendAndRead('19:58')).toEqual(closed)
      expect(await sendAndRead('20:01')).toEqual(open)
      expect(await sendAndRead('23:59')).toEqual(open)
      expect(await sendAndRead('00:01')).toEqual(open)
      expect(await sendAndRead('01:00')).toEqual(open)
      expect(await sendAndRead('03:58')).toEqual(open)
      expect(await sendAndRead('05:00')).toEqual(closed)
    },
  )
})

describe('the start of a bot', () => {
  const hello = (entry: object) =>
    make({
      name: 'Hello',
      entry,
      start: 'a',
      nodes: [{ id: 'a', type: 'message', text: 'Hello from the bot.' }],
    })

  test('by a regular expression, which an invalid one of a request is not: 400 with its position', async () => {
    const bot = await hello({ patterns: ['^order #?\\d{4}'] })
    expect(bot.entry).toEqual({
      keywords: [],
      patterns: ['^order #?\\d{4}'],
      newConversation: false,
      default: false,
      validFrom: null,
      validUntil: null,
    })
    await write('Order #１２３４?')
    await write('my order 1234')
    expect(await listReplies(shop)).toEqual(['Hello from the bot.'])
    expect(await shop.patch(`/bots/${bot.id}`, { entry: { patterns: ['a', '(b'] } })).toMatchObject({
      status: 400,
      body: { issues: [{ path: 'entry.patterns[1]', message: expect.stringContaining('At character 1') }] },
    })
  })

  test("only in its time, by the workspace's clock; a running bot continues after its end", async () => {
    const now = new Date((await shop.get('/sandbox/clock')).body.now).getTime()
    const at = (minutes: number) => new Date(now + minutes * 60_000).toISOString()
    await make(sizes({ entry: { default: true, validFrom: at(60), validUntil: at(120) } }))
    await write('Hello')
    expect(await listReplies(shop)).toEqual([])
    await shop.advance(119 * MINUTE)
    await write('Hello')
    await shop.advance(5 * MINUTE)
    await press('A size')
    expect(await listReplies(shop)).toEqual(['What do you need?', 'Which size?'])
    await shop.advance(60 * MINUTE)
    await write('Hello')
    expect(await listReplies(shop)).toHaveLength(2)
    const entry = { validFrom: at(60), validUntil: at(30) }
    expect((await shop.post('/bots', sizes({ entry, fallback: { text: 'x' } }))).body.issues[0].path).toBe(
      'entry.validUntil',
    )
  })
})

describe('data and actions of a bot', () => {
  test('conditions read answers, the contact, and the hours; actions change the contact and the chat', async () => {
    await shop.call('PUT', '/business-hours', { timeZone: 'Asia/Kolkata', weekly: [] })
    const end = { type: 'message', next: null }
    await make({
      name: 'Order',
      entry: { keywords: ['order'] },
      start: 'count',
      nodes: [
        {
          id: 'count',
          type: 'ask',
          text: 'How many?',
          kind: 'number',
          saveTo: 'answers.count',
          next: 'many',
        },
        {
          id: 'many',
          type: 'condition',
          field: 'answers.count',
          is: 'greater',
          value: '10',
          next: 'tag',
          otherwise: 'few',
        },
        { id: 'tag', type: 'action', action: { type: 'add_tags', tags: ['Wholesale'] }, next: 'keep' },
        {
          id: 'keep',
          type: 'action',
          action: { type: 'set_attribute', key: 'wants', value: '{{answers.count}}' },
          next: 'urgent',
        },
        {
          id: 'urgent',
          type: 'action',
          action: { type: 'set_conversation', priority: 'urgent' },
          next: 'tagged',
        },
        {
          id: 'tagged',
          type: 'condition',
          field: 'contact.tags',
          is: 'contains',
          value: 'wholesale',
          next: 'open',
          otherwise: 'few',
        },
        {
          id: 'open',
          type: 'condition',
          field: 'now.open',
          is: 'equals',
          value: 'true',
          next: 'few',
          otherwise: 'many-of',
        },
        { id: 'many-of', ...end, text: '{{answers.count}} of them! We call you when we open.' },
        { id: 'few', ...end, text: 'Just a few.' },
      ],
    })
    await write('order')
    await write('many')
    await write('1,200')
    expect(await listReplies(shop)).toEqual([
      'How many?',
      'Please tap.',
      '1200 of them! We call you when we open.',
    ])
    expect(await contact()).toMatchObject({ tags: ['Wholesale'], attributes: { wants: '1200' } })
    expect(await chatWith(shop, ASHA)).toMatchObject({ priority: 'urgent' })
  })

  test('a bot creates a lead of the customer, with the name from their answer', async () => {
    await make({
      name: 'Lead',
      entry: { keywords: ['quote'] },
      start: 'name',
      nodes: [
        { id: 'name', type: 'ask', text: 'Your name?', saveTo: 'contact.name', next: 'what' },
        { id: 'what', type: 'ask', text: 'What do you need?', saveTo: 'answers.what', next: 'lead' },
        {
          id: 'lead',
          type: 'action',
          action: { type: 'create_lead', source: 'Bot', note: 'Needs {{answers.what}}' },
          next: 'thanks',
        },
        { id: 'thanks', type: 'message', text: 'We call you.' },
      ],
    })
    for (const words of ['quote', 'Asha Rao', 'ten chairs']) await write(words)
    expect((await listReplies(shop)).at(-1)).toBe('We call you.')
    const [lead] = (await shop.get('/leads')).body.leads
    expect(lead).toMatchObject({ name: 'Asha Rao', source: 'Bot', captureCount: 1 })
    expect((await shop.get(`/leads/${lead.id}/timeline`)).text).toContain('Needs ten chairs')
  })

  test('a failed change of the contact is noted, and the customer still gets an answer', async () => {
    await shop.post('/contact-fields', { key: 'size', type: 'number' })
    await make({
      name: 'Size',
      entry: { keywords: ['size'] },
      start: 'ask',
      nodes: [
        { id: 'ask', type: 'ask', text: 'Which?', saveTo: 'contact.attributes.size', next: 'ok' },
        { id: 'ok', type: 'message', text: 'Noted.' },
      ],
    })
    await write('size')
    await write('large')
    expect(await listReplies(shop)).toEqual(['Which?', 'Noted.'])
    expect((await contact()).attributes).toEqual({})
    expect((await notes())[0]).toContain('attributes.size')
  })

  test('STOP is obeyed during a bot, and the bot sends nothing more', async () => {
    await make(sizes())
    await write('menu')
    await write('stop')
    await write('1')
    expect(await listReplies(shop)).toEqual(['What do you need?'])
  })

  test('a message that cannot be sent hands over, with the reason', async () => {
    await make(sizes())
    await write('menu')
    await shop.set({ messageAllowance: 1 })
    await press('A size')
    expect(await listReplies(shop)).toEqual(['What do you need?'])
    expect((await notes())[0]).toContain('allowance')
    expect(await running()).toEqual([0])
  })

  test('an error in an answer loses no message: after a few attempts the message is stored without an answer', async () => {
    const { id } = await make(sizes())
    await parley.system((tx) =>
      tx.sql(
        `update bot_versions set definition = jsonb_set(definition, '{start}', '"gone"') where bot_id = $1`,
        [id],
      ),
    )
    await write('menu')
    const inbound = async () => (await shop.get('/messages?direction=inbound')).body.messages.length
    expect(await inbound()).toBe(0)
    await shop.advance(MINUTE)
    expect(await inbound()).toBe(1)
    expect(await listReplies(shop)).toEqual([])
  })

  test('automatic answers lock the allowance before the chat, as every send does', async () => {
    const real = await parley.workspace()
    const number = await connectNumber(parley, real)
    await real.set({ messageAllowance: 10_000 })
    await madeReply(parley, real, { kind: 'keyword', keywords: ['price'], reply: { text: 'From 100.' } })
    const report = (id: string, body: string) => {
      const timestamp = String(Math.floor(Date.now() / 1_000))
      const message = { from: ASHA.slice(1), id, timestamp, type: 'text', text: { body } }
      return number.report('messages', { messages: [message] })
    }
    await report('wamid.first', 'Hello')
    let reported: Promise<void> | undefined
    await parley.system(async (tx) => {
      // Locks the allowance, as a send does just before its commit.
      await tx.sql('select from workspace_usage where workspace_id = $1 for update', [real.workspaceId])
      reported = report('wamid.second', 'price')
      await until(async () => (await lockWaits(tx.sql)).length > 0, 'the intake waits for the allowance')
      await tx.sql('select from conversation_activity where workspace_id = $1 for update nowait', [
        real.workspaceId,
      ])
    })
    await reported
    expect(await listReplies(real)).toEqual(['From 100.'])
  })

  test('startBot returns a reason if the bot is off or deleted, the window is closed, or the contact opted out', async () => {
    const { id: botId } = await make(sizes({ entry: {} }))
    await write('Hello')
    const { id: conversationId } = await chatWith(shop, ASHA)
    const start = (bot = botId) =>
      inWorkspace(parley, shop, (ctx) => startBot(ctx, { botId: bot, conversationId }))
    expect(await start()).toEqual({ started: true, sessionId: expect.any(String) })
    await press('A size')
    expect((await listReplies(shop)).at(-1)).toBe('Which size?')
    expect(await start('01978f2e-9c1b-7d30-8a44-3f5f0e6b9a11')).toMatchObject({ reason: 'bot_not_found' })
    await shop.advance(25 * 60 * MINUTE)
    expect(await start()).toMatchObject({ started: false, reason: 'outside_24h_window' })
    await write('stop')
    expect(await start()).toMatchObject({ reason: 'contact_opted_out' })
    await shop.patch(`/bots/${botId}`, { enabled: false })
    expect(await start()).toMatchObject({ reason: 'bot_off' })
  })
})
