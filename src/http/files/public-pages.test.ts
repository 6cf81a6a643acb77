/** Pages that customers open with a link (docs/decisions/rate-limits.md "Public pages"). */
import { createHash } from 'node:crypto'
import Fastify from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BUCKETS } from '../../core/buckets.ts'
import { systemClock } from '../../core/clock.ts'
import { refuse } from '../../core/errors.ts'
import { html, htmlLines, htmlText } from '../../core/values/html.ts'
import { newLinkToken } from '../../core/values/link-token.ts'
import { bodyBudget } from '../callbacks/body-budget.ts'
import { createMemoryStore } from '../rate-limit/memory-store.ts'
import { publicPages } from './public-pages.ts'

const TOKEN = newLinkToken()
const HOSTILE = `<script>alert("1")</script>' & {"html":"<b>"}`
const faults: unknown[] = []
let nowMs = 0
let answers: unknown[] = []
const app = Fastify()
beforeAll(() => {
  publicPages({
    limiter: createMemoryStore(),
    clock: { ...systemClock, monotonicMs: () => nowMs },
    trustProxy: [],
    budget: bodyBudget(1_000_000),
    onError: (error) => faults.push(error),
    pages: [
      {
        name: 'x',
        findWorkspace: async () => undefined,
        read: async ({ token, below, query }) => {
          if (token !== TOKEN) return undefined
          if (below === 'a.pdf')
            return {
              file: { bytes: Buffer.from('%PDF'), contentType: 'application/pdf', filename: 'a"\n/1.pdf' },
            }
          if (below === 'broken') throw new Error('broken')
          return {
            page: { title: HOSTILE, body: html`<p title="${HOSTILE}">${HOSTILE} ${String(query.a)}</p>` },
          }
        },
        submit: async ({ token, values }) => {
          if (token !== TOKEN) return undefined
          if (values.late) refuse('conflict', 'Somebody was faster.')
          answers.push(values)
          return { goTo: `/x/${token}` }
        },
      },
      { name: 'y', findWorkspace: async () => undefined, read: async () => undefined },
    ],
  })(app)
})
afterAll(() => app.close())

const open = async (url: string) => app.inject({ url })
const send = (url: string, payload: string, type = 'application/x-www-form-urlencoded') =>
  app.inject({ method: 'POST', url, payload, headers: { 'content-type': type } })

test('values in a page are escaped, including objects that look like markup', async () => {
  const { body } = await open(`/x/${TOKEN}?a=${encodeURIComponent('<i>')}`)
  expect(body).not.toContain('<script>')
  expect(body).toContain('&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&#39; &amp;')
  expect(body).toContain('&lt;i&gt;')
  const forged = JSON.parse('[{"Symbol(markup)":"<b>"}]') as never
  expect(() => htmlText(html`${forged}`)).toThrow()
  expect(htmlText(htmlLines('a\n<b>'))).toBe('a<br>&lt;b&gt;')
  expect(htmlText(html`${null}${undefined}${false}${0}${[html`<p>`, '<']}`)).toBe('0<p>&lt;')
})

test('a page runs no script, loads nothing, and is neither indexed nor cached', async () => {
  const { headers, body, statusCode } = await open(`/x/${TOKEN}`)
  const style = /<style>([\s\S]*)<\/style>/.exec(body)![1]!
  const hash = createHash('sha256').update(style).digest('base64')
  expect(statusCode).toBe(200)
  expect(headers['content-security-policy']).toBe(
    `default-src 'none'; style-src 'sha256-${hash}'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  )
  expect([headers['cache-control'], headers['x-robots-tag']]).toEqual(['no-store', 'noindex, nofollow'])
  expect((await app.inject({ method: 'HEAD', url: `/x/${TOKEN}` })).body).toBe('')
})

test('an unknown link in any format shows the "not found" page', async () => {
  for (const url of [
    `/x/${newLinkToken()}`,
    '/x/short',
    `/y/${TOKEN}`,
    `/x/${TOKEN}%00`,
    `/x/${'a'.repeat(80)}`,
  ]) {
    const { statusCode, headers, body } = await open(url)
    expect([statusCode, headers['content-type']], url).toEqual([404, 'text/html; charset=utf-8'])
    expect(body, url).toContain('Page not found')
  }
  expect((await send(`/x/${newLinkToken()}`, 'a=1')).statusCode).toBe(404)
  expect((await send('/x/short', 'a=1')).statusCode).toBe(404)
})

test('a form leads back to its page; a refusal is a page with its message; GET changes nothing', async () => {
  nowMs += 60_000
  answers = []
  const sent = await send(`/x/${TOKEN}`, 'name=Asha+Rao&v=1')
  expect([sent.statusCode, sent.headers.location]).toEqual([303, `/x/${TOKEN}`])
  await open(`/x/${TOKEN}?name=Asha&v=1`)
  expect(answers).toEqual([{ name: 'Asha Rao', v: '1' }])
  // The text as typed, because fields count a line break as one character.
  await send(`/x/${TOKEN}`, 'reason=Too+dear.%0D%0ASorry.')
  expect(answers.pop()).toEqual({ reason: 'Too dear.\nSorry.' })
  const late = await send(`/x/${TOKEN}`, 'late=1')
  expect([late.statusCode, late.headers['content-type']]).toEqual([409, 'text/html; charset=utf-8'])
  expect(late.body).toContain('Somebody was faster.')
  const without = await send(`/y/${TOKEN}`, 'a=1')
  expect([without.statusCode, without.headers.allow]).toEqual([405, 'GET, HEAD'])
  expect((await send(`/x/${TOKEN}`, 'x'.repeat(70_000))).statusCode).toBe(413)
  for (const type of ['text/plain', ';'])
    expect((await send(`/x/${TOKEN}`, 'a', type)).statusCode, type).toBe(415)
})

test('a file is downloaded and runs nothing; a fault is logged and shown as a page', async () => {
  const file = await open(`/x/${TOKEN}/a.pdf`)
  expect(file.headers).toMatchObject({
    'content-type': 'application/pdf',
    'content-disposition': 'attachment; filename="a---1.pdf"',
    'content-security-policy': "default-src 'none'; sandbox",
  })
  const broken = await open(`/x/${TOKEN}/broken`)
  expect([broken.statusCode, faults.length]).toEqual([500, 1])
  expect(broken.body).toContain('Something went wrong')
})

test('an address may open sixty pages a minute; then a page says when to try again', async () => {
  nowMs += 60_000
  const { burst } = BUCKETS['public-pages']
  const statuses = await Promise.all(
    Array.from({ length: burst + 1 }, async () => (await open(`/x/${TOKEN}`)).statusCode),
  )
  expect(statuses.filter((status) => status === 200)).toHaveLength(60)
  const refused = await send(`/x/${TOKEN}`, 'a=1')
  expect([refused.statusCode, Number(refused.headers['retry-after'])]).toEqual([429, 1])
  expect(refused.body).toContain('Too many requests')
})
