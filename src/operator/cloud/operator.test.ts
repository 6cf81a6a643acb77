// Tests the adapter against a misbehaving operator: a message that may have gone out must never be called not
// sent.
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { afterEach, describe, expect, test } from 'vitest'
import type { OperatorNumber, OutboundMessage } from '../port.ts'
import { createCloudOperator } from './operator.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const text = (changes: Partial<OutboundMessage> = {}): OutboundMessage => ({
  callbackData: 'our-id',
  to: '+919812345678',
  recipient: null,
  type: 'text',
  content: { body: 'Hi' },
  replyTo: null,
  ...changes,
})
const numberAt = (baseUrl: string): OperatorNumber => ({
  id: 'number-1',
  operator: 'cloud',
  operatorId: '106',
  accountId: '102',
  token: 'token-1',
  baseUrl,
})

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

function operatorFor(options: Parameters<typeof createCloudOperator>[0] = {}) {
  const operator = createCloudOperator(options)
  closing.push(() => operator.close())
  return operator
}

async function httpServer(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  closing.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return listen(server)
}

/** Answers every call with the same answer after its body has arrived. */
const answerAllWith = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  httpServer((req, res) => {
    req.resume().on('end', () => {
      res.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body))
    })
  })

/** Starts a raw server; `onSocket` handles each connection. */
async function tcpServer(onSocket: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>()
  const server = createTcpServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    onSocket(socket)
  })
  closing.push(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return listen(server)
}

const graphError = (code: number, more: object = {}) => ({ error: { code, message: `(#${code})`, ...more } })

describe('the sent message', () => {
  test("is the operator's envelope, posted once (docs/formats.md section 2)", async () => {
    const calls: unknown[] = []
    const base = await httpServer((req, res) => {
      const chunks: Buffer[] = []
      req.on('data', (chunk) => chunks.push(chunk))
      req.on('end', () => {
        const body = JSON.parse(Buffer.concat(chunks).toString())
        calls.push([req.method, req.url, req.headers.authorization, body])
        res.end(JSON.stringify({ messages: [{ id: 'wamid.1' }] }))
      })
    })
    const operator = operatorFor({ version: 'v23.0' })
    const reply = text({ replyTo: 'wamid.PREV' })
    expect(await operator.send(numberAt(`${base}/graph/`), reply)).toEqual({
      kind: 'accepted',
      chanmid: 'wamid.1',
      phone: null,
      status: 200,
    })
    await operator.send(numberAt(base), text({ to: null, recipient: 'IN.1' }))
    const envelope = {
      messaging_product: 'whatsapp',
      recipient_type: 'individual',
      type: 'text',
      text: { body: 'Hi' },
    }
    const labeled = { ...envelope, biz_opaque_callback_data: 'our-id' }
    expect(calls).toEqual([
      [
        'POST',
        '/graph/v23.0/106/messages',
        'Bearer token-1',
        { ...labeled, to: '+919812345678', context: { message_id: 'wamid.PREV' } },
      ],
      ['POST', '/v23.0/106/messages', 'Bearer token-1', { ...labeled, recipient: 'IN.1' }],
    ])
  })
})

