/**
 * Serves the documentation site under /docs from its build (`bin/build-pages.mjs`). The list of files is read at
 * the first request, and again until a build is complete. The files themselves are read when they are requested.
 */
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify'
import { isKnown } from '../wire/entity-tag.ts'
import type { NoPages } from './built-pages.ts'
import { anchorPage, type DocsFile, type DocsFiles, policyOf, readDocsFiles } from './docs-files.ts'
import { acceptedEncodings, type BuiltFile, HTML, placeholderPage, sendFile } from './send-file.ts'

export type DocsSiteOptions = {
  /** The folder of the builds. */
  folder: string
  /** Rate limit per client address. */
  limited: onRequestAsyncHookHandler
}

/** The site's address on this server. */
const ADDRESS = '/docs/'

const pack = { br: promisify(brotliCompress), gzip: promisify(gzip) }

const REASONS: Record<NoPages['missing'], string> = {
  building: 'The documentation is being built. This takes up to a minute; it opens by itself.',
  none: 'The documentation has not been built. Start the service with <code>npm start</code>, or build it with <code>node bin/build-pages.mjs site</code>, and reload.',
  failed: 'The documentation could not be built. Everything else works. The build said:',
}

const placeholder = ({ missing, reason }: NoPages): string =>
  placeholderPage({
    title: 'Parley documentation',
    paragraphs: [
      'API reference: the description of the API is at <a href="/api/v1/openapi.json">/api/v1/openapi.json</a>.',
      REASONS[missing],
    ],
    reason,
    reloads: missing === 'building',
  })

/** A page that is sent from an address other than its own, so that its links begin at the site. */
type AnchoredPage = { file: BuiltFile; policy: string }

async function anchoredPage(path: string): Promise<AnchoredPage> {
  const text = anchorPage(await readFile(path, 'utf8'), ADDRESS)
  const plain = Buffer.from(text)
  const [br, gzipped] = await Promise.all([pack.br(plain), pack.gzip(plain)])
  return { file: { type: HTML, plain, br, gzip: gzipped }, policy: policyOf(text) }
}

/** Reads the smallest encoding that the client accepts and the build wrote. */
async function readEncoded(request: FastifyRequest, file: DocsFile): Promise<BuiltFile> {
  const encoding = acceptedEncodings(request).find((name) => file.encodings[name])
  const plain = await readFile(encoding ? file.encodings[encoding]! : file.path)
  return { type: file.type, plain, ...(encoding ? { [encoding]: plain } : {}) }
}

const acceptsHtml = (request: FastifyRequest): boolean =>
  String(request.headers.accept ?? '').includes('text/html')

/** Remembers the result of `make` for each key. */
function remembered<T>(make: (key: string) => Promise<T>): (key: string) => Promise<T> {
  const known = new Map<string, Promise<T>>()
  return (key) => {
    const found = known.get(key) ?? make(key)
    known.set(key, found)
    return found
  }
}

/** Serves the build in `folder` at /docs. */
export const docsSite = ({ folder, limited }: DocsSiteOptions) => {
  let listed: DocsFiles | undefined

  const load = (): DocsFiles | NoPages => {
    if (listed) return listed
    const found = readDocsFiles(folder)
    if (!('missing' in found)) listed = found
    return found
  }
  const policyAt = remembered(async (path) => policyOf(await readFile(path, 'utf8')))
  const anchoredAt = remembered(anchoredPage)

  function sendPlaceholder(reply: FastifyReply, found: NoPages, status: number): FastifyReply {
    const page = placeholder(found)
    reply.header('content-security-policy', policyOf(page)).header('cache-control', 'no-cache')
    return reply.code(status).type(HTML).send(page)
  }

  async function sendAnchored(request: FastifyRequest, reply: FastifyReply, file: DocsFile) {
    const { file: page, policy } = await anchoredAt(file.path)
    reply.header('content-security-policy', policy).header('cache-control', 'no-cache')
    return sendFile(request, reply, page)
  }

  /** Sends the start page. Programs look for the reference here, so the address always answers with a page. */
  async function sendStart(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const found = load()
    if ('missing' in found) return sendPlaceholder(reply, found, 200)
    return sendAnchored(request, reply, found.files.get('')!)
  }

  async function send(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const found = load()
    if ('missing' in found) return sendPlaceholder(reply, found, 503)
    const name = (request.url.split('?')[0] as string).replace(/^\/docs\//, '')
    const file = found.files.get(name)
    if (!file) {
      const other = found.redirects.get(name)
      if (other !== undefined) return reply.redirect(ADDRESS + other, 301)
      const page = found.files.get('404')
      if (!page || !acceptsHtml(request)) return reply.callNotFound() as unknown as FastifyReply
      request.refusedWith = 'not_found'
      return sendAnchored(request, reply.code(404), page)
    }
    const tag = `W/"${found.build}"`
    reply
      .header('cache-control', file.isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache')
      .header('etag', tag)
    if (file.type === HTML) reply.header('content-security-policy', await policyAt(file.path))
    if (isKnown(request, tag)) return reply.code(304).send()
    return sendFile(request, reply, await readEncoded(request, file))
  }

  return (app: FastifyInstance): void => {
    const options = { onRequest: limited, exposeHeadRoute: true }
    app.get('/docs', options, async (request, reply) =>
      request.url.split('?')[0] === '/docs' ? sendStart(request, reply) : send(request, reply),
    )
    app.get('/docs/*', options, send)
  }
}
