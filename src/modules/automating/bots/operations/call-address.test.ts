/** The request of a bot (DECISIONS.md "Requests"): sent once, between transactions, to a public address. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Body, boot, type TestParley, type TestWorkspace } from '../../../../../test/support/boot.ts'
import { makeReceivers, type Receiver } from '../../../../../test/support/receiver.ts'
import { chatWith, listReplies, madeBot } from '../../../../../test/support/replies.ts'
import { until } from '../../../../../test/support/until.ts'

let receivers: Awaited<ReturnType<typeof makeReceivers>>
let parley: TestParley
let shop: TestWorkspace
let receiver: Receiver
beforeAll(async () => {
  receivers = await makeReceivers()
  parley = await boot({ env: receivers.env })
})
afterAll(async () => {
  await parley?.close()
  await receivers?.close()
})
beforeEach(async () => {
  shop = await parley.workspace({ sandbox: true })
  receiver = await receivers.open()
  answers({ order: { status: 'sent', items: [{ name: 'Saree', price: 900.5 }], gift: true } })
})

const ASHA = '+919812345678'
const KEY = 'Bearer 81c0-request'
const answers = (body: unknown, status = 200) =>
  receiver.answer((response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
const write = (words: string) => shop.inbound(ASHA, words)
const replies = (...expected: string[]) =>
  until(async () => {
    const sent = await listReplies(shop)
    return sent.length >= expected.length && sent
  }, `${expected.length} replies`).then((sent) => expect(sent).toEqual(expected))
const notes = async (): Promise<string[]> => {
  const { id } = await chatWith(shop, ASHA)
  return (await shop.get(`/conversations/${id}/notes`)).body.notes.map(({ body }: Body) => body)
}
const noted = () => until(async () => (await notes())[0], 'a note')
const jobsDone = () =>
  until(async () => {
    const rows = await parley.system((tx) =>
      tx.sql('select from jobs where workspace_id = $1', [shop.workspaceId]),
    )
    return rows.length === 0
  }, 'no job is left')
const requests = async (id: string): Promise<Body[]> => (await shop.get(`/bots/${id}/requests`)).body.requests

const requestNode = (more: object = {}) => ({
  id: 'order',
  type: 'request',
  url: `${receiver.url}/orders/{{answers.order}}?by={{contact.phone}}`,
  save: [
    { path: 'order.status', saveTo: 'answers.status' },
    { path: 'order.items.0.name', saveTo: 'answers.item' },
    { path: 'order.items.0.price', saveTo: 'contact.attributes.lastPrice' },
    { path: 'order.nothing', saveTo: 'answers.nothing' },
  ],
  next: 'said',
  ...more,
})
/** A bot that asks for an order, requests it, and says what it got. */
const definition = (more: object = {}, others: object[] = []) => ({
  name: 'Orders',
  entry: { keywords: ['order'] },
  start: 'ask',
  nodes: [
    { id: 'ask', type: 'ask', text: 'Which order?', saveTo: 'answers.order', next: 'order' },
    requestNode(more),
    {
      id: 'said',
      type: 'ask',
      text: '{{answers.item}}: {{answers.status}}{{answers.nothing}}',
      saveTo: 'answers.more',
      next: 'thanks',
    },
    { id: 'thanks', type: 'message', text: 'Thank you: {{answers.more}}' },
    ...others,
  ],
})
const make = (more: object = {}, others: object[] = []) => madeBot(parley, shop, definition(more, others))

