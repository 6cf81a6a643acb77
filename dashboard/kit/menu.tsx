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
    }
  | 'line'
  | { heading: ReactNode }

export type MenuProps = {
  trigger: ReactElement<Record<string, unknown>>
  entries: readonly MenuEntry[]
  align?: 'start' | 'end'
}

const Popup = lazyComponent(() => import('./menu-popup.tsx').then((module) => module.MenuPopup))

/** A menu of actions. */
export function Menu(props: MenuProps) {
  const { isOpened, closed } = useDeferredPopup(props.trigger, 'menu')
  return isOpened ? <Popup {...props} around={closed} /> : closed
}
