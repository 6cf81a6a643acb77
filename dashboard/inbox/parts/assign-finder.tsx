/** Assigns the open chat to a teammate with the keyboard. */
import { useQuery } from '@tanstack/react-query'
import { UserRound } from 'lucide-react'
import type { Conversation } from '../../../sdk/api.ts'
import { Finder } from '../../kit/finder.tsx'
import { teamQuery } from '../queries.ts'
import { t } from '../texts.ts'

type Props = {
  open: boolean
  onClose: () => void
  conversation: Conversation | undefined
  onChoose: (memberId: string | null) => void
}

export function AssignFinder({ open, onClose, conversation, onChoose }: Props) {
  const { data: team = [] } = useQuery(teamQuery)
  const title = t('action.assign')
  const items = [...team, { id: null, name: t('assignee.none') }].map(({ id, name }) => ({
    id: id ?? 'none',
    title: name,
    icon: UserRound,
    detail: conversation?.assignedAgentId === id ? t('assignee.now') : undefined,
    run: () => onChoose(id),
  }))
  return (
    <Finder
      open={open}
      onClose={onClose}
      title={title}
      placeholder={t('side.assignee')}
      empty={t('assignee.unknown')}
      groups={[{ value: title, items }]}
    />
  )
}
