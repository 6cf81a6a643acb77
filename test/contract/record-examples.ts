/**
 * Turns real replies into examples: short, without random values, and at the moment that all examples share.
 */

/** The moment of every example. */
const NOW = Date.parse('2026-06-01T09:30:00.000Z')
const STEP_MS = 300_000
const DAY_MS = 86_400_000
/** The greatest age of moments in replies. */
const LONGEST_MS = 60 * DAY_MS
const ROWS_MAX = 2

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g
const ID = '01978f2e-9c1b-7d30-8a44-3f5f0e6b9a'
const FIRST_ID = 0x10
const FIRST_PHONE = 919_812_345_678

/** Random ids: `[pattern, example]`. */
const WITH_ID: [RegExp, string][] = [
  [/https:\/\/127\.0\.0\.1:9\/[0-9a-f-]+/g, 'https://example.com/hooks'],
  [/\bowner@[0-9a-f-]+\.local\b/g, 'owner@example.com'],
]

/** Replacements for random values: `[pattern, example]`, tried in this order. */
const STANDS_FOR: [RegExp, string][] = [
  [/https?:\/\/(?:127\.0\.0\.1|localhost):\d+/g, 'https://parley.example'],
  [/(?<=parley\.example\/[a-z-]+\/)[\w-]{20,}/g, 'Zq3v9XkT2mB7RtYw1LcE8A'],
  [/\+1555\d{7}\b/g, '+15550001234'],
  [/\bORD-\d{9}\b/g, 'ORD-1001'],
  [/#\d{9}\b/g, '#1001'],
  [/[ _-]\d{9}\b/g, ''],
  [/\bwamid\.[\w+/=-]+/g, 'wamid.HBgMOTE5ODEyMzQ1Njc4'],
  [/\bwacid\.[\w+/=-]+/g, 'wacid.ABGGFjFVU2AfAgo6V'],
  [/\b[0-9a-f]{32}\b/g, '4f6c0e1a9b7d5c3e8f2a6b4d0c9e7f15'],
  [/\b[0-9a-f]{64}\b/g, 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
  [/\b\d{13,20}\b/g, '1037543291543636'],
  [/v1,[A-Za-z0-9+/=]{40,}/g, 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE='],
  [/whsec_[A-Za-z0-9+/=_-]+/g, 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
  [/(?<![\w-])(?=[\w-]*\d)(?=[\w-]*[A-Z])[A-Za-z0-9_-]{20,}/g, 'Zq3v9XkT2mB7RtYw1LcE8A'],
]

/** Replacements for numbers, by their field. */
const CHANCE: Record<string, number> = { latencyMs: 38, timestamp: NOW / 1_000, views: 2_632, reach: 497 }

/** Numbers the different values in a reply, in the order in which they occur. */
function createNumbering(): (value: string) => number {
  const found: string[] = []
  return (value) => {
    if (!found.includes(value)) found.push(value)
    return found.indexOf(value)
  }
}

/** Tools would resolve a `$ref` in an example as a reference in the document. */
const hasNoReference = (row: unknown): boolean => !JSON.stringify(row).includes('"$ref"')

/** Creates an example from `body`, a reply recorded at `recordedAt`. */
export function exampleOf(body: unknown, recordedAt: Date): unknown {
  const [ids, phones] = [createNumbering(), createNumbering()]
  const shiftMs = NOW - recordedAt.getTime()
  const days = Math.round(
    (Date.parse('2026-06-01') - Date.parse(recordedAt.toISOString().slice(0, 10))) / DAY_MS,
  )
  /** The code of examples contains earlier moments. */
  const isOfRun = (text: string): boolean => Date.parse(text) > recordedAt.getTime() - LONGEST_MS
  const shiftMoment = (text: string): string =>
    !isOfRun(text)
      ? text
      : new Date(NOW + Math.round((Date.parse(text) + shiftMs - NOW) / STEP_MS) * STEP_MS).toISOString()
  const day = (text: string): string =>
    !isOfRun(text) ? text : new Date(Date.parse(text) + days * DAY_MS).toISOString().slice(0, 10)

  const textOf = (text: string): string => {
    let result = text
    for (const [pattern, example] of WITH_ID) result = result.replace(pattern, example)
    result = result
      .replace(UUID, (id) => ID + (FIRST_ID + ids(id)).toString(16))
      .replace(/\b20\d\d-\d\d-\d\dT[\d:.]+Z/g, shiftMoment)
      .replace(/\b20\d\d-\d\d-\d\d\b(?!T)/g, day)
      .replace(/\b919[78]\d{8}\b/g, (phone) => String(FIRST_PHONE + phones(phone)))
    for (const [pattern, example] of STANDS_FOR)
      result = result.replace(pattern, (found) =>
        found.startsWith(ID) || found === example ? found : example,
      )
    return result
  }
  const walk = (value: unknown, name = ''): unknown => {
    if (typeof value === 'string') return textOf(value)
    if (typeof value === 'number') return CHANCE[name] ?? value
    if (Array.isArray(value))
      return value
        .filter(hasNoReference)
        .slice(0, ROWS_MAX)
        .map((item) => walk(item))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, inside]) => [key, walk(inside, key)]))
  }
  return walk(body)
}
