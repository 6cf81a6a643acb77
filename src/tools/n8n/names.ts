/** The names of the n8n node: resources, operations, and fields, from the names of the SDKs. */
import type { SdkMethod } from '../sdk-names.ts'

/** Resources that the path names differently from people. Null is the client itself. */
const RESOURCES: Record<string, string> = { send: 'message', null: 'workspace' }
/** Words that n8n writes in capitals. */
const CAPITALS: Record<string, string> = { id: 'ID', ids: 'IDs', url: 'URL', json: 'JSON', pdf: 'PDF' }
/** Words that a title has in small letters, unless they are first or last. */
const SMALL = ['a', 'an', 'and', 'at', 'by', 'for', 'from', 'in', 'of', 'on', 'or', 'the', 'to', 'with']

const singular = (word: string): string => word.replace(/ies$/, 'y').replace(/(?<!s)s$/, '')

/** Returns the words of a name: `nextFollowUpAt` → `next`, `follow`, `up`, `at`. */
const wordsOf = (name: string): string[] =>
  name
    .split(/(?=[A-Z])|_/)
    .filter(Boolean)
    .map((word) => word.toLowerCase())

/** Returns a name as a title: `nextFollowUpAt` → `Next Follow Up At`. */
export function titleOf(name: string): string {
  const words = wordsOf(name)
  return words
    .map((word, i) => {
      if (CAPITALS[word]) return CAPITALS[word]
      const isInside = i > 0 && i < words.length - 1
      return isInside && SMALL.includes(word) ? word : word.charAt(0).toUpperCase() + word.slice(1)
    })
    .join(' ')
}

/** Returns the resource of a method, as a value: `salesInvoices` → `salesInvoice`. */
export const resourceOf = ({ resource }: SdkMethod): string =>
  RESOURCES[String(resource)] ?? singular(resource!)

/** Returns the operation of a method, as a value; n8n calls the lists of all resources `getAll`. */
export const operationOf = ({ endpoint, resource, verb }: SdkMethod): string => {
  if (resource === null) return endpoint.name
  return verb === 'list' ? 'getAll' : verb
}

export const operationTitle = (operation: string): string =>
  operation === 'getAll' ? 'Get Many' : titleOf(operation)

/** Returns a description in n8n's form: code as HTML, and no period after a single sentence. */
export function descriptionOf(text: string): string {
  const html = text
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/`([^`]+)`/g, '<code>$1</code>')
    .replace(/\b[Ii]d(s?)\b/g, 'ID$1')
    .replace(/^(?=[a-z])/, 'One of ')
  return html.includes('. ') ? html.replace(/(?<![.!?])$/, '.') : html.replace(/\.$/, '')
}
