/** Shows leads by stage, side by side. */
import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useRef } from 'react'
import type { Lead, PipelineStage } from '../../../sdk/api.ts'
import { lazyComponent } from '../../kit/lazy.tsx'
import { Failed, SkeletonRows } from '../../kit/states.tsx'
import { pipelineQuery, summaryQuery } from '../queries.ts'
import { t } from '../texts.ts'
import { selectionOf } from '../view.ts'
import { Column, type ColumnProps } from './column.tsx'

const CloseTargets = lazyComponent(() => import('./close-targets.tsx').then((module) => module.CloseTargets))

type Props = Omit<ColumnProps, 'stage' | 'sum' | 'onRows'> & {
  /** Receives the cards in their order, by column. */
  onColumns: (columns: readonly (readonly Lead[])[]) => void
}

export function Board({ onColumns, ...props }: Props) {
  const pipeline = useQuery(pipelineQuery)
  const summary = useQuery(summaryQuery(selectionOf(props.view)))
  const rows = useRef(new Map<string, readonly Lead[]>())
  const stages = useRef<readonly PipelineStage[]>([])
  stages.current = pipeline.data?.stages ?? []
  const report = useRef(onColumns)
  report.current = onColumns
  const onRows = useCallback((stageId: string, leads: readonly Lead[]) => {
    rows.current.set(stageId, leads)
    report.current(stages.current.map(({ id }) => rows.current.get(id) ?? []))
  }, [])
  const { currentId } = props
  useEffect(() => {
    if (!currentId) return
    document
      .querySelector(`[data-lead="${currentId}"]`)
      ?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [currentId])
  if (pipeline.isPending) return <SkeletonRows tall />
  if (pipeline.isLoadingError)
    return <Failed error={pipeline.error} onRetry={() => void pipeline.refetch()} />
  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      <section
        aria-label={t('board')}
        className="scroll-thin flex min-h-0 flex-1 snap-x scroll-ps-4 gap-3 overflow-x-auto px-4 pb-4 sm:snap-none sm:px-6"
      >
        {pipeline.data.stages.map((stage) => (
          <Column
            {...props}
            key={stage.id}
            stage={stage}
            sum={summary.data?.find(({ stageId }) => stageId === stage.id)}
            onRows={onRows}
          />
        ))}
      </section>
      {props.mayWrite && <CloseTargets stages={pipeline.data.stages} onMove={props.onMove} />}
    </div>
  )
}
