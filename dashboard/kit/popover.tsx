import { Popover as Base } from '@base-ui/react/popover'
import type { ReactElement, ReactNode } from 'react'

type Props = {
  trigger: ReactElement<Record<string, unknown>>
  title: string
  children: ReactNode
  open?: boolean
  onOpenChange?: (open: boolean) => void
  align?: 'start' | 'end'
}

/** A small pane at its button. */
export function Popover({ trigger, title, children, open, onOpenChange, align = 'start' }: Props) {
  return (
    <Base.Root open={open} onOpenChange={onOpenChange}>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner sideOffset={6} align={align} className="z-50">
          <Base.Popup
            aria-label={title}
            className="pop pane max-h-(--available-height) w-72 rounded-lg border border-line bg-surface-1 p-2 shadow-pop"
          >
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
