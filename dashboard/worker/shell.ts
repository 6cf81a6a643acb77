/**
 * Keeps the page and its parts for times without a network. It never keeps data: only the page, which is the
 * same for every account, and files whose names change with their content.
 */
import { base, type FetchEvent, worker } from './scope.ts'

/** The pages delete this cache at sign-out (`shell/installed-app.ts`). */
const CACHE = 'parley-shell'
/** About two builds. The oldest parts are deleted first. */
const MAX_PARTS = 400

const shellKey = `${base}shell`
const pathOf = (url: string): string => url.slice(base.length).split(/[?#]/)[0]!
const isPart = (url: string): boolean => url.startsWith(base) && /^assets\/[\w.-]+$/.test(pathOf(url))
/** The addresses of the pages: other owners answer the rest, such as `/docs`. */
const isPage = (url: string): boolean => url.startsWith(base) && /^$|^(w|sign-in)(\/|$)/.test(pathOf(url))

/** True from the sign-out on: answers that arrive later are not kept. */
let isOver = false

/** Keeps an answer until the sign-out. */
export async function keep(key: string, response: Response): Promise<void> {
  if (isOver) return
  await (await caches.open(CACHE)).put(key, response)
  if (isOver) await caches.delete(CACHE)
}

/** Deletes everything that is kept, and keeps nothing from now on. */
export async function forgetAll(): Promise<void> {
  isOver = true
  await caches.delete(CACHE)
}

/** The network decides; the kept page opens only without it. */
async function openPage(request: Request): Promise<Response> {
  try {
    const response = await fetch(request)
    const isShell =
      response.ok && !response.redirected && response.headers.get('content-type')?.startsWith('text/html')
    if (isShell) await keep(shellKey, response.clone())
    return response
  } catch (error) {
    const kept = await caches.match(shellKey)
    if (kept) return kept
    throw error
  }
}

async function openPart(request: Request): Promise<Response> {
  const kept = await caches.match(request.url)
  if (kept) return kept
  const response = await fetch(request)
  if (response.ok) await keep(request.url, response.clone())
  return response
}

export function answerFetch(event: FetchEvent): void {
  const { request } = event
  // A check whether the server still has a part asks the server itself.
  if (request.method !== 'GET' || request.cache === 'no-store') return
  if (request.mode === 'navigate' && isPage(request.url)) event.respondWith(openPage(request))
  else if (isPart(request.url)) event.respondWith(openPart(request))
}

/** Keeps the page and the parts that a tab has loaded before the worker ran. */
export async function keepLoaded(urls: readonly string[]): Promise<void> {
  if (isOver) return
  const page = fetch(base).then(async (response) => {
    if (response.ok && !response.redirected) await keep(shellKey, response)
  })
  const parts = urls.filter(isPart).map(async (url) => {
    if (await caches.match(url)) return
    const response = await fetch(url)
    if (response.ok) await keep(url, response)
  })
  await Promise.allSettled([page, ...parts])
  if (isOver) return
  const cache = await caches.open(CACHE)
  const kept = (await cache.keys()).filter(({ url }) => isPart(url))
  await Promise.all(kept.slice(0, Math.max(0, kept.length - MAX_PARTS)).map((old) => cache.delete(old)))
}

/** Lets a new worker replace the old one immediately: both keep the same files. */
export function startNow(): void {
  worker.addEventListener('install', (event) => event.waitUntil(worker.skipWaiting()))
  worker.addEventListener('activate', (event) => event.waitUntil(worker.clients.claim()))
}
