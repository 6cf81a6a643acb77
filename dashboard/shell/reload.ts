import { siteBase } from '../api/address.ts'
import { isAnythingTyped } from '../kit/unsent-forms.ts'

const MARK = 'parley.reloaded'
const SOON_MS = 30_000

/** Returns the status of the answer; undefined without an answer. */
const statusOf = (address: string): Promise<number | undefined> =>
  fetch(address, { cache: 'no-store', redirect: 'manual' }).then(
    ({ status }) => status,
    () => undefined,
  )

/**
 * Returns whether a newer build has replaced the part, and the pages of that build can be loaded: a reload
 * without them ends at the browser's error page. `part`: its address, where the browser names it.
 */
async function isReplaced(part: string | undefined): Promise<boolean> {
  if (part !== undefined && (await statusOf(part)) !== 404) return false
  return (await statusOf(siteBase())) === 200
}

/**
 * Reloads the page if the server no longer has one of its parts; not twice in a row, in case reloading does
 * not help. Never after a broken connection or while a form has unsent text: the part is then requested again
 * when it is needed. Drafts and messages being sent are kept.
 */
export async function reloadOnce(part: string | undefined): Promise<void> {
  const last = Number(sessionStorage.getItem(MARK) ?? 0)
  if (Date.now() - last < SOON_MS) return
  if (!(await isReplaced(part)) || isAnythingTyped()) return
  sessionStorage.setItem(MARK, String(Date.now()))
  location.reload()
}
