/** Shows one import: its progress, its result, and its columns. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Trash2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import { messageOf } from '../../../api/errors.ts'
import { ServerText } from '../../../api/server-text.tsx'
import { Button } from '../../../kit/button.tsx'
import { Callout } from '../../../kit/callout.tsx'
import { Confirm } from '../../../kit/dialog.tsx'
import { Failed, SkeletonRows } from '../../../kit/states.tsx'
import { MappingForm } from './mapping.tsx'
import { Outcome } from './outcome.tsx'
import { deleteImport, type Import, importQuery, type Kind, refreshImported } from './queries.ts'
import { t } from './texts.ts'

function Progress({ importJob }: { importJob: Import }) {
  const label = importJob.state === 'checking' ? t('trying') : t('importing')
  return (
    <div className="mb-6 flex flex-col gap-2">
      <p role="status">{label}</p>
      <div
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={importJob.rows}
        aria-valuenow={importJob.done}
        className="h-2 overflow-hidden rounded-full bg-surface-3"
      >
        <svg
          aria-hidden
          viewBox="0 0 100 1"
          preserveAspectRatio="none"
          className="size-full rtl:-scale-x-100"
        >
          <rect
            width={(100 * importJob.done) / Math.max(1, importJob.rows)}
            height="1"
            className="fill-accent"
          />
        </svg>
      </div>
      <p className="text-sm text-ink-2 tabular-nums">
        {t('progress', { done: importJob.done, rows: importJob.rows })}
      </p>
    </div>
  )
}

function Remove({ importJob, onRemoved }: { importJob: Import; onRemoved: () => void }) {
  const [isAsking, setAsking] = useState(false)
  const remove = useMutation({ mutationFn: () => deleteImport(importJob.id), onSuccess: onRemoved })
  return (
    <>
      <Button variant="ghost" icon={Trash2} onClick={() => setAsking(true)}>
        {t('remove')}
      </Button>
      <Confirm
        open={isAsking}
        onClose={() => setAsking(false)}
        title={t('remove.title')}
        action={t('remove')}
        onConfirm={() => remove.mutate()}
        description={remove.isError ? messageOf(remove.error) : t('remove.text')}
        busy={remove.isPending}
        danger
      />
    </>
  )
}

type Props = {
  id: string
  /** The kind that the page before shows. */
  requestedKind: Kind
  workspace: string
  onLeave: () => void
}

export function ImportPage({ id, requestedKind, workspace, onLeave }: Props) {
  const { data: importJob, isPending, isLoadingError, error, refetch } = useQuery(importQuery(id))
  const navigate = useNavigate()
  const state = importJob?.state
  useEffect(() => {
    if (state === 'done') refreshImported()
  }, [state])
  if (isPending) return <SkeletonRows />
  if (isLoadingError) return <Failed error={error} onRetry={() => void refetch()} />
  const isUnderWay = importJob.state === 'checking' || importJob.state === 'running'
  const isOver = importJob.state === 'done'
  const kind = importJob.kind ?? 'contacts'
  return (
    <>
      <div className="mb-6 flex flex-wrap items-center gap-3">
        <p className="min-w-0 flex-1 font-medium">
          <span className="break-words">{importJob.filename}</span>{' '}
          <span className="font-normal text-ink-2">{t('rows', { count: importJob.rows })}</span>
        </p>
        <Remove importJob={importJob} onRemoved={onLeave} />
      </div>
      {importJob.error && (
        <div className="mb-4">
          <Callout kind="bad" role="alert">
            <ServerText>{importJob.error}</ServerText>
          </Callout>
        </div>
      )}
      {isUnderWay && <Progress importJob={importJob} />}
      {isOver && (
        <>
          <Outcome importJob={importJob} isDryRun={false} />
          <div className="flex flex-wrap gap-2">
            <Button
              variant="primary"
              onClick={() => void navigate({ to: `/w/${workspace}/${kind}` } as never)}
            >
              {t(`open.${kind}`)}
            </Button>
            <Button onClick={onLeave}>{t('another')}</Button>
          </div>
        </>
      )}
      {!isUnderWay && !isOver && <MappingForm importJob={importJob} requestedKind={requestedKind} />}
    </>
  )
}
