/**
 * One draft in several tabs of a browser. The tab that is written in has it, the others show what it has. Each version has a number of
 * its tab's, and says which versions of other tabs are in it. Of two versions of which neither has the other the one that is stored
 * last stands; the tab of the other adds its letters to that, or keeps its text beside it. So one tab settles it, and never both.
 */
import { type Draft, isNothing, isSameText, type Written, writtenOf } from './draft-shape.ts'

/** What a tab knows of a draft. */
export type Copy = {
  draft: Draft
  /** How many versions this tab has written. */
  written: number
  /** Of each other tab the newest version that is in `draft`. */
  seen: Readonly<Record<string, number>>
  /** The last text that this tab and another had in common. */
  common: string
  /** What this tab wrote since, by its numbers. */
  since: Readonly<Record<number, string>>
}

/** How many of its own versions a tab remembers: of a tab that is further behind both texts are kept, one beside the other. */
const REMEMBERED = 50

export const copyOf = (draft: Draft): Copy => ({
  draft,
  written: 0,
  seen: seenIn(draft),
  common: draft.text,
  since: {},
})

const numberOf = ({ version }: Draft): number => version?.number ?? 0
const tabOf = ({ version }: Draft): string => version?.tab ?? ''
const seenIn = (draft: Draft): Record<string, number> => ({
  ...draft.version?.seen,
  [tabOf(draft)]: numberOf(draft),
})

/** The newest versions of both. */
function newest(one: Readonly<Record<string, number>>, other: Readonly<Record<string, number>>) {
  const all = { ...one }
  for (const [tab, number] of Object.entries(other)) all[tab] = Math.max(number, all[tab] ?? 0)
  return all
}

/** What was added in front of each letter of `base` and behind the last; undefined where any of it was changed or deleted. */
function addedTo(base: string, text: string): string[] | undefined {
  const added = Array.from({ length: base.length + 1 }, () => '')
  let at = 0
  while (at < base.length && base[at] === text[at]) at++
  const end = base.slice(at)
  // In one place, as somebody writes; else wherever it fits.
  if (text.length >= base.length && text.endsWith(end)) {
    added[at] = text.slice(at, text.length - end.length)
    return added
  }
  let place = 0
  for (const letter of text.split(''))
    if (letter === base[place]) place++
    else added[place] += letter
  return place === base.length ? added : undefined
}

/** `base` with the letters of both; undefined unless both only added some. */
export function withBoth(base: string, one: string, other: string): string | undefined {
  const [first, second] = [addedTo(base, one), addedTo(base, other)]
  return first && second && first.map((letters, at) => letters + second[at] + (base[at] ?? '')).join('')
}

/** The copy after somebody wrote in its tab. */
export function writeCopy(copy: Copy, tab: string, draft: Draft): Copy {
  const number = copy.written + 1
  const isShown = tabOf(copy.draft) !== tab
  const { [number - REMEMBERED]: forgotten, ...since } = isShown ? {} : copy.since
  return {
    ...copy,
    written: number,
    draft: { ...draft, version: { tab, number, seen: copy.seen } },
    common: isShown ? copy.draft.text : (forgotten ?? copy.common),
    since: { ...since, [number]: draft.text },
  }
}

/** The copy that goes on from another tab's version. */
const take = (copy: Copy, draft: Draft): Copy => ({
  ...copy,
  draft,
  seen: newest(copy.seen, seenIn(draft)),
  common: draft.text,
  since: {},
})

const holds = (later: Written, earlier: Written): boolean =>
  isNothing(earlier) || later.text.includes(earlier.text.trim())

/** What both wrote: the letters of one among those of the other, or one text beside the other. */
function settle(copy: Copy, tab: string, theirs: Draft): Copy {
  const { draft, common } = copy
  const text = isNothing(theirs) ? draft.text : withBoth(common, draft.text, theirs.text)
  const files = [...(theirs.files ?? [])]
  for (const file of draft.files ?? [])
    if (!files.some(({ mediaId }) => mediaId === file.mediaId)) files.push(file)
  const both: Draft =
    text === undefined
      ? { ...theirs, files, other: holds(theirs, draft) ? theirs.other : writtenOf(draft), isDirty: true }
      : { ...theirs, mode: draft.mode, text, files, isDirty: true }
  const next = writeCopy(take(copy, theirs), tab, both)
  return { ...next, common: theirs.text }
}

const isVersion = (one: Draft | undefined, other: Draft): boolean =>
  one !== undefined && tabOf(one) === tabOf(other) && numberOf(one) === numberOf(other)

export type Heard = {
  copy: Copy
  /** What is to be stored now. */
  store?: Draft
  /** The server is to have it too. */
  isWritten?: boolean
}

/** What a tab makes of a version that was stored by some tab; `stored` is what is stored by now. */
export function hearVersion(copy: Copy, tab: string, heard: Draft, stored: Draft = heard): Heard {
  const { draft } = copy
  if (tabOf(draft) !== tab) return { copy: take(copy, stored) }
  // Ours, with what another tab learned of it from the server.
  if (isVersion(heard, draft)) return { copy: { ...copy, draft: heard } }
  const isStored = isVersion(stored, draft)
  if (tabOf(heard) === tab || (copy.seen[tabOf(heard)] ?? -1) >= numberOf(heard)) {
    const [savedAt] = [draft.savedAt, heard.savedAt]
      .filter((at) => at !== undefined)
      .sort()
      .reverse()
    const known = { ...draft, savedAt }
    return { copy: { ...copy, draft: known }, ...(!isStored && { store: known }) }
  }
  const ours = heard.version?.seen[tab]
  if (ours === numberOf(draft) || isSameText(heard, draft)) {
    const next = tabOf(stored) === tab ? heard : stored
    return { copy: take(copy, next), ...(next !== stored && { store: next }) }
  }
  const reached =
    ours === undefined || copy.since[ours] === undefined ? copy : { ...copy, common: copy.since[ours] }
  // The other tab hears of ours, and settles it.
  if (isStored) return { copy: reached }
  const settled = settle(reached, tab, heard)
  return { copy: settled, store: settled.draft, isWritten: true }
}
