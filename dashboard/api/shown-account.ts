/**
 * Tracks the signed-in account: all tabs of a browser share one cookie, which any tab can change by signing
 * in. Each tab records the account of its session; a tab that shows another account's pages is reloaded.
 */
import { forgetStored, readStored, writeStored } from './storage.ts'

type SignedIn = { account: string; workspaces: number }
const NAME = 'signedIn'

/** The account whose pages this tab shows; undefined before sign-in. */
let shownAccountId: string | undefined

/** Records the account of the server's session. Data of the previous account in this browser is deleted. */
export function recordAccount(account: string, workspaces: number): void {
  const before = readStored<SignedIn>(NAME)
  if (before && before.account !== account) forgetStored()
  shownAccountId ??= account
  if (before?.account !== account || before.workspaces !== workspaces)
    writeStored(NAME, { account, workspaces } satisfies SignedIn)
}

/** Returns whether the last record names a signed-in account. */
export const mayBeSignedIn = (): boolean => readStored<SignedIn>(NAME) !== undefined

/** Records the sign-out. */
export const recordSignOut = (): void => writeStored(NAME, undefined)

/**
 * Returns the account of the page for the server, which rejects requests under another account. Undefined
 * before sign-in.
 */
export const shownAccount = (): string | undefined => shownAccountId

/**
 * Returns whether the browser is still signed in to the account of this tab: its messages must not be sent
 * under another name.
 */
export const isAccountUnchanged = (): boolean => {
  const now = readStored<SignedIn>(NAME)
  return shownAccountId === undefined || now === undefined || now.account === shownAccountId
}

/**
 * Listens to the records of other tabs: calls `onSame` when the same account has joined or left a workspace;
 * reloads the page when another account, or none, is signed in.
 */
export function syncTabs(onSame: () => void): void {
  addEventListener('storage', ({ key, newValue }) => {
    if (key !== `parley.${NAME}` || shownAccountId === undefined) return
    const now = newValue === null ? undefined : (JSON.parse(newValue) as SignedIn)
    if (now?.account === shownAccountId) onSame()
    // For the account that is signed in now, or the sign-in page.
    else location.reload()
  })
}
