/** Chooses the events of an endpoint: all, or a selection. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { TextField } from '../../kit/field.tsx'
import { Failed, SkeletonRows } from '../../kit/states.tsx'
import { Checkbox, Switch } from '../../kit/switch.tsx'
import { type EventKind, eventKindsQuery } from '../queries.ts'
import { t } from '../texts.ts'

/** Null: every event, including events added later. */
export type SelectedEvents = string[] | null

const groupOf = ({ event }: EventKind): string => event.slice(0, event.lastIndexOf('.'))

type Props = {
  picked: SelectedEvents
  onChange: (picked: SelectedEvents) => void
  error?: string | undefined
}

export function EventPicker({ picked, onChange, error }: Props) {
  const [search, setSearch] = useState('')
  const { data: kinds = [], isPending, isLoadingError, error: failure, refetch } = useQuery(eventKindsQuery)
  const typed = search.trim().toLowerCase()
  const fitting = kinds.filter((kind) => `${kind.event} ${kind.description}`.toLowerCase().includes(typed))
  const groups = Object.entries(Object.groupBy(fitting, groupOf))
  const toggle = (event: string, isOn: boolean) =>
    onChange(isOn ? [...(picked ?? []), event] : (picked ?? []).filter((other) => other !== event))
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="sr-only">{t('events')}</legend>
      <Switch
        label={t('events.every')}
        checked={picked === null}
        onChange={(isEvery) => onChange(isEvery ? null : [])}
      />
      {picked !== null && (
        <>
          <TextField
            label={t('events.search')}
            type="search"
            value={search}
            onChange={(event) => setSearch((event.target as HTMLInputElement).value)}
          />
          <div className="pane max-h-72 rounded-md border px-3 py-1">
            {isPending && <SkeletonRows rows={4} />}
            {isLoadingError && <Failed error={failure} onRetry={() => void refetch()} />}
            {groups.map(([group, ofGroup = []]) => (
              <div key={group} className="border-b py-2 last:border-0">
                {ofGroup.map(({ event, description }) => (
                  <div key={event} className="pb-1">
                    <Checkbox
                      label={<span className="font-mono text-sm">{event}</span>}
                      checked={picked.includes(event)}
                      onChange={(isOn) => toggle(event, isOn)}
                    />
                    <p className="ps-7 text-sm text-ink-3">{description}</p>
                  </div>
                ))}
              </div>
            ))}
            {!isPending && groups.length === 0 && <p className="py-3 text-ink-2">{t('events.none')}</p>}
          </div>
          <p className="text-sm text-ink-2" role="status">
            {t('events.count', { count: picked.length })}
          </p>
        </>
      )}
      {error && (
        <p role="alert" className="text-sm text-bad">
          {error}
        </p>
      )}
    </fieldset>
  )
}
