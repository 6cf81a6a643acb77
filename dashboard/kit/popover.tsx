import type { ReactElement, ReactNode } from 'react'
import { useDeferredPopup } from './deferred-popup.tsx'
import { lazyComponent } from './lazy.tsx'

export type PopoverProps = {
  trigger: ReactElement<Record<string, unknown>>
  title: string
  children: ReactNode
  open?: boolean
  onOpenChange?: (open: boolean) => void
  align?: 'start' | 'end'
}

const Popup = lazyComponent(() => import('./popover-popup.tsx').then((module) => module.PopoverPopup))

/** A small pane at its button. */
export function Popover(props: PopoverProps) {
  const { isOpened, closed } = useDeferredPopup(props.trigger, 'dialog', () => props.onOpenChange?.(true))
  return isOpened || props.open ? <Popup {...props} around={closed} /> : closed
}
