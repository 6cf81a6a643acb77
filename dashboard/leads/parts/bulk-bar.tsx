/** Offers actions for all selected leads. */
import { useQuery } from '@tanstack/react-query'
import { CircleDot, Tag, UserRound, X } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import type { Lead } from '../../../sdk/api.ts'
import { Button, IconButton } from '../../kit/button.tsx'
import { Menu, type MenuEntry } from '../../kit/menu.tsx'
import { Popover } from '../../kit/popover.tsx'
import { teamQuery } from '../../tasks/queries.ts'
import { type LeadPatch, pipelineQuery } from '../queries.ts'
import { t } from '../texts.ts'
import { changeLeadsWithUndo } from '../use-changes.ts'

const TAG_MAX = 100

type Props = { leads: readonly Lead[]; onClear: () => void }

export function BulkBar({ leads, onClear }: Props) {
  const { data: pipeline } = useQuery(pipelineQuery)
  const { data: team = [] } = useQuery(teamQuery)
  const change = (patchOf: (lead: Lead) => LeadPatch | undefined) => {
    void changeLeadsWithUndo(leads, patchOf)
    onClear()
  }
  const reasons = pipeline?.lostReasons ?? []
  const stages = (pipeline?.stages ?? []).flatMap(({ id, name, kind }): MenuEntry[] => {
    const moveTo =
      (patch: LeadPatch) =>
      ({ stage }: Lead) =>
        stage.id === id ? undefined : patch
    if (kind !== 'lost' || reasons.length === 0)
      return [{ label: name, onSelect: () => change(moveTo({ stage: id })) }]
    return [
      { heading: name },
      ...reasons.map((reason) => ({
        label: reason.label,
        onSelect: () => change(moveTo({ stage: id, lostReason: reason.id })),
      })),
    ]
  })
  return (
    <div
      role="toolbar"
      aria-label={t('bulk')}
      className="flex flex-wrap items-center gap-2 border-t bg-surface-2 px-4 py-2 sm:px-6"
    >
      <span role="status" className="me-2">
        {t('bulk.count', { count: leads.length })}
      </span>
      <Menu
        trigger={
          <Button size="sm" icon={CircleDot}>
            {t('bulk.move')}
          </Button>
        }
        entries={stages}
      />
      <Menu
        trigger={
          <Button size="sm" icon={UserRound}>
            {t('bulk.owner')}
          </Button>
        }
        entries={[
          ...team.map(({ id, name }) => ({
            label: name,
            onSelect: () => change(({ owner }) => (owner?.id === id ? undefined : { owner: id })),
          })),
          'line',
          {
            label: t('noOwner'),
            onSelect: () => change(({ owner }) => (owner ? { owner: null } : undefined)),
          },
        ]}
      />
      <TagButton
        onTag={(tag) => change(({ tags }) => (tags.includes(tag) ? undefined : { tags: [...tags, tag] }))}
      />
      <IconButton icon={X} size="sm" label={t('bulk.clear')} onClick={onClear} className="ms-auto" />
    </div>
  )
}

function TagButton({ onTag }: { onTag: (tag: string) => void }) {
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
      title={t('bulk.tag')}
      open={isOpen}
      onOpenChange={setOpen}
      trigger={
        <Button size="sm" icon={Tag}>
          {t('bulk.tag')}
        </Button>
      }
    >
      <form className="flex gap-2" onSubmit={submit}>
        <input
          value={text}
          onChange={(event) => setText(event.target.value)}
          maxLength={TAG_MAX}
          aria-label={t('bulk.tag.name')}
          placeholder={t('bulk.tag.name')}
          className="h-8 min-w-0 flex-1 rounded-md border border-edge bg-surface-1 px-2 pointer-coarse:h-11"
        />
        <Button type="submit" size="sm" variant="primary" disabled={tag === ''}>
          {t('bulk.tag')}
        </Button>
      </form>
    </Popover>
  )
}
