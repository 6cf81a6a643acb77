/** The documentation site at /docs: pages, policy, caching, other spellings of addresses, and missing builds. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { request } from 'undici'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { writePagesState } from '../../../bin/pages.mjs'
import { boot, type TestParley } from '../../../test/support/boot.ts'
import { policyOf } from './docs-files.ts'

let parley: TestParley
beforeAll(async () => {
  parley = await boot()
})
afterAll(() => parley.close())

async function fetchPath(
  path: string,
  headers: Record<string, string> = {},
  { method = 'GET', service = parley } = {},
) {
  const answer = await request(service.url + path, { method: method as 'GET', headers })
  const bytes = Buffer.from(await answer.body.arrayBuffer())
  return { status: answer.statusCode, headers: answer.headers, bytes, text: bytes.toString() }
}

const PAGES = [
  '/docs',
  '/docs/',
  '/docs/quick-start',
  '/docs/guides/',
  '/docs/guides/agents',
  '/docs/reference/',
  '/docs/reference/messages',
  '/docs/errors',
  '/docs/events',
  '/docs/changelog',
  '/docs/api',
]

test.each(PAGES)(
  '%s is a page under a policy without other sites and without inline styles',
  async (path) => {
    const { status, headers, text } = await fetchPath(path)
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(headers['cache-control']).toBe('no-cache')
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' })
    const policy = String(headers['content-security-policy'])
    expect(policy).toContain("default-src 'none'; script-src 'self'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toMatch(/unsafe|https?:|\*/)
    expect(text).not.toMatch(/<style|\sstyle="|\son\w+="/)
    const fetched = [...text.matchAll(/<(?:script|link|img)[^>]*\s(?:src|href)="([^"]+)"/g)].map(
      ([, url]) => url!,
    )
    expect(fetched.length).toBeGreaterThan(2)
    for (const url of fetched) {
      const { pathname, origin } = new URL(url, parley.url + path)
      expect([url, origin]).toEqual([url, parley.url])
      expect([pathname, (await fetchPath(pathname)).status]).toEqual([pathname, 200])
    }
  },
)

test('the start page names the API reference, and leads to it', async () => {
  const { text } = await fetchPath('/docs')
  expect(text).toMatch(/<a[^>]+href="\/docs\/reference\/"[^>]*>(?:<!--.*?-->)?API reference</)
  expect(text).toMatch(/<a[^>]+href="\/docs\/api"/)
})

test('the policy allows exactly the inline scripts of the page', () => {
  const page = '<script>one()</script><script src="./two.js"></script><script id="x">three()</script>'
  // printf 'one()' | openssl dgst -sha256 -binary | base64
  expect(policyOf(page)).toContain("script-src 'self' 'sha256-HR7iaask9daLMRRskMI++QeJtjWDOjyPA6lGzYGzKW4='")
  expect(policyOf(page).match(/'sha256-/g)).toHaveLength(2)
  expect(policyOf('<p>No script</p>')).toContain("script-src 'self';")
})

test('HEAD has the headers of the page and no body', async () => {
  for (const path of ['/docs', '/docs/errors']) {
    const { status, headers, text } = await fetchPath(path, {}, { method: 'HEAD' })
    expect([path, status, headers['content-type'], text]).toEqual([path, 200, 'text/html; charset=utf-8', ''])
  }
})

test('pages and files are compressed for clients that accept it', async () => {
  for (const path of ['/docs', '/docs/errors', '/docs/llms.txt']) {
    const plain = await fetchPath(path)
    const brotli = await fetchPath(path, { 'accept-encoding': 'gzip, br' })
    expect(brotli.headers).toMatchObject({ 'content-encoding': 'br', vary: 'accept-encoding' })
    expect(brotliDecompressSync(brotli.bytes).toString()).toBe(plain.text)
    const gzipped = await fetchPath(path, { 'accept-encoding': 'gzip' })
    expect(gzipped.headers['content-encoding']).toBe('gzip')
    expect(gunzipSync(gzipped.bytes).toString()).toBe(plain.text)
  }
})

test('assets are immutable, and a known page is answered with 304', async () => {
  const { text, headers } = await fetchPath('/docs/errors')
  const asset = /src="\.\/(assets\/app\.[^"]+)"/.exec(text)![1]
  expect((await fetchPath(`/docs/${asset}`)).headers['cache-control']).toBe(
    'public, max-age=31536000, immutable',
  )
  const known = await fetchPath('/docs/errors', { 'if-none-match': String(headers.etag) })
  expect([known.status, known.text]).toEqual([304, ''])
})

