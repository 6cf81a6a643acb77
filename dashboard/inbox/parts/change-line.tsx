import type { ConversationChange } from '../../../sdk/api.ts'
import { formatClock } from '../../kit/time.tsx'
import { t } from '../texts.ts'
import { snoozeText } from '../use-actions.ts'
import { useSourceNames } from '../use-source-names.ts'

/** Returns the change as one phrase. */
function changeText({
  action,
  assignee,
  team,
  priority,
  until,
  tag,
  source,
  createdAt,
}: ConversationChange): string {
  switch (action) {
    case 'assigned':
      return t('done.assigned', { name: assignee?.name ?? t('source.member') })
    case 'joined_team':
      return t('done.team', { name: team?.name ?? '' })
    case 'left_team':
      return t('done.noTeam')
    case 'priority':
      return t('done.priority', { priority: t(`priority.${priority ?? 'normal'}`) })
    case 'snoozed':
      return snoozeText(until, Date.parse(createdAt))
    case 'unsnoozed':
      return t(source === null || source.kind === 'customer' ? 'row.back' : 'done.unsnoozed')
    case 'tagged':
      return t('change.tagged', { tag: tag ?? '' })
    case 'untagged':
      return t('change.untagged', { tag: tag ?? '' })
    case 'archived':
    case 'pending':
    case 'reopened':
    case 'resolved':
    case 'unarchived':
    case 'unassigned':
      return t(`done.${action}`)
  }
}

/** Shows a change of the chat between its messages: the change, who made it, and when. */
export function ChangeLine({ change, workspace }: { change: ConversationChange; workspace: string }) {
  const nameOf = useSourceNames(workspace)
  return (
    <p
      data-change={change.action}
      className="flex flex-wrap items-center justify-center gap-x-1.5 py-0.5 text-center text-xs text-ink-3"
    >
      <span>{changeText(change)}</span>
      <span aria-hidden>·</span>
      <span dir="auto">{change.source ? nameOf(change.source) : t('source.parley')}</span>
      <span aria-hidden>·</span>
      <time dateTime={change.createdAt}>{formatClock(change.createdAt)}</time>
    </p>
  )
}
