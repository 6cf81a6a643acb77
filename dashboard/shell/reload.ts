const MARK = 'parley.reloaded'
const SOON_MS = 30_000

/**
 * Opens the page anew; not again at once, should that not have helped, and not without a connection, when there would be none. Drafts
 * and messages on their way are kept.
 */
export function reloadOnce(): void {
  if (!navigator.onLine) {
    addEventListener('online', reloadOnce, { once: true })
    return
  }
  const last = Number(sessionStorage.getItem(MARK) ?? 0)
  if (Date.now() - last < SOON_MS) return
  sessionStorage.setItem(MARK, String(Date.now()))
  location.reload()
}
