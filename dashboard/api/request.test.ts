import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { isPassing } from './errors.ts'
import { call, callFile } from './request.ts'

/** Responds with half of the announced body. */
const server = createServer((_, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': 100 })
  response.write('{"messages":[', () => response.destroy())
})
beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const site = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const { fetch } = globalThis
  vi.stubGlobal('document', { baseURI: site })
  vi.stubGlobal('location', new URL(site))
  vi.stubGlobal('fetch', (path: string, init: RequestInit) => fetch(new URL(path, site), init))
})
afterAll(() => {
  vi.unstubAllGlobals()
  server.close()
})

test('an incomplete response counts as none: the request can be repeated, and a message being sent is not given up', async () => {
  for (const request of [call('GET /messages'), callFile('GET /quotations/{id}', { params: { id: 'x' } })]) {
    const error = await request.catch((fault: unknown) => fault)
    expect(error).toMatchObject({ code: 'unreachable', status: 0 })
    expect(isPassing(error)).toBe(true)
  }
})
