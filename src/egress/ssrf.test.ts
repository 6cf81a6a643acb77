import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mayReach, parseCidr } from './address.ts'
import { createEgress, type Egress } from './egress.ts'

// Hosts in any spelling that lead, or could lead, inside. PORT is the tripwire's.
const LITERALS = `
127.0.0.1 127.1 127.0.1 127.127.127.127 127.0.0.0 127.255.255.255 2130706433 0x7f000001 0X7F000001 017700000001
0x7f.0.0.1 0x7f.1 0177.0.0.1 0177.0.0.01 00000177.0.0.1 0x7f.0x0.0x0.0x1 127.0x0.0.1 127.0.0.1. 127.000.000.001
%31%32%37.0.0.1 127%2e0%2e0%2e1 １２７.0.0.1 127。0。0。1 127．0．0．1 ①②⑦.⓪.⓪.① 0 0.0.0.0 0.0 0x0 00 0.1.2.3 0.255.255.255
10.0.0.1 10.255.255.255 10.1 0x0a000001 167772161 012.0.0.1 172.16.0.1 172.31.255.255 172.16.1 0xac.0x10.0.1 2886729729
192.168.0.1 192.168.1 192.168.65535 3232235521 0xc0a80001 0300.0250.0.1 169.254.169.254 169.254.0.1 2852039166 0xa9fea9fe
0251.0376.0251.0376 169.254.43518 169.16689662 100.64.0.1 100.127.255.254 100.100.100.200 192.0.0.1 192.0.0.192 192.0.2.1
192.88.99.1 198.18.0.1 198.19.255.255 198.51.100.7 203.0.113.9 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255 4294967295
[::] [::1] [0:0:0:0:0:0:0:1] [0000:0000:0000:0000:0000:0000:0000:0001] [::0.0.0.1] [::127.0.0.1] [::7f00:1] [::ffff:127.0.0.1]
[::ffff:7f00:1] [::FFFF:7F00:0001] [0:0:0:0:0:ffff:127.0.0.1] [::ffff:10.0.0.1] [::ffff:192.168.1.1] [::ffff:169.254.169.254]
[::ffff:a9fe:a9fe] [::ffff:0:127.0.0.1] [::ffff:0:7f00:1] [64:ff9b::127.0.0.1] [64:ff9b::7f00:1] [64:ff9b::10.0.0.1]
[64:ff9b::a9fe:a9fe] [64:ff9b:1::1] [64:ff9b:1:7f00:1::] [2002:7f00:1::] [2002:7f00:0001::1] [2002:a00:1::] [2002:c0a8:101::1]
[2002:a9fe:a9fe::] [2001::1] [2001:0:7f00:1::] [2001:db8::1] [2001:10::1] [2001:20::1] [2001:2::1] [3fff::1] [fc00::1] [fd00::1]
[fd00:ec2::254] [fdff:ffff::1] [fe80::1] [fe80::a9fe:a9fe] [febf::1] [fec0::1] [feff::1] [ff02::1] [ff0e::1] [100::1] [5f00::1]
[4000::1] [1::1] [fe80::1%25lo] [fe80::1%lo] [::1%25eth0] [::ffff:0.0.0.0] [::ffff:255.255.255.255]
`
  .trim()
  .split(/\s+/)

// Names that are local by definition, and names whose answer is private.
const NAMES = `
localhost LOCALHOST localhost. localhost.. LocalHost. foo.localhost a.b.localhost. ⓛocalhost localhost.localdomain ip6-localhost
ip6-loopback metadata metadata.google.internal METADATA.GOOGLE.INTERNAL. metadata.azure.internal instance-data
instance-data.ec2.internal vault.internal db.prod.internal 127.0.0.1.nip.test 7f000001.rbndr.test internal-looking.test
xn--local.test single-label hooks.test. 0x7f000001.test 1.0.0.127.in-addr.test
`
  .trim()
  .split(/\s+/)

// What is wrong before any host is looked at, or hides one host behind another.
const WHOLE_URLS = `
http://example.test/ ftp://example.test/ file:///etc/passwd gopher://127.0.0.1/ dict://127.0.0.1/ data:text/plain,x javascript:1
//127.0.0.1:PORT/ https:127.0.0.1:PORT https:/127.0.0.1:PORT https:///127.0.0.1:PORT/ https:// https://:PORT/ https://?x
https://user@127.0.0.1:PORT/ https://user:pass@example.test/ https://example.test@127.0.0.1:PORT/ https://:@127.0.0.1:PORT/
https://127.0.0.1:PORT#@example.test/ https://127.0.0.1:PORT?@example.test/ https://127.0.0.1:PORT\\@example.test/
https://example.test\\@127.0.0.1:PORT/ https://[::1 https://[::1]x/ https://[127.0.0.1]/ https://256.256.256.256/ https://1.2.3.4.5/
https://127.0.0.1:99999/ https://127.0.0.1:-1/ https://exa%00mple.test/ https://example.test%2f@127.0.0.1/ HTTPS://127.0.0.1:PORT/
`
  .trim()
  .split(/\s+/)
