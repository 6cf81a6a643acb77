/**
 * Suggests teammates for the text after an @ in a note, from within the field: arrows choose, Enter and Tab
 * insert.
 */
import { useQuery } from '@tanstack/react-query'
import { type RefObject, useEffect, useState } from 'react'
import { Avatar } from '../../kit/avatar.tsx'
import { classes } from '../../kit/classes.ts'
import { teamQuery } from '../queries.ts'
import { t } from '../texts.ts'

const SHOWN = 6

/** Returns the text after the last @ before the caret; undefined if there is no such mention. */
const mentionIn = (before: string): string | undefined =>
  /(?:^|[\s(])@([\p{L}\p{M}\p{N} ]{0,30})$/u.exec(before)?.[1]

type Props = {
  text: string
  field: RefObject<HTMLTextAreaElement | null>
  onText: (text: string) => void
}

export function Mentions({ text, field, onText }: Props) {
  const [index, setIndex] = useState(0)
  const [caret, setCaret] = useState(text.length)
  useEffect(() => {
    const onSelection = () => {
      if (document.activeElement === field.current) setCaret(field.current?.selectionStart ?? 0)
    }
    document.addEventListener('selectionchange', onSelection)
    return () => document.removeEventListener('selectionchange', onSelection)
  }, [field])
  const query = mentionIn(text.slice(0, caret))
  const { data: team = [] } = useQuery({ ...teamQuery, enabled: query !== undefined })
  const fitting =
    query === undefined
      ? []
      : team
          .filter(
            ({ name }) => name.toLowerCase().startsWith(query.toLowerCase()) && name !== query.trimEnd(),
          )
          .slice(0, SHOWN)
  const current = Math.min(index, fitting.length - 1)
  const choose = ({ name }: { name: string }) => {
    const begin = caret - (query ?? '').length
    const insertion = `${text.slice(0, begin)}${name} `
    onText(insertion + text.slice(caret).trimStart())
    setIndex(0)
    setCaret(insertion.length)
    requestAnimationFrame(() => {
      field.current?.focus()
      field.current?.setSelectionRange(insertion.length, insertion.length)
    })
  }
  useEffect(() => {
    const element = field.current
    const onKeyDown = (event: KeyboardEvent) => {
      const member = fitting[current]
      if (!member || event.isComposing) return
      if (event.key === 'ArrowDown') setIndex((current + 1) % fitting.length)
      else if (event.key === 'ArrowUp') setIndex((current + fitting.length - 1) % fitting.length)
      else if (event.key === 'Enter' || event.key === 'Tab') choose(member)
      else return
      event.preventDefault()
    }
    // Runs before the field's own listener, for which Enter saves the note.
    element?.addEventListener('keydown', onKeyDown, { capture: true })
    return () => element?.removeEventListener('keydown', onKeyDown, { capture: true })
  })
  if (fitting.length === 0) return null
  return (
    <div className="border-b p-1" role="listbox" aria-label={t('composer.mention')}>
      {fitting.map((member, index) => (
        <div
          key={member.id}
          role="option"
          tabIndex={-1}
          aria-selected={index === current}
          onPointerDown={(event) => {
            event.preventDefault()
            choose(member)
          }}
          className={classes(
            'flex min-h-9 items-center gap-2.5 rounded-md px-3 py-1 pointer-coarse:min-h-11',
            index === current && 'bg-surface-3',
          )}
        >
          <Avatar name={member.name} size="sm" />
          <span className="truncate">{member.name}</span>
        </div>
      ))}
    </div>
  )
}
