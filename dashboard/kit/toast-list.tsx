import { Toast as Base } from '@base-ui/react/toast'
import { CircleAlert, CircleCheck, Info, X } from 'lucide-react'
import { useEffect } from 'react'
import { IconButton } from './button.tsx'
import { t } from './texts.ts'
import { connectList, type Notice } from './toasts.tsx'

const manager = Base.createToastManager()

/** Shows `notice`, once the list is drawn. */
function showNotice({ title, description, kind = 'info', action }: Notice): void {
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
}

const ICONS = { good: CircleCheck, bad: CircleAlert, info: Info }
const COLORS = { good: 'text-good', bad: 'text-bad', info: 'text-ink-3' }

/** Shows the current notices. */
export function ToastList() {
  useEffect(() => connectList(showNotice), [])
  return (
    <Base.Provider toastManager={manager} limit={3}>
      <Base.Portal>
        <Base.Viewport
          aria-label={t('notifications')}
          className="fixed inset-x-4 bottom-4 z-60 flex flex-col gap-2 sm:start-auto sm:w-88 max-sm:bottom-20"
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
        className="pop flex items-start gap-3 rounded-lg border border-line bg-surface-1 p-3 shadow-pop"
      >
        <Icon aria-hidden size={18} className={`mt-px shrink-0 ${COLORS[kind]}`} />
        <div className="min-w-0 flex-1">
          <Base.Title className="font-medium" />
          <Base.Description className="text-sm text-ink-2" />
        </div>
        <Base.Action className="h-7 shrink-0 rounded-md px-2 text-sm font-medium text-accent hover:bg-accent-soft" />
        <Base.Close render={<IconButton icon={X} label={t('dismiss')} size="sm" />} />
      </Base.Root>
    )
  })
}
