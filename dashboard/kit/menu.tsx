import type { LucideIcon } from 'lucide-react'
import type { ReactElement, ReactNode } from 'react'
import { later } from './later.tsx'
import { useWanted } from './wanted.tsx'

export type MenuEntry =
  | {
      label: ReactNode
      onSelect: () => void
      icon?: LucideIcon
      keys?: string
      danger?: boolean
      disabled?: boolean
      /** The state of an entry in a group of options. */
      checked?: boolean
    }
  | 'line'
  | { heading: ReactNode }

export type MenuProps = {
  trigger: ReactElement<Record<string, unknown>>
  entries: readonly MenuEntry[]
  align?: 'start' | 'end'
}

const Popup = later(() => import('./menu-popup.tsx').then((module) => module.MenuPopup))

/** A menu of actions. */
export function Menu(props: MenuProps) {
  const { isWanted, closed } = useWanted(props.trigger, 'menu')
  return isWanted ? <Popup {...props} around={closed} /> : closed
}
