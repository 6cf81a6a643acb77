/** Shows the teammates who view a chat or write in it. */
import { useQuery } from '@tanstack/react-query'
import { Eye, PenLine } from 'lucide-react'
import { type PresentMember, usePresence } from '../../api/presence.ts'
import { useWorkspaceSession } from '../../api/session.ts'
import { classes } from '../../kit/classes.ts'
import { teamQuery } from '../queries.ts'
import { t } from '../texts.ts'

type Others = { names: string[]; typing: boolean }
type Props = { conversationId: string; workspace: string }

/** Returns the teammates in a chat; only those who write, if there are any. */
function useOthers({ conversationId, workspace }: Props): Others | undefined {
  const me = useWorkspaceSession(workspace).member.id
  const present = usePresence(conversationId).filter(({ memberId }) => memberId !== me)
  const { data: team = [] } = useQuery(teamQuery)
  if (present.length === 0) return undefined
  const typing = present.some((member) => member.typing)
  const nameOf = (member: PresentMember) =>
    team.find(({ id }) => id === member.memberId)?.name ?? t('presence.teammate')
  return { names: present.filter((member) => member.typing === typing).map(nameOf), typing }
}

/** `Ravi is writing`, `Ravi and Meera are looking`, `Ravi and 2 others are looking`. */
function presenceText({ names, typing }: Others): string {
  const [first = '', second = ''] = names
  const people =
    names.length === 1
      ? first
      : names.length === 2
        ? t('presence.two', { first, second })
        : t('presence.more', { first, count: names.length - 1 })
  return t(typing ? 'presence.typing' : 'presence.looking', { who: people, count: names.length })
}

/** In the header of a chat: announced by screen readers when it changes. */
export function PresenceLine(props: Props) {
  const others = useOthers(props)
  const Icon = others?.typing ? PenLine : Eye
  return (
    <span role="status" className="contents">
      {others && (
        <span
          data-presence={others.typing ? 'typing' : 'looking'}
          className={classes(
            'flex max-w-full shrink-0 items-center gap-1 text-xs',
            others.typing ? 'text-accent' : 'text-ink-3',
          )}
        >
          <Icon aria-hidden size={13} className="shrink-0" />
          <span className="truncate">{presenceText(others)}</span>
        </span>
      )}
    </span>
  )
}

/** In the list: an icon with the text as its tooltip. */
export function PresenceSign(props: Props) {
  const others = useOthers(props)
  if (!others) return null
  const Icon = others.typing ? PenLine : Eye
  return (
    <span
      role="img"
      aria-label={presenceText(others)}
      title={presenceText(others)}
      data-presence={others.typing ? 'typing' : 'looking'}
      className={classes(
        'flex size-5 shrink-0 items-center justify-center rounded-full',
        others.typing ? 'bg-accent-soft text-accent' : 'bg-surface-3 text-ink-2',
      )}
    >
      <Icon aria-hidden size={12} />
    </span>
  )
}
