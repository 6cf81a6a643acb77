import { Toast as Base } from '@base-ui/react/toast'
import { CircleAlert, CircleCheck, Info, X } from 'lucide-react'
import { useEffect } from 'react'
import { IconButton } from './button.tsx'
import { t } from './texts.ts'
import { connectList, type Notice } from './toasts.tsx'

const manager = Base.createToastManager()

/** The shown notice, since when, and whether the next action of the member closes it. */
let shown: { id: string; at: number; isPassing: boolean } | undefined

/** An action this soon after a notice belongs to what the member did before. */
const GRACE_MS = 800
const ACTIONS =
  'a, button, input, select, textarea, [role=button], [role=option], [role=menuitem], [role=tab]'
/** Keys that lead to the notice, or out of a field. */
const MOVES = ['Tab', 'Shift', 'Control', 'Alt', 'Meta', 'F6']

/** Closes the notice at the next action outside of it: a click on a control, or a key that is a command. */
function closeAfterAction(event: Event): void {
  const { target } = event
  if (!shown?.isPassing || !(target instanceof Element) || target.closest('[data-notices]')) return
  if (performance.now() - shown.at < GRACE_MS) return
  const isAction =
    event instanceof KeyboardEvent
      ? !MOVES.includes(event.key) && (event.key === 'Enter' || !target.matches('input, textarea'))
      : target.closest(ACTIONS) !== null
  if (isAction) manager.close(shown.id)
}

/** Shows `notice` in place of the one before it, once the list is drawn. */
function showNotice({ title, description, kind = 'info', action }: Notice): void {
  if (shown) manager.close(shown.id)
  const id = manager.add({
    title,
    description,
    type: kind,
    priority: kind === 'bad' ? 'high' : 'low',
    timeout: kind === 'bad' ? 10_000 : action ? 8_000 : 5_000,
    ...(action
      ? {
          actionProps: {
            children: action.label,
            onClick: () => {
              manager.close(id)
              action.run()
            },
          },
        }
      : {}),
  })
  // An error stays until it has been read.
  shown = { id, at: performance.now(), isPassing: kind !== 'bad' }
}

const ICONS = { good: CircleCheck, bad: CircleAlert, info: Info }
const COLORS = { good: 'text-good', bad: 'text-bad', info: 'text-ink-3' }

/**
 * Shows the current notice, away from the composer and the details: over the bottom of a list, and on a phone below
 * the head of the page.
 */
export function ToastList() {
  useEffect(() => connectList(showNotice), [])
  useEffect(() => {
    addEventListener('pointerdown', closeAfterAction, true)
    addEventListener('keydown', closeAfterAction, true)
    return () => {
      removeEventListener('pointerdown', closeAfterAction, true)
      removeEventListener('keydown', closeAfterAction, true)
    }
  }, [])
  return (
    <Base.Provider toastManager={manager} limit={1}>
      <Base.Portal>
        <Base.Viewport
          aria-label={t('notifications')}
          data-notices
          className="fixed z-60 flex flex-col gap-2 max-sm:inset-x-4 max-sm:top-16 sm:start-15 sm:bottom-4 sm:w-54 md:w-68 lg:start-58"
        >
          <List />
        </Base.Viewport>
      </Base.Portal>
    </Base.Provider>
  )
}

function List() {
  const { toasts } = Base.useToastManager()
  return toasts.map((toast) => {
    const kind = (toast.type ?? 'info') as keyof typeof ICONS
    const Icon = ICONS[kind]
    return (
      <Base.Root
        key={toast.id}
        toast={toast}
        className="pop flex flex-wrap items-start gap-x-3 gap-y-1 rounded-lg border border-line bg-surface-1 p-3 shadow-pop"
      >
        <Icon aria-hidden size={18} className={`mt-px shrink-0 ${COLORS[kind]}`} />
        <div className="min-w-28 flex-1 wrap-break-word">
          <Base.Title className="font-medium" />
        </div>
        <Base.Action className="h-7 shrink-0 rounded-md px-2 text-sm font-medium text-accent hover:bg-accent-soft" />
        {/* The one notice is always open, which Base UI knows only of lists: it would hide the button from readers. */}
        <Base.Close aria-hidden={false} render={<IconButton icon={X} label={t('dismiss')} size="sm" />} />
        {/* Below the title and the buttons, in the whole width. */}
        <Base.Description className="basis-full ps-7.5 text-sm wrap-break-word text-ink-2" />
      </Base.Root>
    )
  })
}
