/** Reads the operations of a PATCH (RFC 7644 section 3.5.2), as strictly as identity providers write them. */
import { type Attributes, attributesOf, attributesOfBody, isObject } from './attributes.ts'
import { attributePath, type Comparison, parseFilter } from './filter.ts'
import { refuseScim } from './scim-fault.ts'

/** `attribute` and `part` are in lower case; `where` chooses among several values. */
export type PatchStep = {
  op: 'add' | 'replace' | 'remove'
  attribute: string
  part: string | undefined
  where: Comparison | undefined
  value: unknown
}

const MAX_OPERATIONS = 1_000
const MAX_PATH_LENGTH = 300
const OPS = ['add', 'replace', 'remove'] as const
/** `name.givenName`, `emails[type eq "work"].value` */
const PATH = /^([a-z][\w$-]*)(?:\[([^\][]+)\])?(?:\.([a-z][\w$-]*))?$/i
/** An attribute of an extension, which Parley doesn't have. */
const EXTENSION = /^urn:/i
const CORE_SCHEMA = /^urn:ietf:params:scim:schemas:core:2\.0:(?:user|group)$/i

function readPath(path: string): Pick<PatchStep, 'attribute' | 'part' | 'where'> | undefined {
  if (path.length > MAX_PATH_LENGTH)
    refuseScim('invalidPath', `A path must have at most ${MAX_PATH_LENGTH} characters.`)
  const plain = path.replace(/^urn:ietf:params:scim:schemas:core:2\.0:(?:user|group):/i, '')
  if (EXTENSION.test(plain)) return undefined
  const match = PATH.exec(plain)
  if (!match) return refuseScim('invalidPath', 'The path of an operation is not valid.')
  const [, attribute, filter, part] = match
  return {
    attribute: attributePath(attribute!),
    part: part?.toLowerCase(),
    where: filter === undefined ? undefined : parseFilter(filter)[0],
  }
}

/** Returns the steps of a value without a path: each of its attributes is a path. */
function stepsOfValue(op: PatchStep['op'], value: unknown): PatchStep[] {
  if (!isObject(value)) return refuseScim('invalidValue', 'Without a path, the value must be an object.')
  return Object.entries(value).flatMap(([name, content]) => {
    if (CORE_SCHEMA.test(name) && isObject(content))
      return Object.entries(content).flatMap(([inner, innerContent]) => stepsAt(op, inner, innerContent))
    return stepsAt(op, name, content)
  })
}

function stepsAt(op: PatchStep['op'], path: string, value: unknown): PatchStep[] {
  const target = readPath(path)
  return target ? [{ op, ...target, value }] : []
}

function stepsOf(operation: Attributes): PatchStep[] {
  const name = operation.get('op')
  const op = OPS.find((known) => typeof name === 'string' && known === name.toLowerCase())
  if (!op) return refuseScim('invalidSyntax', 'op must be add, replace, or remove.')
  const path = operation.get('path') ?? undefined
  if (path !== undefined && typeof path !== 'string')
    return refuseScim('invalidPath', 'The path of an operation must be text.')
  if (path !== undefined && path !== '') return stepsAt(op, path, operation.get('value'))
  if (op === 'remove') return refuseScim('noTarget', 'An operation that removes something needs a path.')
  return stepsOfValue(op, operation.get('value'))
}

/** Returns the steps of a body, in order. */
export function readPatch(body: unknown): PatchStep[] {
  const operations = attributesOfBody(body).get('operations')
  if (!Array.isArray(operations) || operations.length === 0)
    return refuseScim('invalidSyntax', 'Send a list of Operations.')
  if (operations.length > MAX_OPERATIONS)
    return refuseScim('tooMany', `Send at most ${MAX_OPERATIONS} operations in one request.`)
  return operations.flatMap((operation: unknown) =>
    isObject(operation)
      ? stepsOf(attributesOf(operation))
      : refuseScim('invalidSyntax', 'Each of the Operations must be an object.'),
  )
}
