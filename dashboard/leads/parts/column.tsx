import { dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { type UseInfiniteQueryResult, useInfiniteQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { Lead, PipelineStage } from '../../../sdk/api.ts'
import { IconButton } from '../../kit/button.tsx'
import { classes } from '../../kit/classes.ts'
import { LoadMore } from '../../kit/load-more.tsx'
import { formatMoney } from '../../kit/money.ts'
import { Failed, SkeletonRows } from '../../kit/states.tsx'
import { columnQuery } from '../queries.ts'
import { t } from '../texts.ts'
import type { RemovedLead } from '../use-changes.ts'
import type { LeadsView } from '../view.ts'
import { LeadCard } from './card.tsx'
import type { LeadActions } from './lead-actions.ts'
import { StageDot } from './stage.tsx'

export type ColumnProps = LeadActions & {
  stage: PipelineStage
  sum: { count: number; dealValue: number } | undefined
  view: LeadsView
  workspace: string
  mayWrite: boolean
  currentId: string | undefined
  removedLeads: ReadonlyMap<string, RemovedLead>
  onMove: (lead: Lead, stage: PipelineStage) => void
  /** Adds a lead in this stage. */
  onCreate: (stageId: string) => void
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

/** Loads the next page when the end of the column is near. A failed page waits for its button. */
function useNextPage(query: UseInfiniteQueryResult) {
  const end = useRef<HTMLDivElement>(null)
  const isReady = query.hasNextPage && !query.isFetchingNextPage && !query.isFetchNextPageError
  const { fetchNextPage } = query
  useEffect(() => {
    if (!isReady || !end.current) return
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) void fetchNextPage()
      },
      { root: end.current.closest('.pane'), rootMargin: '400px 0px' },
    )
    observer.observe(end.current)
    return () => observer.disconnect()
  }, [isReady, fetchNextPage])
  return end
}

/** Shows a stage: the number of leads, their total value, and the leads. */
export function Column(props: ColumnProps) {
  const {
    stage,
    sum,
    view,
    workspace,
    mayWrite,
    currentId,
    removedLeads,
    onQuestion,
    onClose,
    onCreate,
    onRows,
  } = props
  const { pane, isOver } = useDropTarget(props)
  const query = useInfiniteQuery(columnQuery(view, stage.id))
  const end = useNextPage(query)
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
        // Columns grow so that all stages fill a wide screen, and scroll sideways on a narrow one.
        'flex min-w-0 max-w-96 shrink-0 grow basis-56 snap-start flex-col rounded-lg bg-surface-3 max-sm:max-w-none max-sm:basis-[calc(100%-0.5rem)]',
        isOver && 'outline-2 outline-accent',
      )}
    >
      <header className="flex shrink-0 flex-wrap items-center gap-x-2 ps-3 pe-1 pt-1.5 pb-2">
        <StageDot color={stage.color} />
        <h2 className="min-w-0 truncate font-semibold">{stage.name}</h2>
        <span data-count={sum && true} className="flex-1 text-sm text-ink-2 tabular-nums">
          {sum && t('column.count', { count: sum.count })}
        </span>
        {mayWrite && stage.kind !== 'lost' ? (
          <IconButton
            icon={Plus}
            size="sm"
            label={t('column.add', { stage: stage.name })}
            onClick={() => onCreate(stage.id)}
          />
        ) : (
          <span className="h-7 pointer-coarse:h-11" />
        )}
        {sum && (
          <span data-sum className="basis-full text-sm text-ink-2 tabular-nums">
            {formatMoney(sum.dealValue)}
          </span>
        )}
      </header>
      {/* A finger that swipes sideways over the cards scrolls the board. */}
      <div className="pane min-h-0 flex-1 overscroll-x-auto px-2 pb-2">
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
                  onClose={onClose}
                />
              </li>
            ))}
          </ul>
        )}
        {leads.length === 0 && query.isSuccess && (
          <p className="px-2 py-6 text-center text-sm text-ink-2">{t('column.empty')}</p>
        )}
        <div ref={end}>
          <LoadMore query={query} className="mt-2 w-full">
            {t('column.more')}
          </LoadMore>
        </div>
      </div>
    </section>
  )
}
