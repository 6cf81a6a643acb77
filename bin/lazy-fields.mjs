// A plugin of the bundler: the fields of a schema are built when the schema first reads or describes a value. A start would
// otherwise build ten thousand schemas, of which most requests need a hundred. zod itself waits for fields that are getters
// (its way to describe types that contain themselves), so `z.object({ name: z.string() })` becomes
// `z.object({ get name() { return keepField(this, 'name', z.string()) } })`. The sources, and so the tests, build all fields.
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseAst } from 'rolldown/parseAst'

const RUNTIME = join(dirname(fileURLToPath(import.meta.url)), 'lazy-fields-runtime.mjs')
const OF_ZOD = new Set(['object', 'strictObject', 'looseObject'])
const OF_SCHEMA = new Set(['extend', 'safeExtend'])
/** Their meaning changes inside of a getter, or when they are read later. */
const BOUND_TO_PLACE = new Set([
  'ThisExpression',
  'AwaitExpression',
  'YieldExpression',
  'AssignmentExpression',
  'UpdateExpression',
  'Super',
  'MetaProperty',
])

const isNode = (value) => typeof value === 'object' && value !== null && typeof value.type === 'string'

function childrenOf(node) {
  return Object.values(node)
    .flatMap((value) => (Array.isArray(value) ? value : [value]))
    .filter(isNode)
}

/** Calls `visit` with a node and all nodes in it. */
function walk(node, visit) {
  visit(node)
  for (const child of childrenOf(node)) walk(child, visit)
}

/** Returns the names of variables that can get another value. */
function changingNames(program) {
  const names = new Set(['arguments'])
  walk(program, (node) => {
    if (node.type !== 'VariableDeclaration' || node.kind === 'const') return
    walk(node, ({ type, name }) => type === 'Identifier' && names.add(name))
  })
  return names
}

function mayWait(value, changing) {
  let answer = true
  walk(value, ({ type, name }) => {
    if (BOUND_TO_PLACE.has(type) || (type === 'Identifier' && changing.has(name))) answer = false
  })
  return answer
}

const takesFields = ({ type, callee, arguments: words }) =>
  type === 'CallExpression' &&
  words[0]?.type === 'ObjectExpression' &&
  callee.type === 'MemberExpression' &&
  !callee.computed &&
  (OF_SCHEMA.has(callee.property.name) ||
    (OF_ZOD.has(callee.property.name) && callee.object.type === 'Identifier' && callee.object.name === 'z'))

const isPlain = ({ type, kind, computed, method, shorthand }) =>
  type === 'Property' && kind === 'init' && !computed && !method && !shorthand

/** Returns the code with getters for the fields of its schemas; undefined if it has none. */
export function withLazyFields(code, path) {
  const program = parseAst(code, { lang: 'ts' }, path)
  const changing = changingNames(program)
  const edits = []
  walk(program, (node) => {
    if (!takesFields(node)) return
    for (const field of node.arguments[0].properties) {
      if (!isPlain(field) || !mayWait(field.value, changing)) continue
      const name = code.slice(field.key.start, field.key.end)
      const text = JSON.stringify(field.key.name ?? String(field.key.value))
      const colon = code.indexOf(':', field.key.end)
      edits.push({
        from: field.start,
        to: colon + 1,
        text: `get ${name}() { return keepField(this, ${text},`,
      })
      edits.push({ from: field.end, to: field.end, text: ') }' })
    }
  })
  if (edits.length === 0) return undefined
  let written = ''
  let place = 0
  for (const { from, to, text } of edits.sort((a, b) => a.from - b.from)) {
    written += code.slice(place, from) + text
    place = to
  }
  // On the first line, so that the numbers of lines stay.
  return `import { keepField } from ${JSON.stringify(RUNTIME)};${written}${code.slice(place)}`
}

/** The plugin for the sources in `folder`. */
export const lazyFields = (folder) => ({
  name: 'lazy-fields',
  transform(code, id) {
    if (!id.startsWith(folder) || !id.endsWith('.ts') || !code.includes("from 'zod'")) return null
    const written = withLazyFields(code, id)
    return written === undefined ? null : { code: written, map: null }
  },
})