describe('a request', () => {
  test('has the values of the chat, encoded, and saves values of its answer', async () => {
    const { id } = await make()
    await write('order')
    await write('47/11 ?#&')
    const [request] = await receiver.wait(1)
    expect([request!.method, request!.path, request!.raw]).toEqual([
      'GET',
      '/hook/orders/47%2F11%20%3F%23%26?by=%2B919812345678',
      '',
    ])
    expect(request!.headers).toMatchObject({ accept: 'application/json', 'user-agent': 'Parley-Bots/1' })
    await replies('Which order?', 'Saree: sent')
    expect((await shop.get(`/contacts/${ASHA}`)).body.contact.attributes).toMatchObject({ lastPrice: 900.5 })
    expect(await requests(id)).toMatchObject([
      {
        node: 'order',
        method: 'GET',
        origin: new URL(receiver.url).origin,
        conversationId: (await chatWith(shop, ASHA)).id,
        status: 200,
        attempts: 1,
        error: null,
        durationMs: expect.any(Number),
      },
    ])
    await write('yes')
    await replies('Which order?', 'Saree: sent', 'Thank you: yes')
  })

  test('with a body fills in the texts of its JSON, and never its structure', async () => {
    await make({
      method: 'POST',
      url: receiver.url,
      body: { order: '{{answers.order}}', lines: [{ said: 'It is {{message.text}}.', count: 1 }] },
    })
    await write('order')
    await write('a", "admin": "b')
    const [request] = await receiver.wait(1)
    expect(request!.body).toEqual({
      order: 'a", "admin": "b',
      lines: [{ said: 'It is a", "admin": "b.', count: 1 }],
    })
    expect(request!.headers).toMatchObject({ 'content-type': 'application/json' })
  })

  test('cannot leave its folder or its host by a value', async () => {
    await make({ url: `${receiver.url}/orders/{{answers.order}}/status` })
    await write('order')
    await write('..')
    const [request] = await receiver.wait(1)
    expect(request!.path).toBe('/hook/orders//status')
  })

  test('has sealed headers that no answer contains; a change without values keeps them for their host', async () => {
    const bot = await make({ headers: [{ name: 'Authorization', value: KEY }] })
    const path = `/bots/${bot.id}`
    const orderIn = ({ nodes }: Body) => nodes.find((node: Body) => node.id === 'order')
    expect(orderIn(bot).headers).toEqual([{ name: 'Authorization' }])
    expect((await shop.get(path)).text).not.toContain(KEY)
    const nodes = bot.nodes.map((node: Body) => (node.id === 'thanks' ? { ...node, text: 'Thanks.' } : node))
    expect((await shop.patch(path, { nodes })).body.bot).toMatchObject({ version: 2 })
    await write('order')
    await write('4711')
    expect((await receiver.wait(1))[0]!.headers.authorization).toBe(KEY)
    const changed = (patch: object) =>
      nodes.map((node: Body) => (node.id === 'order' ? { ...node, ...patch } : node))
    const elsewhere = changed({ url: 'https://127.0.0.1:9/' })
    expect(await shop.patch(path, { nodes: elsewhere })).toMatchObject({
      status: 400,
      body: { issues: [{ path: 'nodes[1].headers[0].value' }] },
    })
    const test = { node: orderIn({ nodes: elsewhere }) }
    expect(await shop.post(`${path}/test-request`, test)).toMatchObject({
      status: 400,
      body: { issues: [{ path: 'node.headers[0].value' }] },
    })
    const other = changed({ headers: [{ name: 'authorization', value: 'Bearer other' }] })
    expect((await shop.patch(path, { nodes: other })).body.bot.version, 'only the value changed').toBe(3)
    const [stored] = await parley.system((tx) =>
      tx.sql<{ text: string }>(
        `select string_agg(concat(v::text, encode(v.headers_sealed, 'escape')), ' ') as text from bot_versions v`,
      ),
    )
    expect(stored!.text).not.toContain('Bearer')
  })
})

