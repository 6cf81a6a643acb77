/** Shows a teammate's answer that arrived while an answer was written, and stopped that answer. */
import { useQuery } from '@tanstack/react-query'
import { UserRoundCheck } from 'lucide-react'
import type { TeammateAnswer } from '../../api/outbox.ts'
import { Button } from '../../kit/button.tsx'
import { useNow } from '../../kit/time.tsx'
import { teamQuery } from '../queries.ts'
import { t } from '../texts.ts'

type Props = {
  answer: TeammateAnswer
  onSend: () => void
  onNote: () => void
  onKeep: () => void
}

function formatAge(seconds: number): string {
  if (seconds < 60) return t('held.seconds', { count: Math.max(1, seconds) })
  const minutes = Math.floor(seconds / 60)
  return minutes < 60
    ? t('held.minutes', { count: minutes })
    : t('held.hours', { count: Math.floor(minutes / 60) })
}

/** Shows the teammate who answered, the time, and a question to the writer. */
export function HeldBy({ answer }: { answer: TeammateAnswer }) {
  const now = useNow(1_000)
  const { data: team = [] } = useQuery(teamQuery)
  const name = team.find(({ id }) => id === answer.sentBy)?.name ?? t('presence.teammate')
  const seconds = Math.floor((now - Date.parse(answer.createdAt)) / 1_000)
  return (
    <p role="alert" className="flex basis-full items-center gap-2 text-sm">
      <UserRoundCheck aria-hidden size={16} className="shrink-0 text-warn" />
      {/* The text for screen readers does not count the seconds. */}
      <span>
        {t('held.title', { name })} <span aria-live="off">{formatAge(seconds)}</span>. {t('held.question')}
      </span>
    </p>
  )
}

export function HeldNotice({ answer, onSend, onNote, onKeep }: Props) {
  return (
    <div className="flex flex-wrap items-center justify-end gap-2 border-b bg-warn-soft px-4 py-2.5">
      <HeldBy answer={answer} />
      <Button size="sm" onClick={onKeep}>
        {t('held.keep')}
      </Button>
      <Button size="sm" onClick={onNote}>
        {t('held.note')}
      </Button>
      <Button size="sm" variant="primary" onClick={onSend}>
        {t('held.send')}
      </Button>
    </div>
  )
}
