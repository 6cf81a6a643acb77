import { once } from 'node:events'
import type { RequestListener, Server } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { createServer as createTlsServer } from 'node:tls'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { makeAuthority } from '../../test/support/certificates.ts'
import { until } from '../../test/support/until.ts'
import { createEgress, type Egress, type EgressOptions } from './egress.ts'

const LOOPBACK = { allow: ['127.0.0.0/8'], resolve: async () => [{ address: '127.0.0.1', family: 4 }] }

let authority: Awaited<ReturnType<typeof makeAuthority>>
let certificate: { key: string; cert: string }
beforeAll(async () => {
  authority = await makeAuthority()
  certificate = await authority.issue('hooks.test', 'other.test')
})

const openEgresses: Egress[] = []
const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  await Promise.all(openEgresses.splice(0).map((egress) => egress.close()))
  await Promise.all(closers.splice(0).map((close) => close()))
})

function open(options: Partial<EgressOptions> = {}): Egress {
  const egress = createEgress({ ...LOOPBACK, ca: authority.ca, ...options })
  openEgresses.push(egress)
  return egress
}

/** Makes a server listen on the loopback address until the test ends; returns its port. */
async function listen(server: Server | ReturnType<typeof createTcpServer>): Promise<number> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => {}).on('close', () => sockets.delete(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closers.push(async () => {
    for (const socket of sockets) socket.destroy()
    server.close()
    await once(server, 'close')
  })
  return (server.address() as AddressInfo).port
}

const receive = (listener: RequestListener) => listen(createHttpsServer(certificate, listener))

describe('an answer', () => {
  test('has status, headers, body, and latency, and the request goes out unchanged', async () => {
    const requests: unknown[] = []
    const port = await receive((request, response) => {
      let body = ''
      request.on('data', (chunk: Buffer) => {
        body += chunk
      })
      request.on('end', () => {
        const { host, 'x-webhook-id': id } = request.headers
        requests.push(request.method, request.url, host, id, body)
        response.writeHead(201, { 'X-Reply': 'yes', 'Set-Cookie': ['a=1', 'b=2'] }).end('th\0anks')
      })
    })
    const egress = open()
    const target = egress.prepareTarget(`https://HOOKS.test.:${port}/in?x=1#part`)
    const answer = await egress.post({ target, headers: { 'x-webhook-id': 'e1' }, body: '{"a":1}' })
    expect(requests).toEqual(['POST', '/in?x=1', `hooks.test:${port}`, 'e1', '{"a":1}'])
    expect(answer).toMatchObject({ status: 201, truncated: false, bodyExcerpt: 'thanks' })
    expect(answer.headers).toMatchObject({ 'x-reply': 'yes', 'set-cookie': 'a=1,b=2' })
    expect(String(answer.body)).toBe('th\0anks')
    expect(answer.latencyMs).toBeGreaterThan(0)
  })

  test('an idle connection is kept for seconds, but only for a moment when many are open', async () => {
    const closed: string[] = []
    const listenAs = (name: string) =>
      receive((request, response) => {
        request.socket.once('close', () => closed.push(name))
        response.end()
      })
    const [keptPort, release] = [await listenAs('kept'), await listenAs('let go')]
    const roomy = open()
    const crowded = open({ crowdedAt: 0 })
    const sendGet = (egress: Egress, port: number) =>
      egress.get({ target: egress.prepareTarget(`https://hooks.test:${port}/`), headers: {} })
    await sendGet(roomy, keptPort)
    await sendGet(crowded, release)
    await until(() => closed.length > 0, 'a connection is closed')
    expect(closed).toEqual(['let go'])
  })

  test('GET works too, and connections are reused', async () => {
    const ports = new Set<number | undefined>()
    const port = await receive((request, response) => {
      ports.add(request.socket.remotePort)
      response.end(request.method)
    })
    const egress = open()
    const target = egress.prepareTarget(`https://hooks.test:${port}/`)
    for (let i = 0; i < 5; i++) expect((await egress.get({ target })).bodyExcerpt).toBe('GET')
    expect(ports.size).toBeLessThanOrEqual(2)
  })

  test('connections to one origin are limited, and names share no connection', async () => {
    const ports = new Set<number | undefined>()
    const port = await receive((request, response) => {
      ports.add(request.socket.remotePort)
      response.end()
    })
    const egress = open({ connectionsPerOrigin: 3 })
    const post = (host: string) => egress.post({ target: egress.prepareTarget(`https://${host}:${port}/`) })
    await Promise.all(Array.from({ length: 30 }, () => post('hooks.test')))
    expect(ports.size).toBeLessThanOrEqual(3)
    await post('other.test')
    expect(ports.size).toBeGreaterThan(1)
  })

  test.each([301, 302, 303, 307, 308])('a %i is an answer and is not followed', async (status) => {
    let requests = 0
    const port = await receive((_request, response) => {
      requests++
      response.writeHead(status, { location: '/elsewhere' }).end()
    })
    const egress = open()
    const answer = await egress.post({
      target: egress.prepareTarget(`https://hooks.test:${port}/`),
      body: 'x',
    })
    expect([answer.status, answer.headers.location, requests]).toEqual([status, '/elsewhere', 1])
  })

  test('interim answers are skipped however they are split, and a similar-looking body is kept', async () => {
    const body = 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 100'
    const answer = `HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n`
    const interim = 'HTTP/1.1 100 Continue\r\nx-pad: y\r\n\r\n'
    const pieces = [
      [interim + answer + body],
      [interim, interim, answer, body],
      [
        `HTTP/1.1 103 Early Hints\r\nlink: </s.css>\r\n\r\n${interim}HTTP/1.1 102 Processing\r\n\r\n`,
        answer,
        body,
      ],
      ['HTTP/1', '.1 100 Continue\r\n\r', '\n', answer, body],
      [...(interim + interim + answer).split(''), body],
    ]
    let served = 0
    const server = createTlsServer(certificate, (socket) => {
      socket.setNoDelay()
      socket
        .on('error', () => {})
        .on('data', async () => {
          for (const piece of pieces[served++]!) {
            socket.write(piece)
            await setImmediate()
          }
        })
    })
    const port = await listen(server)
    const egress = open({ timeoutMs: 5000 })
    const target = egress.prepareTarget(`https://hooks.test:${port}/`)
    for (const _ of pieces) {
      const { status, body: read } = await egress.post({ target, body: 'x' })
      expect([status, String(read)]).toEqual([200, body])
    }
  })

  test('plain http is rejected unless the caller allows it', async () => {
    const egress = open()
    expect(() => egress.prepareTarget('http://hooks.test/')).toThrow('https://')
    expect(egress.prepareTarget('http://hooks.test/', { requireHttps: false }).origin).toBe(
      'http://hooks.test',
    )
  })
})

describe('a hostile answer', () => {
  test('of an endless body 16 KB are read, then the connection is dropped', async () => {
    const closed = Promise.withResolvers<void>()
    const port = await receive((_request, response) => {
      response.on('close', closed.resolve)
      const pour = () => {
        while (response.write(Buffer.alloc(8192, 'x')));
      }
      response.on('drain', pour)
      pour()
    })
    const egress = open()
    const answer = await egress.post({ target: egress.prepareTarget(`https://hooks.test:${port}/`) })
    expect(answer).toMatchObject({ status: 200, truncated: true, bodyExcerpt: 'x'.repeat(1024) })
    expect(answer.body.length).toBe(16 * 1024)
    await closed.promise
  })

  test('a compressed bomb stays compressed', async () => {
    const bomb = gzipSync(Buffer.alloc(10_000_000))
    const port = await receive((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb)
    })
    const egress = open()
    const answer = await egress.post({ target: egress.prepareTarget(`https://hooks.test:${port}/`) })
    expect(answer.body.equals(bomb.subarray(0, 16 * 1024))).toBe(true)
  })

  test("a slow trickle of bytes doesn't keep a call alive", async () => {
    const port = await receive((_request, response) => {
      const drip = setInterval(() => response.write('.'), 10)
      response.on('close', () => clearInterval(drip))
    })
    const egress = open({ timeoutMs: 200 })
    const startedMs = performance.now()
    await expect(
      egress.post({ target: egress.prepareTarget(`https://hooks.test:${port}/`) }),
    ).rejects.toMatchObject({ reason: 'timeout' })
    expect(performance.now() - startedMs).toBeLessThan(10_000)
  })

  test('a server that accepts and stays silent costs no more than the timeout', async () => {
    const port = await receive(() => {})
    const egress = open({ timeoutMs: 100 })
    await expect(
      egress.post({ target: egress.prepareTarget(`https://hooks.test:${port}/`) }),
    ).rejects.toMatchObject({ reason: 'timeout' })
  })

  test('calls that wait for a silent server also end in time, and the origin recovers', async () => {
    let silent = true
    const port = await receive((_request, response) => {
      if (!silent) response.end('awake')
    })
    const egress = open({ timeoutMs: 150, connectionsPerOrigin: 1 })
    const target = egress.prepareTarget(`https://hooks.test:${port}/`)
    const outcomes = await Promise.allSettled([
      egress.post({ target }),
      egress.post({ target }),
      egress.post({ target }),
    ])
    expect(outcomes.map((outcome) => outcome.status)).toEqual(['rejected', 'rejected', 'rejected'])
    silent = false
    expect((await egress.post({ target, timeoutMs: 5000 })).bodyExcerpt).toBe('awake')
  })

  test.each([
    [
      'endless headers',
      (socket: Socket) => {
        const pour = () => {
          while (socket.write(`x-pad: ${'y'.repeat(4000)}\r\n`));
        }
        socket.write('HTTP/1.1 200 OK\r\n')
        socket.on('drain', pour)
        pour()
      },
      'protocol',
    ],
    ['an answer that is not HTTP', (socket: Socket) => socket.end('SSH-2.0-OpenSSH_9\r\n\r\n'), 'protocol'],
    [
      'a cut body',
      (socket: Socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nshort'),
      'reset',
    ],
    [
      'a 100 Continue whose headers do not end',
      (socket: Socket) => socket.write(`HTTP/1.1 100 Continue\r\n${'x-pad: y\r\n'.repeat(5000)}`),
      'protocol',
    ],
    [
      'an unrequested change of protocol',
      (socket: Socket) => socket.write('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\n\r\n'),
      'reset',
    ],
    ['a closed connection', (socket: Socket) => socket.destroy(), 'reset'],
  ])('%s is a fault', async (_name, misbehave, reason) => {
    const server = createTlsServer(certificate, (socket) => {
      socket.on('error', () => {}).once('data', () => misbehave(socket))
    })
    const port = await listen(server)
    const egress = open({ timeoutMs: 5000 })
    await expect(
      egress.post({ target: egress.prepareTarget(`https://hooks.test:${port}/`), body: 'x' }),
    ).rejects.toMatchObject({ name: 'EgressFault', reason })
  })

  test('only the first fifty headers are kept', async () => {
    const port = await receive((_request, response) => {
      for (let i = 0; i < 200; i++) response.setHeader(`x-${i}`, 'v')
      response.setHeader('a-long', 'v'.repeat(3000)).end()
    })
    const egress = open()
    const { headers } = await egress.post({ target: egress.prepareTarget(`https://hooks.test:${port}/`) })
    expect(Object.keys(headers).length).toBe(50)
  })
})

describe("a connection that can't be opened", () => {
  test('the handshake times out', async () => {
    const port = await listen(createTcpServer(() => {}))
    const egress = open({ connectTimeoutMs: 50 })
    await expect(
      egress.post({ target: egress.prepareTarget(`https://hooks.test:${port}/`) }),
    ).rejects.toMatchObject({ reason: 'connect_timeout' })
  })

  test('a hanging name server gets no more time than the connection timeout', async () => {
    const egress = open({ connectTimeoutMs: 50, resolve: () => new Promise(() => {}) })
    await expect(egress.post({ target: egress.prepareTarget('https://hooks.test/') })).rejects.toMatchObject({
      reason: 'dns',
    })
    // A name that cannot be resolved now is looked up again at each call.
    await expect(egress.checkAddress('https://hooks.test/', 'a shop')).resolves.toBeUndefined()
  })

  test('the port is closed', async () => {
    const egress = open()
    await expect(
      egress.post({ target: egress.prepareTarget('https://hooks.test:1/') }),
    ).rejects.toMatchObject({ reason: 'reset' })
  })

  test("the name doesn't exist", async () => {
    const resolve = async () => {
      throw Object.assign(new Error('queryA ENOTFOUND at 10.1.2.3'), { code: 'ENOTFOUND' })
    }
    const egress = open({ resolve })
    const fault = { reason: 'dns', message: expect.not.stringContaining('10.1.2.3') }
    await expect(
      egress.post({ target: egress.prepareTarget('https://nowhere.test/') }),
    ).rejects.toMatchObject(fault)
  })

  test('a certificate of an unknown authority, or for another name, is a TLS fault', async () => {
    const port = await receive((_request, response) => void response.end())
    const outsider = open({ ca: undefined })
    await expect(
      outsider.post({ target: outsider.prepareTarget(`https://hooks.test:${port}/`) }),
    ).rejects.toMatchObject({ reason: 'tls' })
    const egress = open()
    const fault = { reason: 'tls', message: expect.not.stringContaining('127.0.0.1') }
    await expect(
      egress.post({ target: egress.prepareTarget(`https://wrong.test:${port}/`) }),
    ).rejects.toMatchObject(fault)
  })

  test('closing ends calls in flight', async () => {
    const arrived = Promise.withResolvers<void>()
    const port = await receive(() => arrived.resolve())
    const egress = open()
    const call = egress.post({ target: egress.prepareTarget(`https://hooks.test:${port}/`) })
    const ended = expect(call).rejects.toMatchObject({ name: 'EgressFault' })
    await arrived.promise
    await egress.close()
    await ended
  })
})