describe('a failed request', () => {
  test.each([
    ['another status', { error: 'x' }, 404, 'The receiver answered with status 404.'],
    ['a redirect', {}, 302, "The receiver answered with a redirect (302). Parley doesn't follow redirects."],
  ])('by %s goes to its own step, without a retry', async (_, body, status, error) => {
    answers(body, status)
    const { id } = await make({ retries: 2, onFailure: 'sorry' }, [
      { id: 'sorry', type: 'message', text: 'Sorry.' },
    ])
    await write('order')
    await write('4711')
    await replies('Which order?', 'Sorry.')
    expect(receiver.received).toHaveLength(1)
    expect(await requests(id)).toMatchObject([{ status, attempts: 1, error }])
  })

  test('by an answer that is not JSON, or is too long, hands the chat over with the reason', async () => {
    receiver.answer((response) => void response.end('<html>'))
    await make()
    await write('order')
    await write('4711')
    expect(await noted()).toBe(
      `The bot's request to ${new URL(receiver.url).origin} failed: The answer isn't JSON.`,
    )
    receiver.answer((response) => void response.end(`"${'a'.repeat(300_000)}"`))
    const { id } = await chatWith(shop, ASHA)
    expect(id).toBeDefined()
    shop = await parley.workspace({ sandbox: true })
    await make()
    await write('order')
    await write('4711')
    expect(await noted()).toContain('The answer is longer than 256 kB.')
  })

  test('by a temporary status or a closed connection is sent again with the same Idempotency-Key', async () => {
    let count = 0
    receiver.answer((response) => {
      count += 1
      if (count === 1) response.writeHead(503).end()
      else if (count === 2) response.destroy()
      else response.end(JSON.stringify({ order: { status: 'late' } }))
    })
    const { id } = await make({ method: 'POST', retries: 2 })
    await write('order')
    await write('4711')
    await replies('Which order?', ': late')
    const keys = receiver.received.map(({ headers }) => headers['idempotency-key'])
    expect([keys.length, new Set(keys).size]).toEqual([3, 1])
    expect(await requests(id)).toMatchObject([{ status: 200, attempts: 3, error: null }])
  })

  test('by a receiver that is silent ends after its time', async () => {
    receiver.answer(() => {})
    await make({ timeoutSeconds: 1 })
    await write('order')
    await write('4711')
    expect(await noted()).toContain("The host didn't answer in time.")
  })
})

describe('while the request is on its way', () => {
  /** Delivers a message without the clock of the sandbox, which waits for running work. */
  const deliver = async (text: string) => {
    const { status } = await shop.post('/sandbox/inbound', { from: ASHA, text })
    expect(status).toBe(202)
  }
  /** Holds the answers until the returned function is called. */
  function hold(): () => void {
    const waiting: (() => void)[] = []
    receiver.answer((response) => {
      waiting.push(() => response.end(JSON.stringify({ order: { status: 'sent' } })))
    })
    return () => {
      for (const answer of waiting.splice(0)) answer()
    }
  }

  test("the customer's messages wait, and are answered in order afterwards", async () => {
    const release = hold()
    const { id } = await make({ timeoutSeconds: 10 })
    await deliver('order')
    await deliver('4711')
    await receiver.wait(1)
    await deliver('first')
    await deliver('order')
    expect(await listReplies(shop)).toEqual(['Which order?'])
    release()
    await replies('Which order?', ': sent', 'Thank you: first')
    await jobsDone()
    expect(receiver.received).toHaveLength(1)
    expect((await shop.get('/bots')).body.bots[0]).toMatchObject({ id, running: 0 })
  })

  test('the end of a lease, as after a kill, sends it again with the same key, and the bot continues once', async () => {
    const release = hold()
    const { id } = await make({ method: 'POST', timeoutSeconds: 10 })
    await deliver('order')
    await deliver('4711')
    await receiver.wait(1)
    await parley.system((tx) =>
      tx.sql(`update jobs set leased_until = now() - interval '1 hour' where workspace_id = $1`, [
        shop.workspaceId,
      ]),
    )
    const [first, second] = await receiver.wait(2)
    expect(second!.headers['idempotency-key']).toBe(first!.headers['idempotency-key'])
    release()
    await jobsDone()
    await replies('Which order?', ': sent')
    expect(await requests(id)).toHaveLength(1)
  })

  test('no transaction is open', async () => {
    const release = hold()
    await make({ timeoutSeconds: 10 })
    await deliver('order')
    await deliver('4711')
    await receiver.wait(1)
    const readOpen = () =>
      parley.system((tx) =>
        tx.sql(
          `select from pg_stat_activity where datname = current_database() and state = 'idle in transaction' and pid <> pg_backend_pid()`,
        ),
      )
    // Background work has short transactions; one of the call would stay open.
    await until(async () => (await readOpen()).length === 0, 'no transaction is open')
    release()
    await replies('Which order?', ': sent')
  })

  test('STOP, or a bot that is turned off, makes its answer void', async () => {
    const release = hold()
    const { id } = await make({ timeoutSeconds: 10 })
    await deliver('order')
    await deliver('4711')
    await receiver.wait(1)
    await deliver('STOP')
    release()
    await jobsDone()
    expect(await listReplies(shop)).toEqual(['Which order?'])
    await deliver('START')
    await deliver('order')
    await deliver('4711')
    await receiver.wait(2)
    await shop.patch(`/bots/${id}`, { enabled: false })
    release()
    await jobsDone()
    expect(await listReplies(shop)).toEqual(['Which order?', 'Which order?'])
  })
})

