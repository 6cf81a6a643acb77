/** Serving of the dashboard pages (docs/decisions/dashboard-pages.md). */
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { request } from 'undici'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type PagesState, writePagesState } from '../../../bin/pages.mjs'
import { boot, type TestParley } from '../../../test/support/boot.ts'
import { speak } from '../../../test/support/raw-http.ts'

const CURRENT = 'aaaaaaaaaaaaaaaa'
const OLDER = 'bbbbbbbbbbbbbbbb'
const folders: string[] = []
let parley: TestParley

function folderWith(state?: PagesState): string {
  const folder = mkdtempSync(join(tmpdir(), 'parley-pages-'))
  folders.push(folder)
  if (state) writePagesState(folder, state)
  return folder
}

function writeBuild(folder: string, hash: string, files: Record<string, string | Buffer>): void {
  for (const below of ['assets', '.vite']) mkdirSync(join(folder, hash, below), { recursive: true })
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, hash, name), text)
}

const PAGE = '<!doctype html><html><head><base href="/"><title>Parley</title></head></html>'

beforeAll(async () => {
  const folder = folderWith({ hash: CURRENT, state: 'built' })
  writeBuild(folder, OLDER, { 'index.html': 'old', 'assets/old-1.js': 'old', 'assets/same.css': 'of before' })
  utimesSync(join(folder, OLDER), 1, 1)
  writeBuild(folder, CURRENT, {
    'index.html': PAGE,
    'favicon.svg': '<svg/>',
    'favicon.ico': 'an icon',
    'assets/main-1.js': 'plain',
    'assets/main-1.js.br': 'in brotli',
    'assets/main-1.js.gz': 'in gzip',
    'assets/same.css': 'of now',
    '.vite/manifest.json': JSON.stringify({
      'index.html': { file: 'assets/main-1.js', isEntry: true },
      'inbox/page.tsx': { file: 'assets/inbox-1.js', imports: ['index.html', '_kit.js'] },
      '_kit.js': { file: 'assets/kit-1.js', imports: ['index.html', '_kit.js'] },
      'inbox/parts/later.tsx': { file: 'assets/later-1.js', imports: ['_kit.js'] },
    }),
  })
  parley = await boot({ pages: folder })
})
afterAll(async () => {
  await parley?.close()
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

async function fetchPath(path: string, headers: Record<string, string> = {}, service = parley) {
  const answer = await request(service.url + path, { headers })
  const bytes = Buffer.from(await answer.body.arrayBuffer())
  return { status: answer.statusCode, headers: answer.headers, bytes, text: bytes.toString() }
}

test('dashboard addresses return the page with its base address and a policy that allows no other site', async () => {
  for (const path of ['/', '/sign-in', '/w/01978f2e-9c1b-7d30-8a44-3f5f0e6b9a10/inbox?x=1']) {
    const { status, headers, text } = await fetchPath(path)
    expect([path, status]).toEqual([path, 200])
    expect(text).toContain('<base href="/">')
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    expect(headers['cache-control']).toBe('no-cache')
    expect(headers['x-frame-options']).toBe('DENY')
    const policy = String(headers['content-security-policy'])
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self';")
    expect(policy).toContain("require-trusted-types-for 'script'; trusted-types parley")
    expect(policy).not.toMatch(/unsafe|https?:|\*/)
    expect(headers['permissions-policy']).toMatch(/^camera=\(\), .*geolocation=\(self\), microphone=\(self\)/)
  }
})

test('the page preloads its scripts in parallel with the main script', async () => {
  const scriptsOf = async (path: string) =>
    [
      ...(await fetchPath(path)).text.matchAll(/<link rel="modulepreload" crossorigin href="\.\/([^"]+)">/g),
    ].map(([, name]) => name)
  const workspace = '/w/01978f2e-9c1b-7d30-8a44-3f5f0e6b9a10'
  for (const path of [`${workspace}/inbox`, `${workspace}/inbox/1?message=2`])
    expect(await scriptsOf(path)).toEqual(['assets/inbox-1.js', 'assets/kit-1.js'])
  for (const path of ['/', workspace, `${workspace}/settings/usage`, '/sign-in?next=/w/1/inbox'])
    expect([path, await scriptsOf(path)]).toEqual([path, []])
  expect((await fetchPath('/')).headers.etag).not.toBe((await fetchPath(`${workspace}/inbox`)).headers.etag)
  expect((await fetchPath('/.vite/manifest.json')).text).not.toContain('isEntry')
})

test('a known page is answered with 304 by its tag', async () => {
  const { headers } = await fetchPath('/')
  const second = await fetchPath('/', { 'if-none-match': `"other", ${headers.etag}` })
  expect([second.status, second.text]).toEqual([304, ''])
  expect((await fetchPath('/', { 'if-none-match': 'W/"other"' })).status).toBe(200)
})

test('the page is compressed for clients that accept it', async () => {
  const brotli = await fetchPath('/', { 'accept-encoding': 'gzip, br' })
  expect(brotli.headers['content-encoding']).toBe('br')
  expect(brotliDecompressSync(brotli.bytes).toString()).toContain('<title>Parley</title>')
  const gzipped = await fetchPath('/', { 'accept-encoding': 'gzip' })
  expect(gunzipSync(gzipped.bytes).toString()).toContain('<title>Parley</title>')
})

test('asset files are immutable and served as the build compressed them', async () => {
  const plain = await fetchPath('/assets/main-1.js')
  expect([plain.status, plain.text, plain.headers['content-encoding']]).toEqual([200, 'plain', undefined])
  expect(plain.headers['cache-control']).toBe('public, max-age=31536000, immutable')
  expect(plain.headers['content-type']).toBe('text/javascript; charset=utf-8')
  expect((await fetchPath('/assets/main-1.js', { 'accept-encoding': 'br, gzip' })).text).toBe('in brotli')
  expect((await fetchPath('/assets/main-1.js', { 'accept-encoding': 'gzip' })).text).toBe('in gzip')
  expect((await fetchPath('/favicon.svg')).headers['cache-control']).toBe('no-cache')
})

test('files of older builds stay available for open tabs; a file in both builds comes from the newer build', async () => {
  expect((await fetchPath('/assets/old-1.js')).text).toBe('old')
  expect((await fetchPath('/assets/same.css')).text).toBe('of now')
})

test('an address outside the dashboard is 404 for probes, programs, and browsers', async () => {
  const workspace = '/w/01978f2e-9c1b-7d30-8a44-3f5f0e6b9a10'
  for (const path of [
    '/live',
    '/health',
    '/wp-login.php',
    '/index.html',
    '/.env',
    '/.well-known/change-password',
    '/.well-known/security.txt',
    '/apple-touch-icon.png',
    '/w',
  ])
    for (const accept of ['text/html', '*/*', 'application/json']) {
      const { status, headers, text } = await fetchPath(path, { accept })
      expect([path, accept, status]).toEqual([path, accept, 404])
      expect(headers['content-type'], path).toContain('application/json')
      expect(JSON.parse(text).error).toBe('not_found')
      const head = await request(parley.url + path, { method: 'HEAD', headers: { accept } })
      expect([path, head.statusCode]).toEqual([path, 404])
    }
  for (const path of [`${workspace}/constructor`, `${workspace}/tasks/1`, `${workspace}/inbox/1/2`]) {
    // A browser gets the dashboard with its "not found" page; a program gets the error.
    const shown = await fetchPath(path, { accept: 'text/html' })
    expect([path, shown.status]).toEqual([path, 404])
    expect(shown.headers['content-type'], path).toContain('text/html')
    for (const accept of ['*/*', 'application/json']) {
      const { status, text } = await fetchPath(path, { accept })
      expect([path, status, JSON.parse(text).error]).toEqual([path, 404, 'not_found'])
    }
  }
  for (const path of [
    workspace,
    `${workspace}/inbox/1`,
    `${workspace}/bookings/week/2026-11-28`,
    '/billing',
    '/sign-in/',
  ])
    expect([path, (await fetchPath(path)).status]).toEqual([path, 200])
})

test('crawlers may read public pages only, and browsers find the icon at its default address', async () => {
  const robots = await fetchPath('/robots.txt')
  expect(robots.headers['content-type']).toBe('text/plain; charset=utf-8')
  expect(robots.text).toBe(
    'User-agent: *\nAllow: /i/\nAllow: /q/\nAllow: /book/\nAllow: /b/\nAllow: /r/\nAllow: /u/\nDisallow: /\n',
  )
  const icon = await fetchPath('/favicon.ico')
  expect([icon.status, icon.headers['content-type'], icon.text]).toEqual([200, 'image/x-icon', 'an icon'])
})

test('security.txt has the configured contact and an expiry date', async () => {
  const other = await boot({ env: { PARLEY_SECURITY_CONTACT: 'security@example.com' } })
  onTestFinished(() => other.close())
  const { status, headers, text } = await fetchPath('/.well-known/security.txt', {}, other)
  expect([status, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8'])
  expect(text).toContain('Contact: mailto:security@example.com\n')
  const expires = /^Expires: (\S+)$/m.exec(text)?.[1] ?? ''
  const days = (Date.parse(expires) - Date.now()) / 86_400_000
  expect(days).toBeGreaterThan(30)
  expect(days).toBeLessThan(366)
})

test('addresses of other owners never return the page: unknown files, the API, the reference', async () => {
  for (const path of [
    '/assets/gone-1.js',
    '/assets/..%2findex.html',
    '/api/nothing',
    '/api/v1/nothing',
    // A base URL that ends in a slash turns /api/v1/me into this.
    '//api/v1/me',
    '/docs/nothing',
  ]) {
    const { status, text } = await fetchPath(path)
    expect([path, status, JSON.parse(text).error]).toEqual([path, 404, 'not_found'])
  }
  const posted = await request(`${parley.url}/anywhere`, { method: 'POST' })
  expect([posted.statusCode, ((await posted.body.json()) as { error: string }).error]).toEqual([
    404,
    'not_found',
  ])
})

test('without a build the page says why, the API works, and a later build is served', async () => {
  const folder = folderWith()
  const bare = await boot({ pages: folder })
  try {
    expect((await fetchPath('/', {}, bare)).text).toContain('have not been built')
    writePagesState(folder, { hash: CURRENT, state: 'building' })
    const building = await fetchPath('/', {}, bare)
    expect([building.status, building.text.includes('http-equiv="refresh"')]).toEqual([503, true])
    writePagesState(folder, { hash: CURRENT, state: 'failed', reason: 'Unexpected token <' })
    const failed = await fetchPath('/sign-in', {}, bare)
    expect(failed.status).toBe(503)
    expect(failed.text).toContain('Unexpected token &#60;')
    expect((await (await bare.workspace()).get('/me')).status).toBe(200)
    writeBuild(folder, CURRENT, { 'index.html': PAGE })
    writePagesState(folder, { hash: CURRENT, state: 'built' })
    expect((await fetchPath('/', {}, bare)).status).toBe(200)
  } finally {
    await bare.close()
  }
})

test('concurrent first requests read the files once', async () => {
  const [bytes, requests] = [8 * 1024 * 1024, 30]
  const folder = folderWith({ hash: CURRENT, state: 'built' })
  writeBuild(folder, CURRENT, { 'index.html': PAGE, 'assets/big-1.js': Buffer.alloc(bytes) })
  const fresh = await boot({ pages: folder })
  onTestFinished(() => fresh.close())
  const before = process.memoryUsage().arrayBuffers
  let heldBytes = 0
  const watching = setInterval(() => {
    heldBytes = Math.max(heldBytes, process.memoryUsage().arrayBuffers - before)
  }, 1)
  const { statuses } = await speak(
    fresh.url,
    'GET / HTTP/1.1\r\nHost: parley\r\n\r\n'.repeat(requests),
    2_000,
  )
  clearInterval(watching)
  expect(statuses).toEqual(Array(requests).fill(200))
  expect(heldBytes).toBeLessThan((bytes * requests) / 2)
})
