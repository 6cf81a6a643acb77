/** Shows places to drop a lead that is won or lost, while a card is dragged: their columns may be out of view. */
import { dropTargetForElements, monitorForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { Trophy, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { Lead, PipelineStage } from '../../../sdk/api.ts'
import { classes } from '../../kit/classes.ts'

type OnMove = (lead: Lead, stage: PipelineStage) => void
type Props = { stages: readonly PipelineStage[]; onMove: OnMove }

const LOOK = {
  won: { icon: Trophy, color: 'border-good bg-good-soft text-good' },
  lost: { icon: X, color: 'border-bad bg-bad-soft text-bad' },
}

function Target({ stage, onMove }: { stage: PipelineStage; onMove: OnMove }) {
  const place = useRef<HTMLDivElement>(null)
  const [isOver, setOver] = useState(false)
  const move = useRef(onMove)
  move.current = onMove
  useEffect(() => {
    if (!place.current) return
    return dropTargetForElements({
      element: place.current,
      onDragEnter: () => setOver(true),
      onDragLeave: () => setOver(false),
      onDrop: ({ source }) => move.current(source.data.lead as Lead, stage),
    })
  }, [stage])
  const { icon: Icon, color } = LOOK[stage.kind === 'won' ? 'won' : 'lost']
  return (
    <div
      ref={place}
      data-close={stage.id}
      className={classes(
        'flex h-14 min-w-0 flex-1 items-center justify-center gap-2 rounded-lg border-2 px-4 font-semibold',
        isOver ? 'border-solid' : 'border-dashed',
        color,
      )}
    >
      <Icon aria-hidden size={18} className="shrink-0" />
      <span dir="auto" className="truncate">
        {stage.name}
      </span>
    </div>
  )
}

export function CloseTargets({ stages, onMove }: Props) {
  const [lead, setLead] = useState<Lead>()
  useEffect(
    () =>
      monitorForElements({
        canMonitor: ({ source }) => source.data.lead !== undefined,
        onDragStart: ({ source }) => setLead(source.data.lead as Lead),
        onDrop: () => setLead(undefined),
      }),
    [],
  )
  const targets = stages.filter(
    ({ id, kind }) => (kind === 'won' || kind === 'lost') && id !== lead?.stage.id,
  )
  if (!lead || targets.length === 0) return null
  return (
    // The menu of the card, and its keys, do the same.
    <div
      aria-hidden
      // Above a notice, which would cover a target.
      className="absolute inset-x-4 bottom-4 z-70 flex gap-3 rounded-lg border bg-surface-1 p-3 shadow-pop sm:inset-x-6"
    >
      {targets.map((stage) => (
        <Target key={stage.id} stage={stage} onMove={onMove} />
      ))}
    </div>
  )
}
