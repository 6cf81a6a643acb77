import { ArrowDown, ArrowUp, Pencil, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { IconButton } from '../../kit/button.tsx'
import { classes } from '../../kit/classes.ts'
import { t } from '../words.ts'

type Props = {
  name: string
  at: number
  count: number
  busy: boolean
  onMove: (position: number) => void
  onEdit: () => void
  /** Left out where it has to stay. */
  onRemove?: () => void
  /** It says much: on a phone its buttons stand below. */
  long?: boolean
  children: ReactNode
}

/** A row of a list with an order. */
export const OrderRow = ({ name, at, count, busy, onMove, onEdit, onRemove, long, children }: Props) => (
  <li
    className={classes(
      'flex min-h-row items-center justify-end gap-1 border-b px-3 py-1.5 last:border-0',
      long && 'max-sm:flex-wrap',
    )}
  >
    <div className={classes('flex min-w-0 flex-1 flex-wrap items-center gap-2', long && 'max-sm:basis-full')}>
      {children}
    </div>
    <IconButton
      icon={ArrowUp}
      size="sm"
      label={t('up.of', { name })}
      disabled={busy || at === 0}
      onClick={() => onMove(at - 1)}
    />
    <IconButton
      icon={ArrowDown}
      size="sm"
      label={t('down.of', { name })}
      disabled={busy || at === count - 1}
      onClick={() => onMove(at + 1)}
    />
    <IconButton icon={Pencil} size="sm" label={t('edit.of', { name })} onClick={onEdit} />
    <IconButton
      icon={Trash2}
      size="sm"
      label={t('remove.of', { name })}
      disabled={!onRemove}
      onClick={onRemove}
    />
  </li>
)
