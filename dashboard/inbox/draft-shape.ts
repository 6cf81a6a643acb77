/** What a draft is. */
import type { Draft as ServerDraft } from '../../sdk/api.ts'

export type DraftFile = ServerDraft['files'][number]
export type Written = { text: string; mode: 'reply' | 'note'; files?: readonly DraftFile[] | undefined }
export type Draft = Written & {
  /** The newest message that its writer knew of when they began. */
  since?: string | undefined
  /** Another version of it, which this one took the place of: the writer has it back by one press. */
  other?: Written | undefined
  /** The workspace of the chat. */
  workspace?: string | undefined
  /** The time of the server's version that this one is, or came after; undefined: it has none. */
  savedAt?: string | undefined
  /** The server does not have it yet. */
  isDirty?: true | undefined
  /** The tab that wrote it, the number that it gave it, and the newest versions of other tabs that are in it. */
  version?: { tab: string; number: number; seen: Readonly<Record<string, number>> } | undefined
}

export const isNothing = ({ text, files }: Written): boolean => text.trim() === '' && !files?.length

export const isSameText = (one: Written, other: Written): boolean =>
  one.text === other.text &&
  one.mode === other.mode &&
  JSON.stringify(one.files ?? []) === JSON.stringify(other.files ?? [])

/** What was written, apart from what is known of it. */
export const writtenOf = ({ text, mode, files = [] }: Written): Written => ({ text, mode, files })
