/**
 * Keeps one draft in several tabs of a browser. A version names the versions of other tabs that it includes.
 * If neither of two versions includes the other, the version stored last wins: only the other tab merges its
 * letters into it, or keeps its text as an alternative.
 */
import { contentOf, type Draft, type DraftContent, isNothing, isSameText } from './draft-shape.ts'

/** A tab's state of a draft. */
export type Copy = {
  draft: Draft
  /** The number of versions that this tab has written. */
  written: number
  /** The newest version of each other tab that `draft` includes. */
  seen: Readonly<Record<string, number>>
  /** The last text that this tab shared with another tab. */
  common: string
  /** The texts that this tab wrote since then, by version number. */
  since: Readonly<Record<number, string>>
}

/**
 * The number of its own versions that a tab remembers. If a tab is further behind, both texts are kept
 * separately.
 */
const MAX_REMEMBERED = 50

export const copyOf = (draft: Draft): Copy => ({
  draft,
  written: 0,
  seen: versionsSeen(draft),
  common: draft.text,
  since: {},
})

const numberOf = ({ version }: Draft): number => version?.number ?? 0
const tabOf = ({ version }: Draft): string => version?.tab ?? ''
const versionsSeen = (draft: Draft): Record<string, number> => ({
  ...draft.version?.seen,
  [tabOf(draft)]: numberOf(draft),
})

/** Returns the newest versions of both maps. */
function newest(a: Readonly<Record<string, number>>, b: Readonly<Record<string, number>>) {
  const merged = { ...a }
  for (const [tab, number] of Object.entries(b)) merged[tab] = Math.max(number, merged[tab] ?? 0)
  return merged
}

/**
 * Returns the text added before each letter of `base` and after the last letter; undefined if a letter of
 * `base` was changed or deleted.
 */
function addedTo(base: string, text: string): string[] | undefined {
  const added = Array.from({ length: base.length + 1 }, () => '')
  let index = 0
  while (index < base.length && base[index] === text[index]) index++
  const end = base.slice(index)
  // Usually, text is added in one place, as a person types. Otherwise, it may be in any places that match.
  if (text.length >= base.length && text.endsWith(end)) {
    added[index] = text.slice(index, text.length - end.length)
    return added
  }
  let place = 0
  for (const letter of text.split(''))
    if (letter === base[place]) place++
    else added[place] += letter
  return place === base.length ? added : undefined
}

/** Returns `base` with the letters added in both texts; undefined unless both only added letters. */
export function mergeAdditions(base: string, a: string, b: string): string | undefined {
  const [first, second] = [addedTo(base, a), addedTo(base, b)]
  return (
    first && second && first.map((letters, index) => letters + second[index] + (base[index] ?? '')).join('')
  )
}

/** Returns the copy after its tab changed the draft. */
export function writeCopy(copy: Copy, tab: string, draft: Draft): Copy {
  const number = copy.written + 1
  const isShown = tabOf(copy.draft) !== tab
  const { [number - MAX_REMEMBERED]: forgotten, ...since } = isShown ? {} : copy.since
  return {
    ...copy,
    written: number,
    draft: { ...draft, version: { tab, number, seen: copy.seen } },
    common: isShown ? copy.draft.text : (forgotten ?? copy.common),
    since: { ...since, [number]: draft.text },
  }
}

/** Returns a copy that continues from another tab's version. */
const continueFrom = (copy: Copy, draft: Draft): Copy => ({
  ...copy,
  draft,
  seen: newest(copy.seen, versionsSeen(draft)),
  common: draft.text,
  since: {},
})

const contains = (later: DraftContent, earlier: DraftContent): boolean =>
  isNothing(earlier) || later.text.includes(earlier.text.trim())

/** Merges both texts: inserts the added letters of both, or keeps one text as an alternative. */
function mergeTexts(copy: Copy, tab: string, received: Draft): Copy {
  const { draft, common } = copy
  const text = isNothing(received) ? draft.text : mergeAdditions(common, draft.text, received.text)
  const files = [...(received.files ?? [])]
  for (const file of draft.files ?? [])
    if (!files.some(({ mediaId }) => mediaId === file.mediaId)) files.push(file)
  const merged: Draft =
    text === undefined
      ? {
          ...received,
          files,
          other: contains(received, draft) ? received.other : contentOf(draft),
          isDirty: true,
        }
      : { ...received, mode: draft.mode, text, files, isDirty: true }
  const next = writeCopy(continueFrom(copy, received), tab, merged)
  return { ...next, common: received.text }
}

const isVersion = (a: Draft | undefined, b: Draft): boolean =>
  a !== undefined && tabOf(a) === tabOf(b) && numberOf(a) === numberOf(b)

export type Received = {
  copy: Copy
  /** The draft to store now. */
  store?: Draft
  /** True if the draft must also be saved on the server. */
  isWritten?: boolean
}

/** Returns the copy after a tab stored a version; `stored` is the version in storage by now. */
export function receiveVersion(copy: Copy, tab: string, received: Draft, stored: Draft = received): Received {
  const { draft } = copy
  if (tabOf(draft) !== tab) return { copy: continueFrom(copy, stored) }
  // Our version, with the server's state that another tab has added.
  if (isVersion(received, draft)) return { copy: { ...copy, draft: received } }
  const isStored = isVersion(stored, draft)
  if (tabOf(received) === tab || (copy.seen[tabOf(received)] ?? -1) >= numberOf(received)) {
    const [savedAt] = [draft.savedAt, received.savedAt]
      .filter((time) => time !== undefined)
      .sort()
      .reverse()
    const synced = { ...draft, savedAt }
    return { copy: { ...copy, draft: synced }, ...(!isStored && { store: synced }) }
  }
  const ownVersion = received.version?.seen[tab]
  if (ownVersion === numberOf(draft) || isSameText(received, draft)) {
    const next = tabOf(stored) === tab ? received : stored
    return { copy: continueFrom(copy, next), ...(next !== stored && { store: next }) }
  }
  const reached =
    ownVersion === undefined || copy.since[ownVersion] === undefined
      ? copy
      : { ...copy, common: copy.since[ownVersion] }
  // The other tab will receive our version, and merge it.
  if (isStored) return { copy: reached }
  const settled = mergeTexts(reached, tab, received)
  return { copy: settled, store: settled.draft, isWritten: true }
}
