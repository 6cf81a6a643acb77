/** The search of the settings: a field, and the results in the place of the sections. */
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type KeyboardEvent, type ReactNode, type RefObject, useRef, useState } from 'react'
import { hasRole, type Role } from '../../api/session.ts'
import { SearchField } from '../../kit/search-field.tsx'
import { settingPath, settingsIndexQuery } from '../../settings-search.ts'
import { t } from '../texts.ts'

const MAX_RESULTS = 12

type Props = {
  workspace: string
  role: Role
  field: RefObject<HTMLInputElement | null>
  /** Shown while no text is typed. */
  children: ReactNode
}

export function SettingsSearch({ workspace, role, field, children }: Props) {
  const [text, setText] = useState('')
  const list = useRef<HTMLUListElement>(null)
  const isTyped = text.trim() !== ''
  const { data: index } = useQuery({ ...settingsIndexQuery, enabled: isTyped })
  const results = (isTyped && index?.searchSettings(text, (lowest) => hasRole(role, lowest))) || []
  const links = () => [...(list.current?.querySelectorAll('a') ?? [])]
  const move = (event: KeyboardEvent) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (by === undefined || !isTyped) return
    event.preventDefault()
    const place = links().indexOf(document.activeElement as HTMLAnchorElement) + by
    if (place < 0) field.current?.focus()
    else links()[place]?.focus()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the arrows move between the field and its results
    <div onKeyDown={move} className="flex flex-col gap-4">
      <SearchField
        label={t('search')}
        value={text}
        onChange={setText}
        field={field}
        pauseMs={0}
        onEnter={() => links()[0]?.click()}
      />
      <p role="status" className="sr-only">
        {isTyped && index && t('search.count', { count: results.length })}
      </p>
      {!isTyped ? (
        children
      ) : results.length > 0 ? (
        <ul ref={list} aria-label={t('search.results')}>
          {results.slice(0, MAX_RESULTS).map((entry) => {
            const { path, search } = settingPath(entry)
            return (
              <li key={entry.id}>
                <Link
                  to={`/w/${workspace}/${path}` as string}
                  search={search as never}
                  className="flex min-h-9 flex-col justify-center rounded-md px-2 py-1 hover:bg-surface-3 pointer-coarse:min-h-11"
                >
                  <span>{entry.title}</span>
                  {entry.mark !== undefined && (
                    <span className="text-sm text-ink-3">{entry.sectionTitle}</span>
                  )}
                </Link>
              </li>
            )
          })}
        </ul>
      ) : (
        index && <p className="px-2 text-ink-2">{t('search.empty')}</p>
      )}
    </div>
  )
}
