/** Defines the shape of a draft. */
import type { Draft as ServerDraft } from '../../sdk/api.ts'

export type DraftFile = ServerDraft['files'][number]
export type DraftContent = { text: string; mode: 'reply' | 'note'; files?: readonly DraftFile[] | undefined }
export type Draft = DraftContent & {
  /** The newest message that the writer had seen when they began to write. */
  since?: string | undefined
  /** Another version, which this draft replaced: the writer can restore it with one click. */
  other?: DraftContent | undefined
  /** The workspace of the chat. */
  workspace?: string | undefined
  /**
   * The time of the server's version that this draft equals or follows; undefined if the server has no
   * version.
   */
  savedAt?: string | undefined
  /** The draft has not been saved on the server yet. */
  isDirty?: true | undefined
  /**
   * The tab that wrote this version, its number in that tab, and the newest included version of each other
   * tab.
   */
  version?: { tab: string; number: number; seen: Readonly<Record<string, number>> } | undefined
}

export const isNothing = ({ text, files }: DraftContent): boolean => text.trim() === '' && !files?.length

export const isSameText = (a: DraftContent, b: DraftContent): boolean =>
  a.text === b.text && a.mode === b.mode && JSON.stringify(a.files ?? []) === JSON.stringify(b.files ?? [])

/** Returns the written content of a draft, without its metadata. */
export const contentOf = ({ text, mode, files = [] }: DraftContent): DraftContent => ({ text, mode, files })
