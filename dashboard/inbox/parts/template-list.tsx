/** Lists the approved templates: typing filters them, the arrow keys move, and Enter chooses one. */
import { useQuery } from '@tanstack/react-query'
import { LayoutTemplate } from 'lucide-react'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import type { Template } from '../../../sdk/api.ts'
import { Badge } from '../../kit/badge.tsx'
import { classes } from '../../kit/classes.ts'
import { TextField } from '../../kit/field.tsx'
import { Empty, Failed, SkeletonRows } from '../../kit/states.tsx'
import { approvedTemplatesQuery } from '../queries.ts'
import { t } from '../texts.ts'
import { isOnlyByApi, previewOf } from './template-fields.ts'

type Props = { onChoose: (template: Template) => void }

/** Returns the templates that contain every typed word in their name or text. */
function matchesOf(templates: readonly Template[], search: string): Template[] {
  const words = search.trim().toLowerCase().split(/\s+/)
  return templates.filter((template) => {
    const text = `${template.name} ${previewOf(template, {}).body}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
}

/** Moves through the templates that can be sent here. */
function useCurrent(choosable: readonly Template[]) {
  const [currentId, setCurrentId] = useState<string>()
  const current = choosable.find(({ id }) => id === currentId) ?? choosable[0]
  const move = (by: 1 | -1) => {
    const { length } = choosable
    const index = current ? choosable.indexOf(current) : -1
    setCurrentId(choosable[(index + by + length) % length]?.id)
  }
  return { current, move, setCurrentId }
}

export function TemplateList({ onChoose }: Props) {
  const [search, setSearch] = useState('')
  const listId = useId()
  const { data: templates = [], isPending, isLoadingError, error, refetch } = useQuery(approvedTemplatesQuery)
  const matches = matchesOf(templates, search)
  const { current, move, setCurrentId } = useCurrent(matches.filter((template) => !isOnlyByApi(template)))
  const list = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: when another template is current
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }, [current?.id])
  if (isPending) return <SkeletonRows />
  if (isLoadingError) return <Failed error={error} onRetry={() => void refetch()} />
  if (templates.length === 0)
    return (
      <Empty icon={LayoutTemplate} title={t('template.empty')}>
        {t('template.empty.text')}
      </Empty>
    )
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'ArrowDown') move(1)
    else if (event.key === 'ArrowUp') move(-1)
    else if (event.key === 'Enter' && current) onChoose(current)
    else return
    event.preventDefault()
  }
  const optionId = (template: Template) => `${listId}-${template.id}`
  return (
    <div className="flex flex-col gap-3">
      <TextField
        label={t('template.search')}
        type="search"
        autoFocus
        role="combobox"
        aria-expanded
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={current && optionId(current)}
        value={search}
        onKeyDown={onKeyDown}
        onChange={(event) => setSearch((event.target as HTMLInputElement).value)}
      />
      {matches.length === 0 && (
        <p role="status" className="text-ink-2">
          {t('template.none')}
        </p>
      )}
      <div
        ref={list}
        role="listbox"
        id={listId}
        aria-label={t('template.choose')}
        className="flex flex-col gap-2"
      >
        {matches.map((template) => (
          <TemplateOption
            key={template.id}
            id={optionId(template)}
            template={template}
            isCurrent={template === current}
            onCurrent={() => setCurrentId(template.id)}
            onChoose={() => onChoose(template)}
          />
        ))}
      </div>
    </div>
  )
}

type OptionProps = {
  id: string
  template: Template
  isCurrent: boolean
  onCurrent: () => void
  onChoose: () => void
}

function TemplateOption({ id, template, isCurrent, onCurrent, onChoose }: OptionProps) {
  const isDisabled = isOnlyByApi(template)
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the search field handles the keys
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isCurrent}
      aria-disabled={isDisabled || undefined}
      onPointerMove={isDisabled ? undefined : onCurrent}
      onClick={isDisabled ? undefined : onChoose}
      className={classes(
        'rounded-md border px-3 py-2',
        isDisabled ? 'text-ink-3' : 'cursor-default',
        isCurrent && 'border-accent bg-accent-soft',
      )}
    >
      <span className="flex flex-wrap items-center gap-2">
        <span className="font-medium">{template.name}</span>
        <Badge>{template.language}</Badge>
        <Badge tone={template.category === 'MARKETING' ? 'warn' : 'plain'}>{template.category}</Badge>
      </span>
      <span className="mt-1 line-clamp-2 text-sm text-ink-2">{previewOf(template, {}).body}</span>
      {isDisabled && <span className="mt-1 block text-sm">{t('template.onlyByApi')}</span>}
    </div>
  )
}