describe('invalid on saving', () => {
  const refused = async (more: object): Promise<string[]> => {
    const { status, body } = await shop.post('/bots', { ...definition(more), fallback: { text: 'x' } })
    expect(status, JSON.stringify(more)).toBe(400)
    return body.issues.map(({ path }: Body) => path)
  }

  test.each([
    ['url', { url: 'http://shop.example/' }],
    ['url', { url: 'https://{{answers.host}}/orders' }],
    ['url', { url: 'https://shop.example{{answers.host}}/' }],
    ['url', { url: 'https://shop.example@{{answers.host}}/' }],
    ['url', { url: 'https://10.0.0.1/orders' }],
    ['url', { url: 'https://169.254.169.254/{{answers.order}}' }],
    ['url', { url: 'shop' }],
    ['method', { method: 'TRACE' }],
    ['body', { body: { a: 1 } }],
    ['timeoutSeconds', { timeoutSeconds: 11 }],
    ['retries', { retries: 3 }],
    ['save[0].path', { save: [{ path: 'a b', saveTo: 'answers.a' }] }],
    ['save[0].saveTo', { save: [{ path: 'a', saveTo: 'contact.tags' }] }],
    ['headers[0].name', { headers: [{ name: 'Idempotency-Key', value: 'x' }] }],
    ['headers[0].value', { headers: [{ name: 'X-Key', value: 'a\r\nb' }] }],
    ['headers[0].value', { headers: [{ name: 'X-Key' }] }],
    ['onFailure', { onFailure: 'nowhere' }],
  ])('%s: %j', async (path, more) => {
    expect(await refused(more)).toEqual([`nodes[1].${path}`])
  })

  test('a loop of requests that never waits for the customer', async () => {
    expect(await refused({ next: 'order' })).toContain('nodes[1].next')
    expect(await refused({ onFailure: 'order' })).toContain('nodes[1].onFailure')
  })
})

describe('a test', () => {
  test('of the step sends the request with examples, and shows the answer and its values', async () => {
    const { id } = await make({ headers: [{ name: 'X-Key', value: KEY }] })
    const node = requestNode({ headers: [{ name: 'X-Key' }] })
    const { status, body, text } = await shop.post(`/bots/${id}/test-request`, {
      node,
      answers: { order: '4711' },
    })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      request: { method: 'GET', url: `${receiver.url}/orders/4711?by=%2B10000000000`, body: null },
      status: 200,
      error: null,
      answer: { order: { gift: true } },
      values: [{ value: 'sent' }, { value: 'Saree' }, { value: 900.5 }, { value: null }],
    })
    expect(text).not.toContain(KEY)
    expect(receiver.received[0]!.headers['x-key']).toBe(KEY)
    expect(await requests(id)).toEqual([])
    receiver.answer((response) => void response.writeHead(500).end('Oops'))
    expect((await shop.post(`/bots/${id}/test-request`, { node })).body).toMatchObject({
      status: 500,
      error: 'The receiver answered with status 500.',
      answer: 'Oops',
      values: [],
    })
    const inside = { ...node, headers: [], url: 'https://10.0.0.1/' }
    expect(await shop.post(`/bots/${id}/test-request`, { node: inside })).toMatchObject({
      status: 400,
      body: { issues: [{ path: 'node.url' }] },
    })
  })

  test('of the bot sends no request, and continues with the example of its answer', async () => {
    const { id } = await make()
    const turns = [{ text: 'order' }, { text: '4711' }]
    const { body } = await shop.post(`/bots/${id}/test`, {
      turns,
      responses: { order: { order: { status: 'sent', items: [{ name: 'Saree' }] } } },
    })
    expect(body.turns[1]).toMatchObject({
      said: [{ text: 'Saree: sent' }],
      did: [expect.stringContaining('requests GET https://')],
    })
    expect(receiver.received).toEqual([])
  })
})
