/**
 * Secrets are compared in constant time by construction (docs/reliability.md row 28): a rule for the source.
 * ../faults/secret-timing.fault.ts measures it.
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync, Visitor } from 'oxc-parser'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
/** Names in this code for secrets and for values derived from them. */
const SECRET_NAME = /(?:secret|signature|token|hmac|digest|passw|apikey|hash|hashof)$/i

/** Comparisons that look like comparisons of secrets and are none, with the reason. */
const HARMLESS: Record<string, string> = {
  'src/cli/doctor-machine.ts: hash !== state.hash': 'of the pages that were built, which is public',
  'src/http/files/built-pages.ts: name !== state.hash': 'of the pages that were built, which is public',
  'src/http/files/docs-files.ts: name !== state.hash': 'of the documentation that was built, which is public',
  "src/cli/backup/checked-file.ts: hash.digest('hex') !== expected.sha256":
    'the checksum of a file, which its reader has',
}

type Node = { type: string; name?: string; property?: Node; callee?: Node; object?: Node; value?: unknown }

/** Returns the last name of `number.token`, `hashOf(x)`, `this.secret`. */
function nameOf(node: Node): string | undefined {
  if (node.type === 'Identifier') return node.name
  if (node.type === 'MemberExpression') return node.property?.name
  if (node.type === 'CallExpression' && node.callee) return nameOf(node.callee)
  return undefined
}

/** `x === undefined`, `typeof`, or a comparison with a literal of the source reveals nothing. */
const isPlain = (node: Node): boolean =>
  node.type === 'Literal' || (node.type === 'Identifier' && node.name === 'undefined')

function comparisonsOf(file: string, text: string): string[] {
  const found: string[] = []
  const check = (node: { start: number; end: number }, sides: Node[]) => {
    if (sides.some(isPlain)) return
    const secret = sides.map(nameOf).find((name) => name !== undefined && SECRET_NAME.test(name))
    if (secret !== undefined) found.push(`${file}: ${text.slice(node.start, node.end)}`)
  }
  const { program } = parseSync(file, text)
  new Visitor({
    BinaryExpression(node) {
      if (['===', '!==', '==', '!='].includes(node.operator))
        check(node, [node.left as Node, node.right as Node])
    },
    CallExpression(node) {
      const callee = node.callee as Node
      if (
        callee.type !== 'MemberExpression' ||
        !['equals', 'compare', 'localeCompare'].includes(callee.property?.name ?? '')
      )
        return
      check(node, [callee.object as Node, ...(node.arguments as Node[])])
    },
  }).visit(program)
  return found
}

test('secrets are compared only by timingSafeEqual', () => {
  const found = globSync('src/**/*.ts', { cwd: ROOT })
    .filter((file) => !file.endsWith('.test.ts'))
    .flatMap((file) => comparisonsOf(file, readFileSync(join(ROOT, file), 'utf8')))
  expect(found.filter((comparison) => !HARMLESS[comparison])).toEqual([])
  expect(
    Object.keys(HARMLESS).filter((comparison) => !found.includes(comparison)),
    'no longer there',
  ).toEqual([])
})

test('the rule detects comparisons of secrets', () => {
  for (const line of ['if (given === number.token) {}', 'hashOf(a) !== b', 'signature.equals(other)'])
    expect(comparisonsOf('x.ts', line), line).toHaveLength(1)
  for (const line of ['if (token === undefined) {}', "given.token !== 'x'", 'a === b', 'sameHash(a.hash, b)'])
    expect(comparisonsOf('x.ts', line), line).toEqual([])
})
