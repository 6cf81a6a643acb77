import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type NameServer, startNameServer } from '../../test/support/name-server.ts'
import { until } from '../../test/support/until.ts'
import { openResolver, type ResolverOptions } from './resolver.ts'

const V4 = { address: '203.0.113.7', family: 4 }
const V6 = { address: '::1', family: 6 }

const folder = mkdtempSync(join(tmpdir(), 'parley-hosts-'))
const hosts = join(folder, 'hosts')
let names: NameServer
beforeAll(async () => {
  writeFileSync(hosts, '127.0.0.1 localhost\n')
  names = await startNameServer({
    'both.example': [V6.address, V4.address],
    'six.example': [V6.address],
    'silent.example': 'silent',
    'broken.example': 'broken',
    // The system also finds this name: the different answer of the name server shows which of them was asked.
    'in.hosts': ['203.0.113.9'],
  })
})
afterAll(() => {
  names.close()
  rmSync(folder, { recursive: true })
})

function open(more: Partial<ResolverOptions> = {}) {
  const resolver = openResolver({
    limitMs: 5_000,
    askSystem: false,
    nameServers: [names.address],
    hostsFile: hosts,
    ...more,
  })
  onTestFinished(resolver.close)
  return resolver
}

test('a name returns all its addresses of both families, IPv4 first', async () => {
  expect(await open().resolve('both.example')).toEqual([V4, V6])
  expect(await open().resolve('hooks.six.example')).toEqual([V6])
})

test('an unknown name and a name whose name servers fail are faults of the name', async () => {
  for (const name of ['nobody.example', 'broken.example', 'a..b', `${'x'.repeat(64)}.example`])
    await expect(open().resolve(name)).rejects.toMatchObject({ name: 'EgressFault', reason: 'dns' })
})

test('the system looks up names without a dot and names in the hosts file, also after the file changes', async () => {
  const { resolve } = open()
  expect((await resolve('localhost')).map(({ address }) => address)).toContain('127.0.0.1')
  expect(await resolve('in.hosts')).toEqual([{ address: '203.0.113.9', family: 4 }])
  names.asked.length = 0
  writeFileSync(hosts, '127.0.0.1 localhost # in.comment\n127.0.0.1\tother IN.Hosts\n')
  await resolve('in.hosts').catch(() => {})
  expect(names.asked).toEqual([])
  await resolve('in.comment').catch(() => {})
  expect(names.asked).toContain('in.comment')
})

test('the system looks up names that no name server knows, but only where it may know more', async () => {
  const name = 'printer.local.invalid'
  await expect(open().resolve(name)).rejects.toMatchObject({ name: 'EgressFault' })
  await expect(open({ askSystem: true }).resolve(name)).rejects.toMatchObject({ syscall: 'getaddrinfo' })
  // A system lookup of a name with failing name servers would block a system thread.
  await expect(open({ askSystem: true }).resolve('broken.example')).rejects.toMatchObject({
    name: 'EgressFault',
  })
})

test('closing ends lookups in flight, and no lookup starts afterwards', async () => {
  const resolver = open()
  const ended = expect(resolver.resolve('silent.example')).rejects.toMatchObject({ reason: 'dns' })
  await until(() => names.asked.includes('silent.example'), 'the name server is asked')
  resolver.close()
  await ended
  names.asked.length = 0
  await expect(resolver.resolve('both.example')).rejects.toMatchObject({ reason: 'dns' })
  expect(names.asked).toEqual([])
})
