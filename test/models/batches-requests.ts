/**
 * Random requests to endpoints that share transactions: valid ones, ones that a rule refuses, and malformed
 * ones.
 */
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'

/** The callers: keys of an admin and an agent, and keys that fail before the body is read. */
export const CALLERS = ['admin', 'agent', 'unscoped', 'viewer', 'revoked'] as const
export type CallerName = (typeof CALLERS)[number]

/** A request about one customer, whose number is in `to` or `phone` unless the body overrides it. */
export type Given = {
  path: '/send' | '/contacts' | '/leads'
  body: Record<string, unknown>
  caller: CallerName
  /** Uses the key of the same customer's previous request, which may differ. */
  repeatsKey: boolean
  /** The number of concurrent copies. */
  copies: number
  /** True if the copies are retries of one request, with one key. */
  retries: boolean
}

const text = fc.constantFrom('Your order is on its way.', 'दो दिन और', ' ', 'x'.repeat(4_097))
/** Returns a template send with values for the body of the template. */
export const template = (name: string, values: string[]) => ({
  type: 'template',
  payload: {
    type: 'template',
    template: {
      name,
      language: { code: 'en_US' },
      components: [{ type: 'body', parameters: values.map((value) => ({ type: 'text', text: value })) }],
    },
  },
})
const send = fc.oneof(
  { weight: 5, arbitrary: text.map((body) => ({ type: 'text', text: body })) },
  {
    weight: 4,
    arbitrary: fc
      .array(fc.constantFrom('Asha', '7'), { maxLength: 2 })
      .map((parameters) => template('order_ok', parameters)),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom<Record<string, unknown>>(
      template('never_made', ['Asha']),
      { type: 'image', payload: { type: 'image', image: { id: randomUUID() } } },
      { type: 'text' },
      { type: 'hologram', text: 'Hello' },
      { type: 'text', text: 'Hello', to: 'nobody' },
      { type: 'text', text: 'Hello', phoneNumberId: randomUUID() },
    ),
  },
)
const tags = fc.array(fc.constantFrom('vip', 'pune'), { maxLength: 2 })
const contact = fc.record(
  {
    displayName: fc.constantFrom('Asha Rao', ' ', null, 7),
    tags: fc.oneof({ weight: 4, arbitrary: tags }, fc.constant('vip')),
    optInStatus: fc.constantFrom('unknown', 'opted_in', 'opted_out', 'never'),
    attributes: fc.dictionary(fc.constantFrom('city', 'size'), fc.constantFrom('Pune', 7, null), {
      maxKeys: 2,
    }),
  },
  { requiredKeys: [] },
)
const lead = fc.record(
  {
    name: fc.constantFrom('Asha Rao', 'Ravi', ''),
    source: fc.constantFrom('website', 'fair'),
    stage: fc.constantFrom('New', 'Qualified', 'Contacted', 'Nowhere'),
    owner: fc.constantFrom('Ravi Iyer', null, 'Nobody'),
    tags,
    note: fc.constantFrom('Asked about delivery.', '<b>'),
    dealValue: fc.constantFrom(0, 4_500, -1),
  },
  { requiredKeys: [] },
)

const single = { weight: 3, arbitrary: fc.constant(1) }
const requests: fc.Arbitrary<Given> = fc
  .record({
    request: fc.oneof(
      send.map((body) => ({ path: '/send' as const, body })),
      contact.map((body) => ({ path: '/contacts' as const, body })),
      lead.map((body) => ({ path: '/leads' as const, body })),
    ),
    caller: fc.oneof(
      { weight: 5, arbitrary: fc.constant<CallerName>('admin') },
      { weight: 3, arbitrary: fc.constant<CallerName>('agent') },
      fc.constantFrom<CallerName>('unscoped', 'viewer', 'revoked'),
    ),
    repeatsKey: fc.nat({ max: 5 }).map((draw) => draw === 0),
    copies: fc.oneof(single, fc.integer({ min: 2, max: 4 })),
    retries: fc.boolean(),
  })
  .map(({ request, ...more }) => ({ ...request, ...more }))

/** Generates the requests about each of the customers, in order. */
export const requestsOf = (customers: number, maxLength: number): fc.Arbitrary<Given[][]> =>
  fc.array(fc.array(requests, { maxLength, size: 'max' }), { minLength: customers, maxLength: customers })
