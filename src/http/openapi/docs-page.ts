/**
 * Serves the API reference at /docs: Swagger UI from this server, with "Try it out". The reader types the
 * key, and the page doesn't store it.
 */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { FastifyInstance, FastifyReply, onRequestAsyncHookHandler } from 'fastify'
import { isPackage, ROOT } from '../../core/installation-root.ts'
import { type Packed, packedOf, sendPacked } from './compressed-text.ts'

const ASSETS: Record<string, string> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
}
const POLICY = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
}

const require = createRequire(import.meta.url)
// The package of Parley has the files itself, because `swagger-ui-dist` depends on a package that reports installations to its maker.
const packageFile = isPackage()
  ? join(ROOT, 'dist/swagger-ui/package.json')
  : require.resolve('swagger-ui-dist/package.json')
const { version } = require(packageFile) as { version: string }
const ASSET_PATH = `/docs/assets/${version}`

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Parley API</title>
<link rel="icon" href="${ASSET_PATH}/favicon-32x32.png">
<link rel="stylesheet" href="${ASSET_PATH}/swagger-ui.css">
<link rel="stylesheet" href="/docs/page.css">
</head>
<body>
<div id="reference"></div>
<noscript>The description of the API is at <a href="/api/v1/openapi.json">/api/v1/openapi.json</a>.</noscript>
<script src="${ASSET_PATH}/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`

// Calls use the address of the page itself: the content security policy allows no other origin.
const START_SCRIPT = `fetch('/api/v1/openapi.json')
  .then((answer) => answer.json())
  .then((spec) => {
    spec.servers = [{ url: location.origin + '/api/v1' }]
    SwaggerUIBundle({
      spec,
      domNode: document.getElementById('reference'),
      deepLinking: true,
      docExpansion: 'list',
      defaultModelsExpandDepth: 0,
      filter: true,
      persistAuthorization: false,
      showExtensions: true,
      tryItOutEnabled: true,
      validatorUrl: null,
    })
  })
`

// No response of the API has links, and the empty column would make responses wider than a phone.
const PAGE_STYLE = `.swagger-ui .response-col_links { display: none }
@media (max-width: 640px) {
  .swagger-ui .wrapper, .swagger-ui .opblock-tag { padding-left: 8px; padding-right: 8px }
  .swagger-ui .opblock .opblock-summary-method { min-width: 64px; padding: 6px 0 }
  .swagger-ui .opblock-summary .view-line-link.copy-to-clipboard { display: none }
  .swagger-ui td { overflow-wrap: anywhere }
}
`

const loaded = new Map<string, Promise<Packed>>()

/** Reads an asset of the package once; `name` is a key of ASSETS. */
function assetOf(name: string): Promise<Packed> {
  const existing = loaded.get(name)
  if (existing) return existing
  const asset = readFile(join(dirname(packageFile), name)).then(packedOf)
  loaded.set(name, asset)
  return asset
}

const withSecurityHeaders = (reply: FastifyReply, cache: string): FastifyReply =>
  reply.headers(POLICY).header('cache-control', cache)

/** Serves the page at /docs and its assets under /docs/assets, whose addresses change with the version. */
export const docsPage =
  (limited: onRequestAsyncHookHandler) =>
  (app: FastifyInstance): void => {
    const options = { onRequest: limited }
    app.get('/docs', { ...options, exposeHeadRoute: true }, async (_request, reply) =>
      withSecurityHeaders(reply, 'no-cache').type('text/html; charset=utf-8').send(PAGE),
    )
    app.get('/docs/start.js', options, async (_request, reply) =>
      withSecurityHeaders(reply, 'no-cache').type('text/javascript; charset=utf-8').send(START_SCRIPT),
    )
    app.get('/docs/page.css', options, async (_request, reply) =>
      withSecurityHeaders(reply, 'no-cache').type('text/css; charset=utf-8').send(PAGE_STYLE),
    )
    for (const [name, type] of Object.entries(ASSETS))
      app.get(`${ASSET_PATH}/${name}`, options, async (request, reply) => {
        withSecurityHeaders(reply, 'public, max-age=31536000, immutable').type(type)
        return sendPacked(request, reply, await assetOf(name))
      })
  }
