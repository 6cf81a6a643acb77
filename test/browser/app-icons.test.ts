/**
 * The icons of the installed app. After a change of `favicon.svg`, renew them, and look at each:
 *
 *   ICONS=dashboard/public/icons npm test -- test/browser/app-icons
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { directionOf, LANGUAGES } from '../../src/core/values/languages.ts'
import { hasChromium, launch } from './chromium.ts'

const PUBLIC = join(import.meta.dirname, '../../dashboard/public')
const read = (path: string): Buffer => readFileSync(join(PUBLIC, path))

/** The sign without its background, of a viewBox of 32. */
const SIGN = /<path d="([^"]+)"/.exec(read('favicon.svg').toString())![1]!
const BLUE = '#3b5bdb'
const svg = (content: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">${content}</svg>`
const square = (scale: number): string =>
  svg(
    `<rect width="32" height="32" fill="${BLUE}"/><path transform="translate(16 16) scale(${scale}) translate(-16 -16)" d="${SIGN}" fill="#fff"/>`,
  )

const ICONS: Record<string, { size: number; source: string }> = {
  'app-192.png': { size: 192, source: read('favicon.svg').toString() },
  'app-512.png': { size: 512, source: read('favicon.svg').toString() },
  // A launcher may cut everything outside the inner 80 percent.
  'maskable-512.png': { size: 512, source: square(0.9) },
  'apple-touch-180.png': { size: 180, source: square(1) },
  // Status bars use only the opaque parts.
  'badge-96.png': {
    size: 96,
    source: svg(
      `<path transform="translate(16 16) scale(1.6) translate(-16 -15.5)" d="${SIGN}" fill="#fff"/>`,
    ),
  },
}

/** The width and height of a PNG file. */
const sizeOf = (file: Buffer): [number, number] => [file.readUInt32BE(16), file.readUInt32BE(20)]

type Manifest = { icons: { src: string; sizes: string }[]; shortcuts: { url: string; icons?: unknown }[] }

test('every icon of the manifest is a file with the stated size', () => {
  const { icons } = JSON.parse(read('manifest.webmanifest').toString()) as Manifest
  const pictures = icons.filter(({ src }) => src.endsWith('.png'))
  expect(pictures.map(({ sizes }) => sizes)).toEqual(['192x192', '512x512', '512x512'])
  for (const { src, sizes } of pictures) expect(sizeOf(read(src)).join('x'), src).toBe(sizes)
})

test('the shortcuts have their names in every language, and the rest of the manifests is the same', () => {
  const textsIn = (folder: string, language: string) =>
    JSON.parse(readFileSync(join(PUBLIC, '..', folder, `${language}.json`), 'utf8'))
  const manifestIn = (language: string) =>
    JSON.parse(read(`manifest${language === 'en' ? '' : `.${language}`}.webmanifest`).toString()) as Manifest
  const english = manifestIn('en')
  for (const language of LANGUAGES) {
    const names = [textsIn('shell', language)['page.inbox'], textsIn('inbox', language)['action.takeNext']]
    expect(manifestIn(language)).toEqual({
      ...english,
      lang: language,
      dir: directionOf(language),
      shortcuts: english.shortcuts.map((shortcut, place) => ({ ...shortcut, name: names[place] })),
    })
  }
})

describe.skipIf(!hasChromium || process.env.ICONS === undefined)('the icons', () => {
  test('are drawn from the icon of the browser', async () => {
    const browser = await launch()
    for (const [name, { size, source }] of Object.entries(ICONS)) {
      const page = await browser.newPage({ viewport: { width: size, height: size } })
      await page.setContent(
        `<style>body{margin:0}svg{display:block;width:${size}px;height:${size}px}</style>${source.replace(/<title>.*?<\/title>/, '')}`,
      )
      const bytes = await page.screenshot({ omitBackground: true })
      expect(sizeOf(bytes)).toEqual([size, size])
      writeFileSync(join(process.env.ICONS!, name), bytes)
      await page.close()
    }
    await browser.close()
  })
})
