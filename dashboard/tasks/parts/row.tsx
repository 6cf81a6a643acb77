import { Link } from '@tanstack/react-router'
import {
  CalendarClock,
  Check,
  Ellipsis,
  type LucideIcon,
  Mail,
  MapPin,
  MessageCircle,
  Phone,
  RotateCcw,
  SquareCheck,
  Users,
  X,
} from 'lucide-react'
import type { Task } from '../../../sdk/api.ts'
import { useWorkspaceSession } from '../../api/session.ts'
import { Badge, type Tone } from '../../kit/badge.tsx'
import { IconButton } from '../../kit/button.tsx'
import { classes } from '../../kit/classes.ts'
import { Menu, type MenuEntry } from '../../kit/menu.tsx'
import { Time } from '../../kit/time.tsx'
import { ZoneDue } from '../../kit/zone-times.tsx'
import { t } from '../texts.ts'
import { cancel, postpone, reopen } from './actions.ts'

const ICONS: Record<Task['type'], LucideIcon> = {
  call: Phone,
  message: MessageCircle,
  email: Mail,
  meeting: Users,
  visit: MapPin,
  other: SquareCheck,
}
const TONES: Record<Task['priority'], Tone | null> = { low: null, normal: null, high: 'warn', urgent: 'bad' }

type Props = {
  task: Task
  workspace: string
  mayWrite: boolean
  onDone: (task: Task) => void
  /** True if this row is selected by keyboard. */
  current?: boolean
  /** The row is on the page of its lead, so the lead's name is left out. */
  ofLead?: boolean
}

function entriesOf({ task, onDone }: Props, zone: string): MenuEntry[] {
  if (task.status !== 'pending')
    return [{ label: t('action.reopen'), icon: RotateCcw, onSelect: () => reopen(task) }]
  return [
    { label: t('action.done'), icon: Check, keys: 'd', onSelect: () => onDone(task) },
    { label: t('action.tomorrow'), icon: CalendarClock, keys: 'z', onSelect: () => postpone(task, zone) },
    { label: t('action.cancel'), icon: X, onSelect: () => cancel(task) },
  ]
}

/** Shows a task in a list. */
export function TaskRow(props: Props) {
  const { task, workspace, mayWrite, onDone, current, ofLead } = props
  const { timezone } = useWorkspaceSession(workspace).workspace
  const Icon = ICONS[task.type]
  const tone = TONES[task.priority]
  const isOpen = task.status === 'pending'
  return (
    <div
      data-task={task.id}
      className={classes(
        'flex min-h-row items-center gap-3 border-b py-2',
        ofLead ? '' : 'px-4 sm:px-6',
        current && 'bg-accent-soft',
      )}
    >
      {isOpen && mayWrite ? (
        <button
          type="button"
          aria-label={t('row.done', { title: task.title })}
          onClick={() => onDone(task)}
          className="group flex size-6 shrink-0 items-center justify-center pointer-coarse:-m-2.5 pointer-coarse:size-11"
        >
          <span className="flex size-6 items-center justify-center rounded-full border border-edge group-hover:border-good group-hover:bg-good-soft">
            <Check aria-hidden size={13} className="text-good opacity-0 group-hover:opacity-100" />
          </span>
        </button>
      ) : (
        <span className="flex size-6 shrink-0 items-center justify-center text-ink-3">
          {isOpen ? (
            <span className="size-4 rounded-full border border-edge" />
          ) : task.status === 'done' ? (
            <Check aria-hidden size={16} className="text-good" />
          ) : (
            <X aria-hidden size={16} />
          )}
        </span>
      )}
      <div className="min-w-0 flex-1">
        <p className={classes('font-medium', !isOpen && 'text-ink-2')}>
          <Icon aria-hidden size={14} className="me-1.5 inline align-[-2px] text-ink-3" />
          {task.title} {tone && <Badge tone={tone}>{t(`priority.${task.priority}`)}</Badge>}
        </p>
        <p className="mt-0.5 flex flex-wrap gap-x-2 text-sm text-ink-2">
          {!ofLead && (
            <Link
              to={`/w/${workspace}/leads/${task.lead.id}` as never}
              className="font-medium text-accent hover:underline"
            >
              {task.lead.name ?? task.lead.phone}
            </Link>
          )}
          {isOpen ? (
            <ZoneDue at={task.dueAt} zone={timezone} />
          ) : (
            <Time at={task.completedAt ?? task.updatedAt} className="text-ink-3" />
          )}
          <span>{task.assignee?.name ?? t('unassigned')}</span>
          {task.outcome && <span className="text-ink-1">{task.outcome}</span>}
        </p>
      </div>
      {mayWrite && (
        <Menu
          align="end"
          entries={entriesOf(props, timezone)}
          trigger={<IconButton icon={Ellipsis} size="sm" label={t('row.more', { title: task.title })} />}
        />
      )}
    </div>
  )
}
