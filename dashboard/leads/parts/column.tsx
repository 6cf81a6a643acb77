import { dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { Lead, PipelineStage } from '../../../sdk/api.ts'
import { classes } from '../../kit/classes.ts'
import { LoadMore } from '../../kit/load-more.tsx'
import { formatMoney } from '../../kit/money.ts'
import { Failed, SkeletonRows } from '../../kit/states.tsx'
import { columnQuery } from '../queries.ts'
import { t } from '../texts.ts'
import type { RemovedLead } from '../use-changes.ts'
import type { LeadsView } from '../view.ts'
import { LeadCard } from './card.tsx'
import type { Question } from './question.tsx'
import { StageDot } from './stage.tsx'

export type ColumnProps = {
  stage: PipelineStage
  sum: { count: number; dealValue: number } | undefined
  view: LeadsView
  workspace: string
  mayWrite: boolean
  currentId: string | undefined
  removedLeads: ReadonlyMap<string, RemovedLead>
  onMove: (lead: Lead, stage: PipelineStage) => void
  onQuestion: (question: Question) => void
  onRows: (stageId: string, leads: readonly Lead[]) => void
}

/** Accepts cards that are dropped here. */
function useDropTarget({ stage, onMove }: Pick<ColumnProps, 'stage' | 'onMove'>) {
  const pane = useRef<HTMLElement>(null)
  const [isOver, setOver] = useState(false)
  const move = useRef(onMove)
  move.current = onMove
  useEffect(() => {
    if (!pane.current) return
    return dropTargetForElements({
      element: pane.current,
      canDrop: ({ source }) => (source.data.lead as Lead | undefined)?.stage.id !== stage.id,
      onDragEnter: () => setOver(true),
      onDragLeave: () => setOver(false),
      onDrop: ({ source }) => {
        setOver(false)
        move.current(source.data.lead as Lead, stage)
      },
    })
  }, [stage])
  return { pane, isOver }
}

/** Shows a stage: the number of leads, their total value, and the leads. */
export function Column(props: ColumnProps) {
  const { stage, sum, view, workspace, mayWrite, currentId, removedLeads, onQuestion, onRows } = props
  const { pane, isOver } = useDropTarget(props)
  const query = useInfiniteQuery(columnQuery(view, stage.id))
  const fetched = query.data?.pages.flatMap((page) => page.leads) ?? []
  const keptLeads = [...removedLeads.values()]
    .map(({ lead }) => lead)
    .filter((lead) => lead.stage.id === stage.id && !fetched.some(({ id }) => id === lead.id))
  const leads = [...keptLeads, ...fetched]
  const ids = leads.map(({ id }) => id).join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: which cards there are, and in which state
  useEffect(() => onRows(stage.id, leads), [ids, query.data])
  return (
    <section
      ref={pane}
      aria-label={stage.name}
      data-stage={stage.id}
      className={classes(
        'flex w-72 shrink-0 snap-start flex-col rounded-lg bg-surface-3 max-sm:w-[calc(100%-0.5rem)]',
        isOver && 'outline-2 outline-accent',
      )}
    >
      <header className="flex h-11 shrink-0 items-center gap-2 px-3">
        <StageDot color={stage.color} />
        <h2 className="min-w-0 truncate font-semibold">{stage.name}</h2>
        {sum && (
          <>
            <span data-count className="text-sm text-ink-2 tabular-nums">
              {t('column.count', { count: sum.count })}
            </span>
            <span data-sum className="ms-auto text-sm text-ink-2 tabular-nums">
              {formatMoney(sum.dealValue)}
            </span>
          </>
        )}
      </header>
      <div className="pane min-h-0 flex-1 px-2 pb-2">
        {query.isPending ? (
          <SkeletonRows rows={3} />
        ) : query.isLoadingError ? (
          <Failed error={query.error} onRetry={() => void query.refetch()} />
        ) : (
          <ul className="flex flex-col gap-2">
            {leads.map((lead) => (
              <li key={lead.id}>
                <LeadCard
                  lead={lead}
                  workspace={workspace}
                  mayWrite={mayWrite}
                  current={lead.id === currentId}
                  undo={keptLeads.includes(lead) ? removedLeads.get(lead.id)?.undo : undefined}
                  onQuestion={onQuestion}
                />
              </li>
            ))}
          </ul>
        )}
        {leads.length === 0 && query.isSuccess && (
          <p className="px-2 py-6 text-center text-sm text-ink-2">{t('column.empty')}</p>
        )}
        <LoadMore query={query} className="mt-2 w-full">
          {t('column.more')}
        </LoadMore>
      </div>
    </section>
  )
}
