/** Names statements for traces: the operation and its table, never a value. */

const LONGEST = 8_000
const MAX_NAMES = 2_000

/** The operation that a statement is about, in order: a statement that reads and inserts is an insert. */
const OPERATIONS: [string, RegExp][] = [
  ['INSERT', /\binsert into "?([a-z_][a-z0-9_]*)/i],
  ['UPDATE', /(?:^|[\s(])update "?([a-z_][a-z0-9_]*)"?(?: as)?(?: "?[a-z_0-9]+"?)?\s+set\b/i],
  ['DELETE', /\bdelete from "?([a-z_][a-z0-9_]*)/i],
  ['SELECT', /\bfrom "?([a-z_][a-z0-9_]*)/i],
]

function makeName(text: string): string {
  const part = text.slice(0, LONGEST)
  for (const [operation, pattern] of OPERATIONS) {
    const table = pattern.exec(part)?.[1]
    if (table) return `${operation} ${table.toLowerCase()}`
  }
  return (/^\s{0,20}([a-z]+)/i.exec(part)?.[1] ?? 'statement').toUpperCase()
}

/** Returns a function that names statements and remembers the names. */
export function statementNames(): (text: string) => string {
  const names = new Map<string, string>()
  return (text) => {
    const known = names.get(text)
    if (known !== undefined) return known
    const name = makeName(text)
    if (names.size >= MAX_NAMES) names.clear()
    names.set(text, name)
    return name
  }
}
