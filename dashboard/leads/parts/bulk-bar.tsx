/** Offers actions for all selected leads. */
import { useQuery } from '@tanstack/react-query'
import { CircleDot, UserRound, X } from 'lucide-react'
import type { Lead } from '../../../sdk/api.ts'
import { Button, IconButton } from '../../kit/button.tsx'
import { Menu, type MenuEntry } from '../../kit/menu.tsx'
import { TagButton } from '../../kit/tag-button.tsx'
import { teamQuery } from '../../tasks/queries.ts'
import { type LeadPatch, pipelineQuery } from '../queries.ts'
import { t } from '../texts.ts'
import { changeLeadsWithUndo } from '../use-changes.ts'

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
        label={t('bulk.tag')}
        field={t('bulk.tag.name')}
        onTag={(tag) => change(({ tags }) => (tags.includes(tag) ? undefined : { tags: [...tags, tag] }))}
      />
      <IconButton icon={X} size="sm" label={t('bulk.clear')} onClick={onClear} className="ms-auto" />
    </div>
  )
}
