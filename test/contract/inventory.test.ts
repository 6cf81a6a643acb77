import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ENDPOINTS, EVENTS } from '../../src/catalog.ts'
import { BUCKETS } from '../../src/core/buckets.ts'
import { ERRORS, type ErrorCode, type RefusalCode } from '../../src/core/errors.ts'
import { SCOPES } from '../../src/core/scopes.ts'
import { statusesOf } from '../../src/http/openapi/errors.ts'
import { documentedPath } from '../../src/http/openapi/operation.ts'

type InventoryEndpoint = {
  method: string
  path: string
  role: string | null
  scope: string | null
  bucket: string | null
}

const inventory = <T>(name: string): T[] =>
  JSON.parse(readFileSync(join(import.meta.dirname, 'inventory', `${name}.json`), 'utf8'))

const specified = inventory<InventoryEndpoint>('endpoints')
const keyOf = ({ method, path }: { method: string; path: string }): string =>
  `${method} ${documentedPath(path)}`
const rightsOf = ({ role, scope, bucket }: { role: unknown; scope: unknown; bucket: unknown }) => ({
  role,
  scope,
  bucket,
})

/** Endpoints that the specification does not name. */
const ADDITIONS = [
  'GET /sandbox/clock',
  'POST /sandbox/clock',
  'GET /events',
  // docs/decisions/event-log.md
  'POST /webhooks/{id}/replay',
  // src/modules/platform/webhooks/DECISIONS.md
  'GET /webhooks/deliveries/{id}/signature',
  // docs/decisions/developer-tools.md
  'POST /sandbox/events',
  // src/modules/platform/workspaces/DECISIONS.md
  'GET /activity',
  // src/modules/selling/crm/DECISIONS.md "Leads"
  'POST /pipeline/stages',
  'PATCH /pipeline/stages/{id}',
  'DELETE /pipeline/stages/{id}',
  'POST /pipeline/lost-reasons',
  'PATCH /pipeline/lost-reasons/{id}',
  'DELETE /pipeline/lost-reasons/{id}',
  'GET /pipeline/assignment',
  'PATCH /pipeline/assignment',
  // src/modules/selling/crm/DECISIONS.md "The lead-capture link"
  'GET /lead-submissions',
  'GET /lead-submissions/{id}',
  'PATCH /lead-submissions/{id}',
  'POST /lead-submissions/{id}/lead',
  // src/modules/messaging/broadcasts/DECISIONS.md "Gates"
  'POST /broadcasts/{id}/start',
  'POST /segments/count',
  'POST /broadcasts/{id}/pause',
  'POST /broadcasts/{id}/resume',
  // src/modules/messaging/broadcasts/DECISIONS.md "Comparing templates"
  'POST /broadcasts/{id}/choose',
  // src/modules/messaging/broadcasts/DECISIONS.md "Moving a campaign"
  'PATCH /broadcasts/{id}',
  // src/modules/reporting/campaign-results/DECISIONS.md
  'GET /broadcasts/{id}/results',
  // src/modules/reporting/message-trace/DECISIONS.md
  'GET /messages/{id}/trace',
  // src/modules/reporting/contact-overview/DECISIONS.md
  'GET /contacts/{id}/overview',
  // src/modules/selling/social/DECISIONS.md
  'PATCH /social/conversations/{id}',
  // src/modules/selling/social/DECISIONS.md "Private replies"
  'POST /social/comments/{id}/private-reply',
  'POST /social/media/upload',
  'PATCH /social/posts/{id}',
  'DELETE /social/posts/{id}',
  // src/modules/selling/crm/DECISIONS.md "Lists of leads"
  'GET /views',
  'POST /views',
  'PATCH /views/{id}',
  'DELETE /views/{id}',
  // src/modules/messaging/messages/DECISIONS.md
  'POST /send/preview',
  // src/modules/messaging/conversations/DECISIONS.md
  'GET /conversations/counts',
  'GET /conversations/{id}/changes',
  'POST /conversations/{id}/unread',
  'POST /conversations/take-next',
  'POST /conversations/{id}/snooze',
  'DELETE /conversations/{id}/snooze',
  'GET /teams',
  'POST /teams',
  'GET /teams/{id}',
  'PATCH /teams/{id}',
  'DELETE /teams/{id}',
  'GET /teams/availability',
  'POST /teams/availability',
  // src/modules/messaging/macros/DECISIONS.md
  'GET /macros',
  'POST /macros',
  'PATCH /macros/{id}',
  'DELETE /macros/{id}',
  'POST /conversations/{id}/run-macro',
  'GET /leads/summary',
  // src/modules/messaging/flows/DECISIONS.md
  'POST /flows',
  'GET /flows/{id}',
  'PATCH /flows/{id}',
  'DELETE /flows/{id}',
  'POST /flows/{id}/publish',
  'POST /flows/{id}/deprecate',
  'GET /flows/{id}/answers',
  'GET /flows/{id}/answers/summary',
  // src/modules/messaging/messages/intake/DECISIONS.md
  'POST /phone-numbers/{id}/history-sync',
  // src/modules/reporting/search/DECISIONS.md
  'GET /search',
  // src/modules/selling/payments/DECISIONS.md
  'GET /payment-requests',
  'POST /payment-requests/{id}/cancel',
  // src/modules/selling/reviews/DECISIONS.md
  'GET /review-settings',
  'PUT /review-settings',
  'POST /review-requests',
  'POST /review-requests/{id}/link',
  'GET /review-requests',
  'GET /reviews',
  'GET /reviews/summary',
  'GET /reviews/{id}',
  // src/modules/messaging/ratings/DECISIONS.md
  'GET /rating-settings',
  'PUT /rating-settings',
  'GET /ratings',
  // src/modules/automating/integrations/DECISIONS.md
  'GET /integrations/{name}/deliveries',
  'GET /orders',
  'POST /sandbox/simulate',
  // src/modules/automating/automations/DECISIONS.md
  'GET /automations/{id}/runs',
  'GET /automations/{id}/results',
  'POST /automations/test',
  // src/modules/platform/business-hours/DECISIONS.md
  'GET /business-hours',
  'PUT /business-hours',
  // src/modules/automating/bots/DECISIONS.md
  'POST /bots/{id}/test',
  // src/modules/automating/chat-assistant/DECISIONS.md
  'POST /conversations/{id}/draft',
  'POST /conversations/{id}/summary',
  // src/modules/automating/integrations/DECISIONS.md
  'POST /integrations/{name}/test',
  'GET /bots/{id}/requests',
  'GET /bots/{id}/results',
  'POST /bots/{id}/test-request',
  // src/modules/automating/auto-replies/DECISIONS.md
  'POST /auto-replies/test',
  'GET /auto-replies/counts',
  // src/modules/reporting/billing/DECISIONS.md "Rates"
  'GET /rates',
  'POST /auto-replies/preview',
  // src/modules/selling/invoicing/DECISIONS.md
  'GET /sales-settings',
  'PUT /sales-settings',
  'POST /sales-invoices/preview',
  'POST /sales-invoices/{id}/revise',
  'POST /sales-invoices/{id}/convert',
  'POST /sales-invoices/{id}/link',
  'GET /sales-invoices/{id}/payments/{paymentId}',
  'GET /sales-invoices/{id}/credit-notes',
  'POST /sales-invoices/{id}/credit-notes',
  'GET /sales-invoices/{id}/credit-notes/{noteId}',
  'GET /quotations',
  'POST /quotations',
  'GET /quotations/{id}',
  'PATCH /quotations/{id}',
  'DELETE /quotations/{id}',
  'POST /quotations/{id}/issue',
  'POST /quotations/{id}/accept',
  'POST /quotations/{id}/decline',
  'POST /quotations/{id}/revise',
  'POST /quotations/{id}/cancel',
  'POST /quotations/{id}/convert',
  'POST /quotations/{id}/link',
  'POST /quotations/{id}/send',
  // src/modules/selling/bookings/DECISIONS.md
  'GET /booking-services',
  'POST /booking-services',
  'PATCH /booking-services/{id}',
  'DELETE /booking-services/{id}',
  'GET /booking-staff',
  'POST /booking-staff',
  'PATCH /booking-staff/{id}',
  'DELETE /booking-staff/{id}',
  'GET /booking-settings',
  'PUT /booking-settings',
  'POST /booking-settings/link',
  'GET /bookings/slots',
  'POST /bookings/{id}/link',
  'POST /bookings/{id}/invoice',
  // src/modules/messaging/contacts/DECISIONS.md "Merges"
  'POST /contacts/{id}/merge',
  // src/modules/reporting/reports/DECISIONS.md
  'GET /reports/volume',
  'GET /reports/response-times',
  'GET /reports/resolution-times',
  'GET /reports/satisfaction',
  'GET /reports/sales',
  'GET /reports/campaigns',
]

