/** Converts macros between the form and the API. */
import type { Api } from '../../../sdk/api.ts'

export type MacroActions = Api['POST /macros']['body']['actions']
/** The choice that leaves a part of the chat as it is. */
export const KEEP = 'keep'
export const UNASSIGN = 'unassign'
export const NO_TEAM = 'none'
/** The snoozes of the form, in minutes. */
export const SNOOZES = [60, 180, 1_440, 4_320, 10_080] as const

export type ActionsForm = {
  addTags: string
  removeTags: string
  quickReplyId: string
  /** A team, `none`, or `keep`. */
  teamId: string
  /** `me`, a member, `unassign`, or `keep`. */
  assignee: string
  priority: string
  /** `resolve`, `reply` (snooze until the customer replies), the minutes of a snooze, or `keep`. */
  end: string
  note: string
}

const endOf = ({ resolve, snooze }: MacroActions): string => {
  if (resolve) return 'resolve'
  if (!snooze) return KEEP
  return snooze.minutes === undefined ? 'reply' : String(snooze.minutes)
}

export const formOf = (actions: MacroActions): ActionsForm => ({
  addTags: actions.addTags?.join(', ') ?? '',
  removeTags: actions.removeTags?.join(', ') ?? '',
  quickReplyId: actions.quickReplyId ?? KEEP,
  teamId: actions.teamId === undefined ? KEEP : (actions.teamId ?? NO_TEAM),
  assignee: actions.assignee === undefined ? KEEP : (actions.assignee ?? UNASSIGN),
  priority: actions.priority ?? KEEP,
  end: endOf(actions),
  note: actions.note ?? '',
})

const tagsOf = (text: string): string[] => [
  ...new Set(
    text
      .split(',')
      .map((tag) => tag.trim())
      .filter(Boolean),
  ),
]

function endActions(end: string): Pick<MacroActions, 'resolve' | 'snooze'> {
  if (end === KEEP) return {}
  if (end === 'resolve') return { resolve: true }
  // The customer's message also brings the chat back before its time.
  return { snooze: end === 'reply' ? { untilReply: true } : { minutes: Number(end), untilReply: true } }
}

export function actionsOf(form: ActionsForm): MacroActions {
  const [addTags, removeTags] = [tagsOf(form.addTags), tagsOf(form.removeTags)]
  const { quickReplyId, teamId, assignee, priority, end, note } = form
  return {
    ...(addTags.length > 0 && { addTags }),
    ...(removeTags.length > 0 && { removeTags }),
    ...(quickReplyId !== KEEP && { quickReplyId }),
    ...(teamId !== KEEP && { teamId: teamId === NO_TEAM ? null : teamId }),
    ...(assignee !== KEEP && { assignee: assignee === UNASSIGN ? null : assignee }),
    ...(priority !== KEEP && { priority: priority as NonNullable<MacroActions['priority']> }),
    ...endActions(end),
    ...(note.trim() && { note }),
  }
}
