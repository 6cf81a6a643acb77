/** What this browser keeps: drafts, messages on their way, and how somebody likes the pages. Everything but the last goes at sign-out. */
const PREFIX = 'parley.'

export function readStored<Value>(name: string): Value | undefined {
  try {
    const text = localStorage.getItem(PREFIX + name)
    return text === null ? undefined : (JSON.parse(text) as Value)
  } catch {
    return undefined
  }
}

/** Keeps `value`; undefined removes it. A browser that keeps nothing goes without. */
export function writeStored(name: string, value: unknown): void {
  try {
    if (value === undefined) localStorage.removeItem(PREFIX + name)
    else localStorage.setItem(PREFIX + name, JSON.stringify(value))
  } catch {
    // Private windows may refuse; what is typed is then kept as long as the page is.
  }
}

/** Whether this browser keeps anything. */
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

/** Forgets what belongs to whoever was signed in. */
export function forgetStored(): void {
  for (const start of ['outbox.', 'draft.', 'phone.'])
    for (const name of storedNames(start)) writeStored(name, undefined)
}