describe('a message that never reached the operator is not sent', () => {
  test('when the server refuses the connection', async () => {
    const server = createTcpServer()
    const base = await listen(server)
    await new Promise((resolve) => server.close(resolve))
    const handover = await operatorFor().send(numberAt(base), text())
    expect(handover).toEqual({ kind: 'not_sent', reason: expect.stringContaining('ECONNREFUSED') })
  })

  test('when the name does not resolve', async () => {
    expect(await operatorFor().send(numberAt('http://nowhere.invalid'), text())).toMatchObject({
      kind: 'not_sent',
    })
  })

  test.each(['', 'ftp://operator.test', 'operator.test'])('when the address is "%s"', async (base) => {
    expect(await operatorFor().send(numberAt(base), text())).toMatchObject({ kind: 'not_sent' })
  })

  test("when the token contains characters that a header can't contain", async () => {
    const base = await answerAllWith(200, { messages: [{ id: 'wamid.1' }] })
    const number = { ...numberAt(base), token: 'two\r\nlines' }
    expect(await operatorFor().send(number, text())).toMatchObject({ kind: 'not_sent' })
  })

  test("when a secure connection can't be made", async () => {
    const base = await tcpServer((socket) => socket.end('this is not TLS'))
    const secure = base.replace('http:', 'https:')
    expect(await operatorFor().send(numberAt(secure), text())).toMatchObject({ kind: 'not_sent' })
  })

  test('when mayBegin returns false, which is called once, just before the first byte', async () => {
    let calls = 0
    const base = await httpServer((_request, response) => {
      calls++
      response.end(JSON.stringify({ messages: [{ id: 'wamid.1' }] }))
    })
    const callCounts: number[] = []
    const mayBegin = (answer: boolean) => () => {
      callCounts.push(calls)
      return answer
    }
    const operator = operatorFor()
    expect(await operator.send(numberAt(base), text(), mayBegin(true))).toMatchObject({ kind: 'accepted' })
    expect(await operator.send(numberAt(base), text(), mayBegin(false))).toMatchObject({ kind: 'not_sent' })
    expect([callCounts, calls]).toEqual([[0, 1], 1])
  })

  test('when it times out while waiting for a connection, and it stays unsent', async () => {
    let calls = 0
    const base = await httpServer(() => {
      calls++
    })
    const operator = operatorFor({ connections: 1, timeoutMs: 60 })
    const first = operator.send(numberAt(base), text())
    const second = operator.send(numberAt(base), text())
    expect(await first).toMatchObject({ kind: 'unknown' })
    expect(await second).toMatchObject({ kind: 'not_sent' })
    await operator.close()
    closing.pop()
    expect(calls).toBe(1)
  })

  test('when the operator had already closed the idle connection: a new connection is opened', async () => {
    let calls = 0
    const closed = Promise.withResolvers<void>()
    const base = await tcpServer((socket) => {
      socket.on('close', () => closed.resolve())
      socket.on('data', () => {
        calls++
        const body = '{"messages":[{"id":"wamid.1"}]}'
        // The header promises keep-alive, but the connection is closed.
        socket.end(`HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`)
      })
    })
    const operator = operatorFor()
    expect(await operator.send(numberAt(base), text())).toMatchObject({ kind: 'accepted' })
    await closed.promise
    expect(await operator.send(numberAt(base), text())).toMatchObject({ kind: 'accepted' })
    expect(calls).toBe(2)
  })
})

test.each([
  ['gzip', gzipSync],
  ['br', brotliCompressSync],
  ['deflate', deflateSync],
])('an answer with unrequested compression is read: %s', async (encoding, compress) => {
  const base = await httpServer((_req, res) =>
    res
      .writeHead(200, { 'content-encoding': encoding })
      .end(compress(JSON.stringify({ messages: [{ id: 'wamid.1' }] }))),
  )
  expect(await operatorFor().send(numberAt(base), text())).toMatchObject({
    kind: 'accepted',
    chanmid: 'wamid.1',
  })
})

test.each([
  [401, '<html>Sign in to the network</html>'],
  [403, '<html>Forbidden</html>'],
  [403, { error: { message: 'Forbidden', status: 403 } }],
  [407, ''],
  [302, ''],
  [308, '<html>Moved</html>'],
  [511, '<html>Network Authentication Required</html>'],
])('a message that a proxy blocks before the operator was not sent: %i %j', async (status, body) => {
  expect(await operatorFor().send(numberAt(await answerAllWith(status, body)), text())).toEqual({
    kind: 'not_sent',
    reason: `status ${status} without the operator's error format`,
    status,
  })
})

