import { Plus, Trash2 } from 'lucide-react'
import { useRef } from 'react'
import { Button, IconButton } from './button.tsx'
import { TextField } from './field.tsx'
import { Group } from './group.tsx'

/** A header of an HTTP request. An empty value keeps the stored value of its name, if there is one. */
export type HeaderEntry = { name: string; value: string }

/** The texts of the fields; the numbers start with 1. */
export type HeaderTexts = {
  legend: string
  hint: string
  add: string
  name: (number: number) => string
  value: (number: number) => string
  remove: (number: number) => string
  /** Shown in the empty field of a stored value. */
  stored: string
}

type Props = {
  texts: HeaderTexts
  headers: readonly HeaderEntry[]
  /** Names of headers with a stored value. */
  storedNames: readonly string[]
  max: number
  onChange: (headers: HeaderEntry[]) => void
  error?: string | undefined
}

/** Returns the headers for a request: without empty rows, and without values that stay stored. */
export const headersToSend = (headers: readonly HeaderEntry[]): { name: string; value?: string }[] =>
  headers.flatMap(({ name, value }) => {
    const trimmed = name.trim()
    if (trimmed === '' && value === '') return []
    return [value === '' ? { name: trimmed } : { name: trimmed, value }]
  })

/** Edits the own headers of a request. Stored values are never shown. */
export function HeaderFields({ texts, headers, storedNames, max, onChange, error }: Props) {
  const rows = useRef<HTMLDivElement>(null)
  const change = (index: number, part: Partial<HeaderEntry>) =>
    onChange(headers.with(index, { ...headers[index]!, ...part }))
  /** Moves the focus to the last row, because the pressed button may be gone. */
  const focusLast = () =>
    requestAnimationFrame(() => rows.current?.lastElementChild?.querySelector('input')?.focus())
  const isStored = (name: string) =>
    storedNames.some((stored) => stored.toLowerCase() === name.trim().toLowerCase())
  return (
    <Group label={texts.legend} hint={texts.hint} error={error}>
      <div ref={rows} className="flex flex-col gap-2">
        {headers.map(({ name, value }, index) => {
          const number = index + 1
          return (
            <div
              // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other identity, and their fields are controlled
              key={index}
              className="grid grid-cols-[minmax(0,1fr)_auto] items-end gap-2 sm:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto]"
            >
              <TextField
                label={texts.name(number)}
                className="max-sm:col-span-2"
                inputClassName="font-mono"
                autoComplete="off"
                autoCapitalize="none"
                spellCheck={false}
                value={name}
                onChange={(event) => change(index, { name: event.target.value })}
              />
              <TextField
                label={texts.value(number)}
                inputClassName="font-mono"
                autoComplete="off"
                autoCapitalize="none"
                spellCheck={false}
                placeholder={isStored(name) ? texts.stored : undefined}
                value={value}
                onChange={(event) => change(index, { value: event.target.value })}
              />
              <IconButton
                icon={Trash2}
                label={texts.remove(number)}
                onClick={() => {
                  onChange(headers.toSpliced(index, 1))
                  focusLast()
                }}
              />
            </div>
          )
        })}
      </div>
      {headers.length < max && (
        <Button
          size="sm"
          variant="ghost"
          icon={Plus}
          className="self-start"
          onClick={() => {
            onChange([...headers, { name: '', value: '' }])
            focusLast()
          }}
        >
          {texts.add}
        </Button>
      )}
    </Group>
  )
}
