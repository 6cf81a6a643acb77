/**
 * The forms of statements that Citus takes (docs/decisions/citus.md). Each rule is what a trial on a cluster found: it refuses
 * other forms, sends their intermediate results to all nodes, or crashes.
 */

/** A part of a statement: a named part of `with`, or the main part, whose name is empty. */
type Part = { name: string; materialized: boolean; text: string }

const WRITES = /^\(?\s*(insert|update|delete)\b/i
const isInsert = ({ text }: Part): boolean => /^insert\b/i.test(text)
const isWrite = ({ text }: Part): boolean => WRITES.test(text)
/** Citus runs a statement in steps if one of its parts calls these. */
const VOLATILE = /\b(?:gen_random_uuid|random|clock_timestamp|pg_try_advisory_\w+|pg_advisory_\w+)\s*\(/i
/** Functions and casts whose results depend on settings, such as the time zone. */
const STABLE =
  /\binterval '|\b(?:jsonb_build\w*|jsonb_to_record\w*|to_jsonb|to_char|now)\s*\(|(?<!\$\d{1,2}|')::\w+\[\]/i

/** Those of them that updates call with columns. */
const CHANGES_WITH_SETTINGS = /\binterval '|\b(?:jsonb_build\w*|to_jsonb|to_char)\s*\(/i

const withoutComments = (text: string): string => text.replaceAll(/--[^\n]*/g, '').trim()

/** Returns the place after the bracket that closes the one at `start`. */
function closing(text: string, start: number): number {
  let depth = 0
  for (let i = start; i < text.length; i++) {
    if (text[i] === "'") i = text.indexOf("'", i + 1)
    else if (text[i] === '(') depth++
    else if (text[i] === ')' && --depth === 0) return i + 1
    if (i === -1) break
  }
  return text.length
}

const PART = /^\s*(\w+)(?:\s*\([^)]*\))?\s+as\s+(materialized\s+)?(?=\()/i

/** Splits a statement into its parts. */
export function partsOf(statement: string): Part[] {
  const text = withoutComments(statement)
  const parts: Part[] = []
  let rest = /^with\s+(?!recursive\b)/i.exec(text) ? text.replace(/^with\s+/i, '') : ''
  if (rest === '') return [{ name: '', materialized: false, text }]
  for (;;) {
    const [head, name = '', materialized] = PART.exec(rest) ?? []
    if (head === undefined) break
    const end = closing(rest, head.length)
    parts.push({
      name,
      materialized: materialized !== undefined,
      text: rest.slice(head.length + 1, end - 1).trim(),
    })
    rest = rest.slice(end).replace(/^\s*,/, '')
  }
  return [...parts, { name: '', materialized: false, text: rest.trim() }]
}

const readsPart = (text: string, name: string): boolean =>
  new RegExp(`\\b(?:from|join|using|,)\\s+${name}\\b(?!\\s*\\()`, 'i').test(text)

/** Returns the text without the subqueries in it. */
function withoutSubqueries(text: string): string {
  const start = /\(\s*(?:select|values)\b/i.exec(text)
  return start ? withoutSubqueries(text.slice(0, start.index) + text.slice(closing(text, start.index))) : text
}

/** Returns whether the text reads a table: not only functions, subqueries, and parts. */
const readsTable = (text: string, parts: Part[]): boolean =>
  [...text.matchAll(/\b(?:from|join)\s+(?:only\s+)?"?([a-z_]\w*)\b"?(?!\s*\()/gi)].some(
    ([, name]) => !parts.some((part) => part.name === name),
  )

/** The clause ON CONFLICT of an insertion from a query. */
const CONFLICT = /\bon conflict\b(.*?)(?=\breturning\b|$)/is

const RULES: Record<string, (part: Part, parts: Part[]) => boolean> = {
  'an insertion reads no other part': (part, parts) =>
    isInsert(part) &&
    parts.some(({ name }) => name !== '' && name !== part.name && readsPart(part.text, name)),
  'beside an insertion in a part, the statement reads nothing else': (part, parts) =>
    part.name === '' &&
    parts.some((other) => other.name !== '' && isInsert(other)) &&
    (isWrite(part) || readsTable(part.text, parts)),
  'an update or deletion has no other part that inserts or is volatile': (part, parts) =>
    part.name === '' &&
    isWrite(part) &&
    !isInsert(part) &&
    parts.some((other) => other.name !== '' && (isInsert(other) || VOLATILE.test(other.text))),
  'an insertion has no other part that writes': (part, parts) =>
    part.name === '' && isInsert(part) && parts.some((other) => other.name !== '' && isWrite(other)),
  'ON CONFLICT after a query has no parameter, subquery, subscript, or interval': ({ text }) =>
    /^insert\b/i.test(text) &&
    !/\bvalues\s*\(/i.test(withoutSubqueries(text).split(/\bon conflict\b/i)[0]!) &&
    /\$\d|\(\s*select\b|\[|\binterval\b/i.test(CONFLICT.exec(text)?.[1] ?? ''),
  'an update calls only immutable functions, such as after_ms': ({ text }) =>
    /^update\b/i.test(text) &&
    (CHANGES_WITH_SETTINGS.test(withoutSubqueries(text)) || VOLATILE.test(withoutSubqueries(text))),
  'RETURNING of a written part has no extract()': (part) =>
    isWrite(part) && /\breturning\b.*\bextract\s*\(/is.test(part.text),
  'an insertion that reads a table and calls a stable function reads first (READS_FIRST)': (part, parts) =>
    isInsert(part) &&
    /\bselect\b/i.test(part.text) &&
    readsTable(part.text, parts) &&
    STABLE.test(part.text) &&
    !VOLATILE.test(part.text),
}

/** Returns the rules that a statement breaks. */
export function brokenRules(statement: string): string[] {
  const parts = partsOf(statement)
  return Object.entries(RULES)
    .filter(([, isBroken]) => parts.some((part) => isBroken(part, parts)))
    .map(([rule]) => rule)
}
