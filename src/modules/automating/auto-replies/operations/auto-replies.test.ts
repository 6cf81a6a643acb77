/** Automatic replies to customers' messages (DECISIONS.md). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { boot, type TestParley, type TestWorkspace } from '../../../../../test/support/boot.ts'
import { connectNumber } from '../../../../../test/support/operator-webhooks.ts'
import { chatWith, goToTime, inKolkata, listReplies, madeReply } from '../../../../../test/support/replies.ts'
import { signIn } from '../../../../../test/support/sessions.ts'
import { standInOperator } from '../../../../../test/support/stand-in-operator.ts'
import { DAY_MS } from '../../../../core/clock.ts'

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
const DAY_SECONDS = 86_400
const make = (body: object) => madeReply(parley, shop, body)
const text = (words: string) => ({ reply: { text: words } })
const welcome = (more: object = {}) => make({ kind: 'welcome', ...text('Welcome!'), ...more })
const away = (more: object = {}) => make({ kind: 'away', ...text('We are away.'), ...more })
const keyword = (more: object = {}) =>
  make({ kind: 'keyword', keywords: ['price'], ...text('From 100.'), ...more })
const hours = (body: object) => shop.call('PUT', '/business-hours', { timeZone: 'Asia/Kolkata', ...body })
const closed = () => hours({ weekly: [] })
const write = (words: string, more: Record<string, unknown> = {}) => shop.inbound(ASHA, words, more)
const now = async () => new Date((await shop.get('/sandbox/clock')).body.now)
const goTo = (time: string) => goToTime(shop, time)

describe('which auto-reply is sent', () => {
  test('a keyword takes priority over the welcome', async () => {
    await welcome()
    await keyword()
    await write('What PRICE is it?')
    expect(await listReplies(shop)).toEqual(['From 100.'])
  })

  test('welcome and away are both sent at night', async () => {
    await closed()
    await welcome()
    await away()
    await write('Hello')
    expect(await listReplies(shop)).toEqual(['Welcome!', 'We are away.'])
  })

  test('a welcome is sent to the first message, and again after its days of silence', async () => {
    await welcome()
    await write('Hello')
    await write('Anybody?')
    await shop.advance(3 * DAY_SECONDS)
    await write('Hello again')
    expect(await listReplies(shop)).toEqual(['Welcome!'])
    await welcome({ daysSilent: 2, ...text('Welcome back!') })
    await shop.advance(3 * DAY_SECONDS)
    await write('And again')
    await write('And again')
    expect(await listReplies(shop)).toEqual(['Welcome!', 'Welcome back!'])
  })

  test('of several that match, the auto-reply with the lowest position', async () => {
    await keyword({ position: 5, ...text('second') })
    await keyword({ position: 2, ...text('first') })
    await keyword({ position: 1, enabled: false, ...text('off') })
    await write('price')
    expect(await listReplies(shop)).toEqual(['first'])
  })

  test.each([
    ['exact', 'Price ', 'the price'],
    ['contains', 'the prices', 'what does it cost'],
    ['starts', 'PRICES?', 'the price'],
    ['word', 'the price, please', 'the prices'],
  ])('a keyword that is %s', async (match, fitting, other) => {
    await keyword({ match })
    await write(other)
    expect(await listReplies(shop)).toEqual([])
    await write(fitting)
    expect(await listReplies(shop)).toEqual(['From 100.'])
  })

  test('only on the numbers that it names', async () => {
    const [number] = (await shop.get('/phone-numbers')).body.phoneNumbers
    const missing = '01978f2e-9c1b-7d30-8a44-3f5f0e6b9a11'
    const refused = await shop.post('/auto-replies', {
      kind: 'keyword',
      keywords: ['price'],
      ...text('x'),
      phoneNumberIds: [missing],
    })
    expect(refused).toMatchObject({ status: 400, body: { error: 'invalid_reference' } })
    await keyword({ phoneNumberIds: [number.id] })
    await write('price')
    expect(await listReplies(shop)).toEqual(['From 100.'])
  })

  test("the customer's name is filled in", async () => {
    await keyword(text('Hello {{contact.name}}, {{ contact.unknown }}from 100.'))
    await write('price', { name: 'Asha {{contact.phone}}' })
    expect(await listReplies(shop)).toEqual(['Hello Asha {{contact.phone}}, from 100.'])
  })
})

describe('how often', () => {
  test('two concurrent messages get one away message', async () => {
    await closed()
    await away()
    const together = ['Hello', 'Is anybody there?'].map((words) =>
      shop.post('/sandbox/inbound', { from: ASHA, text: words }),
    )
    expect((await Promise.all(together)).map(({ status }) => status)).toEqual([202, 202])
    await shop.advance(1)
    expect(await listReplies(shop)).toEqual(['We are away.'])
  })

  test('an away message is sent again after its cooldown of four hours', async () => {
    await closed()
    expect(await away()).toMatchObject({ cooldownMinutes: 240, schedule: 'business_hours' })
    await write('Hello')
    await shop.advance(239 * MINUTE)
    await write('Hello?')
    expect(await listReplies(shop)).toHaveLength(1)
    await shop.advance(2 * MINUTE)
    await write('Hello??')
    expect(await listReplies(shop)).toHaveLength(2)
  })

  test('ten automatic messages in ten minutes without a person stop the next ones', async () => {
    await keyword()
    for (let i = 0; i < 12; i++) await write('price')
    expect(await listReplies(shop)).toHaveLength(10)
    await shop.advance(10 * MINUTE)
    await write('price')
    expect(await listReplies(shop)).toHaveLength(11)
  })
})

describe('when', () => {
  test('a night saved as two ranges, to 24:00 and from 00:00, stays open', async () => {
    const nights = [1, 2, 3, 4, 5, 6, 7].flatMap((day) => [
      { day, from: '00:00', to: '06:00' },
      { day, from: '22:00', to: '24:00' },
    ])
    await hours({ weekly: nights })
    await away({ cooldownMinutes: 0 })
    const answered = async (time: string): Promise<boolean> => {
      const before = (await listReplies(shop)).length
      await goTo(time)
      await write(`It is ${time}`)
      return (await listReplies(shop)).length > before
    }
    expect(await answered('21:58')).toBe(true)
    expect(await answered('22:01')).toBe(false)
    expect(await answered('23:59')).toBe(false)
    expect(await answered('00:01')).toBe(false)
    expect(await answered('05:58')).toBe(false)
    expect(await answered('06:01')).toBe(true)
  })

  const EVERY_DAY = [1, 2, 3, 4, 5, 6, 7]
  /** Returns whether a message at the next `time` gets the away message. */
  const isAwayAt = async (time: string): Promise<boolean> => {
    const before = (await listReplies(shop)).length
    await goTo(time)
    await write(`It is ${time}`)
    return (await listReplies(shop)).length > before
  }

  test('hours from 20:00 to 04:00 are open at 01:00 and away at 05:00', async () => {
    expect(
      await hours({ weekly: EVERY_DAY.map((day) => ({ day, from: '20:00', to: '04:00' })) }),
    ).toMatchObject({
      status: 200,
    })
    await away({ cooldownMinutes: 0 })
    expect(await isAwayAt('19:58')).toBe(true)
    expect(await isAwayAt('20:01')).toBe(false)
    expect(await isAwayAt('01:00')).toBe(false)
    expect(await isAwayAt('03:58')).toBe(false)
    expect(await isAwayAt('05:00')).toBe(true)
  })

  test('a closed day closes the night that starts on it, not the rest of the night before', async () => {
    await goTo('12:00')
    const holiday = inKolkata(new Date((await now()).getTime() + DAY_MS)).slice(0, 10)
    await hours({
      weekly: EVERY_DAY.map((day) => ({ day, from: '20:00', to: '04:00' })),
      overrides: [{ date: holiday, ranges: [] }],
    })
    await away({ cooldownMinutes: 0 })
    expect(await isAwayAt('21:00')).toBe(false)
    // The holiday. Its first hours belong to the evening before.
    expect(await isAwayAt('01:00')).toBe(false)
    expect(await isAwayAt('21:00')).toBe(true)
    // The day after the holiday.
    expect(await isAwayAt('01:00')).toBe(true)
    expect(await isAwayAt('21:00')).toBe(false)
  })

  test('holidays override the hours of the week', async () => {
    const always = [1, 2, 3, 4, 5, 6, 7].map((day) => ({ day, from: '00:00', to: '24:00' }))
    const day = await goTo('12:00')
    await hours({ weekly: always, overrides: [{ date: day, ranges: [] }] })
    await away({ cooldownMinutes: 0 })
    await write('Hello')
    expect(await listReplies(shop)).toEqual(['We are away.'])
    await goTo('12:00')
    await write('Hello')
    expect(await listReplies(shop)).toHaveLength(1)
  })

  test("unknown business hours don't count as closed; always applies at any time", async () => {
    await away()
    await write('Hello')
    expect(await listReplies(shop)).toEqual([])
    await away({ schedule: 'always', ...text('On holiday.') })
    await write('Hello')
    expect(await listReplies(shop)).toEqual(['On holiday.'])
  })
})

