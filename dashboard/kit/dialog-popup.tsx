import { Dialog as Base } from '@base-ui/react/dialog'
import { useBlocker } from '@tanstack/react-router'
import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { IconButton } from './button.tsx'
import { classes } from './classes.ts'
import { useReturnFocus } from './return-focus.ts'
import { t } from './texts.ts'
import { markTyped } from './unsent-forms.ts'

export type DialogProps = {
  open: boolean
  onClose: () => void
  title: ReactNode
  description?: ReactNode
  children?: ReactNode
  /** Buttons at the bottom of the dialog, the main action last. */
  actions?: ReactNode
  wide?: boolean
  /** A click outside does not close the dialog, because its content is shown only once. */
  isShownOnce?: boolean
}

const BACKDROP = 'fade fixed inset-0 z-40 bg-backdrop'

/** A dialog that must be answered before the page continues. */
export function DialogPopup(props: DialogProps) {
  const { open, onClose, title, description, children, actions, wide, isShownOnce } = props
  const { popup, finalFocus } = useReturnFocus(open)
  return (
    <Base.Root open={open} disablePointerDismissal={isShownOnce} onOpenChange={(next) => !next && onClose()}>
      <Base.Portal>
        <Base.Backdrop className={BACKDROP} />
        <Base.Popup
          ref={popup}
          finalFocus={finalFocus}
          onInput={markTyped}
          className={classes(
            'pop fixed start-1/2 top-1/2 z-50 flex max-h-[calc(100dvh-2rem)] w-[calc(100vw-2rem)] -translate-x-1/2 -translate-y-1/2 flex-col rounded-lg border border-line bg-surface-1 shadow-pop rtl:translate-x-1/2',
            wide ? 'max-w-3xl' : 'max-w-md',
          )}
        >
          <header className="flex items-start gap-2 px-5 pt-4">
            <div className="min-w-0 flex-1">
              <Base.Title className="text-md font-semibold">{title}</Base.Title>
              {description && <Base.Description className="mt-1 text-ink-2">{description}</Base.Description>}
            </div>
            <Base.Close render={<IconButton icon={X} label={t('close')} size="sm" plain />} />
          </header>
          {children ? (
            <div className="pane min-h-0 flex-1 px-5 py-4">{children}</div>
          ) : (
            <div className="h-4" />
          )}
          {actions && (
            <footer className="flex flex-wrap justify-end gap-2 border-t px-5 py-3">{actions}</footer>
          )}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}

export type DrawerProps = Pick<DialogProps, 'open' | 'onClose' | 'title' | 'children'> & {
  /** The page behind the drawer stays usable. */
  beside?: boolean
}

/** A drawer at the side of the page; on a phone it covers the whole page. */
export function DrawerPopup({ open, onClose, title, children, beside }: DrawerProps) {
  const { popup, finalFocus } = useReturnFocus(open)
  // On a phone the drawer covers the page, so that people leave it as a page: with Back.
  useBlocker({
    shouldBlockFn: ({ action }) => {
      if (!open || beside || action !== 'BACK') return false
      onClose()
      return true
    },
    enableBeforeUnload: false,
  })
  return (
    <Base.Root
      open={open}
      modal={!beside}
      disablePointerDismissal={beside}
      onOpenChange={(next) => !next && onClose()}
    >
      <Base.Portal>
        {!beside && <Base.Backdrop className={BACKDROP} />}
        <Base.Popup
          ref={popup}
          finalFocus={finalFocus}
          onInput={markTyped}
          className="slide-in fixed inset-y-0 end-0 z-40 flex w-full max-w-[400px] flex-col border-s bg-surface-1 shadow-pop"
        >
          <header className="flex h-12 shrink-0 items-center gap-2 border-b ps-4 pe-2">
            <Base.Title className="min-w-0 flex-1 truncate font-semibold">{title}</Base.Title>
            <Base.Close render={<IconButton icon={X} label={t('close')} size="sm" plain />} />
          </header>
          <div className="flex min-h-0 flex-1 flex-col">{children}</div>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}
