import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { ownPage } from './own-page.ts'

const SITE = 'https://parley.example'

beforeAll(() => {
  vi.stubGlobal('document', { baseURI: `${SITE}/` })
  vi.stubGlobal('location', new URL(SITE))
})
afterAll(() => {
  vi.unstubAllGlobals()
})

test.each(['/', '/w/1/inbox?status=open#m1', '/w/1/leads?q=a%2Fb%20c'])(
  '%s is a page of this site',
  (path) => {
    expect(ownPage(path)).toBe(SITE + path)
  },
)

describe('an address of another site is no page of this site', () => {
  test.each([
    '/\t/evil.example',
    '/\n/evil.example',
    '/\r\n/evil.example',
    '\t//evil.example',
    ' //evil.example',
    '\u0000//evil.example',
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t\\evil.example',
    '//evil.example%2f@parley.example',
    '//user@evil.example',
    '//user:secret@parley.example/',
    '//parley.example@evil.example',
    '//parley.example.evil.example',
    '//parley.example:8443/',
    '//evil。example',
    '//parley。example。evil。example',
    'https://evil.example',
    'https:evil.example',
    'http://parley.example/',
    'javascript:alert(1)',
    'data:text/html,x',
    `blob:${SITE}/1`,
    'inbox',
    '',
  ])('%j', (input) => {
    expect(ownPage(input)).toBeUndefined()
  })

  test('a missing address is no page', () => {
    expect(ownPage(null)).toBeUndefined()
  })
})

test.each([
  '/.//evil.example',
  '/w/..//evil.example',
  '/%2e//evil.example',
  '/%09/evil.example',
  '/%5cevil.example',
])('%s stays on this site, in every way browsers parse it', (input) => {
  expect(new URL(ownPage(input)!, SITE).origin).toBe(SITE)
})

test.each([
  '/sign-in/token',
  '/sign-in?next=/',
  '/api/v1/contacts',
  '/w/../sign-in/token',
  '//parley.example/sign-in/x',
  '/.//sign-in/x',
])('%s is not a page to continue to: it is a sign-in page, or not a page', (input) => {
  expect(ownPage(input)).toBeUndefined()
})

test('a site below a path stays below its path', () => {
  vi.stubGlobal('document', { baseURI: `${SITE}/parley/` })
  expect(ownPage('/parley/w/1')).toBe(`${SITE}/parley/w/1`)
  for (const input of ['/other', '/parley', '/parley/../other', '/parley-evil/'])
    expect(ownPage(input)).toBeUndefined()
})
