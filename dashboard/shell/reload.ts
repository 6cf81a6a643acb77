const MARK = 'parley.reloaded'
const SOON_MS = 30_000

/**
 * Reloads the page; not twice in a row, in case reloading does not help, and not offline, because the page
 * could not load. Drafts and messages being sent are kept.
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
