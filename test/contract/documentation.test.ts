/** The built documentation site: its links, its anchors, its errors, and its lists for programs. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readPagesState, siteFolder } from '../../bin/pages.mjs'
import { anchorOf } from '../../site/endpoint-pages.ts'
import { linkPages } from '../../site/links.ts'
import { SECTIONS } from '../../site/navigation.ts'
import { ERRORS, errorRow, type RefusalCode, SESSION_ERRORS } from '../../src/core/errors.ts'
import { ERROR_GUIDES } from '../../src/tools/error-guides.ts'
import { findOdd } from './plain-phrases.ts'

const ROOT = join(import.meta.dirname, '../..')
const folder = join(siteFolder(ROOT), readPagesState(siteFolder(ROOT))!.hash)
const read = (name: string): string => readFileSync(join(folder, name), 'utf8')
const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) =>
  name.replaceAll('\\', '/'),
)
const files = new Set(names)
const pages = names.filter((name) => name.endsWith('.html') && name !== '404.html')

const addressOf = (name: string): string => `/${name.replace(/\.html$/, '').replace(/(^|\/)index$/, '$1')}`
const fileAt = (address: string): string => {
  const name = address.slice(1)
  if (name === '' || name.endsWith('/')) return `${name}index.html`
  return files.has(`${name}.html`) ? `${name}.html` : name
}

const anchors = new Map(
  pages.map((name) => [name, new Set([...read(name).matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id!))]),
)

/** The links of a page within the site: the file, and the anchor if there is one. */
function linksOf(name: string): { href: string; file: string; anchor: string }[] {
  const base = `http://site${addressOf(name)}`
  return [...read(name).matchAll(/<a\b[^>]*\shref="([^"]+)"/g)].flatMap(([, href]) => {
    const url = new URL(href!.replaceAll('&amp;', '&'), base)
    if (url.host !== 'site') return []
    return [{ href: href!, file: fileAt(url.pathname), anchor: decodeURIComponent(url.hash.slice(1)) }]
  })
}

describe('links of the site', () => {
  test.each(pages)('%s', (name) => {
    const links = linksOf(name)
    expect(links.length).toBeGreaterThan(2)
    const broken = links.filter(
      ({ file, anchor }) =>
        !files.has(file) ||
        // The interactive reference creates its anchors itself.
        (anchor !== '' && !anchor.startsWith('/') && !anchors.get(file)?.has(anchor)),
    )
    expect(broken.map(({ href }) => href)).toEqual([])
  })

  test('every page is in the navigation, and every page of the navigation exists', () => {
    const listed = new Set(linksOf('quick-start.html').map(({ file }) => file))
    expect(pages.filter((name) => !listed.has(name))).toEqual([])
    expect(
      SECTIONS.flatMap((section) => section.pages).filter(({ address }) => !files.has(`${address}.html`)),
    ).toEqual([])
  })

  test('every page has a title and a first sentence', () => {
    for (const name of pages) {
      const [, title = ''] = /<title>(.*?)<\/title>/.exec(read(name)) ?? []
      const [, description = ''] = /<meta name="description" content="([^"]*)">/.exec(read(name)) ?? []
      expect([name, title.length > 5, description.length > 10]).toEqual([name, true, true])
    }
  })

  test('links and mentions of files become links of the site, except in code', () => {
    const targets = new Map([['docs/guides/sales.md', { address: 'guides/sales', title: 'Sell' }]])
    const link = (text: string) => linkPages(text, 'docs/guides/agents.md', targets)
    expect(link('See [the\nboard](sales.md#win).')).toBe('See [the\nboard](/guides/sales#win).')
    expect(link('See `docs/guides/sales.md`.')).toBe('See [Sell](/guides/sales).')
    expect(link('See [why](../../src/DECISIONS.md).')).toBe('See why.')
    expect(link('![A picture](pictures/a.png) [out](https://example.com)')).toBe(
      '![A picture](pictures/a.png) [out](https://example.com)',
    )
    expect(link('    cat [x](sales.md)\n```\n[y](sales.md)\n```')).toBe(
      '    cat [x](sales.md)\n```\n[y](sales.md)\n```',
    )
  })
})

const CODES = [...Object.keys(ERRORS), ...Object.keys(SESSION_ERRORS)] as RefusalCode[]

describe('the page of errors', () => {
  test.each(CODES)(
    '%s has its anchor, its meaning, its cause, its repair, and a word about retries',
    (code) => {
      const page = read('errors.md')
      expect(anchors.get('errors.html')).toContain(code)
      const entry = page.split(`### ${code}\n`)[1]?.split('\n### ')[0] ?? ''
      expect(entry).toContain(errorRow(code).meaning)
      for (const part of ['Status', 'Cause', 'Repair', 'Retry']) expect(entry).toContain(`- **${part}:** `)
      const { why, repair } = ERROR_GUIDES[code]
      expect([why, repair].flatMap(findOdd)).toEqual([])
    },
  )

  test('a code that is answered again from memory is never said to need only time', () => {
    const remembered = CODES.filter((code) => 'remembered' in errorRow(code))
    const waiting = remembered.filter((code) => ERROR_GUIDES[code].retry === 'wait')
    // A later request needs a new key; their causes say until when.
    expect(waiting).toEqual([])
  })
})

describe('lists for programs', () => {
  test('llms.txt lists every page with its Markdown and its first sentence', () => {
    const entries = [...read('llms.txt').matchAll(/^- \[(.+)\]\((.+)\): (.+)$/gm)]
    expect(entries.map(([, , path]) => path).sort()).toEqual(
      pages
        .filter((name) => !['index.html', 'api.html'].includes(name))
        .map((name) => name.replace('.html', '.md'))
        .sort(),
    )
    for (const [, title, path] of entries) {
      expect(files).toContain(path)
      expect(title).not.toBe('')
    }
  })

  test('the site contains the description of the API and the collection', () => {
    const description = JSON.parse(readFileSync(join(ROOT, 'docs/reference/openapi.json'), 'utf8'))
    expect(JSON.parse(read('openapi.json'))).toEqual(description)
    expect(JSON.parse(read('postman.json')).info.schema).toContain('v2.1.0')
  })

  test('every endpoint has an entry with its anchor', () => {
    const { paths } = JSON.parse(read('openapi.json'))
    const ids = Object.values<Record<string, { operationId?: string }>>(paths).flatMap((item) =>
      Object.values(item).flatMap(({ operationId }) => operationId ?? []),
    )
    const found = new Set(
      pages.filter((name) => name.startsWith('reference/')).flatMap((name) => [...anchors.get(name)!]),
    )
    expect(ids.length).toBeGreaterThan(200)
    expect(ids.filter((id) => !found.has(anchorOf(id)))).toEqual([])
  })
})
