/** A list of stages, reasons, or owners to choose from. */
import { useQuery } from '@tanstack/react-query'
import { CircleDot, CircleX, UserRound } from 'lucide-react'
import { Finder } from '../../kit/finder.tsx'
import { teamQuery } from '../../tasks/queries.ts'
import { pipelineQuery } from '../queries.ts'
import { t } from '../texts.ts'
import { type QuestionProps, useMove } from './question.tsx'
import { nameOf } from './stage.tsx'

function useItems({ question, onQuestion, change }: QuestionProps) {
  const { data: pipeline } = useQuery(pipelineQuery)
  const { data: team = [] } = useQuery(teamQuery)
  const move = useMove({ onQuestion, change })
  if (!question || !pipeline) return []
  const { kind, lead } = question
  if (kind === 'stage')
    return pipeline.stages
      .filter((stage) => !question.only || stage.kind === question.only)
      .map((stage) => ({
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
          t('notice.moved', { stage: question.stage.name }),
        ),
    }))
  return [{ id: null, name: t('noOwner') }, ...team].map(({ id, name }) => ({
    id: id ?? 'none',
    title: name,
    icon: UserRound,
    run: () => void change(lead, { owner: id }, t('notice.owner', { name })),
  }))
}

export function QuestionPopup(props: QuestionProps) {
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
