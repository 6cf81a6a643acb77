import { Popover as Base } from '@base-ui/react/popover'
import type { PopoverProps } from './popover.tsx'
import { useButtonFocus } from './return-focus.ts'

/** A pane that was asked for: where nobody else says whether it is open, it is when it is drawn first. */
export function PopoverPopup(props: PopoverProps) {
  const { trigger, title, children, open, onOpenChange, align = 'start' } = props
  const { popup, button, finalFocus } = useButtonFocus()
  return (
    <Base.Root open={open} defaultOpen onOpenChange={onOpenChange}>
      <Base.Trigger ref={button} render={trigger} />
      <Base.Portal>
        <Base.Positioner sideOffset={6} align={align} className="z-50">
          <Base.Popup
            ref={popup}
            finalFocus={finalFocus}
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
