import { Plus, X } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { IconButton } from './button.tsx'
import { ColorMark } from './color-mark.tsx'
import { t } from './texts.ts'

type Props = {
  tags: readonly string[]
  onChange: (tags: string[]) => void
  disabled?: boolean
  /** The colors of tags, by name. */
  colors: ReadonlyMap<string, string>
}

/** Edits tags: removes them one by one, and adds them with a text field. */
export function TagEditor({ tags, onChange, disabled, colors }: Props) {
  const [text, setText] = useState('')
  const add = (event: FormEvent) => {
    event.preventDefault()
    const tag = text.trim()
    if (tag !== '' && !tags.includes(tag)) onChange([...tags, tag])
    setText('')
  }
  return (
    <div className="flex flex-col gap-1.5">
      <ul className="flex flex-wrap gap-1.5">
        {tags.map((tag) => (
          <li
            key={tag}
            className="flex h-7 max-w-full items-center gap-1 rounded-md bg-surface-3 px-2 text-sm has-[button]:pe-0"
          >
            {colors.has(tag) && <ColorMark color={colors.get(tag)!} />}
            <span className="truncate">{tag}</span>
            {!disabled && (
              <IconButton
                icon={X}
                size="sm"
                label={t('tags.remove', { tag })}
                onClick={() => onChange(tags.filter((other) => other !== tag))}
              />
            )}
          </li>
        ))}
        {tags.length === 0 && disabled && <li className="text-sm text-ink-3">{t('tags.none')}</li>}
      </ul>
      {!disabled && (
        <form onSubmit={add} className="flex gap-1">
          <input
            value={text}
            onChange={(event) => setText(event.target.value)}
            onKeyDown={(event) => event.key === 'Escape' && event.currentTarget.blur()}
            maxLength={100}
            aria-label={t('tags.add')}
            placeholder={t('tags.add')}
            className="h-8 min-w-0 flex-1 rounded-md border border-line bg-surface-2 px-2 text-sm pointer-coarse:h-11"
          />
          <IconButton icon={Plus} size="sm" label={t('tags.add')} type="submit" />
        </form>
      )}
    </div>
  )
}
