import type { ReactElement, ReactNode } from 'react'
import { later } from './later.tsx'
import { useWanted } from './wanted.tsx'

export type PopoverProps = {
  trigger: ReactElement<Record<string, unknown>>
  title: string
  children: ReactNode
  open?: boolean
  onOpenChange?: (open: boolean) => void
  align?: 'start' | 'end'
}

const Popup = later(() => import('./popover-popup.tsx').then((module) => module.PopoverPopup))

/** A small pane at its button. */
export function Popover(props: PopoverProps) {
  const { isWanted, closed } = useWanted(props.trigger, 'dialog', () => props.onOpenChange?.(true))
  return isWanted || props.open ? <Popup {...props} around={closed} /> : closed
}
