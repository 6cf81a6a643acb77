import { Popover as Base } from '@base-ui/react/popover'
import type { PopoverProps } from './popover.tsx'
import { useButtonFocus } from './return-focus.ts'

/** A popover that was requested by a click: without a controlled state, it is open when it is first drawn. */
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
