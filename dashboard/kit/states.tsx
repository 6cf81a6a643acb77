import { CloudOff, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { classes } from './classes.ts'
import { t } from './texts.ts'

type EmptyProps = {
  icon?: LucideIcon
  title: string
  children?: ReactNode
  action?: ReactNode
  className?: string
  /** True if this is the page's only content. */
  isPage?: boolean
}

/** Shown for an empty list: describes its future content, and offers one action. */
export function Empty({ icon: Icon, title, children, action, className, isPage }: EmptyProps) {
  const Heading = isPage ? 'h1' : 'p'
  return (
    <div
      className={classes(
        'flex flex-1 flex-col items-center justify-center gap-2 px-6 py-12 text-center',
        className,
      )}
    >
      {Icon && (
        <span className="mb-2 flex size-12 items-center justify-center rounded-full bg-surface-3 text-ink-3">
          <Icon aria-hidden size={22} />
        </span>
      )}
      <Heading className="text-md font-semibold">{title}</Heading>
      {children && <div className="max-w-sm text-ink-2">{children}</div>}
      {action && <div className="mt-3">{action}</div>}
    </div>
  )
}

type FailedProps = { error: unknown; onRetry?: () => void }

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
const requestOf = (error: unknown): string | undefined => (error as { requestId?: string } | null)?.requestId
const isMissing = (error: unknown): boolean => (error as { status?: number } | null)?.status === 404

/**
 * Shows a failure to load: its cause, its request id in the log, and a button to try again. A missing thing
 * gets no button, because it would be missing again, and the page's own text, because the API's text names
 * routes.
 */
export function Failed({ error, onRetry }: FailedProps) {
  const missing = isMissing(error)
  const requestId = missing ? undefined : requestOf(error)
  return (
    <div
      role="alert"
      className="flex flex-1 flex-col items-center justify-center gap-2 px-6 py-12 text-center"
    >
      <CloudOff aria-hidden size={26} className="mb-1 text-ink-3" />
      <p className="text-md font-semibold">{t(missing ? 'error.missing' : 'error.title')}</p>
      <p className="max-w-sm text-ink-2">{missing ? t('error.missing.text') : textOf(error)}</p>
      {requestId && <p className="font-mono text-xs text-ink-3">{t('error.request', { id: requestId })}</p>}
      {onRetry && !missing && (
        <Button className="mt-2" onClick={onRetry}>
          {t('retry')}
        </Button>
      )}
    </div>
  )
}

/** The outline of rows that are loading; invisible if they load immediately. */
export function SkeletonRows({ rows = 6, tall }: { rows?: number; tall?: boolean }) {
  return (
    <div role="status" data-loading aria-label={t('loading')} className="appear-late">
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows of nothing
        <div key={row} className={classes('flex items-center gap-3 px-4', tall ? 'h-chat' : 'h-row')}>
          {tall && <span className="breathe size-9 shrink-0 rounded-full bg-surface-3" />}
          <span className="flex flex-1 flex-col gap-2">
            <span className="breathe h-3 w-1/3 rounded-sm bg-surface-3" />
            {tall && <span className="breathe h-3 w-2/3 rounded-sm bg-surface-3" />}
          </span>
        </div>
      ))}
    </div>
  )
}