/** Events that the specification doesn't name; they come after the events that it names. */
const EVENT_ADDITIONS: Record<string, string[]> = {
  // src/modules/messaging/contacts/DECISIONS.md "Merges"
  'contact.merged': [
    'contactId',
    'phone',
    'name',
    'mergedContactId',
    'mergedPhone',
    'leadId',
    'mergedLeadId',
    'conversations',
    'via',
    'mergedAt',
  ],
  // src/modules/messaging/broadcasts/DECISIONS.md "Comparing templates"
  'broadcast.variant_chosen': ['broadcastId', 'name', 'variant', 'templateName', 'decideBy'],
}

describe('endpoints', () => {
  const catalog = new Map(ENDPOINTS.map((value) => [keyOf(value), value]))

  test.each(specified.map((endpoint) => [keyOf(endpoint), endpoint] as const))(
    '%s has its role, scope and bucket',
    (key, endpoint) => {
      const value = catalog.get(key)
      expect(value, 'missing in the catalog').toBeDefined()
      expect(rightsOf(value as NonNullable<typeof value>)).toEqual(rightsOf(endpoint))
    },
  )

  test('nothing in the catalog contradicts the inventory', () => {
    const byKey = new Map(specified.map((endpoint) => [keyOf(endpoint), endpoint]))
    for (const [key, value] of catalog) {
      if (ADDITIONS.includes(key)) continue
      expect(byKey.get(key), `${key} is not in the inventory`).toBeDefined()
      expect({ key, ...rightsOf(value) }).toEqual({ key, ...rightsOf(byKey.get(key) as InventoryEndpoint) })
    }
  })

  test('no endpoint is listed twice', () => {
    expect(catalog.size).toBe(ENDPOINTS.length)
  })

  test('every scope of the inventory is known', () => {
    const scopes = [...new Set(specified.map((endpoint) => endpoint.scope).filter((scope) => scope !== null))]
    expect(scopes.filter((scope) => !(SCOPES as readonly string[]).includes(scope))).toEqual([])
  })
})

