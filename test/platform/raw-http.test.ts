/**
 * Data on the wire that is no proper HTTP (RFC 9112): rejected or disconnected, and without an effect on
 * others.
 */
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MAX_LEFT_ASIDE, MAX_UNDER_WAY } from '../../src/http/wire/pipelining.ts'
import { boot, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { type Heard, rawConnection, speak, statusesIn } from '../support/raw-http.ts'
import { until } from '../support/until.ts'

/** Short enough for a test to wait. */
const PATIENCE = {
  headersMs: 700,
  requestMs: 1_000,
  silenceMs: 1_500,
  idleMs: 1_000,
  lookMs: 100,
  maxConnections: 60,
}

let parley: TestParley
let shop: TestWorkspace
beforeAll(async () => {
  parley = await boot({ connections: PATIENCE })
  shop = await parley.workspace({ sandbox: true })
})
afterAll(() => parley.close())

/** The head of a write that could be carried out, with `lines` in it. */
const post = (lines: string, path = '/api/v1/contacts') =>
  `POST ${path} HTTP/1.1\r\nHost: parley\r\nAuthorization: Bearer ${shop.key}\r\nContent-Type: application/json\r\n${lines}`
const get = (lines: string, path = '/api/v1/me') =>
  `GET ${path} HTTP/1.1\r\nHost: parley\r\nAuthorization: Bearer ${shop.key}\r\n${lines}`

const CONTACT = '{"phone":"+919811111111"}'
const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`
const smuggledRequest = () => get('\r\n', '/api/v1/contacts')

const contacts = async () => (await shop.get('/contacts')).body.contacts.length

/** Expects one answer with an error of the usual shape, or a closed connection without an answer. */
function expectRefused({ text, statuses, closed }: Heard, label: string): void {
  expect(closed, `${label}: hung up`).toBe(true)
  expect(statuses.length, `${label}: ${text}`).toBeLessThanOrEqual(1)
  for (const status of statuses) expect(status, text).toBeOneOf([400, 408, 413, 417, 431, 501, 505])
  const body = text.split('\r\n\r\n')[1]
  // Node itself gives no details about a missing Host.
  if (body?.startsWith('{')) {
    expect(JSON.parse(body), label).toMatchObject({ error: 'invalid', message: expect.any(String) })
    expect(text.toLowerCase()).toContain('x-content-type-options: nosniff')
  }
}

const REFUSED: [string, () => string | Buffer][] = [
  [
    'bytes that are no HTTP',
    () => Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xfc, 0x03, 0x03]),
  ],
  ['HTTP/2 with prior knowledge', () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['HTTP/3.7', () => 'GET /api/v1/me HTTP/3.7\r\nHost: parley\r\n\r\n'],
  ['a method that is none', () => 'FETCH /api/v1/me HTTP/1.1\r\nHost: parley\r\n\r\n'],
  ['no Host', () => 'GET /healthz HTTP/1.1\r\n\r\n'],
  ['white space before a colon', () => get('X-Thing : 1\r\n\r\n')],
  ['a folded header', () => get('X-Thing: 1\r\n  and more\r\n\r\n')],
  ['a header without a colon', () => get('X-Thing\r\n\r\n')],
  ['a header name with a space', () => get('X Thing: 1\r\n\r\n')],
  ['NUL in a header', () => get('X-Thing: a\u0000b\r\n\r\n')],
  ['a bare CR in a header', () => get('X-Thing: a\rb\r\n\r\n')],
  ['a bare CR as the end of a line', () => 'GET /api/v1/me HTTP/1.1\rHost: parley\r\r'],
  ['a space within the address', () => 'GET /api/v1/me now HTTP/1.1\r\nHost: parley\r\n\r\n'],
  ['NUL in the address', () => 'GET /api/v1/\u0000 HTTP/1.1\r\nHost: parley\r\n\r\n'],
  ['an address of 20 KB', () => `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: parley\r\n\r\n`],
  ['a header of 20 KB', () => get(`X-Thing: ${'a'.repeat(20_000)}\r\n\r\n`)],
  ['5,000 headers', () => get(`${Array.from({ length: 5_000 }, (_, i) => `x-${i}: 1\r\n`).join('')}\r\n`)],
  ['headers without end', () => get('x: 1\r\n'.repeat(20_000))],
  [
    'two different lengths',
    () => post(`Content-Length: ${CONTACT.length}\r\nContent-Length: 3\r\n\r\n${CONTACT}`),
  ],
  [
    'the same length twice',
    () => post(`Content-Length: ${CONTACT.length}\r\nContent-Length: ${CONTACT.length}\r\n\r\n${CONTACT}`),
  ],
  ['a list of lengths', () => post(`Content-Length: ${CONTACT.length}, ${CONTACT.length}\r\n\r\n${CONTACT}`)],
  ['a negative length', () => post(`Content-Length: -1\r\n\r\n${CONTACT}`)],
  ['a length with a sign', () => post(`Content-Length: +${CONTACT.length}\r\n\r\n${CONTACT}`)],
  ['a length in hexadecimal', () => post(`Content-Length: 0x19\r\n\r\n${CONTACT}`)],
  ['a length past 64 bits', () => post(`Content-Length: 99999999999999999999\r\n\r\n${CONTACT}`)],
  [
    'a length beside chunks',
    () => post(`Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${smuggledRequest()}`),
  ],
  [
    'chunks beside a length',
    () => post(`Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n${smuggledRequest()}`),
  ],
  [
    'chunks that are not last',
    () => post(`Transfer-Encoding: chunked, identity\r\n\r\n${chunk(CONTACT)}0\r\n\r\n`),
  ],
  [
    'chunks named twice',
    () => post(`Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n${chunk(CONTACT)}0\r\n\r\n`),
  ],
  [
    'a space before the colon of chunks',
    () => post(`Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n${smuggledRequest()}`),
  ],
  ['xchunked', () => post(`Transfer-Encoding: xchunked\r\n\r\n${chunk(CONTACT)}0\r\n\r\n`)],
  [
    'a chunk whose length is no number',
    () => post(`Transfer-Encoding: chunked\r\n\r\nzz\r\n${CONTACT}\r\n0\r\n\r\n`),
  ],
  ['a negative chunk', () => post(`Transfer-Encoding: chunked\r\n\r\n-5\r\n${CONTACT}\r\n0\r\n\r\n`)],
  ['a chunk of 0x19', () => post(`Transfer-Encoding: chunked\r\n\r\n0x19\r\n${CONTACT}\r\n0\r\n\r\n`)],
  [
    'a chunk past 64 bits',
    () => post(`Transfer-Encoding: chunked\r\n\r\n1${'0'.repeat(17)}\r\n${CONTACT}\r\n0\r\n\r\n`),
  ],
  [
    'a chunk longer than it says',
    () => post(`Transfer-Encoding: chunked\r\n\r\n3\r\n${CONTACT}\r\n0\r\n\r\n`),
  ],
  [
    'a chunk that ends with a bare LF',
    () => post(`Transfer-Encoding: chunked\r\n\r\n19\r\n${CONTACT}\n0\r\n\r\n`),
  ],
  [
    'extensions of a chunk without end',
    () => post(`Transfer-Encoding: chunked\r\n\r\n19;${'a=b;'.repeat(10_000)}\r\n${CONTACT}\r\n0\r\n\r\n`),
  ],
]

describe('data that is no request', () => {
  test.each(REFUSED)('%s', async (name, bytes) => {
    expectRefused(await speak(parley.url, bytes()), name)
  })

  test('changed nothing, and the next request is served', async () => {
    expect(await contacts()).toBe(0)
    expect((await shop.get('/me')).status).toBe(200)
  })
})

describe('an untrustworthy request', () => {
  test('several hosts are rejected (RFC 9112 section 3.2)', async () => {
    const response = await speak(parley.url, get('Host: other\r\nConnection: close\r\n\r\n'))
    expect(response.statuses).toEqual([400])
    expect(response.text).toContain('"error":"invalid"')
  })

  test('no Host is rejected with an explanation too, except in HTTP/1.0', async () => {
    const authorization = `Authorization: Bearer ${shop.key}\r\nConnection: close\r\n\r\n`
    const withoutHost = await speak(parley.url, `GET /api/v1/me HTTP/1.1\r\n${authorization}`)
    expect(withoutHost.statuses).toEqual([400])
    expect(withoutHost.text).toContain('"error":"invalid"')
    expect((await speak(parley.url, `GET /api/v1/me HTTP/1.0\r\n${authorization}`)).statuses).toEqual([200])
  })

  test('expectations other than 100-continue are 417 with an explanation', async () => {
    const response = await speak(parley.url, get('Expect: 200-ok\r\nConnection: close\r\n\r\n'))
    expect(response.statuses).toEqual([417])
    expect(response.text).toContain('"error":"invalid"')
    expect(response.text.toLowerCase()).toContain('x-request-id: ')
    const met = await speak(parley.url, get('Expect: 100-Continue\r\nConnection: close\r\n\r\n'))
    expect(met.statuses).toEqual([100, 200])
  })

  test('a body after a read is not read as the next request', async () => {
    const response = await speak(
      parley.url,
      get(`Content-Length: ${smuggledRequest().length}\r\nConnection: close\r\n\r\n${smuggledRequest()}`),
    )
    expect(response.statuses).toEqual([200])
  })

  test('requests that arrive together are answered one after the other', async () => {
    const response = await speak(
      parley.url,
      `${get('\r\n')}${get('\r\n')}${get('Connection: close\r\n\r\n')}`,
      2_000,
    )
    expect(response.statuses).toEqual([200, 200, 200])
  })

  test('if a connection has more requests under way than allowed, the last answer closes it, and the rest are not carried out', async () => {
    const before = await contacts()
    const writes = Array.from({ length: 5 }, (_, i) => {
      const body = JSON.stringify({ phone: `+91983333333${i}` })
      return post(`Content-Length: ${body.length}\r\n\r\n${body}`)
    })
    const response = await speak(parley.url, get('\r\n').repeat(MAX_UNDER_WAY) + writes.join(''), 2_000)
    expect(response.statuses).toEqual(Array(MAX_UNDER_WAY).fill(200))
    expect(response.closed).toBe(true)
    const heads = response.text.toLowerCase().split('http/1.1 200').slice(1)
    expect(heads.map((head) => head.includes('connection: close'))).toEqual(
      Array.from({ length: MAX_UNDER_WAY }, (_, i) => i === MAX_UNDER_WAY - 1),
    )
    expect(await contacts()).toBe(before)
  })

  test('a connection serves any number of requests one after the other', async () => {
    const { socket, heard } = await rawConnection(parley.url)
    for (let sent = 1; sent <= MAX_UNDER_WAY + 2; sent++) {
      socket.write(get('\r\n'))
      await until(() => statusesIn(heard()).length === sent, `${sent} are answered`)
    }
    socket.destroy()
  })

  test('a client that sends without end and reads no answer is disconnected', async () => {
    const { socket } = await rawConnection(parley.url)
    socket.pause()
    let hungUp = false
    socket.once('close', () => {
      hungUp = true
    })
    socket.on('error', () => socket.destroy())
    const requests = Buffer.from(get('\r\n').repeat(MAX_UNDER_WAY + MAX_LEFT_ASIDE + 1))
    await until(() => {
      if (!socket.destroyed) socket.write(requests)
      return hungUp
    }, 'the connection is closed')
  })

  test('chunks with extensions and trailers are read; the content of trailers is not', async () => {
    const body = `5;a=b\r\n{"pho\r\n${chunk('ne":"+919822222222"}')}0\r\nAuthorization: Bearer other\r\n\r\n`
    const response = await speak(
      parley.url,
      post(`Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n${body}`),
      2_000,
    )
    expect(response.statuses, response.text).toEqual([201])
  })

  test('chunks without data are no body, for any content type', async () => {
    const sync = (more: string) =>
      `POST /api/v1/templates/sync HTTP/1.1\r\nHost: parley\r\nAuthorization: Bearer ${shop.key}\r\nConnection: close\r\n${more}`
    for (const type of ['', 'Content-Type: text/plain\r\n']) {
      const chunked = sync(`${type}Transfer-Encoding: chunked\r\n\r\n`)
      const empty = await speak(parley.url, `${chunked}0\r\n\r\n`, 2_000)
      expect(empty.statuses, empty.text).toEqual([200])
      const full = await speak(parley.url, `${chunked}${chunk('Hello')}0\r\n\r\n`, 2_000)
      expect(full.statuses, full.text).toEqual([415])
    }
  })

  test('a body that is longer than allowed is rejected by its head, and by count without a length', async () => {
    const head = await speak(parley.url, post(`Content-Length: ${2 ** 40}\r\n\r\n{`), 2_000)
    expect(head.statuses, head.text).toEqual([413])
    const counted = await speak(
      parley.url,
      post(`Transfer-Encoding: chunked\r\n\r\n${chunk(' '.repeat(70_000))}`),
      2_000,
    )
    expect(counted.statuses, counted.text).toEqual([413])
  })

  test('a compressed body is never unpacked', async () => {
    const bomb = gzipSync(Buffer.alloc(30 * 1024 * 1024))
    expect(bomb.length).toBeLessThan(64 * 1024)
    const before = process.memoryUsage().rss
    const answer = await shop.post('/contacts', bomb, { headers: { 'content-encoding': 'gzip' } })
    expect(answer.status).toBe(415)
    expect(process.memoryUsage().rss - before).toBeLessThan(20 * 1024 * 1024)
  })

  test.each(['CONNECT parley:443', 'TRACE /api/v1/me', 'OPTIONS *'])('%s gets an error', async (line) => {
    const response = await speak(parley.url, `${line} HTTP/1.1\r\nHost: parley\r\nConnection: close\r\n\r\n`)
    for (const status of response.statuses) expect(status, response.text).toBeOneOf([400, 404, 405, 501])
    expect(response.closed).toBe(true)
  })

  test.each([
    ['too long', 'application/json', 413],
    ['of another type', 'application/xml', 415],
  ])(
    'a body that is %s is rejected, and read to its end: a client that is still sending gets the answer',
    async (_, type, status) => {
      const bytes = 8 * 1024 * 1024
      const { socket, heard } = await rawConnection(parley.url)
      socket.write(
        `POST /api/v1/contacts HTTP/1.1\r\nHost: parley\r\nAuthorization: Bearer ${shop.key}\r\nContent-Type: ${type}\r\n` +
          `Content-Length: ${bytes}\r\n\r\n`,
      )
      await until(() => statusesIn(heard())[0] === status, 'the body is rejected')
      socket.write(Buffer.alloc(bytes, ' '))
      socket.write(get('\r\n'))
      await until(() => statusesIn(heard()).length === 2, 'the next request is answered')
      socket.destroy()
    },
  )

  test('a client that is disconnected after the answer gets it after it has sent everything', async () => {
    const bytes = 8 * 1024 * 1024
    const close = 'Connection: close\r\n'
    const heads = [
      post(close, '/api/v1/contacts'),
      post(close, '/api/v1/media'),
      post(close).replace('Bearer', 'Nobody'),
      post(close, '/api/v1/%zz'),
      post(close, '/api/leads/capture/nobody'),
      post('Connection: TE, close\r\n'),
      post('').replace('HTTP/1.1', 'HTTP/1.0'),
    ]
    for (const head of heads) {
      const { socket, heard } = await rawConnection(parley.url)
      socket.write(`${head}Content-Length: ${bytes}\r\n\r\n`)
      const fault = await new Promise((resolve) => socket.write(Buffer.alloc(bytes, 'x'), resolve))
      expect(fault ?? null, 'all of it was taken').toBeNull()
      await until(() => statusesIn(heard()).length === 1, 'the request is answered')
      expect(statusesIn(heard())[0]).toBeOneOf([400, 401, 404, 413])
      expect(heard().toLowerCase(), 'so that nobody uses it again').toContain('connection: close')
      socket.destroy()
    }
  })

  test('a disconnected client that waits for 100-continue gets it, and an answer after the whole body has arrived', async () => {
    const bytes = 8 * 1024 * 1024
    const { socket, heard } = await rawConnection(parley.url)
    socket.write(post(`Connection: close\r\nExpect: 100-continue\r\nContent-Length: ${bytes}\r\n\r\n`))
    await until(() => statusesIn(heard())[0] === 100, 'the request has arrived')
    const fault = await new Promise((resolve) => socket.write(Buffer.alloc(bytes, 'x'), resolve))
    expect(fault ?? null, 'all of it was taken').toBeNull()
    await until(() => statusesIn(heard())[1] === 413, 'the request is answered')
    socket.destroy()
  })

  test('no upgrade is performed', async () => {
    const response = await speak(parley.url, get('Connection: upgrade\r\nUpgrade: h2c\r\n\r\n'))
    expect(response.statuses).not.toContain(101)
  })
})

