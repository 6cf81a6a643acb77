/**
 * `npm run dev`: builds the dashboard from its sources at every request and updates open tabs. Vite runs
 * inside this server, with one port and one origin.
 */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ViteDevServer } from 'vite'
import { ROOT } from '../../core/installation-root.ts'
import { type Dashboard, PERMISSIONS } from './dashboard-files.ts'
import { isPageAddress } from './page-addresses.ts'

/** Vite adds inline styles and a script to the page and opens a websocket, so this policy is wider. */
const POLICY =
  "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; font-src 'self' data:; connect-src 'self' ws:; img-src 'self' data: blob:; media-src 'self' blob:; manifest-src 'self'; worker-src 'self'; base-uri 'self'; form-action 'self'; frame-ancestors 'none'"

/** Serves the sources under `dashboard/`. */
export function livePages(): Dashboard {
  let vite: ViteDevServer | undefined
  const sendSource = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    reply.hijack()
    vite!.middlewares(request.raw, reply.raw, () => reply.raw.writeHead(404).end())
    return reply
  }
  return {
    build: () => 'dev',
    page: {
      isAt: (path) => isSource(path) || isPageAddress(path),
      send: async (request, reply) => {
        if (isSource(request.url)) return sendSource(request, reply)
        const page = await readFile(join(ROOT, 'dashboard/index.html'), 'utf8')
        reply
          .header('content-security-policy', POLICY)
          .header('permissions-policy', PERMISSIONS)
          .header('cache-control', 'no-store')
        return reply.type('text/html; charset=utf-8').send(await vite!.transformIndexHtml('/', page))
      },
    },
    plugin: (app) => {
      // Folders of sources are named like routes: `/sign-in/page.tsx` is no sign-in link.
      app.addHook('onRequest', async (request, reply) => {
        if (isStoredSource(request.url)) return sendSource(request, reply)
      })
      app.addHook('onReady', async () => {
        vite = await openVite(app)
      })
      app.addHook('onClose', async () => vite?.close())
    },
  }
}

const pathOf = (url: string): string => url.split('?')[0] ?? ''

/** Source files have a dot in the last part of their address; pages don't. */
const isSource = (url: string): boolean => pathOf(url).startsWith('/@') || /\.\w+$/.test(pathOf(url))

/** Returns whether a file under `dashboard/` has this address. */
const isStoredSource = (url: string): boolean =>
  isSource(url) && existsSync(join(ROOT, 'dashboard', pathOf(url)))

async function openVite(app: FastifyInstance): Promise<ViteDevServer> {
  // Imported here only, because installations without development dependencies don't have it.
  const { createServer } = await import('vite')
  return createServer({
    configFile: join(ROOT, 'dashboard/vite.config.ts'),
    // Imports the file itself. The default makes and deletes a temporary copy, and each copy would restart
    // Node, which watches imported files.
    configLoader: 'native',
    base: '/',
    appType: 'custom',
    server: { middlewareMode: true, hmr: { server: app.server } },
  })
}
