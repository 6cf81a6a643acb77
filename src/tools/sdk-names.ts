/**
 * Names of the SDKs' methods, derived from the operation's name and path: `POST /conversations/{id}/notes`, called
 * `addConversationNote`, becomes `conversations.addNote(id, body)`. Every SDK uses these names, in the style of its language.
 */
import type { Endpoint } from '../core/endpoint.ts'
import { createSchemas, type Part, type Schemas } from '../http/openapi/schemas.ts'

/** Lists continue from `nextCursor`, or by the number of the page. */
export type Paging = { by: 'cursor' | 'page' /** Field of the reply with the entries. */; items: string }

/** The method for the file of an endpoint that returns either data or a file; the other method returns the data. */
export type SdkDownload = { verb: string /** Values of `format` that return a file. */; formats: string[] }

/** A method of the SDKs. */
export type SdkMethod = {
  endpoint: Endpoint
  /** Group of the method: `leads`; null for a method of the client, such as `parley.me()`. */
  resource: string | null
  /** Name of the method in its group: `addNote`. */
  verb: string
  /** Names of the path's parameters, which are the first arguments. */
  pathParams: string[]
  /** Part of the request that the object after them contains. */
  input: 'body' | 'query' | null
  /** Whether the object may be omitted. */
  inputOptional: boolean
  paging: Paging | null
  /** Field of the body with a file in base64, for which an SDK takes the file itself. */
  fileField: string | null
  download: SdkDownload | null
}

/** Methods that the SDKs write by hand, because no single request does their work. */
export const HANDWRITTEN = ['webhooks.verify', 'messages.downloadMedia']

/** Operations whose derived name is not the one that a stranger expects. */
const EXCEPTIONS: Record<string, string> = {
  getApiDescription: 'openapi',
  getMe: 'me',
  searchEverything: 'search',
  sendMessage: 'messages.send',
  saveContacts: 'contacts.saveMany',
  tagContacts: 'contacts.tagMany',
  createLeadFromSubmission: 'leadSubmissions.createLead',
  getLeadAssignment: 'pipeline.getAssignment',
  updateLeadAssignment: 'pipeline.updateAssignment',
  requestPayment: 'paymentRequests.create',
  requestReview: 'reviewRequests.create',
  renewLinkOfReviewRequest: 'reviewRequests.renewLink',
  renewLinkOfBooking: 'bookings.renewLink',
  invoiceBooking: 'bookings.createInvoice',
  previewSalesDocument: 'salesInvoices.preview',
  replaceSalesInvoiceLink: 'salesInvoices.renewLink',
  replaceQuotationLink: 'quotations.renewLink',
  simulateInboundMessage: 'sandbox.receiveMessage',
  simulateFact: 'sandbox.simulate',
}

const wordsOf = (name: string): string[] => name.split(/(?=[A-Z])/)
const capitalize = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)
const lowerFirst = (word: string): string => word.charAt(0).toLowerCase() + word.slice(1)
const camelCase = (text: string): string =>
  text.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())

/** Returns the singular of a resource's word: `Replies` → `Reply`, `Broadcasts` → `Broadcast`. */
const singular = (word: string): string => word.replace(/ies$/, 'y').replace(/([^s])s$/, '$1')

/** Returns the object of an operation without the words of its resource: `ConversationNote` → `Note`. */
function withoutResource(words: string[], resource: string): string[] {
  const own = wordsOf(capitalize(resource)).map(singular)
  const isAt = (start: number, length: number): boolean =>
    own.slice(0, length).every((word, i) => singular(words[start + i] ?? '') === word)
  // The longest beginning of the resource's words counts: `SalesPayment` of `salesInvoices` is a `Payment`.
  for (let length = own.length; length > 0; length--) {
    const start = words.findIndex((_, i) => isAt(i, length))
    if (start >= 0) return words.toSpliced(start, length)
  }
  return words
}

function nameOf(value: Endpoint): { resource: string | null; verb: string } {
  const exception = EXCEPTIONS[value.name]
  if (exception) {
    const [verb = '', resource = null] = exception.split('.').reverse()
    return { resource, verb }
  }
  const resource = camelCase(value.path.split('/')[1] ?? '')
  const [action = '', ...object] = wordsOf(value.name)
  return { resource, verb: lowerFirst([action, ...withoutResource(object, resource)].join('')) }
}

/** Returns a schema itself instead of a reference to it. */
function resolved(part: Part, schemas: Schemas): Part {
  const name = typeof part.$ref === 'string' ? part.$ref.split('/').at(-1)! : undefined
  return name === undefined ? part : resolved(schemas.components()[name]!, schemas)
}

function pagingOf(reply: Part, query: Record<string, Part>): Paging | null {
  const fields = (reply.properties ?? {}) as Record<string, Part>
  const lists = Object.keys(fields).filter((name) => fields[name]!.type === 'array')
  if (lists.length !== 1) return null
  const items = lists[0]!
  if ('cursor' in query && 'nextCursor' in fields) return { by: 'cursor', items }
  return 'page' in query && 'total' in fields ? { by: 'page', items } : null
}

function methodOf(value: Endpoint, schemas: Schemas): SdkMethod {
  const { resource, verb } = nameOf(value)
  const query = resolved(schemas.ofRequest(value.query), schemas)
  const { format, ...queryFields } = (query.properties ?? {}) as Record<string, Part>
  if (format && !value.alsoAs) throw new Error(`${value.name} has a format, and no file`)
  const hasQuery = Object.keys(queryFields).length > 0
  if (value.body && hasQuery) throw new Error(`${value.name} has a body and a query: an SDK takes one object`)
  const body = value.body && resolved(schemas.ofRequest(value.body), schemas)
  const reply = value.replies[200] && resolved(schemas.ofReply(value.replies[200]), schemas)
  const required = ((body ?? query).required as string[] | undefined) ?? []
  const formats = ((format?.enum ?? []) as string[]).filter((name) => name !== 'json')
  return {
    endpoint: value,
    resource,
    verb,
    pathParams: [...value.path.matchAll(/:(\w+)/g)].map((match) => match[1]!),
    input: body ? 'body' : hasQuery ? 'query' : null,
    inputOptional: body ? value.bodyOptional === true : required.length === 0,
    paging: reply ? pagingOf(reply, queryFields) : null,
    fileField: value.kind === 'upload' ? value.upload.field : null,
    download: value.alsoAs ? { verb: verb.replace(/^(?:get|list)/, 'download'), formats } : null,
  }
}

/** Returns the SDKs' methods of these endpoints, in their order. */
export function sdkMethods(endpoints: Endpoint[]): SdkMethod[] {
  const schemas = createSchemas()
  return endpoints.map((value) => methodOf(value, schemas))
}

/** Returns how a method is called: `leads.addNote(id, body)`. */
export function sdkCall({ resource, verb, pathParams, input, inputOptional }: SdkMethod): string {
  const inputs = input ? [`${input}${inputOptional ? '?' : ''}`] : []
  return `${resource ? `${resource}.` : ''}${verb}(${[...pathParams, ...inputs].join(', ')})`
}
