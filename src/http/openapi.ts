import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Endpoint } from '../core/endpoint.ts'
import { buildOpenapi, type Described } from './openapi-document.ts'

/** Served by `openapiRoute`: no key, no transaction. */
export const getOpenapi: Endpoint = {
  method: 'GET',
  path: '/openapi.json',
  summary: 'This description: every endpoint with its scope and lowest role, and the webhook events.',
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

type Description = { text: string; tag: string }

function describe(described: Described): Description {
  const text = JSON.stringify(buildOpenapi(described))
  return { text, tag: `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"` }
}

/** Serves the description under `basePath`, with an ETag. It is built when first asked for: a start has no use for it. */
export const openapiRoute =
  (basePath: string, described: Described) =>
  (app: FastifyInstance): void => {
    let description: Description | undefined
    app.get(basePath + getOpenapi.path, async (request, reply) => {
      description ??= describe(described)
      const { text, tag } = description
      reply.header('etag', tag).header('cache-control', 'no-cache')
      const known = request.headers['if-none-match']
      if (known?.split(',').some((one) => one.trim().replace(/^W\//, '') === tag))
        return reply.code(304).send()
      return reply.type('application/json; charset=utf-8').send(text)
    })
  }
