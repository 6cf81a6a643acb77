import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Client } from 'undici'
import { afterEach, expect, test } from 'vitest'
import { until } from '../../test/support/until.ts'
import { type Connections, openConnections } from './connections.ts'
import { exchange } from './exchange.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

/** Opens a receiver and connections to it; `clients` counts the connections. */
async function open(listener: RequestListener, { perOrigin = 1, lifetimeMs = 60_000 } = {}) {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  closers.push(() => server.close().closeAllConnections())
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const clients: Client[] = []
  const connections: Connections = openConnections({
    connection: (to) => {
      const client = new Client(to)
      clients.push(client)
      return client
    },
    perOrigin,
    lifetimeMs,
  })
  closers.push(() => connections.destroy())
  const post = async (headers: Record<string, string> = {}) => {
    const target = { origin, path: '/', hostname: '127.0.0.1' }
    const call = { method: 'POST' as const, target, headers, timeoutMs: 10_000, maxBodyBytes: 100 }
    return (await exchange(connections.dispatcher, call)).status
  }
  return { clients, connections, post, server }
}

const answer: RequestListener = (_request, response) => void response.end()

test('calls that find no free connection wait in order', async () => {
  const order: unknown[] = []
  const { clients, post } = await open(
    (request, response) => {
      order.push(request.headers['x-n'])
      response.end()
    },
    { perOrigin: 2 },
  )
  await Promise.all(Array.from({ length: 9 }, (_, n) => post({ 'x-n': String(n) })))
  expect(clients.length).toBe(2)
  expect(order.slice(2)).toEqual(['2', '3', '4', '5', '6', '7', '8'])
})

test("a call that can't be sent doesn't use up a connection", async () => {
  const { clients, post } = await open(answer)
  expect(await post()).toBe(200)
  await expect(post({ 'x-bad': 'a\r\nb' })).rejects.toMatchObject({ reason: 'protocol' })
  expect(await post()).toBe(200)
  expect(clients.length).toBe(1)
})

test('a connection in steady use is renewed', async () => {
  const { clients, post } = await open(answer, { lifetimeMs: 0 })
  expect(await Promise.all([post(), post(), post()])).toEqual([200, 200, 200])
  expect(clients.length).toBe(3)
})

test('a receiver that closes connections gets new ones', async () => {
  const { clients, post } = await open((_request, response) => {
    response.setHeader('connection', 'close').end()
  })
  expect(await Promise.all([post(), post(), post()])).toEqual([200, 200, 200])
  await until(() => clients.every((client) => client.destroyed), 'all connections are closed')
})

test('calls that wait for a receiver that is gone fail, each with its fault', async () => {
  const { post, server } = await open(answer)
  await once(server.close(), 'close')
  const outcomes = await Promise.allSettled([post(), post(), post()])
  expect(outcomes.map((outcome) => outcome.status)).toEqual(['rejected', 'rejected', 'rejected'])
})

test('after destroy, calls in flight, waiting calls, and later calls fail', async () => {
  const arrived = Promise.withResolvers<void>()
  const { connections, post } = await open(() => arrived.resolve())
  const calls = Promise.allSettled([post(), post()])
  await arrived.promise
  await connections.destroy()
  expect((await calls).map((outcome) => outcome.status)).toEqual(['rejected', 'rejected'])
  await expect(post()).rejects.toMatchObject({ name: 'EgressFault' })
})