describe('slow clients', () => {
  /** Sends `first`, then `drop` repeatedly, until disconnected; returns after how many milliseconds. */
  async function sendSlowly(first: string, drop: string): Promise<{ tookMs: number; text: string }> {
    const { socket, heard } = await rawConnection(parley.url)
    const startedMs = performance.now()
    let isClosed = false
    for (const end of ['end', 'close'] as const)
      socket.once(end, () => {
        isClosed = true
      })
    if (first) socket.write(first)
    const dripTimer = setInterval(() => drop && socket.writable && socket.write(drop), 50)
    try {
      await until(() => isClosed, 'the server closes the connection', 8_000)
    } finally {
      clearInterval(dripTimer)
      socket.destroy()
    }
    return { tookMs: performance.now() - startedMs, text: heard() }
  }

  test.each([
    ['say nothing', '', '', []],
    ['never finish their headers', 'GET /api/v1/me HTTP/1.1\r\n', 'X-a: b\r\n', [408]],
    ['never finish a header', 'GET /api/v1/me HTTP/1.1\r\nX-a: ', 'b', [408]],
  ])('%s: disconnected in time', async (_, first, drop, statuses) => {
    const { tookMs, text } = await sendSlowly(first, drop)
    expect(tookMs).toBeGreaterThan(PATIENCE.headersMs / 2)
    expect(tookMs).toBeLessThan(PATIENCE.headersMs + 3_000)
    if (statuses.length > 0) expect(statusesIn(text), text).toEqual(statuses)
  })

  test('never finish their body: disconnected in time', async () => {
    const { tookMs } = await sendSlowly(post('Content-Length: 60000\r\n\r\n{"phone":"'), '1')
    expect(tookMs).toBeLessThan(PATIENCE.requestMs + 3_000)
  })

  test('stop during a body, like a peer that is gone: disconnected in time', async () => {
    const { tookMs } = await sendSlowly(post('Content-Length: 60000\r\n\r\n{'), '')
    expect(tookMs).toBeLessThan(PATIENCE.requestMs + 3_000)
  })

  test('keep a connection without a request: it is closed', async () => {
    const { tookMs, text } = await sendSlowly(get('\r\n'), '')
    expect(statusesIn(text)).toEqual([200])
    expect(tookMs).toBeLessThan(PATIENCE.idleMs + 3_000)
  })

  test('half-close: disconnected, whether the request was complete or not', async () => {
    for (const bytes of [get('\r\n'), post('Content-Length: 100\r\n\r\n{'), 'GET /']) {
      const { socket } = await rawConnection(parley.url)
      let isClosed = false
      socket.once('close', () => {
        isClosed = true
      })
      socket.end(bytes)
      await until(() => isClosed, 'the connection is closed', 2_000)
    }
  })

  test('many of them take no more than the available places, and others still get places', async () => {
    const crowd = await Promise.all(
      Array.from({ length: PATIENCE.maxConnections + 40 }, async () => {
        const connection = await rawConnection(parley.url)
        connection.socket.write('GET /api/v1/me HTTP/1.1\r\nX-a: b')
        return connection
      }),
    )
    // Those without a place are disconnected immediately, the others in time.
    await until(
      () => crowd.every(({ socket }) => socket.readableEnded || socket.destroyed),
      'all connections are closed',
    )
    const served = crowd.filter(({ heard }) => statusesIn(heard()).length > 0)
    expect(served.length).toBeLessThanOrEqual(PATIENCE.maxConnections)
    for (const { socket } of crowd) socket.destroy()
    await until(async () => (await shop.get('/me')).status === 200, 'the other clients are served')
    await until(async () => {
      const answer = await fetch(`${parley.url}/metrics`)
      return Number(/^parley_connections_turned_away_total (\d+)$/m.exec(await answer.text())?.[1]) > 0
    }, 'the rejected connections are counted')
  })
})

describe('every answer', () => {
  test.each([
    '/api/v1/me',
    '/api/v1/nothing',
    '/healthz',
    '/metrics',
    '/docs',
    '/api/v1/openapi.json',
    '/media/x/y',
    '/%zz',
  ])('%s carries the security headers', async (path) => {
    const { text } = await speak(parley.url, get('Connection: close\r\n\r\n', path), 2_000)
    const head = text.split('\r\n\r\n')[0]!.toLowerCase()
    for (const line of [
      'x-content-type-options: nosniff',
      'x-frame-options: deny',
      'referrer-policy: no-referrer',
      'x-request-id: ',
    ])
      expect(head).toContain(line)
    if (head.includes('text/html')) expect(head).toContain("content-security-policy: default-src 'none'")
  })
})
