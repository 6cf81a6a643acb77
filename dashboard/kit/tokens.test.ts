/** Checks with the tokens' own values that text is readable on all its backgrounds, in both themes. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

type Color = [lightness: number, chroma: number, hue: number]

const css = readFileSync(join(import.meta.dirname, '../styles.css'), 'utf8')
const COLOR = /oklch\(([\d.]+) ([\d.]+) ([\d.]+)\)/
const tokens = new Map<string, [light: Color, dark: Color]>()
for (const [, name, light, dark] of css.matchAll(
  /--color-([\w-]+): light-dark\((oklch\([^)/]+\)), (oklch\([^)/]+\))\)/g,
))
  tokens.set(name!, [light, dark].map((text) => COLOR.exec(text!)!.slice(1).map(Number)) as [Color, Color])

/** Converts OKLCH to linear sRGB (Björn Ottosson's matrices), and returns the relative luminance (WCAG 2). */
function luminanceOf([lightness, chroma, hue]: Color): number {
  const a = chroma * Math.cos((hue * Math.PI) / 180)
  const b = chroma * Math.sin((hue * Math.PI) / 180)
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  const clamp = (value: number) => Math.min(1, Math.max(0, value))
  const red = clamp(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s)
  const green = clamp(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s)
  const blue = clamp(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s)
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(first: Color, second: Color): number {
  const [brighter, darker] = [luminanceOf(first), luminanceOf(second)].sort((a, b) => b - a) as [
    number,
    number,
  ]
  return (brighter + 0.05) / (darker + 0.05)
}

const GROUNDS = ['surface-1', 'surface-2', 'surface-3']
const TEXTS: [text: string, grounds: string[]][] = [
  ...['ink-1', 'ink-2', 'ink-3'].map((ink): [string, string[]] => [ink, [...GROUNDS, 'accent-soft']]),
  ...['accent', 'good', 'warn', 'bad', 'note'].map((tone): [string, string[]] => [
    tone,
    [...GROUNDS, `${tone}-soft`],
  ]),
  ['ink-1', ['surface-4', 'good-soft', 'warn-soft', 'bad-soft', 'note-soft']],
  ['ink-2', ['surface-4', 'good-soft', 'note-soft']],
  ['bad', ['accent-soft']],
  ['on-accent', ['accent', 'accent-strong']],
  ['on-bad', ['bad']],
]

describe.each([
  ['light', 0],
  ['dark', 1],
] as const)('%s', (_, theme) => {
  const color = (name: string): Color => tokens.get(name)![theme]

  test.each(TEXTS.flatMap(([text, grounds]) => grounds.map((ground) => [text, ground] as const)))(
    'text %s on %s has a contrast of 4.5:1',
    (text, ground) => {
      expect(contrast(color(text), color(ground))).toBeGreaterThanOrEqual(4.5)
    },
  )

  test.each(['surface-1', 'surface-2'])('edges of controls on %s have a contrast of 3:1', (ground) => {
    expect(contrast(color('edge'), color(ground))).toBeGreaterThanOrEqual(3)
    expect(contrast(color('accent'), color(ground))).toBeGreaterThanOrEqual(3)
  })
})

test('the contrasts match the examples of WCAG', () => {
  expect(contrast([1, 0, 0], [0, 0, 0])).toBeCloseTo(21, 3)
})
