import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createEgress, type Egress } from './egress.ts'

const bytes = Buffer.alloc(3_000_000, 7)
let url = ''
let answer: (response: ServerResponse) => void
const server = createServer((_request, response) => answer(response))
let egress: Egress

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/file`
  egress = createEgress({ allow: ['127.0.0.0/8'] })
})
afterAll(async () => {
  await egress.close()
  server.closeAllConnections()
  server.close()
})

const open = (limits: { timeoutMs?: number; idleMs?: number } = {}, from: Egress = egress) =>
  from.open({
    target: from.prepareTarget(url, { requireHttps: false }),
    headers: { 'user-agent': 'parley' },
    timeoutMs: 5_000,
    idleMs: 5_000,
    ...limits,
  })

describe('a body read as it arrives', () => {
  test('arrives complete, at any length', async () => {
    answer = (response) => response.writeHead(200, { 'content-length': bytes.length }).end(bytes)
    const { status, headers, body } = await open()
    expect([status, headers['content-length']]).toEqual([200, String(bytes.length)])
    expect((await buffer(body)).equals(bytes)).toBe(true)
  })

  test('is not requested from an address that is not public', async () => {
    const strict = createEgress({ allow: [] })
    await expect((async () => open({}, strict))()).rejects.toMatchObject({ reason: 'refused_address' })
    await strict.close()
  })

  test('does not follow a redirect', async () => {
    answer = (response) => response.writeHead(302, { location: 'http://169.254.169.254/' }).end()
    const { status, body } = await open()
    body.destroy()
    expect(status).toBe(302)
  })

  test('can be given up midway', async () => {
    answer = (response) => response.writeHead(200).write(bytes)
    for await (const piece of (await open()).body) {
      expect((piece as Buffer).length).toBeGreaterThan(0)
      break
    }
  })

  test('stops when the far side is silent, before the answer or within it', async () => {
    answer = () => {}
    await expect(open({ idleMs: 50 })).rejects.toMatchObject({ name: 'EgressFault' })
    answer = (response) => response.writeHead(200, { 'content-length': 10 }).write('abc')
    const { body } = await open({ idleMs: 50 })
    await expect(buffer(body)).rejects.toThrow()
  })

  test('stops when it takes too long in total, even if the far side is never silent', async () => {
    answer = (response) => {
      response.writeHead(200)
      const drip = setInterval(() => response.write('.'), 20)
      response.on('close', () => clearInterval(drip))
    }
    const { body } = await open({ timeoutMs: 300 })
    await expect(buffer(body)).rejects.toThrow()
  })
})
