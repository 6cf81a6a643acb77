/** Offers actions for all selected chats. */
import { useQuery } from '@tanstack/react-query'
import { CheckCheck, Tag, UserRoundCheck, X } from 'lucide-react'
import { useState } from 'react'
import type { ListedConversation } from '../../../sdk/api.ts'
import { Button, IconButton } from '../../kit/button.tsx'
import { Menu } from '../../kit/menu.tsx'
import { Popover } from '../../kit/popover.tsx'
import { teamQuery, teamsQuery } from '../queries.ts'
import { t } from '../texts.ts'
import { type ConversationPatch, changeConversationsWithUndo, tagMany } from '../use-actions.ts'

type Props = { chosen: readonly ListedConversation[]; me: string; onClear: () => void }

const TAG_MAX = 100

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

function TagButton({ onTag }: { onTag: (tag: string) => void }) {
  const [isOpen, setOpen] = useState(false)
  const [text, setText] = useState('')
  const tag = text.trim()
  return (
    <Popover
      title={t('selected.tag')}
      open={isOpen}
      onOpenChange={setOpen}
      trigger={
        <Button size="sm" icon={Tag}>
          {t('selected.tag')}
        </Button>
      }
    >
      <form
        className="flex gap-2"
        onSubmit={(event) => {
          event.preventDefault()
          if (tag === '') return
          setOpen(false)
          setText('')
          onTag(tag)
        }}
      >
        <input
          value={text}
          onChange={(event) => setText(event.target.value)}
          maxLength={TAG_MAX}
          aria-label={t('side.tags.add')}
          placeholder={t('side.tags.add')}
          className="h-8 min-w-0 flex-1 rounded-md border border-edge bg-surface-1 px-2 pointer-coarse:h-11"
        />
        <Button type="submit" size="sm" variant="primary" disabled={tag === ''}>
          {t('selected.tag')}
        </Button>
      </form>
    </Popover>
  )
}
