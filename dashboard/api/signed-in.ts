/**
 * Who is signed in: the cookie is one for all tabs of the browser, whichever of them signed in, by whatever way. Each tab writes down
 * whose session it was answered; one that shows somebody else's pages is loaded anew.
 */
import { forgetStored, readStored, writeStored } from './storage.ts'

type SignedIn = { account: string; workspaces: number }
const NAME = 'signedIn'

/** Whose pages this tab shows; undefined: nobody's yet. */
let shown: string | undefined

/** Writes down whose session the server answered. What the one before kept in this browser goes. */
export function noteAccount(account: string, workspaces: number): void {
  const before = readStored<SignedIn>(NAME)
  if (before && before.account !== account) forgetStored()
  shown ??= account
  if (before?.account !== account || before.workspaces !== workspaces)
    writeStored(NAME, { account, workspaces } satisfies SignedIn)
}

/** Whether somebody was signed in here when it was last written down. */
export const mayBeSignedIn = (): boolean => readStored<SignedIn>(NAME) !== undefined

/** Nobody is signed in any more. */
export const noteSignOut = (): void => writeStored(NAME, undefined)

/** Whose page asks, for the server: it refuses what would go out under another name. Undefined: nobody's yet. */
export const shownAccount = (): string | undefined => shown

/** Whether this browser still is theirs whose pages this tab shows: what they wrote goes out under no other name. */
export const isStillTheirs = (): boolean => {
  const now = readStored<SignedIn>(NAME)
  return shown === undefined || now === undefined || now.account === shown
}

/**
 * Hears what other tabs write down: `onSame` that the same person has joined or left a workspace; where it is somebody else, or
 * nobody, the page is loaded anew.
 */
export function heedOtherTabs(onSame: () => void): void {
  addEventListener('storage', ({ key, newValue }) => {
    if (key !== `parley.${NAME}` || shown === undefined) return
    const now = newValue === null ? undefined : (JSON.parse(newValue) as SignedIn)
    if (now?.account === shown) onSame()
    // As whoever is there now, or at the sign-in.
    else location.reload()
  })
}
