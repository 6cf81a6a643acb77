/** The tools of assistants: each endpoint that declares one, in plain words, with its customers' texts fenced. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, test } from 'vitest'
import { DASHBOARD_ENDPOINTS, ENDPOINTS } from '../../src/catalog.ts'
import { type FencePlan, fencedPlaces } from '../../src/http/mcp/fence-plan.ts'
import { requestOf } from '../../src/http/mcp/tool-input.ts'
import { toolNameOf, toolsOf } from '../../src/http/mcp/tools.ts'
import { findOdd } from './plain-phrases.ts'

const tools = toolsOf(ENDPOINTS)
const toolNamed = (name: string) => tools.find(({ description }) => description.name === name)!
const MAX_WORDS = 25
/** Assistants read all tools before they answer. */
const MAX_LIST_BYTES = 100_000

const SRC = join(import.meta.dirname, '../../src/modules')
const declared = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
  .map((path) => readFileSync(join(SRC, path), 'utf8').match(/^ {2}tool: \{/gm)?.length ?? 0)
  .reduce((sum, count) => sum + count, 0)

describe('inventory', () => {
  test('the tools are exactly the endpoints that declare one, and no operation of the dashboard does', () => {
    expect(tools.map(({ value }) => value.name)).toEqual(
      ENDPOINTS.filter(({ tool }) => tool).map(({ name }) => name),
    )
    expect(tools).toHaveLength(declared)
    expect(DASHBOARD_ENDPOINTS.filter(({ tool }) => tool)).toEqual([])
  })

  test('names are unique, and those of their operations', () => {
    const names = tools.map(({ description }) => description.name)
    expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([])
    expect(names.filter((name) => !/^[a-z]+(?:_[a-z]+)+$/.test(name))).toEqual([])
    expect(toolNameOf({ name: 'listBookingSlots' })).toBe('list_booking_slots')
  })

  test('no tool erases data or changes settings, keys, or members', () => {
    expect(tools.filter(({ value }) => value.method === 'DELETE' || value.method === 'PUT')).toEqual([])
    expect(tools.filter(({ value }) => value.bucket === 'contact-erasure')).toEqual([])
    expect(tools.filter(({ value }) => value.kind === 'upload' || value.sandboxOnly)).toEqual([])
  })

  test('all tools together stay short enough for an assistant', () => {
    const bytes = JSON.stringify(tools.map(({ description }) => description)).length
    expect(bytes).toBeLessThan(MAX_LIST_BYTES)
  })
})

describe.each(tools.map((tool) => [tool.description.name, tool] as const))('%s', (_name, tool) => {
  test('has a title and says in plain words when to use it', () => {
    const { title, when } = tool.value.tool
    expect(title).toMatch(/^[A-Z][^.]{3,40}$/)
    expect(when).toMatch(/^Use it .+\.$/)
    expect([title, when].flatMap(findOdd)).toEqual([])
    const sentences = when.split(/(?<=[.]) /)
    expect(sentences.filter((sentence) => sentence.split(' ').length > MAX_WORDS)).toEqual([])
  })

  test('has a complete schema of its arguments', () => {
    const { inputSchema } = tool.description
    const check = addFormats.default(new Ajv2020({ strict: false, allErrors: true })).compile(inputSchema)
    expect(check({ surprise: 1 })).toBe(false)
    expect(JSON.stringify(inputSchema)).not.toMatch(/components\/schemas|"component"/)
    const properties = inputSchema.properties as Record<string, Record<string, unknown>>
    const named = Object.entries(properties).filter(([name]) => name !== 'id' && name !== 'body')
    expect(named.filter(([, field]) => !describedBy(field)).map(([name]) => name)).toEqual([])
  })

  test('accepts the example of its endpoint', () => {
    const { example } = tool.value
    if (example === undefined) return
    const { names, schema } = tool.input
    const ids = Object.fromEntries(names.path.map((name) => [name, '018f4f5e-0000-7000-8000-000000000000']))
    const args = { ...ids, ...(names.body === 'body' ? { body: example } : (example as object)) }
    const ajv = addFormats.default(new Ajv2020({ strict: false, allErrors: true }))
    expect([ajv.validate(schema, args), ajv.errors]).toEqual([true, null])
    const request = requestOf(tool.value, tool.input, args, undefined)
    expect(request.body === undefined ? {} : JSON.parse(request.body)).toEqual(example)
  })

  test('is marked by its effect', () => {
    const { readOnlyHint, destructiveHint } = tool.description.annotations
    expect(readOnlyHint && destructiveHint).toBe(false)
    if (tool.value.method === 'GET') expect(readOnlyHint).toBe(true)
    if (tool.value.critical) expect(destructiveHint).toBe(true)
  })
})

/** Whether a field or its only alternative says what it is. */
function describedBy(field: Record<string, unknown>): boolean {
  if (field.description || field.$ref) return true
  const options = [field.anyOf, field.oneOf].flatMap((part) => (part ?? []) as Record<string, unknown>[])
  return options.some(describedBy)
}

/** Returns the plan of a place: `messages[].text`. */
const planAt = (plan: FencePlan, place: string): FencePlan | undefined =>
  place
    .replaceAll('[]', '.[]')
    .split('.')
    .reduce<FencePlan | undefined>(
      (inner, name) => (name === '[]' ? inner?.items : inner?.fields?.[name]),
      plan,
    )

/** Texts that customers write or choose. */
const WRITTEN_BY_CUSTOMERS: Record<string, string[]> = {
  list_contacts: ['displayName', 'username', 'tags[]', 'attributes'].map((name) => `contacts[].${name}`),
  get_contact: ['contact.displayName', 'contact.username', 'contact.attributes'],
  get_contact_overview: [
    'lead.name',
    'bookings.last.answers',
    'bookings.last.notes',
    'reviews.items[].comment',
  ],
  list_messages: [
    'messages[].text',
    'messages[].content',
    'messages[].originalContent',
    'messages[].context',
  ],
  get_message: ['message.text', 'message.content'],
  list_conversations: ['conversations[].contact.name', 'conversations[].lastMessage.text'],
  get_conversation: ['conversation.contact.name', 'conversation.contact.username'],
  list_conversation_notes: ['notes[].body'],
  search_everything: ['results[].title', 'results[].snippet'],
  list_leads: ['leads[].name', 'leads[].email', 'leads[].source', 'leads[].attributes'],
  get_lead: ['lead.name', 'lead.email', 'lead.source', 'lead.attributes'],
  list_lead_timeline: ['entries[].data'],
  list_bookings: ['bookings[].answers', 'bookings[].notes', 'bookings[].customer.name'],
  list_orders: ['orders[].customerName', 'orders[].reference'],
  list_sales_invoices: ['invoices[].customer.name', 'invoices[].notes'],
  list_reviews: ['reviews[].comment', 'reviews[].customerName'],
  list_social_conversations: ['conversations[].contact.name', 'conversations[].contact.username'],
  list_social_messages: ['messages[].content', 'messages[].originalContent', 'messages[].reaction'],
  list_social_comments: ['comments[].text', 'comments[].username', 'comments[].replies[].text'],
  list_events: ['events[].data'],
  list_deliveries: ['deliveries[].response.body', 'deliveries[].response.headers'],
}

describe('texts of customers are fenced', () => {
  test.each(Object.entries(WRITTEN_BY_CUSTOMERS))('%s', (name, places) => {
    const { plan } = toolNamed(name)
    for (const place of places) {
      expect([place, planAt(plan, place)]).toEqual([place, expect.objectContaining({ text: true })])
    }
  })

  test('every tool that returns names or words fences some', () => {
    const open = tools.filter(({ plan }) => fencedPlaces(plan).length === 0)
    // These return only figures, ids, and times.
    const figures = ['send_message', 'get_volume_report', 'list_booking_slots']
    expect(open.map(({ description }) => description.name).sort()).toEqual(figures.sort())
  })
})
