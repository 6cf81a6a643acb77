import { expect, test } from 'vitest'
import { hostsOf, readHosts } from './database-hosts.ts'

const read = (address: string) => {
  const standard = readHosts(address)
  return standard === undefined ? 'invalid' : hostsOf(standard).map(({ host, port }) => `${host} ${port}`)
}

test.each([
  ['postgres://u:p@db1:5433,db2:5434/parley', ['db1 5433', 'db2 5434']],
  ['postgresql://db1,db2,db3/parley?target_session_attrs=read-write', ['db1 5432', 'db2 5432', 'db3 5432']],
  ['postgres://u:p%40,x@db1,db2:6000/parley?sslmode=require', ['db1 5432', 'db2 6000']],
  ['postgres://u@[::1]:5433,[fe80::2]/parley', ['::1 5433', 'fe80::2 5432']],
  ['postgres://u@/parley?host=db1,db2&port=5433', ['db1 5433', 'db2 5433']],
  ['postgres://u@/parley?host=db1,db2&port=5433,5434', ['db1 5433', 'db2 5434']],
])('%s names its hosts', (address, hosts) => {
  expect(read(address)).toEqual(hosts)
})

test.each([
  'postgres://u:p@db1:5432/parley',
  'postgres://u:p@/parley?host=/run/postgresql&port=5433',
  'postgres://u:p@[::1]:5432/parley',
])('%s has one host and stays as it is', (address) => {
  expect(readHosts(address)).toBe(address)
})

test.each([
  'postgres://u@db1,/parley',
  'postgres://u@db1:0,db2/parley',
  'postgres://u@db1:70000,db2/parley',
  'postgres://u@db1,db2/parley?port=1,2,3',
  'postgres://u@db1,db2/parley?target_session_attrs=standby',
  'postgres://u@db 1,db2/parley',
  'mysql://u@db1,db2/parley',
])('%s is invalid', (address) => {
  expect(read(address)).toBe('invalid')
})

test('the rewritten address keeps user, password, database, and other parameters', () => {
  const address = new URL(readHosts('postgres://u:p%40,x@db1,db2:6000/parley?sslmode=require')!)
  expect([address.username, address.password, address.pathname]).toEqual(['u', 'p%40,x', '/parley'])
  expect(address.searchParams.get('sslmode')).toBe('require')
})