describe('no auto-reply', () => {
  test('follows STOP or later messages of that customer; START gets none itself, but allows them again', async () => {
    await closed()
    await away({ cooldownMinutes: 0 })
    await keyword({ keywords: ['stop', 'start', 'yes', 'price'] })
    await write('STOP')
    await write('price')
    await write('Hello')
    await write('START')
    expect(await listReplies(shop)).toEqual([])
    await write('price')
    // Without a STOP before it, a yes is an ordinary message.
    await write('yes')
    expect(await listReplies(shop)).toEqual(['From 100.', 'From 100.'])
  })

  test('goes to blocked customers', async () => {
    await write('Hi')
    await keyword()
    const { contact } = await chatWith(shop, ASHA)
    expect((await shop.post(`/contacts/${contact.id}/block`)).status).toBe(200)
    await shop.advance(1)
    await write('price')
    expect(await listReplies(shop)).toEqual([])
  })

  test('goes to late messages or to reactions', async () => {
    const real = await parley.workspace()
    const number = await connectNumber(parley, real)
    await madeReply(parley, real, {
      kind: 'away',
      schedule: 'always',
      cooldownMinutes: 0,
      ...text('We are away.'),
    })
    const write = (id: string, ageSeconds: number, more: object) =>
      number.report('messages', {
        messages: [
          {
            from: '919812345678',
            id,
            timestamp: String(Math.floor(Date.now() / 1_000) - ageSeconds),
            ...more,
          },
        ],
      })
    const hello = { type: 'text', text: { body: 'Hello' } }
    await write('wamid.late', 11 * MINUTE, hello)
    await write('wamid.reaction', 0, {
      type: 'reaction',
      reaction: { message_id: 'wamid.late', emoji: '👍' },
    })
    expect(await listReplies(real)).toEqual([])
    await write('wamid.recent', 8 * MINUTE, hello)
    expect(await listReplies(real)).toEqual(['We are away.'])
    // A message typed in the phone app counts as a person's answer.
    const echo = { to: '919812345678', id: 'wamid.echo', type: 'text', text: { body: 'I am here' } }
    const timestamp = String(Math.floor(Date.now() / 1_000))
    await number.report('smb_message_echoes', { message_echoes: [{ ...echo, timestamp }] })
    await write('wamid.again', 0, hello)
    expect(await listReplies(real)).toEqual(['We are away.', 'I am here'])
  })

  test('goes into a chat that a person answered within 30 minutes; an API key is not a person', async () => {
    await keyword()
    const meera = await signIn(parley, shop)
    await write('Hi')
    const answer = { to: ASHA, type: 'text', text: 'Hello, how can I help?' }
    expect((await meera.post('/api/v1/send', answer)).status).toBe(200)
    await shop.advance(29 * MINUTE)
    await write('price')
    expect(await listReplies(shop)).toEqual([answer.text])
    await shop.advance(2 * MINUTE)
    await write('price')
    expect(await listReplies(shop)).toEqual([answer.text, 'From 100.'])
    expect((await shop.post('/send', answer)).status).toBe(200)
    await write('price')
    expect((await listReplies(shop)).slice(-1)).toEqual(['From 100.'])
  })
})

