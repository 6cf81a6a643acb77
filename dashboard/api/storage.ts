/**
 * Stores drafts, messages being sent, and preferences in this browser. Sign-out deletes all except
 * preferences.
 */
const PREFIX = 'parley.'

export function readStored<Value>(name: string): Value | undefined {
  try {
    const text = localStorage.getItem(PREFIX + name)
    return text === null ? undefined : (JSON.parse(text) as Value)
  } catch {
    return undefined
  }
}

/** Stores `value`; undefined removes it. Does nothing in a browser without storage. */
export function writeStored(name: string, value: unknown): void {
  try {
    if (value === undefined) localStorage.removeItem(PREFIX + name)
    else localStorage.setItem(PREFIX + name, JSON.stringify(value))
  } catch {
    // Private windows may reject storage; typed text then lasts as long as the page.
  }
}

/** Returns whether this browser can store data. */
export function canStore(): boolean {
  try {
    localStorage.setItem(`${PREFIX}probe`, '1')
    localStorage.removeItem(`${PREFIX}probe`)
    return true
  } catch {
    return false
  }
}

export const storedNames = (start: string): string[] =>
  Object.keys(localStorage)
    .filter((key) => key.startsWith(PREFIX + start))
    .map((key) => key.slice(PREFIX.length))

/** Deletes the data of the signed-in account. */
export function forgetStored(): void {
  for (const start of ['outbox.', 'draft.', 'compose', 'phone.', 'menu.', 'leads.', 'push.'])
    for (const name of storedNames(start)) writeStored(name, undefined)
}
