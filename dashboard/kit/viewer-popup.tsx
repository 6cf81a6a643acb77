import { Dialog as Base } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import type { KeyboardEvent, ReactNode } from 'react'
import { IconButton } from './button.tsx'
import { t } from './texts.ts'

export type ViewerProps = {
  open: boolean
  onClose: () => void
  title: ReactNode
  /** Buttons next to the title. */
  actions?: ReactNode
  onKeyDown?: (event: KeyboardEvent) => void
  children: ReactNode
}

/** Shows one item over the whole page; closing it returns the focus to its opener. */
export function ViewerPopup({ open, onClose, title, actions, onKeyDown, children }: ViewerProps) {
  return (
    <Base.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Base.Portal>
        <Base.Backdrop className="fade fixed inset-0 z-40 bg-backdrop" />
        <Base.Popup
          onKeyDown={onKeyDown}
          className="fade fixed inset-0 z-50 flex flex-col bg-surface-2 sm:inset-4 sm:rounded-lg sm:border sm:border-line sm:shadow-pop"
        >
          <header className="flex min-h-14 shrink-0 items-center gap-1 border-b ps-4 pe-2">
            <Base.Title className="min-w-0 flex-1 truncate font-semibold">{title}</Base.Title>
            {actions}
            <Base.Close render={<IconButton icon={X} label={t('close')} plain />} />
          </header>
          <div className="flex min-h-0 flex-1 flex-col">{children}</div>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}
