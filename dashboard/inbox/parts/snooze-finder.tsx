/** Offers times until which the open chat is snoozed. */
import { useQuery } from '@tanstack/react-query'
import { AlarmClock, AlarmClockOff, CalendarClock, MessageSquareReply } from 'lucide-react'
import { useState } from 'react'
import type { Conversation } from '../../../sdk/api.ts'
import { fromLocalInput, toLocalInput } from '../../kit/due.tsx'
import { TextField } from '../../kit/field.tsx'
import { Finder } from '../../kit/finder.tsx'
import { FormDialog } from '../../kit/form-dialog.tsx'
import { formatDue, workspaceNow } from '../../kit/time.tsx'
import { businessHoursQuery } from '../queries.ts'
import { snoozeTimes } from '../snooze-times.ts'
import { t } from '../texts.ts'
import type { Snooze } from '../use-actions.ts'

type Props = {
  open: boolean
  onClose: () => void
  workspace: string
  conversation: Conversation | undefined
  onSnooze: (snooze: Snooze) => void
  onEnd: () => void
}

const DAY_MS = 24 * 3_600_000
const MAX_AHEAD_MS = 366 * DAY_MS

/** The customer's message also brings the chat back before its time. */
const until = (time: string): Snooze => ({ until: time, untilReply: true })

export function SnoozeFinder({ open, onClose, workspace, conversation, onSnooze, onEnd }: Props) {
  const { data: hours } = useQuery({ ...businessHoursQuery(workspace), enabled: open })
  const [isPicking, setPicking] = useState(false)
  const title = t('action.snooze')
  const now = workspaceNow()
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
  const items = [
    ...snoozeTimes(now, zone, hours).map(({ kind, until: time }) => ({
      id: kind,
      title: t(`snooze.${kind}`),
      icon: AlarmClock,
      aside: formatDue(time, now),
      run: () => onSnooze(until(time)),
    })),
    { id: 'pick', title: t('snooze.pick'), icon: CalendarClock, run: () => setPicking(true) },
    {
      id: 'reply',
      title: t('snooze.reply'),
      icon: MessageSquareReply,
      run: () => onSnooze({ untilReply: true }),
    },
    ...(conversation?.isSnoozed
      ? [{ id: 'end', title: t('action.unsnooze'), icon: AlarmClockOff, run: onEnd }]
      : []),
  ]
  return (
    <>
      <Finder
        open={open}
        onClose={onClose}
        title={title}
        placeholder={t('snooze.placeholder')}
        empty={t('snooze.unknown')}
        groups={[{ value: title, items }]}
      />
      {isPicking && <PickTime onPick={(time) => onSnooze(until(time))} onClose={() => setPicking(false)} />}
    </>
  )
}

function PickTime({ onPick, onClose }: { onPick: (time: string) => void; onClose: () => void }) {
  const [text, setText] = useState(() => toLocalInput(workspaceNow() + DAY_MS))
  const [isSubmitted, setSubmitted] = useState(false)
  const time = fromLocalInput(text)
  const isPossible =
    time !== null && Date.parse(time) > workspaceNow() && Date.parse(time) < workspaceNow() + MAX_AHEAD_MS
  return (
    <FormDialog
      open
      onClose={onClose}
      title={t('snooze.pick.title')}
      action={t('action.snooze')}
      onSubmit={() => {
        setSubmitted(true)
        if (!isPossible) return
        onPick(time)
        onClose()
      }}
    >
      <TextField
        label={t('snooze.pick.label')}
        hint={t('snooze.pick.hint')}
        type="datetime-local"
        value={text}
        error={isSubmitted && !isPossible ? t('snooze.pick.fault') : undefined}
        onChange={(event) => setText(event.currentTarget.value)}
      />
    </FormDialog>
  )
}
