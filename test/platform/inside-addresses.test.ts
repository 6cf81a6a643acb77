/**
 * No address from a caller leads to an internal host (spec 4.8; docs/reliability.md row 15): tested from
 * outside, with a tripwire.
 */
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Answered, boot, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { LITERALS, WHOLE_URLS, WITH_SPACES } from '../support/hostile-addresses.ts'

/** Local by definition, without a question to a name server. */
const LOCAL_NAMES = [
  'localhost',
  'LOCALHOST.',
  'a.b.localhost',
  'localhost.localdomain',
  'metadata',
  'metadata.google.internal',
  'instance-data',
  'vault.internal',
]
/** Below the bucket of webhook changes. */
const SHARE = 50

let connections = 0
const tripwire = createServer((socket) => {
  connections++
  socket.destroy()
})
let parley: TestParley
let addresses: string[]
beforeAll(async () => {
  tripwire.listen(0)
  await once(tripwire, 'listening')
  const { port } = tripwire.address() as AddressInfo
  parley = await boot()
  addresses = [
    ...[...LITERALS, ...LOCAL_NAMES].map((host) => `https://${host}:${port}/hook`),
    ...[...WHOLE_URLS, ...WITH_SPACES].map((url) => url.replace('PORT', String(port))),
  ].filter((url) => !url.includes('example.test'))
})
afterAll(async () => {
  await parley?.close()
  tripwire.close()
})

/** Sends a request for every address, spread over several workspaces. */
async function askAll(
  send: (shop: TestWorkspace, url: string, hook: string) => Promise<Answered>,
): Promise<[string, Answered][]> {
  const shares = Array.from({ length: Math.ceil(addresses.length / SHARE) }, (_, i) =>
    addresses.slice(i * SHARE, (i + 1) * SHARE),
  )
  const answers = await Promise.all(
    shares.map(async (share) => {
      const shop = await parley.workspace({ sandbox: true })
      const { webhook } = (await shop.post('/webhooks', { url: 'https://93.184.215.14/hook' })).body
      const found: [string, Answered][] = []
      for (const url of share) found.push([url, await send(shop, url, webhook.id)])
      expect((await shop.get('/webhooks')).body.webhooks).toMatchObject([
        { url: 'https://93.184.215.14/hook' },
      ])
      return found
    }),
  )
  return answers.flat()
}

const isRefused = ({ status, body }: Answered): boolean =>
  status === 400 &&
  body.error === 'invalid' &&
  body.issues.some((issue: { path: string }) => issue.path === 'url')

describe('an address that leads to an internal host', () => {
  test('there are enough of them', () => expect(new Set(addresses).size).toBeGreaterThanOrEqual(120))

  test.each<[string, Parameters<typeof askAll>[0]]>([
    ['registers no webhook', (shop, url) => shop.post('/webhooks', { url })],
    ['is no new address of one', (shop, url, hook) => shop.patch(`/webhooks/${hook}`, { url })],
  ])('%s, and the error names the field', async (_, send) => {
    const accepted = (await askAll(send)).filter(([, answer]) => !isRefused(answer))
    expect(accepted.map(([url, answer]) => `${url}: ${answer.status} ${answer.text}`)).toEqual([])
  })

  test('was never connected to', () => expect(connections).toBe(0))
})

test('a header file by link is only passed on, never fetched by the service', async () => {
  const shop = await parley.workspace({ sandbox: true })
  await shop.inbound('+919812345678', 'hello')
  for (const url of addresses.slice(0, 40)) {
    const answer = await shop.post('/send', {
      to: '+919812345678',
      type: 'image',
      payload: { type: 'image', image: { link: url } },
    })
    expect(answer.status, answer.text).toBeOneOf([200, 400])
  }
  await shop.advance(5)
  expect(connections).toBe(0)
})
