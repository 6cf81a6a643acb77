import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import type { Lead, Task } from '../../../sdk/api.ts'
import { useWorkspaceSession } from '../../api/session.ts'
import { IconButton } from '../../kit/button.tsx'
import { Panel } from '../../kit/facts.tsx'
import { lazyPopup } from '../../kit/lazy.tsx'
import { Failed, SkeletonRows } from '../../kit/states.tsx'
import { TaskRow } from '../../tasks/parts/row.tsx'
import { tasksQuery } from '../../tasks/queries.ts'
import { t } from '../texts.ts'

const DoneDialog = lazyPopup(
  () => import('../../tasks/parts/done-dialog.tsx').then((module) => module.DoneDialog),
  ({ task }) => task !== undefined,
)
const NewTask = lazyPopup(
  () => import('../../tasks/parts/new-task.tsx').then((module) => module.NewTask),
  ({ lead }) => lead !== undefined,
)

type Props = {
  lead: Lead
  workspace: string
  me: string
  mayWrite: boolean
  isAdding: boolean
  onAdding: (isAdding: boolean) => void
}

/** Shows the open follow-ups of a lead, earliest due first. */
export function LeadTasks({ lead, workspace, me, mayWrite, isAdding, onAdding }: Props) {
  const { timezone } = useWorkspaceSession(workspace).workspace
  const query = useQuery(tasksQuery({ leadId: lead.id, status: 'open', pageSize: 50 }))
  const [taskToComplete, setTaskToComplete] = useState<Task>()
  return (
    <Panel
      title={t('tasks')}
      actions={
        mayWrite && (
          <IconButton
            icon={Plus}
            size="sm"
            label={t('action.task')}
            keys="t"
            onClick={() => onAdding(true)}
          />
        )
      }
    >
      {query.isPending ? (
        <SkeletonRows rows={2} />
      ) : query.isLoadingError ? (
        <Failed error={query.error} onRetry={() => void query.refetch()} />
      ) : query.data.tasks.length === 0 ? (
        <p className="text-ink-2">{t('tasks.none')}</p>
      ) : (
        <ul>
          {query.data.tasks.map((task) => (
            <li key={task.id}>
              <TaskRow
                task={task}
                workspace={workspace}
                mayWrite={mayWrite}
                onDone={setTaskToComplete}
                ofLead
              />
            </li>
          ))}
        </ul>
      )}
      <DoneDialog task={taskToComplete} onClose={() => setTaskToComplete(undefined)} />
      <NewTask lead={isAdding ? lead : undefined} me={me} zone={timezone} onClose={() => onAdding(false)} />
    </Panel>
  )
}
