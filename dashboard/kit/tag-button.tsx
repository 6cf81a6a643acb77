/** A button that asks for one tag, for all selected things. */
import { Tag } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { Button } from './button.tsx'
import { Popover } from './popover.tsx'

const TAG_MAX = 100

type Props = {
  label: string
  /** The name of the field. */
  field: string
  onTag: (tag: string) => void
}

export function TagButton({ label, field, onTag }: Props) {
  const [isOpen, setOpen] = useState(false)
  const [text, setText] = useState('')
  const tag = text.trim()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (tag === '') return
    setOpen(false)
    setText('')
    onTag(tag)
  }
  return (
    <Popover
      title={label}
      open={isOpen}
      onOpenChange={setOpen}
      trigger={
        <Button size="sm" icon={Tag}>
          {label}
        </Button>
      }
    >
      <form className="flex gap-2" onSubmit={submit}>
        <input
          value={text}
          onChange={(event) => setText(event.target.value)}
          maxLength={TAG_MAX}
          aria-label={field}
          placeholder={field}
          className="h-8 min-w-0 flex-1 rounded-md border border-edge bg-surface-1 px-2 pointer-coarse:h-11"
        />
        <Button type="submit" size="sm" variant="primary" disabled={tag === ''}>
          {label}
        </Button>
      </form>
    </Popover>
  )
}
