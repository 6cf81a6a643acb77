import { Bot, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button, IconButton } from '../../../kit/button.tsx'
import { t } from './texts.ts'

type Props = {
  title: string
  closeLabel: string
  onClose: () => void
  /** The state for screen readers and the eye; undefined while the text itself is shown. */
  status: string | undefined
  /** The error of the last request. */
  error: string | undefined
  onRetry: () => void
  children?: ReactNode
}

/** A part above the messages with a text of the assistant. */
export const Card = ({ title, closeLabel, onClose, status, error, onRetry, children }: Props) => (
  <section
    aria-label={title}
    className="flex max-h-[45%] shrink-0 flex-col gap-2 overflow-y-auto border-b bg-surface-2 px-4 py-2.5"
  >
    <div className="flex items-center gap-2">
      <Bot aria-hidden size={16} className="shrink-0 text-accent" />
      <h3 className="min-w-0 flex-1 text-sm font-semibold">{title}</h3>
      <IconButton icon={X} size="sm" label={closeLabel} onClick={onClose} />
    </div>
    <p role="status" className="text-sm text-ink-2 empty:hidden">
      {status}
    </p>
    {error !== undefined && (
      <div role="alert" className="flex flex-wrap items-center gap-2 text-sm text-bad">
        <span className="min-w-0 flex-1">{error}</span>
        <Button size="sm" onClick={onRetry}>
          {t('retry')}
        </Button>
      </div>
    )}
    {children}
  </section>
)
