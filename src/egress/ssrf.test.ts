import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LITERALS, NAMES, WHOLE_URLS, WITH_SPACES } from '../../test/support/hostile-addresses.ts'
import { mayReach, parseCidr } from './address.ts'
import { createEgress, type Egress } from './egress.ts'

let connections = 0
const tripwire = createServer((socket) => {
  connections++
  socket.destroy()
})
let port: number
let egress: Egress

beforeAll(async () => {
  // Listens on every address of the machine, to detect calls to 0.0.0.0, ::1, and 127.x.x.x.
  tripwire.listen(0)
  await once(tripwire, 'listening')
  port = (tripwire.address() as AddressInfo).port
  egress = createEgress({
    allow: [],
    connectTimeoutMs: 2000,
    resolve: async (hostname) =>
      [{ address: '127.0.0.1', family: 4 }].concat(
        hostname === 'mixed.test' ? [{ address: '93.184.215.14', family: 4 }] : [],
      ),
  })
})
afterAll(async () => {
  await egress.close()
  tripwire.close()
})

const refused = { name: 'EgressFault', reason: 'refused_address' }
const urlOf = (host: string) => `https://${host}:${port}/hook`

/** Tries both paths: the check at registration, and a call whose target passed that check. */
async function expectRefused(url: string) {
  await expect(egress.checkAddress(url, 'a shop')).rejects.toMatchObject(refused)
  await expect(
    (async () => egress.post({ target: egress.prepareTarget(url), body: 'x' }))(),
  ).rejects.toMatchObject(refused)
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) return
  const { origin, pathname, hostname } = new URL(url)
  const forged = { origin, path: pathname, hostname }
  await expect(egress.post({ target: forged, body: 'x' })).rejects.toMatchObject(refused)
}

describe('addresses that lead inside are rejected, and no connection is opened', () => {
  test('the list has enough addresses', () => {
    expect(new Set([...LITERALS, ...NAMES, ...WHOLE_URLS, ...WITH_SPACES]).size).toBeGreaterThanOrEqual(120)
  })

  test.each(LITERALS)('%s', (host) => expectRefused(urlOf(host)))
  test.each(NAMES)('%s', (host) => expectRefused(urlOf(host)))
  test.each([...WHOLE_URLS, ...WITH_SPACES])('%j', (url) => expectRefused(url.replace('PORT', String(port))))

  test('one private address among public ones is enough', () => expectRefused(urlOf('mixed.test')))

  test('an address of 3,000 characters', () => expectRefused(`https://a.test/${'x'.repeat(3000)}`))

  test('the error reveals nothing about our network', async () => {
    for (const url of [urlOf('hooks.test'), urlOf('127.0.0.1'), urlOf('[::1]')]) {
      const fault = await egress.checkAddress(url, 'a shop').catch((error: Error) => error)
      expect(fault).toMatchObject({ message: 'The host must be on the public internet.' })
    }
  })

  test('the tripwire saw no connection', () => {
    expect(connections).toBe(0)
  })
})

describe('a name that changes its answer', () => {
  test('is checked again when the connection is opened', async () => {
    const answers = ['93.184.215.14', '127.0.0.1']
    const flipping = createEgress({
      allow: [],
      resolve: async () => [{ address: answers.shift() ?? '127.0.0.1', family: 4 }],
    })
    const before = connections
    await flipping.checkAddress(urlOf('flip.test'), 'a shop')
    await expect(flipping.post({ target: flipping.prepareTarget(urlOf('flip.test')) })).rejects.toMatchObject(
      refused,
    )
    expect(connections).toBe(before)
    await flipping.close()
  })

  test('is connected to at the checked address, without a second lookup', async () => {
    let questions = 0
    const resolve = async () => [{ address: questions++ === 0 ? '127.0.0.1' : '10.0.0.1', family: 4 }]
    const pinned = createEgress({ allow: ['127.0.0.1'], resolve })
    await expect(pinned.post({ target: pinned.prepareTarget(urlOf('flip.test')) })).rejects.toMatchObject({
      reason: 'reset',
    })
    expect(questions).toBe(1)
    await expect(pinned.post({ target: pinned.prepareTarget(urlOf('flip.test')) })).rejects.toMatchObject(
      refused,
    )
    await pinned.close()
  })
})

describe('reachable addresses', () => {
  test.each([
    '93.184.215.14',
    '8.8.8.8',
    '1.1.1.1',
    '172.15.0.1',
    '172.32.0.1',
    '100.63.0.1',
    '100.128.0.1',
    '192.167.1.1',
    '2606:4700::1111',
    '2a00:1450:4001::1',
    '::ffff:8.8.8.8',
    '64:ff9b::8.8.8.8',
    '2002:808:808::1',
  ])('%s is public', (address) => expect(mayReach(address, [])).toBe(true))

  test.each(['', 'localhost', '999.1.1.1', 'fe80::1%eth0', '::1%lo'])('%j is not public', (address) =>
    expect(mayReach(address, [])).toBe(false),
  )

  test('the allow list opens exactly the listed addresses, in any spelling', () => {
    const allow = ['127.0.0.0/8', '10.1.0.0/16', 'fd00::/8', '192.168.1.7'].map(parseCidr)
    for (const open of [
      '127.0.0.1',
      '127.9.9.9',
      '::ffff:127.0.0.1',
      '10.1.2.3',
      '64:ff9b::10.1.0.1',
      'fd12::1',
      '192.168.1.7',
    ])
      expect([open, mayReach(open, allow)]).toEqual([open, true])
    for (const shut of ['10.2.0.1', '192.168.1.8', '::1', 'fc00::1', '169.254.169.254', '::ffff:10.2.0.1'])
      expect([shut, mayReach(shut, allow)]).toEqual([shut, false])
  })

  test('with an allow list, the address decides for local names, and metadata names stay blocked', async () => {
    const resolve = async (name: string) => [
      { address: name === 'localhost' ? '127.0.0.1' : '10.0.0.1', family: 4 },
    ]
    const lan = createEgress({ allow: ['127.0.0.0/8'], resolve })
    await lan.checkAddress('https://localhost:8443/', 'a shop')
    await lan.checkAddress('https://127.0.0.1:8443/', 'a shop')
    await expect(lan.checkAddress('https://db.internal/', 'a shop')).rejects.toMatchObject(refused)
    await expect(lan.checkAddress('https://metadata.google.internal/', 'a shop')).rejects.toMatchObject(
      refused,
    )
    await lan.close()
  })

  test('an unknown name that may be public passes the check, and fails at the call', async () => {
    const resolve = async () => Promise.reject(Object.assign(new Error('unknown'), { code: 'ENOTFOUND' }))
    for (const allow of [[], ['127.0.0.0/8']]) {
      const lost = createEgress({ allow, resolve })
      await lost.checkAddress('https://hooks.example.com/', 'a shop')
      await expect(
        lost.post({ target: lost.prepareTarget('https://hooks.example.com/') }),
      ).rejects.toMatchObject({ reason: 'dns' })
      for (const local of ['https://intranet/', 'https://db.internal/', 'https://db.internal.:444/'])
        await expect(lost.checkAddress(local, 'a shop')).rejects.toMatchObject(refused)
      await lost.close()
    }
  })

  test('an invalid CIDR is an error at start', () => {
    expect(() => createEgress({ allow: ['10.0.0.0/40'] })).toThrow()
    expect(() => createEgress({ allow: ['everything'] })).toThrow()
  })
})
