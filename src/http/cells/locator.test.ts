import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { newApiKey } from '../../core/values/api-key.ts'
import { readDestination } from './locator.ts'

const WORKSPACE = '01970f3e-8a6b-7c1d-9e2f-3a4b5c6d7e8f'
const FILE_TOKEN = Buffer.concat([
  Buffer.from(WORKSPACE.replaceAll('-', ''), 'hex'),
  Buffer.alloc(54),
]).toString('base64url')
const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')
const read = (address: string, headers = {}) =>
  readDestination(
    { address, headers },
    { pageNames: ['i', 'book'], sessionIn: (cookies) => cookies?.replace('parley=', '') },
  )

test.each([
  ['/api/operator/ID', 'workspace', WORKSPACE],
  ['/api/gateway/ID?x=/api/operator/y', 'workspace', WORKSPACE],
  ['/api/social/ID', 'workspace', WORKSPACE],
  ['/api/leads/capture/abc', 'capture', 'abc'],
  ['/in/abc', 'shop', 'abc'],
  ['/i/abc/document.pdf', 'page', 'i/abc'],
  ['/book/abc?service=1', 'page', 'book/abc'],
  [`/media/${FILE_TOKEN}/photo.jpg`, 'workspace', WORKSPACE],
  ['/sign-in/abc', 'link', hashOf('abc')],
])('%s leads by its address', (address, kind, value) => {
  expect(read(address.replace('ID', WORKSPACE))).toEqual({ locator: { kind, value } })
})

test.each([
  '/',
  '/docs/i/abc',
  '/api/operator/',
  '/api/operator/not-an-id',
  '/api/leads/capture/',
  '/in',
  '/media/short/photo.jpg',
  '/x/abc',
  `/in/${'x'.repeat(400)}`,
  '//api/operator/x',
  '?',
  '',
])('"%s" leads anywhere', (address) => {
  expect(read(address)).toEqual({})
})

test('a key names its cell; a token in the address counts more than a key', () => {
  const [live, test7] = [newApiKey(false), newApiKey(true, 'c7')]
  const bearer = (key: string) => ({ authorization: `bearer  ${key} ` })
  expect(read('/api/v1/me', bearer(live))).toEqual({
    cell: 'public',
    locator: { kind: 'key', value: hashOf(live) },
  })
  expect(read('/api/v1/me', bearer(test7))).toEqual({
    cell: 'c7',
    locator: { kind: 'key', value: hashOf(test7) },
  })
  expect(read('/in/abc', bearer(test7))).toEqual({ locator: { kind: 'shop', value: 'abc' } })
  for (const invalid of ['pk_live_x', `${live}0`, `pk_live_C7_${live.slice(8)}`, test7.replace('c7', 'c8')])
    expect(read('/api/v1/me', bearer(invalid))).toEqual({})
})

test('a session counts more than the account that a sign-in names', () => {
  expect(read('/api/dashboard/sign-in', { cookie: 'parley=abc', 'parley-account-hint': 'a%40b.c' })).toEqual({
    locator: { kind: 'session', value: hashOf('abc') },
  })
  expect(read('/api/dashboard/sign-in', { 'parley-account-hint': 'asha%40example.com' })).toEqual({
    locator: { kind: 'email', value: 'asha@example.com' },
  })
  expect(read('/api/dashboard/redeem', { 'parley-account-hint': 'abc' })).toEqual({
    locator: { kind: 'link', value: hashOf('abc') },
  })
})
