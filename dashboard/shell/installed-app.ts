/** Starts the service worker of a signed-in browser, and removes it with all that it keeps at sign-out. */
import { siteBase } from '../api/address.ts'
import { language } from '../texts.ts'

/** `worker/shell.ts` has the same name. */
const CACHE = 'parley-shell'
const SCRIPT = 'service-worker.js'
const FORGET_MS = 1_000

type Policy = { createScriptURL(url: string): string }
type WithPolicies = { trustedTypes?: { createPolicy(name: string, rules: Policy): Policy } }

/** The only script address that the pages' security policy lets pass: the worker's own. */
const trusted = (globalThis as WithPolicies).trustedTypes?.createPolicy('parley', {
  createScriptURL: (url) => {
    if (url !== siteBase() + SCRIPT) throw new TypeError('not the service worker')
    return url
  },
})

/** False in old browsers, without https, and while the pages are served from their sources. */
export const hasWorker = (): boolean => import.meta.env.PROD && 'serviceWorker' in navigator

/** Tells the worker which parts this tab has loaded. */
function reportLoaded({ active }: ServiceWorkerRegistration): void {
  const loaded = performance.getEntriesByType('resource').map(({ name }) => name)
  active?.postMessage({ loaded })
}

let open: ((path: string) => void) | undefined

/** Opens the page of a notification that was clicked with `next`, without loading the tab again. */
export function followNotifications(next: (path: string) => void): void {
  const isFirst = open === undefined
  open = next
  if (!isFirst || !hasWorker()) return
  navigator.serviceWorker.addEventListener('message', ({ data }: MessageEvent<{ open?: string }>) => {
    if (data.open !== undefined) open?.(`/${data.open}`)
  })
}

/** Names the shortcuts of the installed app in the member's language. English is in the page. */
function nameShortcuts(): void {
  const link = document.querySelector<HTMLLinkElement>('link[rel=manifest]')
  if (link && language !== 'en') link.href = `${siteBase()}manifest.${language}.webmanifest`
}

/** Starts the worker. Without it, everything but push notifications and the offline page works. */
export async function startWorker(): Promise<void> {
  nameShortcuts()
  if (!hasWorker()) return
  const path = siteBase() + SCRIPT
  try {
    const { serviceWorker } = navigator
    await serviceWorker.register((trusted?.createScriptURL(path) ?? path) as string, { scope: siteBase() })
    const registration = await serviceWorker.ready
    reportLoaded(registration)
    const { pushTexts } = await import('../push-texts.ts')
    registration.active?.postMessage({ texts: pushTexts() })
  } catch {
    // A private window may not allow it.
  }
}

/** Asks the worker to forget what it keeps; waits for a moment. */
const askToForget = (worker: ServiceWorker): Promise<unknown> =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = resolve
    worker.postMessage({ forget: true }, [port2])
    setTimeout(resolve, FORGET_MS)
  })

/** Removes the worker and the files that it keeps. */
export async function removeWorker(): Promise<void> {
  if (!hasWorker()) return
  void (navigator as { clearAppBadge?: () => Promise<void> }).clearAppBadge?.()?.catch(() => {})
  try {
    const registration = await navigator.serviceWorker.getRegistration(siteBase())
    if (registration?.active) await askToForget(registration.active)
    await registration?.unregister()
    await caches.delete(CACHE)
  } catch {
    // Nothing is kept where storage is not allowed.
  }
}
