import type { LucideIcon } from 'lucide-react'
import type { ReactElement, ReactNode } from 'react'
import { useDeferredPopup } from './deferred-popup.tsx'
import { lazyComponent } from './lazy.tsx'

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
      /** The menu closes when an option is chosen, because only one of the options is on. */
      closes?: true
    }
  | 'line'
  | { heading: ReactNode }

export type MenuProps = {
  trigger: ReactElement<Record<string, unknown>>
  entries: readonly MenuEntry[]
  align?: 'start' | 'end'
  /** On a phone, the menu is a sheet at the bottom of the page. */
  isSheet?: boolean
}

export type ContextMenuProps = {
  anchor: HTMLElement
  label: string
  entries: readonly MenuEntry[]
  onClose: () => void
}

/** The menu of an element that was clicked with the right button, or with the menu key. */
export const ContextMenu = lazyComponent(() =>
  import('./menu-popup.tsx').then((module) => module.ContextMenuPopup),
)

const Popup = lazyComponent(() => import('./menu-popup.tsx').then((module) => module.MenuPopup))

/** A menu of actions. */
export function Menu(props: MenuProps) {
  const { isOpened, closed } = useDeferredPopup(props.trigger, 'menu')
  return isOpened ? <Popup {...props} around={closed} /> : closed
}
