/** A text field in which the user can insert values, such as names and event data. */
import { Braces } from 'lucide-react'
import { useRef } from 'react'
import { Button } from '../../kit/button.tsx'
import { TextArea } from '../../kit/field.tsx'
import { Menu } from '../../kit/menu.tsx'
import { t } from '../texts.ts'

/** The maximum length of a message or a note. */
const MAX = 4096

type Props = {
  label: string
  hint?: string
  value: string
  placeholders: readonly { path: string; label: string }[]
  onChange: (text: string) => void
  error: string | undefined
}

/** Fills a row of a form with two columns. */
export function PlaceholderText({ label, hint, value, placeholders, onChange, error }: Props) {
  const around = useRef<HTMLDivElement>(null)
  const insert = (path: string) => {
    const area = around.current?.querySelector('textarea')
    const [from, to] = [area?.selectionStart ?? value.length, area?.selectionEnd ?? value.length]
    onChange(`${value.slice(0, from)}{{${path}}}${value.slice(to)}`)
  }
  return (
    <div ref={around} className="flex flex-col gap-1.5 sm:col-span-2">
      <TextArea
        label={label}
        hint={hint}
        maxLength={MAX}
        error={error}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
      <div>
        <Menu
          trigger={
            <Button icon={Braces} size="sm" variant="ghost">
              {t('text.insert')}
            </Button>
          }
          entries={placeholders.map(({ path, label: name }) => ({
            label: name,
            onSelect: () => insert(path),
          }))}
        />
      </div>
    </div>
  )
}
