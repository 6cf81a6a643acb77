import { Tooltip as Base } from '@base-ui/react/tooltip'
import { useEffect } from 'react'
import { Keys } from './keys.tsx'
import { hideTip, keepTip, leaveTip, type Tip } from './tooltip.tsx'

/** The tooltip next to its control; the pointer may move onto the tooltip. */
export function TooltipPopup({ tip, open }: { tip: Tip; open: boolean }) {
  useEffect(() => {
    if (!open) return
    const onKeyDown = ({ key }: KeyboardEvent) => key === 'Escape' && hideTip()
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [open])
  return (
    <Base.Root open={open} onOpenChange={(next) => !next && hideTip()}>
      <Base.Portal>
        <Base.Positioner anchor={tip.anchor} sideOffset={6} className="z-50">
          <Base.Popup
            onPointerEnter={keepTip}
            onPointerLeave={leaveTip}
            className="pop flex items-center gap-2 rounded-md bg-ink-1 px-2 py-1 text-xs text-surface-1 shadow-pop"
          >
            {tip.label}
            {tip.keys && <Keys keys={tip.keys} inverse />}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