describe('regular expressions', () => {
  const pattern = (...keywords: string[]) => keyword({ keywords, match: 'regex' })

  test('answer if they are found in the message, in any case and spelling', async () => {
    expect(await pattern('^order #?(\\d{4,8})', 'pr[ei]ce')).toMatchObject({
      match: 'regex',
      keywords: ['^order #?(\\d{4,8})', 'pr[ei]ce'],
    })
    for (const words of ['Order\u00a0#１２３４ please', 'what PRICE', 'my order 1234']) await write(words)
    expect(await listReplies(shop)).toEqual(['From 100.', 'From 100.'])
  })

  test('that are invalid are 400 with the reason and the position, when they are saved, changed, or tested', async () => {
    const issue = {
      path: 'keywords[1]',
      message: "Must be a regular expression in RE2 syntax. At character 2, this parenthesis isn't closed.",
    }
    const body = { keywords: ['a', 'b(c'], match: 'regex' }
    const { id } = await pattern('a')
    for (const { status, body: answer } of [
      await shop.post('/auto-replies', { kind: 'keyword', ...body, ...text('x') }),
      await shop.patch(`/auto-replies/${id}`, { keywords: body.keywords }),
      await shop.post('/auto-replies/test', { ...body, text: 'x' }),
    ]) {
      expect(status).toBe(400)
      expect(answer.issues).toEqual([issue])
    }
    for (const keywords of [['a(?=b)'], ['(a)\\1'], ['x'.repeat(201)], ['(\\pL{900})'], ['a', 'a']])
      expect((await shop.patch(`/auto-replies/${id}`, { keywords })).status, keywords[0]).toBe(400)
    expect((await shop.patch(`/auto-replies/${id}`, { keywords: ['\\d', '\\D'] })).status).toBe(200)
  })

  test('and keywords of at most 100 characters can replace each other', async () => {
    const long = `price${'s?'.repeat(60)}`
    const { id } = await pattern(long)
    const path = `/auto-replies/${id}`
    expect((await shop.patch(path, { match: 'word' })).body.issues[0].path).toBe('keywords[0]')
    expect((await shop.patch(path, { match: 'word', keywords: ['price'] })).body.autoReply).toMatchObject({
      match: 'word',
      keywords: ['price'],
    })
    await write('pricesss')
    expect(await listReplies(shop)).toEqual([])
    expect((await shop.patch(path, { match: 'regex' })).status).toBe(200)
    await parley.caughtUp()
    await write('pricesss')
    expect(await listReplies(shop)).toEqual(['From 100.'])
  })

  test.each(['(a+)+$', '(a|aa)+$', '(.*a){12}!', '([a-z]+)*9'])(
    'that would backtrack do not keep a long message from its answer: %s',
    async (words) => {
      await pattern(words)
      await welcome()
      await write(`${'a'.repeat(4_000)}?`)
      expect(await listReplies(shop)).toHaveLength(1)
    },
  )

  test('are in at most 20 auto-replies', async () => {
    await parley.system((tx) =>
      tx.sql(
        `insert into auto_replies (workspace_id, id, kind, enabled, position, reply, keywords, match, cooldown_minutes, schedule, created_at, updated_at, patterns)
         select $1, gen_random_uuid(), 'keyword', false, 0, '{"text": "x"}', '{}', 'exact', 0, 'always', $2, $2, '{a}' from generate_series(1, 19)`,
        [shop.workspaceId, new Date()],
      ),
    )
    await pattern('price')
    const body = { kind: 'keyword', keywords: ['a'], match: 'regex', ...text('x') }
    const more = await shop.post('/auto-replies', body)
    expect(more).toMatchObject({ status: 409, body: { error: 'conflict' } })
    const { id } = await keyword()
    expect((await shop.patch(`/auto-replies/${id}`, { match: 'regex' })).status).toBe(409)
  })

  test('and keywords are tested with an example, without a stored reply', async () => {
    const tested = async (body: object) => (await shop.post('/auto-replies/test', body)).body
    expect(await tested({ match: 'regex', keywords: ['cost', '\\bpr.ce'], text: 'The PRICE?' })).toEqual({
      matches: true,
      keyword: '\\bpr.ce',
    })
    expect(await tested({ keywords: ['price'], text: 'prices' })).toEqual({ matches: false, keyword: null })
    expect(await tested({ keywords: ['price'], text: '' })).toEqual({ matches: false, keyword: null })
    expect((await shop.get('/auto-replies')).body.autoReplies).toEqual([])
  })
})

