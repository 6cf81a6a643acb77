/** A dialog with a search field, and the matches below it in groups. */
import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { lazyPopup } from './lazy.tsx'

export type Found = {
  id: string
  title: string
  /** A second line. */
  detail?: ReactNode
  /** Content at the end of the first line. */
  aside?: ReactNode
  icon?: LucideIcon
  /** Other words that find the entry. */
  words?: string
  keys?: string | undefined
  /** The entry matches any text, because the server chose it. */
  always?: boolean
  run: () => void
}
export type FoundGroup = { value: string; items: Found[] }

export type FinderProps = {
  open: boolean
  onClose: () => void
  title: string
  placeholder: string
  empty: string
  groups: FoundGroup[]
  text?: string
  onText?: (text: string) => void
}

export const Finder = lazyPopup(() => import('./finder-popup.tsx').then((module) => module.FinderPopup))
