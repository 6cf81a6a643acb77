/**
 * Serves the dashboard's page and files from memory. The build is read at the first request, and again until
 * it is complete, because a build may run while the service does.
 */
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify'
import { LANGUAGES } from '../../core/values/languages.ts'
import type { PageServing } from '../endpoint/server-options.ts'
import { isKnown } from '../wire/entity-tag.ts'
import { type BuiltPages, type NoPages, readBuiltPages } from './built-pages.ts'
import { isPageAddress } from './page-addresses.ts'
import { type BuiltFile, HTML, placeholderPage, sendFile } from './send-file.ts'

/**
 * Nothing from other sites, nothing inline, and no text that becomes markup or script. The policy `parley`
 * (dashboard/shell/installed-app.ts) lets only the address of the service worker pass.
 */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; connect-src 'self'; img-src 'self' data: blob:; media-src 'self' blob:; manifest-src 'self'; worker-src 'self'; base-uri 'self'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types parley"

/** The device features that the pages use: the microphone for voice messages, and the location to share it. */
export const PERMISSIONS = 'camera=(), display-capture=(), geolocation=(self), microphone=(self), usb=()'

export type DashboardOptions = {
  /** The folder of the builds. */
  folder: string
  /** The public address of the service. Its path is the base of every address in the page. */
  siteUrl: string
  /** Rate limit per client address. */
  limited: onRequestAsyncHookHandler
}

export type Dashboard = {
  /** Returns the hash of the served build; undefined if there is none. */
  build(): string | undefined
  plugin(app: FastifyInstance): void
  page: PageServing
}

type ServedPage = { file: BuiltFile; tag: string }
/** `named`: pages with the preloads of one dashboard page, by its name; `plain` for all others. */
type Served = { pages: BuiltPages; plain: ServedPage; named: Map<string, ServedPage> }

/** Files with the same name in every build. */
const PLAIN_FILES = [
  '/favicon.svg',
  '/favicon.ico',
  ...LANGUAGES.map((language) => `/manifest${language === 'en' ? '' : `.${language}`}.webmanifest`),
  '/service-worker.js',
  '/icons/*',
]

/** Captures the page name in a workspace address. */
const PAGE_NAME = /^[^?]*\/w\/[^/?]+\/([\w-]+)/

/** Returns `/`, or the path of the public address with a slash at its end. */
const baseOf = (siteUrl: string): string => new URL(siteUrl).pathname.replace(/\/?$/, '/')

const pack = { br: promisify(brotliCompress), gzip: promisify(gzip) }

/**
 * Builds the page with its base address. `scripts` are preloaded in parallel with the main script, not after
 * it.
 */
async function servedPage(page: string, base: string, scripts: readonly string[]): Promise<ServedPage> {
  const links = scripts.map((path) => `<link rel="modulepreload" crossorigin href="./${path}">\n`)
  const plain = Buffer.from(
    page.replace('<base href="/">', `<base href="${base}">`).replace('</head>', `${links.join('')}</head>`),
  )
  // A weak tag: it is the same for every encoding of the page.
  const tag = `W/"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`
  const [br, gzipped] = await Promise.all([pack.br(plain), pack.gzip(plain)])
  return { file: { type: HTML, plain, br, gzip: gzipped }, tag }
}

async function servedOf(pages: BuiltPages, base: string): Promise<Served> {
  const named = [...pages.scripts].map(
    async ([name, scripts]) => [name, await servedPage(pages.page, base, scripts)] as const,
  )
  return {
    pages,
    plain: await servedPage(pages.page, base, []),
    named: new Map(await Promise.all(named)),
  }
}

const REASONS: Record<NoPages['missing'], string> = {
  building: 'The pages are being built. This takes a few seconds; they open by themselves.',
  none: 'The pages have not been built. Start the service with <code>npm start</code>, or build them with <code>node bin/build-pages.mjs</code>, and reload.',
  failed:
    'The pages could not be built. Everything else works: the API, webhooks and background work. The build said:',
}

/** Returns the page that says why the dashboard isn't available yet. */
const placeholder = ({ missing, reason }: NoPages): string =>
  placeholderPage({
    title: 'Parley is running',
    paragraphs: [REASONS[missing], 'The API reference is at <a href="/docs">/docs</a>.'],
    reason,
    reloads: missing === 'building',
  })

/** Serves the build in `folder`. */
export function dashboard({ folder, siteUrl, limited }: DashboardOptions): Dashboard {
  const base = baseOf(siteUrl)
  let served: Served | undefined
  let reading: Promise<Served | NoPages> | undefined

  async function read(): Promise<Served | NoPages> {
    const found = readBuiltPages(folder)
    if ('missing' in found) return found
    served = await servedOf(found, base)
    return served
  }
  /** Concurrent requests wait for the same read. */
  async function load(): Promise<Served | NoPages> {
    if (served) return served
    reading ??= read().finally(() => {
      reading = undefined
    })
    return reading
  }

  async function sendPage(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    reply
      .header('content-security-policy', POLICY)
      .header('permissions-policy', PERMISSIONS)
      .header('cache-control', 'no-cache')
    const found = await load()
    if ('missing' in found) return reply.code(503).type(HTML).send(placeholder(found))
    const name = PAGE_NAME.exec(request.url)?.[1]
    const { file, tag } = (name && found.named.get(name)) || found.plain
    reply.header('etag', tag)
    if (isKnown(request, tag)) return reply.code(304).send()
    return sendFile(request, reply, file)
  }

  return {
    build: () => served?.pages.build,
    page: { isAt: isPageAddress, send: sendPage },
    plugin: (app) => {
      app.get('/assets/*', { onRequest: limited }, async (request, reply) => {
        const found = await load()
        const path = request.url.split('?')[0] ?? ''
        const file = 'missing' in found ? undefined : found.pages.files.get(path)
        if (!file) return reply.callNotFound()
        // The name of an asset changes with its content.
        reply.header('cache-control', 'public, max-age=31536000, immutable')
        return sendFile(request, reply, file)
      })
      for (const path of PLAIN_FILES)
        app.get(path, { onRequest: limited }, async (request, reply) => {
          const found = await load()
          const file = 'missing' in found ? undefined : found.pages.files.get(request.url.split('?')[0] ?? '')
          if (!file) return reply.callNotFound()
          return sendFile(request, reply.header('cache-control', 'no-cache'), file)
        })
    },
  }
}
