/** What becomes of a draft when the server has another version of it: the later one counts, and the other is kept beside it. */
import { type Draft, isNothing, isSameText, type Written, writtenOf } from './draft-shape.ts'

/** A version of the server; null: it has none any more. */
export type Saved = (Written & { updatedAt: string }) | null

/** Whether whoever reads `later` still has all of `earlier`. */
const goesOn = (later: Written, earlier: Written): boolean =>
  isNothing(earlier) ||
  (later.text.startsWith(earlier.text.trimEnd()) &&
    (earlier.files ?? []).every((file) => later.files?.some(({ mediaId }) => mediaId === file.mediaId)))

/** The least id of that time: ids begin with it. */
function idAt(iso: string): string {
  const time = Date.parse(iso).toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`
}

/** The draft as it is kept from now on; undefined: as it was. */
export function mergeDraft(draft: Draft, saved: Saved): Draft | undefined {
  if (saved === null) {
    // Never saved, or changed since: it will be.
    if (draft.savedAt === undefined || draft.isDirty) return undefined
    return { ...draft, text: '', files: [], savedAt: undefined, other: keptBeside(draft, writtenOf(draft)) }
  }
  if (draft.savedAt !== undefined && saved.updatedAt <= draft.savedAt) return undefined
  const theirs = writtenOf(saved)
  const known = { ...draft, savedAt: saved.updatedAt }
  if (isSameText(theirs, draft)) return { ...known, isDirty: undefined }
  if (draft.isDirty)
    // What is being written here comes later, and is saved next.
    return goesOn(draft, theirs) ? known : { ...known, other: keptBeside(draft, theirs) }
  const since = isNothing(draft) ? idAt(saved.updatedAt) : draft.since
  return {
    ...known,
    ...theirs,
    since,
    other: goesOn(theirs, draft) ? draft.other : keptBeside(draft, writtenOf(draft)),
  }
}

const keptBeside = ({ other }: Draft, written: Written): Written | undefined =>
  isNothing(written) ? other : written
