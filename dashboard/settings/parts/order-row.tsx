import { ArrowDown, ArrowUp, Pencil, Trash2 } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { IconButton } from '../../kit/button.tsx'
import { classes } from '../../kit/classes.ts'
import { type Direction, focusArrow } from '../../kit/move-focus.ts'
import { t } from '../texts.ts'

type Props = {
  name: string
  index: number
  count: number
  busy: boolean
  onMove: (position: number) => void
  onEdit: () => void
  /** Left out for a row that can't be removed. */
  onRemove?: () => void
  /** The row has a long text: on a phone, its buttons are below it. */
  long?: boolean
  children: ReactNode
}

/** Returns the focus to a pressed arrow, which is disabled while the order is being saved. */
function useFocusAfterMove({ index, busy }: Pick<Props, 'index' | 'busy'>) {
  const row = useRef<HTMLLIElement>(null)
  const pressedArrow = useRef<{ direction: Direction; from: number }>(undefined)
  useEffect(() => {
    if (!pressedArrow.current || busy) return
    const { direction, from } = pressedArrow.current
    if (index !== from) pressedArrow.current = undefined
    if (document.activeElement !== document.body) return
    focusArrow(row.current, direction)
  }, [index, busy])
  return {
    row,
    note: (direction: Direction) => {
      pressedArrow.current = { direction, from: index }
    },
  }
}

/** A row of an ordered list. */
export function OrderRow({ name, index, count, busy, onMove, onEdit, onRemove, long, children }: Props) {
  const { row, note } = useFocusAfterMove({ index, busy })
  const move = (direction: Direction) => {
    note(direction)
    onMove(direction === 'up' ? index - 1 : index + 1)
  }
  return (
    <li
      ref={row}
      className={classes(
        'flex min-h-row items-center justify-end gap-1 border-b px-3 py-1.5 last:border-0',
        long && 'max-sm:flex-wrap',
      )}
    >
      <div
        className={classes('flex min-w-0 flex-1 flex-wrap items-center gap-2', long && 'max-sm:basis-full')}
      >
        {children}
      </div>
      <IconButton
        icon={ArrowUp}
        size="sm"
        label={t('up.of', { name })}
        disabled={busy || index === 0}
        data-move="up"
        onClick={() => move('up')}
      />
      <IconButton
        icon={ArrowDown}
        size="sm"
        label={t('down.of', { name })}
        disabled={busy || index === count - 1}
        data-move="down"
        onClick={() => move('down')}
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
}
