/** Assigns the open chat to a teammate or a team with the keyboard. */
import { useQuery } from '@tanstack/react-query'
import { UserRound, Users } from 'lucide-react'
import type { Conversation } from '../../../sdk/api.ts'
import { Finder } from '../../kit/finder.tsx'
import { teamQuery, teamsQuery } from '../queries.ts'
import { t } from '../texts.ts'
import type { ConversationPatch } from '../use-actions.ts'

type Props = {
  open: boolean
  onClose: () => void
  conversation: Conversation | undefined
  onChoose: (patch: ConversationPatch) => void
}

export function AssignFinder({ open, onClose, conversation, onChoose }: Props) {
  const { data: team = [] } = useQuery(teamQuery)
  const { data: teams = [] } = useQuery(teamsQuery)
  const title = t('action.assign')
  const items = [...team, { id: null, name: t('assignee.none') }].map(({ id, name }) => ({
    id: id ?? 'none',
    title: name,
    icon: UserRound,
    detail: conversation?.assignedAgentId === id ? t('assignee.now') : undefined,
    run: () => onChoose({ assignedAgentId: id }),
  }))
  const teamItems = (teams.length === 0 ? [] : [...teams, { id: null, name: t('team.none') }]).map(
    ({ id, name }) => ({
      id: id ?? 'no-team',
      title: name,
      icon: Users,
      detail: conversation?.teamId === id ? t('assignee.now') : undefined,
      run: () => onChoose({ teamId: id }),
    }),
  )
  return (
    <Finder
      open={open}
      onClose={onClose}
      title={title}
      placeholder={t('side.assignee')}
      empty={t('assignee.unknown')}
      groups={[
        { value: title, items },
        ...(teamItems.length > 0 ? [{ value: t('side.team'), items: teamItems }] : []),
      ]}
    />
  )
}
