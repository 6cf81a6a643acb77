/** Builds the machine-readable description of the API (spec 4.1.6, 9.3) from the values in the catalog. */
import type { Endpoint } from '../../core/endpoint.ts'
import type { EventKind } from '../../core/event.ts'
import { headers, parameters, securitySchemes } from './components.ts'
import { schemasOf } from './document-schemas.ts'
import { createErrorResponses, ErrorBody } from './errors.ts'
import { shapeComponent, shapeForGenerators } from './generator-shapes.ts'
import { moveNamedShapes } from './named-shapes.ts'
import { documentedPath, operationOf } from './operation.ts'
import { readReplyExamples } from './reply-examples.ts'
import { createSchemas, type Part } from './schemas.ts'
import { webhooksOf } from './webhooks.ts'

/** The input of the document; `serverUrl` is the base address, without a trailing slash. */
export type Described = { endpoints: Endpoint[]; events: EventKind[]; serverUrl: string }

const VERSION = '1.0.0'

const DESCRIPTION = `Messages, contacts, webhooks, and a developer sandbox in one REST API.

Send your API key as \`Authorization: Bearer <API_KEY>\`. A key belongs to one workspace, has one role
(viewer < agent < admin), and can be limited to scopes. Every write accepts an \`Idempotency-Key\`.
Every error has a code in \`error\`: branch on it. New endpoints, fields, and events are added within v1:
ignore those that you do not know.`

/** Builds the OpenAPI 3.1 document. */
export function buildOpenapi({ endpoints, events, serverUrl }: Described): Part {
  const schemas = createSchemas()
  const errors = createErrorResponses()
  schemas.ofReply(ErrorBody)
  const paths: Record<string, Part> = {}
  const examples = readReplyExamples()
  for (const value of endpoints) {
    const path = documentedPath(value.path)
    paths[path] = {
      ...paths[path],
      [value.method.toLowerCase()]: operationOf(value, schemas, errors, examples[value.name]),
    }
  }
  const webhooks = webhooksOf(events, schemas)
  const components = schemas.components()
  const { requests, replies } = schemasOf(paths, webhooks)
  for (const schema of [...requests, ...replies]) shapeForGenerators(schema)
  for (const schema of Object.values(components)) shapeComponent(schema)
  moveNamedShapes({ requests, replies, components })
  const tags = [...new Set(endpoints.map((value) => value.tag)), ...(events.length > 0 ? ['Events'] : [])]
  return {
    openapi: '3.1.1',
    info: {
      title: 'Parley API',
      version: VERSION,
      description: DESCRIPTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: serverUrl }],
    security: [{ apiKey: [] }],
    tags: tags.map((name) => ({ name, description: TAGS[name] ?? `${name}.` })),
    paths,
    webhooks,
    components: {
      securitySchemes,
      parameters: usedParameters(endpoints, events),
      headers,
      responses: errors.components(),
      examples: errors.examples(),
      schemas: sortedByName(components),
    },
  }
}

const TAGS: Record<string, string> = {
  Reference: 'The OpenAPI description of the API.',
  Messages: 'Send messages on the chat network, and read messages and their delivery status.',
  Workspace: 'The workspace of the key, its numbers, its members, and its activity log.',
  Contacts: 'Customers by their number, with tags, custom fields, and consent.',
  Conversations:
    'Chats with customers, their 24-hour windows, internal notes, ratings, and the teams that share them.',
  Templates: 'Message templates and their approval by the operator.',
  Analytics: 'Counts of messages and conversations.',
  'In-chat forms': 'Forms that customers fill in inside a chat.',
  'Saved replies': 'Texts that teammates insert into a chat, and macros of several actions.',
  Reviews: 'Review requests and reviews.',
  Campaigns: 'Campaigns send one template to many recipients. Segments are saved groups of contacts.',
  Leads: 'Possible buyers, their timelines, and submissions at the capture link.',
  Tasks: 'Follow-ups on leads.',
  Pipeline: 'Stages, lost reasons, and the assignment of new leads.',
  'Saved views': 'Saved filters of leads and of the inbox.',
  'Photo network': 'Direct chats, posts, and comments on the photo network.',
  Webhooks: 'Webhook endpoints, the events that they receive, and delivery attempts.',
  Sandbox: 'Simulated customers, and a clock that you can move. Only for sandbox workspaces.',
  Payments: 'Payment requests to customers in chats.',
  'Sales documents': 'Invoices, quotations, payments, and credit notes.',
  Billing: 'The plan of the workspace, its wallet, and the costs of messages.',
  Integrations: 'Connections to shops, a payment gateway, and an assistant, and the orders of shops.',
  Automations: 'Automations, auto-replies, bots, and business hours.',
  Bookings: 'Services, staff, free times, and bookings.',
  Events: 'Events that Parley sends to your webhook endpoints: signed, and at least once.',
}

const sortedByName = (parts: Record<string, Part>): Record<string, Part> =>
  Object.fromEntries(Object.entries(parts).toSorted(([a], [b]) => (a < b ? -1 : 1)))

/** Returns the parameters without the webhook headers if there are no events. */
const usedParameters = (endpoints: Endpoint[], events: EventKind[]): Record<string, Part> =>
  Object.fromEntries(
    Object.entries(parameters).filter(([name]) =>
      name.startsWith('Webhook') ? events.length > 0 : endpoints.length > 0,
    ),
  )
