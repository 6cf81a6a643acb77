/** Shows tasks: overdue, today, upcoming, and done; the member's own or all. */
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { ListChecks, Plus } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { Lead, Task } from '../../sdk/api.ts'
import { hasRole, useWorkspaceSession } from '../api/session.ts'
import { Button } from '../kit/button.tsx'
import { lazyPopup } from '../kit/lazy.tsx'
import { Pages, useLastPage } from '../kit/pages.tsx'
import { Select } from '../kit/select.tsx'
import { Empty, Failed, SkeletonRows } from '../kit/states.tsx'
import { Tabs } from '../kit/tabs.tsx'
import { ZoneNote } from '../kit/zone-note.tsx'
import { useCommands } from '../shell/commands-store.ts'
import { TASKS_COMMANDS } from './commands.ts'
import { postpone } from './parts/actions.ts'
import { DoneDialog } from './parts/done-dialog.tsx'
import { LeadFinder } from './parts/lead-finder.tsx'
import { TaskRow } from './parts/row.tsx'
import { taskRows, tasksQuery, teamQuery } from './queries.ts'
import { t } from './texts.ts'
import { EVERYONE, GROUPS, ME, readView, searchOf, type TasksView } from './view.ts'

const NewTask = lazyPopup(
  () => import('./parts/new-task.tsx').then((module) => module.NewTask),
  ({ lead }) => lead !== undefined,
)

const PAGE_SIZE = 50
const NONE: Task[] = []

export const lists = [taskRows]

export default function TasksPage() {
  const { workspace } = useParams({ strict: false }) as { workspace: string }
  const session = useWorkspaceSession(workspace)
  const mayWrite = hasRole(session.member.role, 'agent')
  const view = readView(useSearch({ strict: false }) as Record<string, unknown>)
  const navigate = useNavigate()
  const { data: team = [] } = useQuery(teamQuery)
  const assignee = view.who === EVERYONE ? undefined : view.who === ME ? session.member.id : view.who
  const query = useQuery(
    tasksQuery({ status: view.group, page: view.page, pageSize: PAGE_SIZE, ...(assignee && { assignee }) }),
  )
  const tasks = query.data?.tasks ?? NONE
  const total = query.isPlaceholderData ? undefined : query.data?.total
  useLastPage({ page: view.page, pageSize: PAGE_SIZE, total })
  const [index, setIndex] = useState(0)
  const [taskToComplete, setTaskToComplete] = useState<Task>()
  const [isChoosing, setChoosing] = useState(false)
  const [lead, setLead] = useState<Lead>()
  const current = tasks[Math.min(index, tasks.length - 1)]

  const onView = (patch: Partial<TasksView>) => {
    setIndex(0)
    void navigate({ to: '.', search: searchOf({ ...view, page: 1, ...patch }) } as never)
  }
  useEffect(() => {
    if (current) document.querySelector(`[data-task="${current.id}"]`)?.scrollIntoView({ block: 'nearest' })
  }, [current])
  useCommands(
    TASKS_COMMANDS,
    {
      task: current,
      mayWrite,
      create: () => setChoosing(true),
      completeTask: () => setTaskToComplete(current),
      postponeTask: () => current && postpone(current, session.workspace.timezone),
      openLead: () => current && void navigate({ to: `/w/${workspace}/leads/${current.lead.id}` } as never),
      toggleMine: () => onView({ who: view.who === ME ? EVERYONE : ME }),
      move: (by) => setIndex((before) => Math.max(0, Math.min(tasks.length - 1, before + by))),
    },
    { title: t },
  )
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col">
      <header className="flex flex-wrap items-center gap-2 px-4 pt-4 sm:px-6">
        <h1 className="min-w-fit flex-1 text-lg font-semibold">{t('title')}</h1>
        <div className="w-36">
          <Select
            name={t('assignee')}
            value={view.who}
            onChange={(next) => onView({ who: next })}
            choices={[
              { value: ME, label: t('assignee.me') },
              { value: EVERYONE, label: t('assignee.all') },
              ...team
                .filter(({ id }) => id !== session.member.id)
                .map(({ id, name }) => ({ value: id, label: name })),
            ]}
          />
        </div>
        {mayWrite && (
          <Button variant="primary" icon={Plus} keys="c" onClick={() => setChoosing(true)}>
            {t('action.new')}
          </Button>
        )}
      </header>
      <Tabs
        className="mt-2 px-2 sm:px-4"
        label={t('group')}
        value={view.group}
        onChange={(group) => onView({ group })}
        tabs={GROUPS.map((value) => ({
          value,
          label: t(`group.${value}`),
          count: query.data?.counts[value],
        }))}
      />
      <ZoneNote zone={session.workspace.timezone} of="due" />
      <div className="pane flex min-h-0 flex-1 flex-col">
        {query.isPending ? (
          <SkeletonRows tall />
        ) : query.isLoadingError ? (
          <Failed error={query.error} onRetry={() => void query.refetch()} />
        ) : tasks.length === 0 ? (
          <Empty
            icon={ListChecks}
            title={t(`empty.${view.group}`)}
            action={mayWrite && <Button onClick={() => setChoosing(true)}>{t('action.new')}</Button>}
          >
            {t('empty.text')}
          </Empty>
        ) : (
          <>
            <ul aria-label={t(`group.${view.group}`)}>
              {tasks.map((task) => (
                <li key={task.id}>
                  <TaskRow
                    task={task}
                    workspace={workspace}
                    mayWrite={mayWrite}
                    onDone={setTaskToComplete}
                    current={task.id === current?.id}
                  />
                </li>
              ))}
            </ul>
            <div className="px-4 sm:px-6">
              <Pages
                page={view.page}
                pageSize={PAGE_SIZE}
                total={query.data.total}
                onPage={(page) => onView({ page })}
              />
            </div>
          </>
        )}
      </div>
      <DoneDialog task={taskToComplete} onClose={() => setTaskToComplete(undefined)} />
      <LeadFinder
        open={isChoosing}
        onClose={() => setChoosing(false)}
        onChoose={(chosen) => {
          setChoosing(false)
          setLead(chosen)
        }}
      />
      <NewTask
        lead={lead}
        me={session.member.id}
        zone={session.workspace.timezone}
        onClose={() => setLead(undefined)}
      />
    </div>
  )
}
