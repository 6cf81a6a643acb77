import { Tooltip as Base } from '@base-ui/react/tooltip'
import type { ReactElement, ReactNode } from 'react'
import { Keys } from './keys.tsx'

type Props = { label: ReactNode; keys?: string | undefined; children: ReactElement<Record<string, unknown>> }

/** Says what a control does. It never holds what is not said elsewhere too. */
export function Tooltip({ label, keys, children }: Props) {
  return (
    <Base.Root>
      <Base.Trigger render={children} />
      <Base.Portal>
        <Base.Positioner sideOffset={6} className="z-50">
          <Base.Popup className="pop flex items-center gap-2 rounded-md bg-ink-1 px-2 py-1 text-xs text-surface-1 shadow-pop">
            {label}
            {keys && <Keys keys={keys} inverse />}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
