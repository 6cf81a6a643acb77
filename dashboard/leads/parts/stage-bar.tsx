/** Shows the stages of the pipeline in a row, with the lead's own; a click moves the lead. */
import { useQuery } from '@tanstack/react-query'
import { Check } from 'lucide-react'
import type { Lead, PipelineStage } from '../../../sdk/api.ts'
import { classes } from '../../kit/classes.ts'
import { pipelineQuery } from '../queries.ts'
import { t } from '../texts.ts'

type Props = { lead: Lead; disabled: boolean; onMove: (stage: PipelineStage) => void }

const CURRENT = 'bg-accent font-semibold text-on-accent'
const CURRENT_LOST = 'bg-bad font-semibold text-on-bad'
const PASSED = 'bg-accent-soft text-accent'
const LATER = 'bg-surface-1 text-ink-2'

export function StageBar({ lead, disabled, onMove }: Props) {
  const { data } = useQuery(pipelineQuery)
  const stages = data?.stages ?? []
  const current = stages.findIndex(({ id }) => id === lead.stage.id)
  const isLost = lead.stage.kind === 'lost'
  return (
    <ol aria-label={t('stages')} className="scroll-thin flex min-h-9 overflow-x-auto border-b max-md:hidden">
      {stages.map((stage, place) => {
        const isCurrent = place === current
        const isPassed = !isLost && place < current
        return (
          <li key={stage.id} className="min-w-24 flex-1 not-first:border-s">
            <button
              type="button"
              disabled={disabled}
              aria-current={isCurrent ? 'step' : undefined}
              onClick={() => onMove(stage)}
              className={classes(
                'flex h-9 w-full items-center justify-center gap-1 px-2 text-sm enabled:hover:underline',
                isCurrent ? (isLost ? CURRENT_LOST : CURRENT) : isPassed ? PASSED : LATER,
              )}
            >
              {isPassed && <Check aria-hidden size={13} className="shrink-0" />}
              <span dir="auto" className="truncate">
                {stage.name}
              </span>
            </button>
          </li>
        )
      })}
    </ol>
  )
}
