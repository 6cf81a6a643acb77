/** Asks for the new stage, lost reason, or owner of a lead. */
import { useQuery } from '@tanstack/react-query'
import type { Lead, PipelineStage } from '../../../sdk/api.ts'
import { lazyPopup } from '../../kit/lazy.tsx'
import { useStable } from '../../kit/use-stable.ts'
import { pipelineQuery } from '../queries.ts'
import { t } from '../texts.ts'
import type { Change } from '../use-changes.ts'

/** The kinds of stages that end the work on a lead. */
export type CloseKind = 'won' | 'lost'

export type Question =
  /** With `only`, the stages of one kind. */
  | { kind: 'stage'; lead: Lead; only?: CloseKind }
  | { kind: 'lost'; lead: Lead; stage: Pick<PipelineStage, 'id' | 'name'> }
  | { kind: 'owner'; lead: Lead }

export type QuestionProps = {
  question: Question | undefined
  onQuestion: (question: Question | undefined) => void
  change: Change
}

/**
 * Returns a function that moves a lead. Before a move to a lost stage, it asks for the reason if the
 * workspace has reasons.
 */
export function useMove({ onQuestion, change }: Pick<QuestionProps, 'onQuestion' | 'change'>) {
  const { data } = useQuery(pipelineQuery)
  return (lead: Lead, stage: PipelineStage) => {
    if (stage.id === lead.stage.id) return
    if (stage.kind === 'lost' && data && data.lostReasons.length > 0)
      onQuestion({ kind: 'lost', lead, stage })
    else void change(lead, { stage: stage.id }, t('notice.moved', { stage: stage.name }))
  }
}

type CloseProps = Pick<QuestionProps, 'onQuestion'> & { onMove: (lead: Lead, stage: PipelineStage) => void }

/** Returns a function that wins or loses a lead. It asks for the stage if the pipeline has several. */
export function useClose({ onQuestion, onMove }: CloseProps) {
  const { data } = useQuery(pipelineQuery)
  return useStable((lead: Lead, kind: CloseKind) => {
    const [stage, ...others] = data?.stages.filter((stage) => stage.kind === kind) ?? []
    if (others.length > 0) onQuestion({ kind: 'stage', lead, only: kind })
    else if (stage) onMove(lead, stage)
  })
}

export const QuestionDialog = lazyPopup(
  () => import('./question-popup.tsx').then((module) => module.QuestionPopup),
  ({ question }) => question !== undefined,
)
