import { z } from 'zod'
import { component } from '../../core/component.ts'
import type { EventKind } from '../../core/event.ts'
import { Id } from '../../core/ids.ts'
import { Instant } from '../../core/values/text.ts'
import { pascal } from './named-shapes.ts'
import type { Part, Schemas } from './schemas.ts'

const EXAMPLE_ID = '01978f2e-9c1b-7d30-8a44-3f5f0e6b9a01'
const EXAMPLE_TIME = '2026-06-01T09:30:00.000Z'

/** Returns the schema of the body of every delivery (spec 6.1). */
const deliveryBody = (kind: EventKind) =>
  z
    .object({
      id: Id.meta({
        description: 'Id of the event. The same on every retry and redelivery: use it to remove duplicates.',
      }),
      event: z.literal(kind.name),
      createdAt: Instant.meta({ description: 'When it happened, in UTC. The same on every retry.' }),
      data: kind.data.meta({
        description: 'Data of the event.',
        ...component(`${pascal(kind.name)}Data`, `Data of the event \`${kind.name}\`.`),
      }),
    })
    .meta(component(`${pascal(kind.name)}Event`, kind.when))

/** Returns an example of a delivery of `kind`. */
export const deliveryExample = (kind: EventKind): Part => ({
  id: EXAMPLE_ID,
  event: kind.name,
  createdAt: EXAMPLE_TIME,
  data: kind.example,
})

/** Returns the OpenAPI webhooks of the events, by name. */
export const webhooksOf = (events: EventKind[], schemas: Schemas): Record<string, Part> =>
  Object.fromEntries(
    events.map((kind) => [
      kind.name,
      {
        post: {
          operationId: `on${pascal(kind.name)}`,
          tags: ['Events'],
          summary: kind.name,
          description: `${kind.when}\n\nScope \`${kind.scope}\`${kind.adminOnly ? '; admin keys only' : ''}.`,
          'x-scope': kind.scope,
          ...(kind.adminOnly ? { 'x-role': 'admin' } : {}),
          security: [],
          parameters: ['WebhookId', 'WebhookEvent', 'WebhookTimestamp', 'WebhookSignature'].map((name) => ({
            $ref: `#/components/parameters/${name}`,
          })),
          requestBody: {
            required: true,
            content: {
              'application/json': {
                schema: schemas.ofReply(deliveryBody(kind)),
                example: deliveryExample(kind),
              },
            },
          },
          responses: {
            '2XX': { description: 'Received.' },
            '410': { description: 'Gone. Parley disables the endpoint immediately.' },
            '4XX': {
              description: 'Not received. Parley retries with backoff: 12 attempts in about 17 hours.',
            },
            '5XX': { description: 'Not received. Parley retries in the same way.' },
          },
        },
      },
    ]),
  )