test('other spellings lead to the address of the page', async () => {
  for (const [path, address] of [
    ['/docs/guides', '/docs/guides/'],
    ['/docs/errors/', '/docs/errors'],
    ['/docs/errors.html', '/docs/errors'],
    ['/docs/guides/index.html', '/docs/guides/'],
    ['/docs/index.html', '/docs/'],
  ]) {
    const { status, headers } = await fetchPath(path!)
    expect([path, status, headers.location]).toEqual([path, 301, address])
  }
})

test('an unknown address is a page for browsers and an error for programs', async () => {
  const shown = await fetchPath('/docs/nothing/here', { accept: 'text/html,*/*' })
  expect([shown.status, shown.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8'])
  expect(shown.text).toContain('src="/docs/assets/app.')
  expect(String(shown.headers['content-security-policy'])).toContain("script-src 'self' 'sha256-")
  for (const accept of ['*/*', 'application/json']) {
    const { status, text } = await fetchPath('/docs/nothing', { accept })
    expect([status, JSON.parse(text).error]).toEqual([404, 'not_found'])
  }
})

test('no address leads out of the build', async () => {
  for (const path of [
    '/docs/../state.json',
    '/docs/..%2fstate.json',
    '/docs/%2e%2e/state.json',
    '/docs/assets/..%2f..%2fstate.json',
    '/docs//etc/passwd',
    '/docs/errors.html.br',
    '/docs/.vitepress/config.ts',
    '/docs/__proto__',
  ])
    expect([path, (await fetchPath(path)).status]).toEqual([path, 404])
})

test('the address of an explanation begins at the public address', async () => {
  const other = await boot({ env: { PARLEY_SITE_URL: 'https://parley.example.com' } })
  onTestFinished(() => other.close())
  for (const path of ['/me', '/nothing', '/%zz'])
    expect((await other.anonymous.get(path)).body.docUrl).toMatch(
      /^https:\/\/parley\.example\.com\/docs\/errors#(unauthorized|not_found|invalid)$/,
    )
})

test('without a build, /docs names the reference, other pages say why they are missing, and a later build is served', async () => {
  const hash = 'aaaaaaaaaaaaaaaa'
  const docsFolder = mkdtempSync(join(tmpdir(), 'parley-docs-'))
  onTestFinished(() => rmSync(docsFolder, { recursive: true, force: true }))
  const bare = await boot({ docsFolder })
  onTestFinished(() => bare.close())
  const fetchBare = (path: string) => fetchPath(path, {}, { service: bare })
  const start = await fetchBare('/docs')
  expect([start.status, start.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
  expect(start.text).toContain('API reference')
  expect(start.text).toContain('has not been built')
  expect((await fetchBare('/docs/errors')).status).toBe(503)
  writePagesState(docsFolder, { hash, state: 'building' })
  expect((await fetchBare('/docs')).text).toContain('http-equiv="refresh"')
  writePagesState(docsFolder, { hash, state: 'failed', reason: 'dead link <x>' })
  expect((await fetchBare('/docs')).text).toContain('dead link &#60;x&#62;')
  mkdirSync(join(docsFolder, hash))
  writeFileSync(join(docsFolder, hash, 'index.html'), '<h1>Built</h1><a href="./errors">Errors</a>')
  writePagesState(docsFolder, { hash, state: 'built' })
  expect((await fetchBare('/docs')).text).toBe('<h1>Built</h1><a href="/docs/errors">Errors</a>')
  expect((await fetchBare('/docs/')).text).toBe('<h1>Built</h1><a href="./errors">Errors</a>')
})
