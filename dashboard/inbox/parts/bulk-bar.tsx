/** Offers actions for all selected chats. */
import { useQuery } from '@tanstack/react-query'
import { CheckCheck, UserRoundCheck, X } from 'lucide-react'
import type { ListedConversation } from '../../../sdk/api.ts'
import { Button, IconButton } from '../../kit/button.tsx'
import { Menu } from '../../kit/menu.tsx'
import { TagButton } from '../../kit/tag-button.tsx'
import { teamQuery, teamsQuery } from '../queries.ts'
import { t } from '../texts.ts'
import { type ConversationPatch, changeConversationsWithUndo, tagMany } from '../use-actions.ts'

type Props = { chosen: readonly ListedConversation[]; me: string; onClear: () => void }

export function BulkBar({ chosen, me, onClear }: Props) {
  const { data: team = [] } = useQuery(teamQuery)
  const { data: teams = [] } = useQuery(teamsQuery)
  const change = (patch: ConversationPatch) => {
    void changeConversationsWithUndo(chosen, patch)
    onClear()
  }
  const people = [...team].sort((a, b) => Number(b.id === me) - Number(a.id === me))
  return (
    <div
      role="toolbar"
      aria-label={t('selected.label')}
      className="flex flex-wrap items-center gap-1.5 border-t bg-surface-2 p-2"
    >
      <span role="status" className="basis-full ps-1 text-sm">
        {t('selected', { count: chosen.length })}
      </span>
      <Menu
        trigger={
          <Button size="sm" icon={UserRoundCheck}>
            {t('action.assign')}
          </Button>
        }
        entries={[
          ...people.map(({ id, name }) => ({
            label: id === me ? t('selected.me', { name }) : name,
            onSelect: () => change({ assignedAgentId: id }),
          })),
          'line',
          { label: t('action.unassign'), onSelect: () => change({ assignedAgentId: null }) },
          ...(teams.length === 0
            ? []
            : [
                { heading: t('side.team') },
                ...teams.map(({ id, name }) => ({ label: name, onSelect: () => change({ teamId: id }) })),
                { label: t('team.none'), onSelect: () => change({ teamId: null }) },
              ]),
        ]}
      />
      <Button size="sm" icon={CheckCheck} onClick={() => change({ state: 'resolved' })}>
        {t('selected.resolve')}
      </Button>
      <TagButton
        label={t('selected.tag')}
        field={t('side.tags.add')}
        onTag={(tag) => {
          void tagMany(chosen, tag)
          onClear()
        }}
      />
      <span className="flex-1" />
      <IconButton icon={X} size="sm" label={t('selected.none')} onClick={onClear} />
    </div>
  )
}
