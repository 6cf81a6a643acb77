/** Builds the machine-readable description of the API (spec 4.1.6, 9.3) from the values in the catalog. */
import type { Endpoint } from '../core/endpoint.ts'
import type { EventKind } from '../core/event.ts'
import { headers, parameters, securitySchemes } from './openapi-components.ts'
import { createErrorResponses, ErrorBody } from './openapi-errors.ts'
import { documentedPath, operationOf } from './openapi-operation.ts'
import { createSchemas, type Part } from './openapi-schemas.ts'
import { webhooksOf } from './openapi-webhooks.ts'
import { readReplyExamples } from './reply-examples.ts'

/** The input of the document; `serverUrl` is the base address, without a trailing slash. */
export type Described = { endpoints: Endpoint[]; events: EventKind[]; serverUrl: string }

const VERSION = '1.0.0'

const DESCRIPTION = `Messaging, contacts, webhooks and a developer sandbox over one REST API.

Every keyed call takes \`Authorization: Bearer <API_KEY>\`; a key belongs to one workspace and carries one role
(viewer < agent < admin), and may be narrowed to scopes. Every write takes an \`Idempotency-Key\`.
Errors carry a code in \`error\`: branch on it. New endpoints, fields and events are added within v1:
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
      schemas: schemas.components(),
    },
  }
}

const TAGS: Record<string, string> = {
  Reference: 'The API about itself.',
  Messages: 'Sending on the chat network, and what became of it.',
  Workspace: 'Who is calling, and which numbers there are to send from.',
  Contacts: 'People by their number, with tags, custom fields and consent.',
  Conversations: 'Chats, their 24-hour windows, and notes that customers never see.',
  Webhooks: 'Where events are posted to, and what became of each attempt.',
  Sandbox: 'A customer who writes when asked to, and a clock that can be moved. Sandbox workspaces only.',
  Events: 'What is posted to your webhook endpoints, signed, at least once.',
}

/** Returns the parameters without the webhook headers if there are no events. */
const usedParameters = (endpoints: Endpoint[], events: EventKind[]): Record<string, Part> =>
  Object.fromEntries(
    Object.entries(parameters).filter(([name]) =>
      name.startsWith('Webhook') ? events.length > 0 : endpoints.length > 0,
    ),
  )
