/**
 * The dashboard: its page at the addresses of its pages, and its files, all from memory. What was built is read when
 * it is first asked for, and again as long as it is not whole: a build may still be running beside the service.
 */
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify'
import { type BuiltFile, type BuiltPages, type NoPages, readBuiltPages } from './built-pages.ts'
import { isKnown } from './entity-tag.ts'
import { isPageAddress } from './page-addresses.ts'
import type { PageServing } from './server-options.ts'

/** Nothing from elsewhere, nothing inline, no text that becomes markup or script. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; connect-src 'self'; img-src 'self' data: blob:; media-src 'self' blob:; manifest-src 'self'; worker-src 'self'; base-uri 'self'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
const HTML = 'text/html; charset=utf-8'

export type DashboardOptions = {
  /** Where builds lie. */
  folder: string
  /** The public address of the service: its path is the base of every address in the page. */
  siteUrl: string
  /** Bounds what one address asks. */
  limited: onRequestAsyncHookHandler
}

export type Dashboard = {
  /** The build that is served; undefined while there is none. */
  build(): string | undefined
  plugin(app: FastifyInstance): void
  page: PageServing
}

type ServedPage = { file: BuiltFile; tag: string }
/** `named`: with the scripts of one page, by its name; `plain` everywhere else. */
type Served = { pages: BuiltPages; plain: ServedPage; named: Map<string, ServedPage> }

/** Which page of a workspace an address is. */
const PAGE_NAME = /^[^?]*\/w\/[^/?]+\/([\w-]+)/

/** `/` or the path that the service stands under, with a slash at its end. */
const baseOf = (siteUrl: string): string => new URL(siteUrl).pathname.replace(/\/?$/, '/')

const pack = { br: promisify(brotliCompress), gzip: promisify(gzip) }

/** The page with its base, and with `scripts` fetched beside the first one instead of after it. */
async function servedPage(page: string, base: string, scripts: readonly string[]): Promise<ServedPage> {
  const links = scripts.map((path) => `<link rel="modulepreload" crossorigin href="./${path}">\n`)
  const plain = Buffer.from(
    page.replace('<base href="/">', `<base href="${base}">`).replace('</head>', `${links.join('')}</head>`),
  )
  // Weak: it stands for the page in every encoding.
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

function sendFile(request: FastifyRequest, reply: FastifyReply, file: BuiltFile): FastifyReply {
  reply.type(file.type).header('vary', 'accept-encoding')
  const taken = String(request.headers['accept-encoding'] ?? '')
  if (file.br && /\bbr\b/.test(taken)) return reply.header('content-encoding', 'br').send(file.br)
  if (file.gzip && /\bgzip\b/.test(taken)) return reply.header('content-encoding', 'gzip').send(file.gzip)
  return reply.send(file.plain)
}

const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)

const REASONS: Record<NoPages['missing'], string> = {
  building: '<p>The pages are being built. This takes a few seconds; they open by themselves.</p>',
  none: '<p>The pages have not been built. Start the service with <code>npm start</code>, or build them with <code>node bin/build-pages.mjs</code>, and reload.</p>',
  failed:
    '<p>The pages could not be built. Everything else works: the API, webhooks and background work. The build said:</p>',
}

/** Stands where the dashboard will be, and says why it is not there yet. */
const placeholder = ({ missing, reason }: NoPages): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${missing === 'building' ? '<meta http-equiv="refresh" content="2">\n' : ''}<title>Parley</title>
</head>
<body>
<h1>Parley is running</h1>
${REASONS[missing]}
${reason ? `<pre>${escaped(reason)}</pre>\n` : ''}<p>The API reference is at <a href="/docs">/docs</a>.</p>
</body>
</html>
`

/** Serves what was built in `folder`. */
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
  /** Whoever asks while they are read waits for the same reading. */
  async function look(): Promise<Served | NoPages> {
    if (served) return served
    reading ??= read().finally(() => {
      reading = undefined
    })
    return reading
  }

  async function sendPage(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    reply.header('content-security-policy', POLICY).header('cache-control', 'no-cache')
    const found = await look()
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
        const found = await look()
        const path = request.url.split('?')[0] ?? ''
        const file = 'missing' in found ? undefined : found.pages.files.get(path)
        if (!file) return reply.callNotFound()
        // Their names change with what is in them.
        reply.header('cache-control', 'public, max-age=31536000, immutable')
        return sendFile(request, reply, file)
      })
      for (const path of ['/favicon.svg', '/favicon.ico', '/manifest.webmanifest'])
        app.get(path, { onRequest: limited }, async (request, reply) => {
          const found = await look()
          const file = 'missing' in found ? undefined : found.pages.files.get(path)
          if (!file) return reply.callNotFound()
          return sendFile(request, reply.header('cache-control', 'no-cache'), file)
        })
    },
  }
}
