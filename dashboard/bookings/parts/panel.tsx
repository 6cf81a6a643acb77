/** The pane with one booking next to the calendar; on a phone it replaces the calendar. */
import { X } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { IconButton } from '../../kit/button.tsx'
import { SkeletonRows } from '../../kit/states.tsx'
import { t } from '../texts.ts'

export function Panel({ children }: { children: ReactNode }) {
  const pane = useRef<HTMLElement>(null)
  // The keyboard focus moves to the pane when it opens.
  useEffect(() => pane.current?.focus(), [])
  return (
    <aside
      ref={pane}
      tabIndex={-1}
      aria-label={t('panel')}
      className="flex min-h-0 w-full flex-col border-s outline-none md:w-96 md:shrink-0"
    >
      <h1 className="sr-only md:hidden">{t('title')}</h1>
      {children}
    </aside>
  )
}

/** The bar above a booking that is still loading. */
export function PanelBar({ onClose }: { onClose: () => void }) {
  return (
    <div className="flex h-12 items-center justify-end border-b px-2">
      <IconButton icon={X} label={t('action.close')} onClick={onClose} />
    </div>
  )
}

/** The pane until its code is loaded. */
export function PanelLoading({ onClose }: { onClose: () => void }) {
  return (
    <Panel>
      <PanelBar onClose={onClose} />
      <SkeletonRows />
    </Panel>
  )
}