describe('the time in which an auto-reply answers', () => {
  test("starts and ends by the workspace's clock; the next reply answers before and after it", async () => {
    const start = (await now()).getTime()
    const at = (seconds: number) => new Date(start + seconds * 1_000).toISOString()
    const offer = await keyword({
      ...text('The offer ends soon.'),
      validFrom: at(DAY_SECONDS),
      validUntil: at(3 * DAY_SECONDS),
    })
    expect(offer).toMatchObject({ validFrom: at(DAY_SECONDS), validUntil: at(3 * DAY_SECONDS) })
    await keyword({ position: 1 })
    await write('price')
    await shop.advance(DAY_SECONDS)
    await write('price')
    await shop.advance(2 * DAY_SECONDS)
    await write('price')
    expect(await listReplies(shop)).toEqual(['From 100.', 'The offer ends soon.', 'From 100.'])
  })

  test('has an offset, ends after its start, and can be removed', async () => {
    const { id } = await away({ validUntil: '2026-12-04T00:00:00+05:30' })
    const path = `/auto-replies/${id}`
    const read = async () => (await shop.get(path)).body.autoReply
    expect(await read()).toMatchObject({ validFrom: null, validUntil: '2026-12-03T18:30:00.000Z' })
    const late = await shop.patch(path, { validFrom: '2026-12-04T00:00:00+05:30' })
    expect(late).toMatchObject({ status: 400, body: { issues: [{ path: 'validUntil' }] } })
    expect((await shop.patch(path, { validUntil: 'tomorrow' })).body.issues[0].path).toBe('validUntil')
    expect((await shop.patch(path, { validUntil: null })).body.autoReply).toMatchObject({ validUntil: null })
  })
})

