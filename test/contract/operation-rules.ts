/** The rules of docs/operation-checklist.md that read only the declaration of an endpoint. */
import type { Endpoint } from '../../src/core/endpoint.ts'
import { isWrite } from '../../src/core/endpoint.ts'
import { read } from './source-files.ts'

/** A rule returns what an endpoint lacks; undefined: nothing. */
export type Rule = (value: Endpoint) => string | undefined

const sections = new Set([...read('docs/spec.md').matchAll(/^#+ (\d[\w.]*?)\.? /gm)].map(([, name]) => name!))

/** A section is a heading of the specification, or a numbered paragraph of one: `4.1.6`. */
export const hasSection: Rule = ({ section }) =>
  sections.has(section) || sections.has(section.replace(/\.\d+$/, '')) ? undefined : `no section ${section}`

export const hasSummary: Rule = ({ summary }) =>
  /^[A-Z][^\n]*\.$/.test(summary) ? undefined : `the summary "${summary}"`

/** Any key may call these: they show only what its scopes allow. */
const WITHOUT_SCOPE = new Set(['GET /me', 'GET /search'])

/** Reads that need the scope to act, by the specification or because only an actor uses them. */
const READS_OF_ACTORS = new Set([
  'GET /webhooks/:id/deliveries',
  'GET /webhooks/deliveries/:id/signature',
  'GET /sandbox/clock',
])

/** Their texts show what a chat contains, and nothing in it changes. */
const POSTS_OF_READERS = new Set(['POST /conversations/:id/draft', 'POST /conversations/:id/summary'])

export const hasFittingScope: Rule = (value) => {
  const { method, path, scope } = value
  if (scope === null) return WITHOUT_SCOPE.has(`${method} ${path}`) ? undefined : 'no scope'
  if (READS_OF_ACTORS.has(`${method} ${path}`)) return undefined
  if (POSTS_OF_READERS.has(`${method} ${path}`)) return scope.endsWith(':read') ? undefined : scope
  return isWrite(value) === scope.endsWith(':read') ? `the scope ${scope} for ${method}` : undefined
}

export const hasBodyExample: Rule = ({ body, example }) =>
  body !== null && example === undefined ? 'no example of its body' : undefined

/** Ids of an account, which belongs to no workspace: src/modules/platform/access/ tests other accounts' ids. */
const OF_ACCOUNTS = new Set(['DELETE /sessions/:id', 'DELETE /account/passkeys/:id'])
/** Parts of a path that belong to the object before them. */
const PARTS = new Set(['paymentId', 'noteId'])
/** Names from a fixed list. */
const NAMES = new Set(['name', 'event'])

export const hasSubject: Rule = ({ method, path, subject }) => {
  const ids = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!).filter((name) => !NAMES.has(name))
  if (ids.length === 0 || OF_ACCOUNTS.has(`${method} ${path}`)) return undefined
  if (subject === undefined) return 'no `subject` for its id'
  const others = ids.filter((name) => name !== 'id' && !PARTS.has(name))
  return others.length > 0 ? `an id without a kind: ${others}` : undefined
}
