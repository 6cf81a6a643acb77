/**
 * No regular expression of src can be made slow by its input (docs/reliability.md row 22). Each gets 64 KB
 * that try to mislead it: repeated parts of texts that it accepts, with an end that it does not accept.
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createContext, Script } from 'node:vm'
import fc from 'fast-check'
import { parseSync, Visitor } from 'oxc-parser'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
const MAX_MS = 50
const LONGEST = 64 * 1024
/** Growing lengths, so that exponential time is detected before it hangs. */
const LENGTHS = [16, 22, 26, 30, 40, 128, 1024, 8192, LONGEST]
/** If an eighth of the maximum length takes less than this, even quadratic time is within the limit. */
const QUICK_MS = 0.5
const HANGS_MS = 5_000

/** Patterns whose texts can't be that long, with their maximum length and the reason. */
const BOUNDED: Record<string, [number, string]> = {
  '\\{\\{(.*?)\\}\\}': [2000, 'parts of templates are measured before they are read (component-shapes.ts)'],
  '\\{\\{.*?\\}\\}': [2000, 'the same: warnings come after the rules'],
  '^[\\d\\s+().-]*\\d[\\d\\s+().-]*$': [200, 'a search is at most that long'],
  '\\.+$': [2048, 'an address is at most that long (egress/target.ts)'],
  '\\d+$': [64, "PostgreSQL's word for what it did"],
  '[^\\s@"\'<>]{1,64}@[^\\s@"\'<>]{1,255}': [4000, 'a message is cut first (logged-error.ts)'],
  '^\\/+|\\/+$': [2000, 'a setting'],
  '\\/+$': [2000, 'a setting'],
  // The tokens of a keyword's pattern.
  '\\\\Q[\\s\\S]*?(?:\\\\E|$)|\\\\[pP]\\{[^}]*\\}|\\\\x\\{[^}]*\\}|\\\\[\\s\\S]|\\[\\^?\\]?(?:\\[:\\^?\\w+:\\]|\\\\[\\s\\S]|[^\\]\\\\])*\\]|\\{\\d+(?:,\\d*)?\\}|\\(\\?(?:P?<[^>]*>|[\\w-]*:)?|[\\s\\S]':
    [200, 'a pattern is at most that long (text-patterns.ts)'],
}

type Found = { place: string; source: string; flags: string }

function patternsOf(file: string): Found[] {
  const found: Found[] = []
  const { program } = parseSync(file, readFileSync(join(ROOT, file), 'utf8'))
  new Visitor({
    Literal(node) {
      if ('regex' in node && node.regex)
        found.push({ place: file, source: node.regex.pattern, flags: node.regex.flags })
    },
  }).visit(program)
  return found
}

const patterns = globSync('src/**/*.ts', { cwd: ROOT })
  .filter((file) => !file.endsWith('.test.ts'))
  .flatMap(patternsOf)
/** Without an unbounded repetition, the work of a pattern at each position is limited by its own length. */
const repeating = [
  ...new Map(patterns.map((pattern) => [`${pattern.source}/${pattern.flags}`, pattern])).values(),
].filter((pattern) => /[+*]|\{\d+,\d*\}/.test(pattern.source))

/** Returns texts that `pattern` accepts, or that at least resemble such texts. */
function acceptedTexts(source: string, flags: string): string[] {
  try {
    // fast-check doesn't support look-around; its content is tried as a separate text.
    const plain = source.replace(/\(\?<?[=!]/g, '(?:')
    const text = fc.stringMatching(new RegExp(plain, flags.replace(/[gyd]/g, '')))
    return fc.sample(text, { numRuns: 3, seed: 1 })
  } catch {
    return []
  }
}

const PUMPS = ['a', ' ', '0', '\t\n', 'aA0_', '-', '.', '"', '\\', '/', '=', ',', '{', '<']

function attacksOn({ source, flags }: Found): { head: string; pump: string }[] {
  const parts = acceptedTexts(source, flags).flatMap((text) => {
    const chars = Array.from(text).slice(0, 200)
    const middle = Math.floor(chars.length / 2)
    return [
      { head: '', pump: chars.slice(0, 4).join('') },
      { head: chars.slice(0, middle).join(''), pump: chars.slice(middle, middle + 1).join('') },
      { head: chars.slice(0, -1).join(''), pump: chars.slice(-1).join('') },
    ]
  })
  const own = PUMPS.filter((pump) => source.includes(pump.slice(-1)) || /\\[swdWSD]|\.|\[\^/.test(source))
  return [...parts, ...own.map((pump) => ({ head: '', pump }))].filter(({ pump }) => pump !== '')
}

const spentMs = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

/**
 * Returns the fastest of a few attempts, in milliseconds of this thread's own processor time, so that other
 * processes don't count.
 */
function timeOf(pattern: RegExp, text: string): number {
  let best = Number.POSITIVE_INFINITY
  for (let i = 0; i < 3 && best > MAX_MS; i++) {
    pattern.lastIndex = 0
    const startedMs = spentMs()
    if (pattern.global) for (const _ of text.matchAll(pattern));
    else pattern.test(text)
    best = Math.min(best, spentMs() - startedMs)
  }
  return best
}

function slowest(found: Found): string | undefined {
  const pattern = new RegExp(found.source, found.flags)
  const [max] = BOUNDED[found.source] ?? [LONGEST]
  for (const { head, pump } of attacksOn(found))
    for (const end of ['\u0001', '!']) {
      let tookMs = 0
      for (const length of [...LENGTHS.filter((candidate) => candidate < max), max]) {
        if (length === LONGEST && tookMs < QUICK_MS) continue
        const text = head + pump.repeat(Math.ceil(length / pump.length)) + end
        tookMs = timeOf(pattern, text)
        if (tookMs > MAX_MS)
          return `/${found.source}/${found.flags} in ${found.place}: ${Math.round(tookMs)} ms for ${text.length} characters of ${JSON.stringify(pump)}`
      }
    }
  return undefined
}

const probe: { run?: () => string | undefined } = {}
const context = createContext({ probe })
const script = new Script('probe.run()')

/** Returns the same, even for a pattern that would never end. */
function fault(found: Found): string | undefined {
  probe.run = () => slowest(found)
  try {
    return script.runInContext(context, { timeout: HANGS_MS })
  } catch (error) {
    return `/${found.source}/${found.flags} in ${found.place}: ${(error as Error).message}`
  }
}

test('there are patterns to check', () => {
  expect(repeating.length).toBeGreaterThan(50)
  const sources = new Set(repeating.map((pattern) => pattern.source))
  expect(Object.keys(BOUNDED).filter((source) => !sources.has(source))).toEqual([])
})

test('64 KB never take a pattern more than 50 ms', () => {
  expect(repeating.flatMap((pattern) => fault(pattern) ?? [])).toEqual([])
})

test('the check detects slow patterns', () => {
  for (const source of ['^(a+)+$', '\\s+$'])
    expect(fault({ place: 'here', source, flags: '' }), source).toBeDefined()
})
