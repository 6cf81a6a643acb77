/**
 * Merges a draft with the server's version of it: the later version is used, and the other is kept as an
 * alternative.
 */
import { contentOf, type Draft, type DraftContent, isNothing, isSameText } from './draft-shape.ts'

/** A version on the server; null if the server no longer has a version. */
export type SavedDraft = (DraftContent & { updatedAt: string }) | null

/** Returns whether `later` still contains all of `earlier`. */
const containsAll = (later: DraftContent, earlier: DraftContent): boolean =>
  isNothing(earlier) ||
  (later.text.startsWith(earlier.text.trimEnd()) &&
    (earlier.files ?? []).every((file) => later.files?.some(({ mediaId }) => mediaId === file.mediaId)))

/** Returns the lowest ID for that time, because IDs begin with the time. */
function idAt(iso: string): string {
  const time = Date.parse(iso).toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`
}

/** Returns the draft to store from now on; undefined if it stays unchanged. */
export function mergeDraft(draft: Draft, saved: SavedDraft): Draft | undefined {
  if (saved === null) {
    // A draft that was never saved, or has changed since, is saved next.
    if (draft.savedAt === undefined || draft.isDirty) return undefined
    return { ...draft, text: '', files: [], savedAt: undefined, other: otherVersion(draft, contentOf(draft)) }
  }
  if (draft.savedAt !== undefined && saved.updatedAt <= draft.savedAt) return undefined
  const savedContent = contentOf(saved)
  const synced = { ...draft, savedAt: saved.updatedAt }
  if (isSameText(savedContent, draft)) return { ...synced, isDirty: undefined }
  if (draft.isDirty)
    // The text being written here is later, and is saved next.
    return containsAll(draft, savedContent) ? synced : { ...synced, other: otherVersion(draft, savedContent) }
  const since = isNothing(draft) ? idAt(saved.updatedAt) : draft.since
  return {
    ...synced,
    ...savedContent,
    since,
    other: containsAll(savedContent, draft) ? draft.other : otherVersion(draft, contentOf(draft)),
  }
}

const otherVersion = ({ other }: Draft, written: DraftContent): DraftContent | undefined =>
  isNothing(written) ? other : written
