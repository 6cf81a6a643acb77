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

/** Builds the description once and serves it under `basePath`, with an ETag. */
export const openapiRoute =
  (basePath: string, described: Described) =>
  (app: FastifyInstance): void => {
    const text = JSON.stringify(buildOpenapi(described))
    const tag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`
    app.get(basePath + getOpenapi.path, async (request, reply) => {
      reply.header('etag', tag).header('cache-control', 'no-cache')
      const known = request.headers['if-none-match']
      if (known?.split(',').some((one) => one.trim().replace(/^W\//, '') === tag))
        return reply.code(304).send()
      return reply.type('application/json; charset=utf-8').send(text)
    })
  }
