/**
 * `npm run dev`: the dashboard made from its sources at every request and exchanged in open tabs as they are edited, by Vite inside
 * this very server: one port, one origin.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { ViteDevServer } from 'vite'
import type { Dashboard } from './dashboard-files.ts'
import { isPageAddress } from './page-addresses.ts'

/** Vite puts styles and its own script into the page and listens for changes: only here. */
const POLICY =
  "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; font-src 'self' data:; connect-src 'self' ws:; img-src 'self' data: blob:; media-src 'self' blob:; manifest-src 'self'; worker-src 'self'; base-uri 'self'; form-action 'self'; frame-ancestors 'none'"

const ROOT = join(import.meta.dirname, '../..')
/** The sources under `dashboard/`, served as they are. */
export function livePages(): Dashboard {
  let vite: ViteDevServer | undefined
  return {
    build: () => 'dev',
    page: {
      isAt: (path) => isSource(path) || isPageAddress(path),
      send: async (request, reply) => {
        if (isSource(request.url)) {
          reply.hijack()
          vite!.middlewares(request.raw, reply.raw, () => reply.raw.writeHead(404).end())
          return reply
        }
        const page = await readFile(join(ROOT, 'dashboard/index.html'), 'utf8')
        reply.header('content-security-policy', POLICY).header('cache-control', 'no-store')
        return reply.type('text/html; charset=utf-8').send(await vite!.transformIndexHtml('/', page))
      },
    },
    plugin: (app) => {
      app.addHook('onReady', async () => {
        vite = await openVite(app)
      })
      app.addHook('onClose', async () => vite?.close())
    },
  }
}

/** Addresses of pages have no dot in their last part, those of sources do. */
const isSource = (url: string): boolean => {
  const path = url.split('?')[0] ?? ''
  return path.startsWith('/@') || /\.\w+$/.test(path)
}

async function openVite(app: FastifyInstance): Promise<ViteDevServer> {
  // Loaded only here: an installation without the tools of development has none.
  const { createServer } = await import('vite')
  return createServer({
    configFile: join(ROOT, 'dashboard/vite.config.ts'),
    // Imported as it is. A copy of it would come and go, and Node restart each time: it watches what it has imported.
    configLoader: 'native',
    base: '/',
    appType: 'custom',
    server: { middlewareMode: true, hmr: { server: app.server } },
  })
}
