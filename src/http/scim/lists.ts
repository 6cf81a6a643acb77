/** Queries of SCIM: pages, filters, and the attributes of an answer (RFC 7644 sections 3.4.2 and 3.9). */
import { attributePath, type Comparison, parseFilter } from './filter.ts'
import type { ScimGroup, UserFilter } from './port.ts'
import { refuseScim } from './scim-fault.ts'

export type Query = Readonly<Record<string, unknown>>

/** The most resources in an answer. A provider that asks for more gets more pages. */
export const MAX_RESULTS = 200
const DEFAULT_RESULTS = 100
const MAX_START = 1_000_000

const LIST_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:ListResponse'

/** Returns a parameter in any case; the first of several. */
function parameter(query: Query, name: string): string | undefined {
  const entry = Object.entries(query).find(([key]) => key.toLowerCase() === name.toLowerCase())
  const value = Array.isArray(entry?.[1]) ? entry[1][0] : entry?.[1]
  return typeof value === 'string' ? value : undefined
}

function numberIn(query: Query, name: string, missing: number): number {
  const text = parameter(query, name)
  if (text === undefined || text === '') return missing
  return /^-?\d{1,9}$/.test(text)
    ? Number(text)
    : refuseScim('invalidValue', `${name} must be a whole number.`)
}

/** Returns the page: numbers that are too small or too large are read as the nearest possible ones. */
export function readPage(query: Query): { startIndex: number; limit: number } {
  const startIndex = Math.min(Math.max(numberIn(query, 'startIndex', 1), 1), MAX_START)
  const limit = Math.min(Math.max(numberIn(query, 'count', DEFAULT_RESULTS), 0), MAX_RESULTS)
  return { startIndex, limit }
}

export const listResponse = (
  resources: unknown[],
  { total, startIndex }: { total: number; startIndex: number },
) => ({
  schemas: [LIST_SCHEMA],
  totalResults: total,
  startIndex,
  itemsPerPage: resources.length,
  Resources: resources,
})

const comparisonsIn = (query: Query): Comparison[] => {
  const text = parameter(query, 'filter')
  return text === undefined || text.trim() === '' ? [] : parseFilter(text)
}

const unknownAttribute = (path: string, known: string): never =>
  refuseScim('invalidFilter', `Users and groups can't be filtered by ${path}. Use ${known}.`)

const USER_ATTRIBUTES: Record<string, keyof UserFilter> = {
  id: 'id',
  username: 'userName',
  emails: 'email',
  'emails.value': 'email',
  externalid: 'externalId',
}

/** Returns the filter of users; `null` if no user can match, because an attribute has two values. */
export function readUserFilter(query: Query): UserFilter | null {
  const filter: UserFilter = {}
  for (const { path, value } of comparisonsIn(query)) {
    const name = Object.hasOwn(USER_ATTRIBUTES, path) ? USER_ATTRIBUTES[path] : undefined
    if (!name) return unknownAttribute(path, 'id, userName, emails.value, or externalId')
    if (typeof value !== 'string') return refuseScim('invalidFilter', `${path} must be compared with text.`)
    if (filter[name] !== undefined && filter[name] !== value) return null
    filter[name] = value
  }
  return filter
}

const GROUP_TESTS: Record<string, (group: ScimGroup, value: string) => boolean> = {
  id: (group, value) => group.id === value.toLowerCase(),
  displayname: (group, value) => group.name.toLowerCase() === value.toLowerCase(),
  members: (group, value) => group.memberIds.includes(value.toLowerCase()),
  'members.value': (group, value) => group.memberIds.includes(value.toLowerCase()),
  // Groups have none. Providers ask for it before they ask for the name.
  externalid: () => false,
}

/** Returns a test of groups. */
export function readGroupFilter(query: Query): (group: ScimGroup) => boolean {
  const tests = comparisonsIn(query).map(({ path, value }) => {
    const test = Object.hasOwn(GROUP_TESTS, path) ? GROUP_TESTS[path] : undefined
    if (!test) return unknownAttribute(path, 'id, displayName, or members.value')
    if (typeof value !== 'string') return refuseScim('invalidFilter', `${path} must be compared with text.`)
    return (group: ScimGroup) => test(group, value)
  })
  return (group) => tests.every((test) => test(group))
}

/** Attributes of every answer. */
const ALWAYS = ['schemas', 'id']

const namesIn = (query: Query, name: string): Set<string> | undefined => {
  const text = parameter(query, name)
  if (text === undefined || text.trim() === '') return undefined
  // `name.givenName` shows the whole name.
  return new Set(text.split(',').map((path) => attributePath(path.trim()).split('.', 1)[0]!))
}

/** Returns a function that shows only the attributes that a query asks for. */
export function projection(query: Query): (resource: Record<string, unknown>) => Record<string, unknown> {
  const included = namesIn(query, 'attributes')
  const excluded = namesIn(query, 'excludedAttributes')
  if (!included && !excluded) return (resource) => resource
  const isShown = (name: string): boolean =>
    ALWAYS.includes(name) ||
    (included ? included.has(name.toLowerCase()) : !excluded!.has(name.toLowerCase()))
  return (resource) => Object.fromEntries(Object.entries(resource).filter(([name]) => isShown(name)))
}
