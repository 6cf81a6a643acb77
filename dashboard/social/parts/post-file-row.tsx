/** One file of a post that is being written: moved by its handle, its buttons, or keys. */
import { ArrowDown, ArrowUp, GripVertical, X } from 'lucide-react'
import { IconButton } from '../../kit/button.tsx'
import { classes } from '../../kit/classes.ts'
import type { NewPost } from '../queries.ts'
import { t } from '../texts.ts'
import type { PostFile } from './post-files.tsx'
import { Thumbnail } from './thumbnail.tsx'
import { useSortable } from './use-sortable.ts'

type Props = {
  file: PostFile
  kind: NewPost['kind']
  place: number
  count: number
  onMove: (from: number, to: number) => void
  onRemove: () => void
}

export function PostFileRow({ file, kind, place, count, onMove, onRemove }: Props) {
  const { name } = file
  const { row, handle, onKeyDown, isDragged, isOver } = useSortable({
    list: 'post-files',
    place,
    count,
    onMove,
  })
  return (
    <li
      ref={row}
      className={classes(
        'rounded-md border bg-surface-1 p-2',
        isDragged && 'opacity-40',
        isOver && 'border-accent bg-accent-soft',
      )}
    >
      <span className="flex items-center gap-2 max-sm:gap-0.5 max-sm:*:data-name:mx-1.5">
        <button
          ref={handle}
          type="button"
          aria-label={t('new.files.move', { name, place: place + 1, count })}
          title={t('new.files.move.hint')}
          onKeyDown={onKeyDown}
          className={classes(
            'flex h-9 w-5 shrink-0 cursor-grab items-center justify-center rounded-sm text-ink-3 hover:text-ink-1 pointer-coarse:h-11 pointer-coarse:w-8',
            count < 2 && 'hidden',
          )}
        >
          <GripVertical aria-hidden size={16} />
        </button>
        <Thumbnail src={file.src} kind={kind} />
        <span data-name dir="auto" className="min-w-0 flex-1 truncate">
          {name}
        </span>
        {count > 1 && (
          <>
            <IconButton
              icon={ArrowUp}
              size="sm"
              label={t('new.files.earlier', { name })}
              disabled={place === 0}
              onClick={() => onMove(place, place - 1)}
            />
            <IconButton
              icon={ArrowDown}
              size="sm"
              label={t('new.files.later', { name })}
              disabled={place === count - 1}
              onClick={() => onMove(place, place + 1)}
            />
          </>
        )}
        <IconButton icon={X} size="sm" label={t('new.files.remove', { name })} onClick={onRemove} />
      </span>
      {file.hints.map((hint) => (
        <span key={hint} className="mt-1 block text-sm text-warn">
          {hint}
        </span>
      ))}
    </li>
  )
}
