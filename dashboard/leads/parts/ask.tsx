/** Asks where a lead goes: the stage, the reason it was lost, its owner. */
import { useQuery } from '@tanstack/react-query'
import { CircleDot, CircleX, UserRound } from 'lucide-react'
import type { Lead, PipelineStage } from '../../../sdk/api.ts'
import { Finder } from '../../kit/finder.tsx'
import { teamQuery } from '../../tasks/queries.ts'
import { pipelineQuery } from '../queries.ts'
import type { Change } from '../use-changes.ts'
import { t } from '../words.ts'
import { nameOf } from './stage.tsx'

export type Question =
  | { kind: 'stage'; lead: Lead }
  | { kind: 'lost'; lead: Lead; stage: Pick<PipelineStage, 'id' | 'name'> }
  | { kind: 'owner'; lead: Lead }

type Props = {
  question: Question | undefined
  onQuestion: (question: Question | undefined) => void
  change: Change
}

/** Moves a lead; one that is lost is asked why first, where the workspace has reasons. */
export function useMove({ onQuestion, change }: Pick<Props, 'onQuestion' | 'change'>) {
  const { data } = useQuery(pipelineQuery)
  return (lead: Lead, stage: PipelineStage) => {
    if (stage.id === lead.stage.id) return
    if (stage.kind === 'lost' && data && data.lostReasons.length > 0)
      onQuestion({ kind: 'lost', lead, stage })
    else void change(lead, { stage: stage.id }, t('said.moved', { stage: stage.name }))
  }
}

function useItems({ question, onQuestion, change }: Props) {
  const { data: pipeline } = useQuery(pipelineQuery)
  const { data: team = [] } = useQuery(teamQuery)
  const move = useMove({ onQuestion, change })
  if (!question || !pipeline) return []
  const { kind, lead } = question
  if (kind === 'stage')
    return pipeline.stages.map((stage) => ({
      id: stage.id,
      title: stage.name,
      icon: CircleDot,
      detail: stage.id === lead.stage.id ? t('ask.stage.now') : undefined,
      run: () => move(lead, stage),
    }))
  if (kind === 'lost')
    return pipeline.lostReasons.map(({ id, label }) => ({
      id,
      title: label,
      icon: CircleX,
      run: () =>
        void change(
          lead,
          { stage: question.stage.id, lostReason: id },
          t('said.moved', { stage: question.stage.name }),
        ),
    }))
  return [{ id: null, name: t('nobody') }, ...team].map(({ id, name }) => ({
    id: id ?? 'none',
    title: name,
    icon: UserRound,
    run: () => void change(lead, { owner: id }, t('said.owner', { name })),
  }))
}

export function Ask(props: Props) {
  const { question, onQuestion } = props
  const items = useItems(props)
  const kind = question?.kind ?? 'stage'
  const title = question ? t(`ask.${kind}`, { name: nameOf(question.lead) }) : ''
  return (
    <Finder
      key={kind}
      open={question !== undefined}
      onClose={() => onQuestion(undefined)}
      title={title}
      placeholder={title}
      empty={t('ask.none')}
      groups={items.length > 0 ? [{ value: title, items }] : []}
    />
  )
}
