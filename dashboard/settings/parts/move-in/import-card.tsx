/** Shows an import: its progress, its report, and the next step. */
import { useMutation } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { Ban, Download, Play } from 'lucide-react'
import { useState } from 'react'
import { Badge } from '../../../kit/badge.tsx'
import { Button } from '../../../kit/button.tsx'
import { Callout } from '../../../kit/callout.tsx'
import { Confirm } from '../../../kit/dialog.tsx'
import { Time } from '../../../kit/time.tsx'
import { notifyError } from '../../../shell/notify-error.ts'
import { causeName } from './causes.ts'
import { cancelHistoryImport, downloadLeftOut, type HistoryImport, startHistoryImport } from './queries.ts'
import { t } from './texts.ts'

const TONES = {
  checking: 'note',
  checked: 'note',
  running: 'accent',
  done: 'good',
  failed: 'bad',
  cancelled: 'plain',
} as const

const isUnderWay = ({ state }: HistoryImport): boolean => state === 'checking' || state === 'running'

function Progress({ current }: { current: HistoryImport }) {
  const label = t(current.state === 'checking' ? 'progress.checking' : 'progress.running')
  const { read, total } = current
  return (
    <div className="flex flex-col gap-2">
      <p role="status">{label}</p>
      <div
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={total ?? undefined}
        aria-valuenow={total === null ? undefined : Math.min(read, total)}
        className="h-2 overflow-hidden rounded-full bg-surface-3"
      >
        <svg
          aria-hidden
          viewBox="0 0 100 1"
          preserveAspectRatio="none"
          className="size-full rtl:-scale-x-100"
        >
          <rect
            width={total === null ? 0 : Math.min(100, (100 * read) / Math.max(1, total))}
            height="1"
            className="fill-accent"
          />
        </svg>
      </div>
      <p className="text-sm text-ink-2 tabular-nums">
        {total === null ? t('progress.read', { read }) : t('progress.of', { read, total })}
      </p>
    </div>
  )
}

/** Shows the numbers of the report; a dry run only finds messages. */
function Figures({ current }: { current: HistoryImport }) {
  const isDryRun = current.state === 'checking' || current.state === 'checked'
  const figures = isDryRun
    ? ([
        ['figure.found', current.stored],
        ['figure.leftOut', current.leftOut],
      ] as const)
    : ([
        ['figure.stored', current.stored],
        ['figure.known', current.known],
        ['figure.contacts', current.contacts],
        ['figure.leftOut', current.leftOut],
      ] as const)
  return (
    <dl className="grid grid-cols-2 gap-3 sm:grid-cols-4">
      {figures.map(([name, value]) => (
        <div key={name} className="rounded-lg border px-3 py-2">
          <dt className="text-sm text-ink-2">{t(name)}</dt>
          <dd className="text-lg font-semibold tabular-nums">{t('figure', { value })}</dd>
        </div>
      ))}
    </dl>
  )
}

function Causes({ current }: { current: HistoryImport }) {
  const causes = Object.entries(current.causes).sort(([, a], [, b]) => b - a)
  if (causes.length === 0) return null
  return (
    <div>
      <h4 className="mb-1 text-sm font-medium">{t('causes')}</h4>
      <ul className="mb-3 flex flex-col gap-1 text-sm text-ink-2">
        {causes.map(([cause, count]) => (
          <li key={cause} className="flex gap-3">
            <span className="min-w-6 text-ink-1 tabular-nums">{t('figure', { value: count })}</span>
            <span className="min-w-0 flex-1">{causeName(cause)}</span>
          </li>
        ))}
      </ul>
      <Button size="sm" icon={Download} onClick={() => void downloadLeftOut(current.id).catch(notifyError)}>
        {t('leftOut.file')}
      </Button>
    </div>
  )
}

function Cancel({ current }: { current: HistoryImport }) {
  const [isAsking, setAsking] = useState(false)
  const cancel = useMutation({
    mutationFn: () => cancelHistoryImport(current.id),
    onSuccess: () => setAsking(false),
    onError: notifyError,
  })
  return (
    <>
      <Button variant="ghost" icon={Ban} onClick={() => setAsking(true)}>
        {t('cancel')}
      </Button>
      <Confirm
        open={isAsking}
        onClose={() => setAsking(false)}
        title={t('cancel.title')}
        action={t('cancel')}
        onConfirm={() => cancel.mutate()}
        description={t('cancel.text')}
        busy={cancel.isPending}
        danger
      />
    </>
  )
}

export function ImportCard({ current }: { current: HistoryImport }) {
  const { workspace } = useParams({ strict: false }) as { workspace: string }
  const start = useMutation({ mutationFn: () => startHistoryImport(current.id), onError: notifyError })
  const { state, title, source } = current
  const mayStart = state === 'checked' || state === 'failed'
  const hasReport = !isUnderWay(current) || current.read > 0
  return (
    <li className="flex flex-col gap-4 rounded-lg border bg-surface-1 p-4" data-import={current.id}>
      <header className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h3 className="min-w-0 flex-1 font-medium break-words">
          <bdi>{title ?? t(`source.${source}`)}</bdi>
        </h3>
        <Badge tone={TONES[state]}>{t(`state.${state}`)}</Badge>
        <p className="w-full text-sm text-ink-2">
          {t(`source.${source}`)} · <Time at={current.createdAt} />
        </p>
      </header>
      {current.error && (
        <Callout kind="bad" role="alert">
          {current.error}
        </Callout>
      )}
      {isUnderWay(current) && <Progress current={current} />}
      {hasReport && <Figures current={current} />}
      {!isUnderWay(current) && <Causes current={current} />}
      <div className="flex flex-wrap gap-2">
        {mayStart && (
          <Button variant="primary" icon={Play} busy={start.isPending} onClick={() => start.mutate()}>
            {t(state === 'failed' ? 'continue' : 'start')}
          </Button>
        )}
        {state === 'done' && current.stored > 0 && (
          <Link
            to={`/w/${workspace}/inbox` as string}
            className="flex min-h-9 items-center px-1 font-medium text-accent hover:underline pointer-coarse:min-h-11"
          >
            {t('inbox')}
          </Link>
        )}
        {(isUnderWay(current) || mayStart) && <Cancel current={current} />}
      </div>
    </li>
  )
}
