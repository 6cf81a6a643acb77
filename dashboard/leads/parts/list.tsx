/** Shows all leads, as a board or as a table, with their filters. */
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { FileUp, Kanban, Plus } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { Lead } from '../../../sdk/api.ts'
import { hasRole, useWorkspaceSession } from '../../api/session.ts'
import { Button } from '../../kit/button.tsx'
import { lazyPopup } from '../../kit/lazy.tsx'
import { Empty } from '../../kit/states.tsx'
import { ZoneNote } from '../../kit/zone-note.tsx'
import { useCommands } from '../../shell/commands-store.ts'
import { LEADS_COMMANDS } from '../commands.ts'
import { lastList, rememberList } from '../last-list.ts'
import { leadsLayout } from '../layout.ts'
import { summaryQuery } from '../queries.ts'
import { t } from '../texts.ts'
import { useChanges } from '../use-changes.ts'
import { isNarrowed, type LeadsView, readView, searchOf, selectionOf } from '../view.ts'
import { Board } from './board.tsx'
import { type Question, QuestionDialog, useClose, useMove } from './question.tsx'
import { LeadTable } from './table.tsx'
import { Toolbar } from './toolbar.tsx'

const NewLead = lazyPopup(() => import('./new-lead.tsx').then((module) => module.NewLead))

/** Returns the lead `down` rows and `across` columns from the current one. */
function neighborOf(
  columns: readonly (readonly Lead[])[],
  id: string | undefined,
  down: number,
  across: number,
): Lead | undefined {
  const x = columns.findIndex((column) => column.some((lead) => lead.id === id))
  if (x < 0) return columns.find((column) => column.length > 0)?.[0]
  const y = columns[x]!.findIndex((lead) => lead.id === id)
  if (across === 0) return columns[x]![y + down]
  const others = across > 0 ? columns.slice(x + 1) : columns.slice(0, x).reverse()
  const next = others.find((column) => column.length > 0)
  return next?.[Math.min(y, next.length - 1)]
}

export function LeadList({ workspace }: { workspace: string }) {
  const session = useWorkspaceSession(workspace)
  const mayWrite = hasRole(session.member.role, 'agent')
  const search = useSearch({ strict: false }) as Record<string, unknown>
  const usual = leadsLayout.useValue(workspace)
  const view = useMemo(() => readView(search, usual), [search, usual])
  const navigate = useNavigate()
  const [columns, setColumns] = useState<readonly (readonly Lead[])[]>([])
  // After a look at a lead, the selection is still there.
  const [currentId, setCurrentId] = useState(() => lastList(workspace).leadId)
  const [question, onQuestion] = useState<Question>()
  const [isAdding, setAdding] = useState(false)
  /** The stage whose column adds the lead; undefined for the pipeline's first. */
  const [newStageId, setNewStageId] = useState<string>()
  const searchField = useRef<HTMLInputElement>(null)
  useEffect(() => rememberList(workspace, { search, leadId: currentId }), [workspace, search, currentId])
  useEffect(
    () => rememberList(workspace, { leadIds: columns.flat().map(({ id }) => id) }),
    [workspace, columns],
  )
  const { removedLeads, change } = useChanges(selectionOf(view), isNarrowed(view))
  const onMove = useMove({ onQuestion, change })
  const onClose = useClose({ onQuestion, onMove })
  const { data: summary } = useQuery(summaryQuery(selectionOf(view)))
  const current = columns.flat().find(({ id }) => id === currentId)
  const isEmpty = summary?.every(({ count }) => count === 0) && !isNarrowed(view)

  const onView = (patch: Partial<LeadsView>) => {
    const { layout = view.layout, order = view.order } = patch
    if (patch.layout || patch.order) leadsLayout.change(workspace, () => ({ layout, order }))
    if (patch.order) return
    void navigate({
      to: '.',
      search: searchOf({ ...view, ...patch }),
      replace: patch.q !== undefined,
    } as never)
  }
  const create = (stageId?: string) => {
    setNewStageId(stageId)
    setAdding(true)
  }
  const toImport = () =>
    void navigate({ to: `/w/${workspace}/contacts/import`, search: { kind: 'leads' } } as never)
  const open = (lead: Lead) => void navigate({ to: `/w/${workspace}/leads/${lead.id}` } as never)
  useCommands(
    LEADS_COMMANDS,
    {
      lead: current,
      mayWrite,
      isBoard: view.layout === 'board',
      create: () => create(),
      importFile: toImport,
      chooseStage: () => current && onQuestion({ kind: 'stage', lead: current }),
      chooseOwner: () => current && onQuestion({ kind: 'owner', lead: current }),
      close: (kind) => current && onClose(current, kind),
      sortCards: (order) => onView({ order }),
      openLead: () => current && open(current),
      focusSearch: () => searchField.current?.focus(),
      toggleLayout: () => onView({ layout: view.layout === 'board' ? 'table' : 'board' }),
      move: (down, across) => {
        const next = neighborOf(columns, currentId, down, across)
        if (next) setCurrentId(next.id)
      },
    },
    { title: t },
  )
  const viewProps = {
    view,
    workspace,
    mayWrite,
    currentId,
    removedLeads,
    onQuestion,
    onClose,
    onColumns: setColumns,
  }
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col">
      <Toolbar
        view={view}
        onView={onView}
        mayWrite={mayWrite}
        onCreate={() => create()}
        onImport={toImport}
        onAttention={() => void navigate({ to: `/w/${workspace}/leads/attention` } as never)}
        searchField={searchField}
      />
      <div className="-mt-2 pb-3 empty:hidden">
        <ZoneNote zone={session.workspace.timezone} of="due" />
      </div>
      {isEmpty ? (
        <Empty
          icon={Kanban}
          title={t('empty')}
          action={
            mayWrite && (
              <span className="flex flex-wrap justify-center gap-2">
                <Button variant="primary" icon={Plus} onClick={() => create()}>
                  {t('action.new')}
                </Button>
                <Button icon={FileUp} onClick={toImport}>
                  {t('action.import')}
                </Button>
              </span>
            )
          }
        >
          {t('empty.text')}
        </Empty>
      ) : view.layout === 'board' ? (
        <Board {...viewProps} onMove={onMove} onCreate={create} />
      ) : (
        <LeadTable {...viewProps} onView={onView} />
      )}
      <QuestionDialog question={question} onQuestion={onQuestion} change={change} />
      <NewLead open={isAdding} stageId={newStageId} onClose={() => setAdding(false)} onCreated={open} />
    </div>
  )
}