describe('errors', () => {
  const codes = inventory<{ error: string; status: number[] }>('errors')
  /**
   * Errors of HTTP itself, of running the service, of moving a workspace, or of the assistant; the specification doesn't
   * list them.
   */
  const OURS = [
    'method_not_allowed',
    'assistant_off',
    'workspace_moved',
    'unsupported_media_type',
    'assistant_failed',
    'workspace_moving',
    'service_unavailable',
  ]
  /** In the table of spec 7.2, but not in the inventory. */
  const SPECIFIED = ['outside_24h_window']

  test.each(codes.map((code) => [code.error, code.status] as const))('%s has its status', (code, status) => {
    expect(ERRORS).toHaveProperty(code)
    expect(statusesOf(code as ErrorCode)).toEqual(status)
  })

  test('no code is outside of the specification except ours', () => {
    const specifiedCodes = codes.map((code) => code.error)
    expect(Object.keys(ERRORS).filter((code) => ![...specifiedCodes, ...SPECIFIED].includes(code))).toEqual(
      OURS,
    )
  })

  test('errors declared by endpoints are not already errors of authentication', () => {
    const entrances: RefusalCode[] = [
      'unauthorized',
      'rate_limited',
      'invalid_json',
      'internal_error',
      'invalid',
    ]
    const twice = ENDPOINTS.filter((value) => value.refuses.some((code) => entrances.includes(code)))
    expect(twice.map(keyOf)).toEqual([])
  })
})

describe('buckets', () => {
  const buckets = inventory<{ name: string; burst: number; refill: number; perSeconds: number }>('buckets')
  const served = Object.entries(BUCKETS).map(([name, bucket]) => ({ name, ...bucket }))

  test('those of the specification have its sizes and speeds', () => {
    expect(served.slice(0, buckets.length)).toEqual(buckets)
  })

  test('additional buckets match docs/decisions/rate-limits.md', () => {
    const page = readFileSync(join(import.meta.dirname, '../../docs/decisions/rate-limits.md'), 'utf8')
    for (const { name } of served.slice(buckets.length)) expect(page).toContain(`| \`${name}\` |`)
    expect(served.length - buckets.length).toBe([...page.matchAll(/^\| `/gm)].length)
  })
})

/** Fields in addition to those of the specification (spec 9: consumers ignore unknown fields). */
const ADDED_FIELDS: Record<string, string[]> = { 'message.received': ['sentAt'] }

describe('events', () => {
  const events = inventory<{ event: string; payload: string[] }>('events')

  test.each(EVENTS.map((kind) => [kind.name, kind] as const))(
    '%s carries its payload fields',
    (name, kind) => {
      const payload = events.find((event) => event.event === name)?.payload ?? EVENT_ADDITIONS[name]
      expect(payload, 'not in the inventory').toBeDefined()
      const fields = [...(payload ?? []), ...(ADDED_FIELDS[name] ?? [])]
      expect(Object.keys(kind.data.shape).sort()).toEqual(fields.sort())
    },
  )

  test('all are in the order of the specification, each once', () => {
    expect(EVENTS.map((kind) => kind.name)).toEqual([
      ...events.map((event) => event.event),
      ...Object.keys(EVENT_ADDITIONS),
    ])
  })
})
