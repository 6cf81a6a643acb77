/** Chooses from existing tags, or accepts typed ones. */
import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { type KeyboardEvent, useId, useState } from 'react'
import { tagsQuery } from '../../api/tags.ts'
import { TextField } from '../../kit/field.tsx'
import { t } from '../texts.ts'

type Props = { label: string; tags: string[]; onChange: (tags: string[]) => void }

export function TagField({ label, tags, onChange }: Props) {
  const listId = useId()
  const [typed, setTyped] = useState('')
  const { data: knownTags = [] } = useQuery(tagsQuery)
  const add = () => {
    const tag = typed.trim()
    if (tag && !tags.includes(tag)) onChange([...tags, tag])
    setTyped('')
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== ',') return
    event.preventDefault()
    add()
  }
  return (
    <div className="flex flex-col gap-2">
      <TextField
        label={label}
        hint={t('tags.hint')}
        list={listId}
        value={typed}
        onChange={(event) => setTyped((event.target as HTMLInputElement).value)}
        onKeyDown={onKeyDown}
        onBlur={add}
      />
      <datalist id={listId}>
        {knownTags.map(({ id, name }) => (
          <option key={id} value={name} />
        ))}
      </datalist>
      {tags.length > 0 && (
        <ul aria-label={label} className="flex flex-wrap gap-1.5">
          {tags.map((tag) => (
            <li key={tag}>
              <button
                type="button"
                aria-label={t('tags.remove', { tag })}
                onClick={() => onChange(tags.filter((other) => other !== tag))}
                className="flex h-7 items-center gap-1 rounded-md bg-surface-3 px-2 text-sm hover:bg-surface-4 pointer-coarse:h-11"
              >
                {tag}
                <X aria-hidden size={13} />
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