describe('a message that may have gone out is unknown, and is posted once', () => {
  test.each<[string, (socket: Socket) => void]>([
    ['drops the connection', (socket) => socket.destroy()],
    ['resets the connection', (socket) => socket.resetAndDestroy()],
    [
      'breaks off in its answer',
      (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{"mess'),
    ],
    ['answers what is not HTTP', (socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n')],
  ])('when the operator takes it and %s', async (_what, misbehave) => {
    let effects = 0
    const base = await tcpServer((socket) => {
      socket.once('data', () => {
        effects++
        misbehave(socket)
      })
    })
    expect(await operatorFor().send(numberAt(base), text())).toMatchObject({ kind: 'unknown' })
    expect(effects).toBe(1)
  })

  test('when the connection breaks while others wait for it: the others use a new connection', async () => {
    let effects = 0
    const base = await httpServer((req, res) => {
      effects++
      if (effects === 1) req.socket.destroy()
      else res.end(JSON.stringify({ messages: [{ id: `wamid.${effects}` }] }))
    })
    const operator = operatorFor({ connections: 1 })
    const sends = [1, 2, 3].map(() => operator.send(numberAt(base), text()))
    expect((await Promise.all(sends)).map(({ kind }) => kind)).toEqual(['unknown', 'accepted', 'accepted'])
    expect(effects).toBe(3)
  })

  test('when the answer does not arrive in time', async () => {
    const base = await httpServer(() => {})
    const handover = await operatorFor({ timeoutMs: 50 }).send(numberAt(base), text())
    expect(handover).toEqual({ kind: 'unknown', reason: 'no answer within 50 ms' })
  })

  test('when the answer arrives too slowly', async () => {
    const base = await httpServer((_req, res) => {
      res.writeHead(200).write('{')
    })
    const handover = await operatorFor({ timeoutMs: 50 }).send(numberAt(base), text())
    expect(handover).toMatchObject({ kind: 'unknown' })
  })

  test('when the answer has no end', async () => {
    const base = await httpServer((_req, res) => {
      const chunk = 'x'.repeat(64 * 1024)
      const fill = () => {
        while (!res.destroyed && res.write(chunk));
      }
      res.on('drain', fill)
      fill()
    })
    expect(await operatorFor().send(numberAt(base), text())).toMatchObject({
      kind: 'unknown',
      reason: 'the answer is too long',
    })
  })

  test.each([
    [502, '<html>Bad Gateway</html>'],
    [500, ''],
    [503, { error: 'overloaded' }],
    [502, { error: { message: 'Bad Gateway', status: 502 } }],
    [408, ''],
    [200, '<html>Welcome</html>'],
    [200, { messages: [] }],
    [200, { messages: [{ id: 7 }] }],
  ])('when the answer is %i %j', async (status, body) => {
    expect(await operatorFor().send(numberAt(await answerAllWith(status, body)), text())).toMatchObject({
      kind: 'unknown',
    })
  })
})

describe('a refusal', () => {
  test.each([
    [429, graphError(130429), {}, { code: 130429, category: 'throttle', retryable: true }, null],
    [400, graphError(80007), { 'retry-after': '17' }, { code: 80007 }, 17],
    [500, graphError(131000), {}, { code: 131000, category: 'transient', retryable: true }, null],
    [401, graphError(190), {}, { code: 190, category: 'auth', retryable: true }, null],
    [
      400,
      graphError(131047, { error_data: { details: 'D' } }),
      {},
      { category: 'window', details: 'D' },
      null,
    ],
    [200, graphError(131009), {}, { code: 131009, permanent: true }, null],
    [429, '<html>Slow down</html>', { 'retry-after': '3' }, { code: 429, category: 'throttle' }, 3],
    [429, { error: { message: 'Slow down' } }, {}, { code: 429, category: 'throttle' }, null],
    [404, 'not here', {}, { code: 404, category: 'http', permanent: true }, null],
  ])('%i %j', async (status, body, headers, error, retryAfterSeconds) => {
    const base = await answerAllWith(status, body, headers)
    expect(await operatorFor().send(numberAt(base), text())).toMatchObject({
      kind: 'refused',
      error,
      retryAfterSeconds,
    })
  })
})