describe('changes by admins', () => {
  test('apply immediately; a deleted auto-reply is not sent', async () => {
    const { id } = await keyword()
    expect((await shop.patch(`/auto-replies/${id}`, text('From 200.'))).body.autoReply).toMatchObject({
      keywords: ['price'],
      reply: { text: 'From 200.' },
    })
    await write('price')
    expect(await listReplies(shop)).toEqual(['From 200.'])
    expect((await shop.delete(`/auto-replies/${id}`)).status).toBe(200)
    expect((await shop.get(`/auto-replies/${id}`)).status).toBe(404)
    expect((await shop.get('/auto-replies')).body.autoReplies).toEqual([])
    await parley.caughtUp()
    await write('price')
    expect(await listReplies(shop)).toHaveLength(1)
  })

  test('with a bad field are 400 and name it', async () => {
    const good = { kind: 'keyword', keywords: ['price'], ...text('x') }
    const refused = async (patch: object) => {
      const { status, body } = await shop.post('/auto-replies', { ...good, ...patch })
      expect(status).toBe(400)
      return body.issues[0].path
    }
    expect(await refused({ kind: 'other' })).toBe('kind')
    expect(await refused({ keywords: [] })).toBe('keywords')
    expect(await refused({ kind: 'away' })).toBe('keywords')
    expect(await refused({ keywords: ['a', 'A'] })).toBe('keywords')
    expect(await refused({ keywords: Array.from({ length: 21 }, (_, i) => `k${i}`) })).toBe('keywords')
    expect(await refused({ reply: { text: ' ' } })).toBe('reply.text')
    expect(await refused({ phoneNumberIds: [] })).toBe('phoneNumberIds')
    expect(await refused({ cooldownMinutes: -1 })).toBe('cooldownMinutes')
    expect(await refused({ schedule: 'never' })).toBe('schedule')
    const { id } = await keyword()
    expect((await shop.patch(`/auto-replies/${id}`, { keywords: [] })).body.issues[0].path).toBe('keywords')
  })

  test('stop at 100 auto-replies', async () => {
    await parley.system((tx) =>
      tx.sql(
        `insert into auto_replies (workspace_id, id, kind, enabled, position, reply, keywords, match, cooldown_minutes, schedule, created_at, updated_at)
         select $1, gen_random_uuid(), 'away', false, 0, '{"text": "x"}', '{}', 'word', 0, 'always', $2, $2 from generate_series(1, 99)`,
        [shop.workspaceId, new Date()],
      ),
    )
    await keyword()
    const more = await shop.post('/auto-replies', { kind: 'away', ...text('x') })
    expect(more).toMatchObject({ status: 409, body: { error: 'conflict' } })
  })
})

describe('a refused automatic reply', () => {
  test('leaves a note with the reason, once in a row', async () => {
    await keyword({ cooldownMinutes: 0 })
    await write('Hello')
    await parley.system((tx) =>
      tx.sql(`update phone_numbers set state = 'number_banned' where workspace_id = $1`, [shop.workspaceId]),
    )
    await write('price')
    await write('price')
    const [chat] = (await shop.get('/conversations')).body.conversations
    const { notes } = (await shop.get(`/conversations/${chat.id}/notes`)).body
    expect(notes.map((note: { body: string }) => note.body)).toEqual([
      expect.stringMatching(/^The automatic reply wasn't sent: .*number_banned/),
    ])
  })

  test('leaves a note after too many in a chat', async () => {
    await keyword({ cooldownMinutes: 0 })
    for (let i = 0; i < 13; i++) await write('price')
    const [chat] = (await shop.get('/conversations')).body.conversations
    const { notes } = (await shop.get(`/conversations/${chat.id}/notes`)).body
    expect(notes.map((note: { body: string }) => note.body)).toEqual([
      expect.stringMatching(/^The automatic answer wasn't sent: This chat got 10 automatic messages/),
    ])
  })
})
