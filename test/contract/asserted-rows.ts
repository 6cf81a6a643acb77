/** Finds the row types that a source file writes by hand for columns of the schema. */
import { dirname, join } from 'node:path'
import { parseSync } from 'oxc-parser'
import { columnsOf, tablesNamedIn, textsIn } from './named-tables.ts'

/** A node of the syntax tree, with the fields that are read here. */
type Node = {
  type: string
  start: number
  end: number
  name?: unknown
  value?: unknown
  key?: unknown
  id?: unknown
  source?: unknown
  local?: unknown
  imported?: unknown
  body?: Node[]
  members?: Node[]
  types?: Node[]
  params?: Node[]
  specifiers?: Node[]
  declarations?: Node[]
  arguments?: Node[]
  declaration?: unknown
  typeAnnotation?: unknown
  typeArguments?: unknown
  typeName?: unknown
  returnType?: unknown
  callee?: unknown
  tag?: unknown
  quasi?: Node
  property?: unknown
}
/** Returns the source of another file; undefined if there is none. */
type ReadSource = (path: string) => string | undefined

type Source = {
  path: string
  text: string
  program: Node
  /** The types, values, and functions that the file declares at its top level. */
  declared: Map<string, Node>
  /** The names that the file imports from other files of the repository. */
  imported: Map<string, { path: string; name: string }>
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'
const childrenOf = (node: Node): Node[] => Object.values(node).flat().filter(isNode)
function nameOf(node: unknown): string {
  const name = isNode(node) ? (node.name ?? node.value) : undefined
  return typeof name === 'string' ? name : ''
}

function declarationsOf(statement: Node): [string, Node][] {
  const declaration = isNode(statement.declaration) ? statement.declaration : statement
  if (declaration.declarations) return declaration.declarations.map((node) => [nameOf(node.id), node])
  return isNode(declaration.id) ? [[nameOf(declaration.id), declaration]] : []
}

function importsOf(statement: Node, path: string): [string, { path: string; name: string }][] {
  const from = nameOf(statement.source)
  if (statement.type !== 'ImportDeclaration' || !from.startsWith('.')) return []
  return (statement.specifiers ?? []).map((node) => [
    nameOf(node.local),
    { path: join(dirname(path), from), name: nameOf(node.imported) },
  ])
}

function parseSource(path: string, text: string): Source {
  const program = parseSync(path, text).program as unknown as Node
  const statements = program.body ?? []
  return {
    path,
    text,
    program,
    declared: new Map(statements.flatMap(declarationsOf)),
    imported: new Map(statements.flatMap((statement) => importsOf(statement, path))),
  }
}

/** A type with its file. */
type Located = { type: unknown; source: Source }

/** Returns the named type; undefined if it comes from a package. */
function resolveType(name: string, source: Source, readSource: ReadSource): Located | undefined {
  const own = source.declared.get(name)
  if (own !== undefined) return { type: own.typeAnnotation, source }
  const imported = source.imported.get(name)
  const text = imported && readSource(imported.path)
  if (imported === undefined || text === undefined) return undefined
  const other = parseSource(imported.path, text)
  return { type: other.declared.get(imported.name)?.typeAnnotation, source: other }
}

/** The properties of a row type: those that the schema gives, and those that are written by hand. */
type Properties = { given: string[]; written: string[] }

const NONE: Properties = { given: [], written: [] }
const merged = (parts: Properties[]): Properties => ({
  given: parts.flatMap((part) => part.given),
  written: parts.flatMap((part) => part.written),
})

/** Whether a property's type refers to a type of the schema: `Row['runAt'] | null`. */
const isIndexed = (node: Node): boolean =>
  node.type === 'TSIndexedAccessType' || childrenOf(node).some(isIndexed)

/**
 * Returns the properties of a row type. In `Pick<Row, 'id' | 'state'> & { state: State }` the last part only narrows a column,
 * so it writes nothing by hand.
 */
function propertiesOf({ type, source }: Located, readSource: ReadSource): Properties {
  if (!isNode(type)) return NONE
  const visit = (node: unknown): Properties => propertiesOf({ type: node, source }, readSource)
  if (type.type === 'TSIndexedAccessType')
    return { given: textsIn(type).flatMap((table) => columnsOf(table)), written: [] }
  if (type.type === 'TSTypeLiteral') {
    const written = (type.members ?? []).filter((member) => !isIndexed(member))
    return { given: [], written: written.map((member) => nameOf(member.key)) }
  }
  if (type.type === 'TSIntersectionType') {
    const { given, written } = merged((type.types ?? []).map(visit))
    return { given, written: written.filter((name) => !given.includes(name)) }
  }
  if (type.type !== 'TSTypeReference') return merged(childrenOf(type).map(visit))
  const name = nameOf(type.typeName)
  const [of, keys] = (isNode(type.typeArguments) && type.typeArguments.params) || []
  if (name === 'Pick') {
    const { given, written } = visit(of)
    const isPicked = (property: string): boolean => !isNode(keys) || textsIn(keys).includes(property)
    return { given: given.filter(isPicked), written: written.filter(isPicked) }
  }
  if (name === 'Omit') {
    const { given, written } = visit(of)
    return { given, written: written.filter((property) => !textsIn(keys).includes(property)) }
  }
  const resolved = resolveType(name, source, readSource)
  return resolved === undefined ? visit(of) : propertiesOf(resolved, readSource)
}

/** Returns the parts of a statement: the arguments of its call, and the values and functions of the file that they use. */
function partsOf(call: Node, { declared }: Source): Node[] {
  const used = call.arguments ?? (call.quasi ? [call.quasi] : [])
  const parts = new Set(used)
  const addUsed = (node: Node): void => {
    const value = node.type === 'Identifier' ? declared.get(nameOf(node)) : undefined
    if (value !== undefined && !parts.has(value)) {
      parts.add(value)
      addUsed(value)
    }
    childrenOf(node).forEach(addUsed)
  }
  used.forEach(addUsed)
  return [...parts]
}

const IS_SQL = /\b(?:select|insert|update|delete)\b/

/** Returns the columns of the tables that a statement names; for text from elsewhere, of all tables that the file names. */
function columnsNamedIn(call: Node, source: Source): Set<string> {
  const parts = partsOf(call, source)
  const texts = textsIn(parts)
  const inFile = !texts.some((text) => IS_SQL.test(text))
  const tables = inFile
    ? tablesNamedIn(textsIn(source.program), source.text)
    : tablesNamedIn(texts, parts.map(({ start, end }) => source.text.slice(start, end)).join('\n'))
  return new Set([...tables].flatMap((table) => columnsOf(table)))
}

/** Functions that run SQL text, and the parameter that passes one of them. */
const RUN_TEXT = new Set(['sql', 'query', 'queryInOrder', 'run'])
/** Functions that run a built statement. Its row type is known, and one that is named in addition isn't compared with it. */
const RUN_BUILT = new Set(['all', 'first'])

/** Returns the type that a node expects of the calls in it; undefined if the node says nothing about them. */
function expectedBy(node: Node): { type: unknown } | undefined {
  if (node.type === 'FunctionDeclaration' || node.type === 'ArrowFunctionExpression')
    return { type: node.returnType }
  if (node.type === 'TSAsExpression') return { type: node.typeAnnotation }
  if (node.type === 'VariableDeclarator') return { type: (node.id as Node).typeAnnotation }
  return node.type === 'ExpressionStatement' ? { type: undefined } : undefined
}

function reasonOf(call: Node, expected: unknown, source: Source, readSource: ReadSource): string | undefined {
  const callee = (call.callee ?? call.tag) as Node
  const name = nameOf(callee.type === 'MemberExpression' ? callee.property : callee)
  if (RUN_BUILT.has(name) && call.typeArguments !== undefined && call.typeArguments !== null)
    return `names the row of ${name}, which the statement knows`
  const type = call.typeArguments ?? (call.type === 'CallExpression' ? expected : undefined)
  if (!RUN_TEXT.has(name) || !isNode(type)) return undefined
  const columns = columnsNamedIn(call, source)
  const { written } = propertiesOf({ type, source }, readSource)
  const asserted = [...new Set(written)].filter((property) => columns.has(property))
  return asserted.length === 0 ? undefined : `writes by hand: ${asserted.join(', ')}`
}

/** A call of one of these functions. Files without any need no syntax tree. */
const CALLS = new RegExp(
  `\\b(?:${[...RUN_TEXT].join('|')})(?:\\?\\.)?\\s*[<(\`]|\\b(?:${[...RUN_BUILT].join('|')})(?:\\?\\.)?\\s*<`,
)

/** Returns the statements of a file whose row type is asserted, each with its line and the reason. */
export function findAssertedRows(path: string, text: string, readSource: ReadSource): string[] {
  if (!CALLS.test(text)) return []
  const source = parseSource(path, text)
  const found: string[] = []
  const visit = (node: Node, expected: unknown): void => {
    const own = expectedBy(node)
    const inside = own === undefined ? expected : own.type
    const isCall = node.type === 'CallExpression' || node.type === 'TaggedTemplateExpression'
    const reason = isCall ? reasonOf(node, inside, source, readSource) : undefined
    if (reason !== undefined) found.push(`${path}:${text.slice(0, node.start).split('\n').length} ${reason}`)
    for (const child of childrenOf(node)) visit(child, inside)
  }
  visit(source.program, undefined)
  return found
}
