import { createHash } from 'node:crypto'
import type { FastifyInstance, onRequestAsyncHookHandler } from 'fastify'
import { z } from 'zod'
import type { Routed } from '../../core/endpoint.ts'
import { isKnown } from '../wire/entity-tag.ts'
import { type Packed, packedOf, sendPacked } from './compressed-text.ts'
import type { Described } from './document.ts'

/** The declaration of the endpoint that `openapiRoute` serves without a key or a transaction. */
export const getOpenapi: Routed<'GET /openapi.json'> = {
  kind: 'unmounted',
  route: 'GET /openapi.json',
  name: 'getApiDescription',
  method: 'GET',
  path: '/openapi.json',
  summary:
    'Get the OpenAPI description of the API: every endpoint with its scope and lowest role, and the webhook events.',
  tag: 'Reference',
  section: '4.1.6',
  scope: null,
  role: null,
  bucket: null,
  params: z.object({}),
  query: z.object({}),
  body: null,
  replies: { 200: z.record(z.string(), z.unknown()).meta({ description: 'An OpenAPI 3.1 document.' }) },
  refuses: [],
}

type Description = { text: Packed; tag: string }

async function describe(described: Described): Promise<Description> {
  // Loaded on use, with the words for its fields.
  const { buildOpenapi } = await import('./document.ts')
  const text = Buffer.from(JSON.stringify(buildOpenapi(described)))
  // A weak tag: it is the same with and without compression.
  const tag = `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`
  return { text: await packedOf(text), tag }
}

/**
 * Serves the description under `basePath`, with an ETag. It is built at the first request, because building
 * it would slow the start.
 */
export const openapiRoute =
  (basePath: string, described: Described, limited: onRequestAsyncHookHandler) =>
  (app: FastifyInstance): void => {
    let description: Promise<Description> | undefined
    app.get(
      basePath + getOpenapi.path,
      { onRequest: limited, exposeHeadRoute: true },
      async (request, reply) => {
        description ??= describe(described)
        const { text, tag } = await description
        reply.header('etag', tag).header('cache-control', 'no-cache')
        if (isKnown(request, tag)) return reply.code(304).send()
        return sendPacked(request, reply.type('application/json; charset=utf-8'), text)
      },
    )
  }
