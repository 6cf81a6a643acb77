/** Shows the timeline of a lead, newest first. */
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import {
  ArrowRight,
  CheckCheck,
  Download,
  type LucideIcon,
  MessageCircle,
  Pencil,
  StickyNote,
  Wallet,
} from 'lucide-react'
import { type FormEvent, type RefObject, useState } from 'react'
import type { TimelineEntry } from '../../../sdk/api.ts'
import { useAttempt } from '../../api/attempt.ts'
import { call } from '../../api/request.ts'
import { Button } from '../../kit/button.tsx'
import { TextArea } from '../../kit/field.tsx'
import { LoadMore } from '../../kit/load-more.tsx'
import { Failed, SkeletonRows } from '../../kit/states.tsx'
import { Time } from '../../kit/time.tsx'
import { notifyError } from '../../shell/notify-error.ts'
import { refreshLead, timelineQuery } from '../queries.ts'
import { t } from '../texts.ts'
import { formatEntry } from './timeline-texts.ts'

const NOTE_MAX = 5000

const ICONS: readonly [RegExp, LucideIcon][] = [
  [/^message_|^social_/, MessageCircle],
  [/^note$/, StickyNote],
  [/^task_/, CheckCheck],
  [/^payment_/, Wallet],
  [/captured$/, Download],
  [/^stage_/, ArrowRight],
]
const iconOf = (kind: string): LucideIcon => ICONS.find(([pattern]) => pattern.test(kind))?.[1] ?? Pencil

function Entry({ entry, zone }: { entry: TimelineEntry; zone: string }) {
  const Icon = iconOf(entry.kind)
  const { title, text } = formatEntry(entry, zone)
  return (
    <li className="relative flex gap-3 pb-4 not-last:before:absolute not-last:before:start-3.5 not-last:before:top-7 not-last:before:bottom-0 not-last:before:w-px not-last:before:bg-line">
      <span className="flex size-7 shrink-0 items-center justify-center rounded-full bg-surface-3 text-ink-2">
        <Icon aria-hidden size={14} />
      </span>
      <div className="min-w-0 flex-1 pt-1">
        <p className="flex flex-wrap gap-x-2">
          <span className="font-medium">{title}</span>
          {entry.actor && <span className="text-ink-2">{entry.actor.name}</span>}
          <Time at={entry.createdAt} className="ms-auto text-sm text-ink-3" />
        </p>
        {text && <p className="mt-0.5 whitespace-pre-wrap text-ink-2">{text}</p>}
      </div>
    </li>
  )
}

function NoteForm({ id, field }: { id: string; field: RefObject<HTMLTextAreaElement | null> }) {
  const [body, setBody] = useState('')
  const attempt = useAttempt()
  const { mutate, isPending } = useMutation({
    mutationFn: () => {
      const note = { body: body.trim() }
      return attempt(note, (idempotencyKey) =>
        call('POST /leads/{id}/notes', { params: { id }, body: note, idempotencyKey }),
      )
    },
    onSuccess: () => {
      setBody('')
      refreshLead(id)
    },
    onError: notifyError,
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (body.trim() !== '' && !isPending) mutate()
  }
  return (
    <form onSubmit={submit} className="mb-6 flex flex-col gap-2">
      <TextArea
        ref={field}
        label={t('note.label')}
        placeholder={t('note.placeholder')}
        maxLength={NOTE_MAX}
        value={body}
        onChange={(event) => setBody(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) submit(event)
        }}
      />
      <div className="flex justify-end">
        <Button type="submit" size="sm" busy={isPending} disabled={body.trim() === ''} keys="$mod+Enter">
          {t('note.action')}
        </Button>
      </div>
    </form>
  )
}

type Props = {
  id: string
  /** The workspace's time zone. */
  zone: string
  mayWrite: boolean
  field: RefObject<HTMLTextAreaElement | null>
}

export function Timeline({ id, zone, mayWrite, field }: Props) {
  const query = useInfiniteQuery(timelineQuery(id))
  const entries = query.data?.pages.flatMap((page) => page.entries) ?? []
  return (
    <section aria-label={t('timeline')}>
      {mayWrite && <NoteForm id={id} field={field} />}
      <h2 className="mb-3 text-sm font-semibold text-ink-2">{t('timeline')}</h2>
      {query.isPending ? (
        <SkeletonRows />
      ) : query.isLoadingError ? (
        <Failed error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <ol>
          {entries.map((entry) => (
            <Entry key={entry.id} entry={entry} zone={zone} />
          ))}
        </ol>
      )}
      <LoadMore query={query} className="">
        {t('timeline.more')}
      </LoadMore>
    </section>
  )
}