const WITH_SPACES = [
  'https://127.0.0.1 :PORT/',
  ' https://example.test/',
  'https://exam\tple.test/',
  'https://a.test/\n',
  'https://a\u0000.test/',
]

let connections = 0
const tripwire = createServer((socket) => {
  connections++
  socket.destroy()
})
let port: number
let egress: Egress

beforeAll(async () => {
  // Every address of the machine, so that 0.0.0.0, ::1 and 127.x.x.x would all be seen.
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

/** Tries every way out: the check at registration, and a call whose target escaped that check. */
async function expectRefused(url: string) {
  await expect(egress.checkAddress(url)).rejects.toMatchObject(refused)
  await expect(
    (async () => egress.post({ target: egress.prepareTarget(url), body: 'x' }))(),
  ).rejects.toMatchObject(refused)
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) return
  const { origin, pathname, hostname } = new URL(url)
  const forged = { origin, path: pathname, hostname }
  await expect(egress.post({ target: forged, body: 'x' })).rejects.toMatchObject(refused)
}

describe('addresses that lead inside are refused, and nothing is dialled', () => {
  test('there are enough of them', () => {
    expect(new Set([...LITERALS, ...NAMES, ...WHOLE_URLS, ...WITH_SPACES]).size).toBeGreaterThanOrEqual(120)
  })

  test.each(LITERALS)('%s', (host) => expectRefused(urlOf(host)))
  test.each(NAMES)('%s', (host) => expectRefused(urlOf(host)))
  test.each([...WHOLE_URLS, ...WITH_SPACES])('%j', (url) => expectRefused(url.replace('PORT', String(port))))

  test('one private address among public ones is enough', () => expectRefused(urlOf('mixed.test')))

  test('an address of 3,000 characters', () => expectRefused(`https://a.test/${'x'.repeat(3000)}`))

  test('the refusal tells nothing about our network', async () => {
    for (const url of [urlOf('hooks.test'), urlOf('127.0.0.1'), urlOf('[::1]')]) {
      const fault = await egress.checkAddress(url).catch((error: Error) => error)
      expect(fault).toMatchObject({ message: 'The host is not on the public internet.' })
    }
  })

  test('the tripwire saw no connection', () => {
    expect(connections).toBe(0)
  })
})

describe('a name that changes its answer', () => {
  test('is checked again when it is dialled', async () => {
    const answers = ['93.184.215.14', '127.0.0.1']
    const flipping = createEgress({
      allow: [],
      resolve: async () => [{ address: answers.shift() ?? '127.0.0.1', family: 4 }],
    })
    const before = connections
    await flipping.checkAddress(urlOf('flip.test'))
    await expect(flipping.post({ target: flipping.prepareTarget(urlOf('flip.test')) })).rejects.toMatchObject(
      refused,
    )
    expect(connections).toBe(before)
    await flipping.close()
  })

  test('is dialled at the address that was checked, with no second question', async () => {
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

describe('what may be reached', () => {
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

  test.each(['', 'localhost', '999.1.1.1', 'fe80::1%eth0', '::1%lo'])('%j is not', (address) =>
    expect(mayReach(address, [])).toBe(false),
  )

  test('the allow list opens exactly what it names, in any spelling', () => {
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

  test('with an allow list local names are judged by their address; metadata names stay refused', async () => {
    const resolve = async (name: string) => [
      { address: name === 'localhost' ? '127.0.0.1' : '10.0.0.1', family: 4 },
    ]
    const lan = createEgress({ allow: ['127.0.0.0/8'], resolve })
    await lan.checkAddress('https://localhost:8443/')
    await lan.checkAddress('https://127.0.0.1:8443/')
    await expect(lan.checkAddress('https://db.internal/')).rejects.toMatchObject(refused)
    await expect(lan.checkAddress('https://metadata.google.internal/')).rejects.toMatchObject(refused)
    await lan.close()
  })

  test('a faulty CIDR is an error at start', () => {
    expect(() => createEgress({ allow: ['10.0.0.0/40'] })).toThrow()
    expect(() => createEgress({ allow: ['everything'] })).toThrow()
  })
})
