/** Shows one form: its state, its design, and the answers of customers. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { Ban, Copy, Pencil, Send, Trash2 } from 'lucide-react'
import { useMemo, useState } from 'react'
import { queryClient } from '../api/cache.ts'
import { call } from '../api/request.ts'
import { BackToList } from '../kit/back-link.tsx'
import { Button } from '../kit/button.tsx'
import { Callout } from '../kit/callout.tsx'
import { Confirm } from '../kit/dialog.tsx'
import { Failed, SkeletonRows } from '../kit/states.tsx'
import { Tabs } from '../kit/tabs.tsx'
import { notify } from '../kit/toasts.tsx'
import { notifyError } from '../shell/notify-error.ts'
import { Answers } from './parts/answers.tsx'
import { draftOf } from './parts/draft.ts'
import { formatCounts } from './parts/format-counts.ts'
import { AllScreens } from './parts/preview.tsx'
import { categoryNames, FormStatus } from './parts/status.tsx'
import { Summary } from './parts/summary.tsx'
import { type FlowDetails, formQuery, formsQuery, showForm } from './queries.ts'
import { t } from './texts.ts'
import { useView, viewsOf } from './use-view.ts'

function State({ form }: { form: FlowDetails }) {
  const { status, faults, screens } = form
  return (
    <>
      {faults.length > 0 && (
        <Callout kind="bad">
          <strong className="block font-medium">{t('faults')}</strong>
          <ul className="list-disc ps-5">
            {faults.map((fault) => (
              <li key={fault}>{fault}</li>
            ))}
          </ul>
        </Callout>
      )}
      {status !== 'published' && (
        <Callout kind={status === 'blocked' ? 'bad' : 'warn'}>{t(`status.${status}.text`)}</Callout>
      )}
      {screens === null && <Callout kind="info">{t('elsewhere')}</Callout>}
    </>
  )
}

type Question = 'publish' | 'withdraw' | 'delete'
type Props = {
  id: string
  workspace: string
  listPath: string
  mayWrite: boolean
  onChange: () => void
  onCopy: () => void
  onGone: () => void
}

export function FormDetail({ id, workspace, listPath, mayWrite, onChange, onCopy, onGone }: Props) {
  const { data: form, isLoadingError, error, refetch } = useQuery(formQuery(id))
  const [question, setQuestion] = useState<Question>()
  const counted = useQuery(formsQuery).data?.find((row) => row.id === form?.id)
  const { view, filter, show } = useView(form)
  const design = useMemo(() => (form ? draftOf(form).screens : []), [form])
  const act = useMutation({
    mutationFn: async (action: Question): Promise<{ action: Question; flow?: FlowDetails }> => {
      const params = { id }
      if (action === 'delete') {
        await call('DELETE /flows/{id}', { params })
        return { action }
      }
      const { flow } =
        action === 'publish'
          ? await call('POST /flows/{id}/publish', { params })
          : await call('POST /flows/{id}/deprecate', { params })
      return { action, flow }
    },
    onSuccess: ({ action, flow }) => {
      setQuestion(undefined)
      if (flow) showForm(flow)
      if (action === 'delete') {
        void queryClient.invalidateQueries({ queryKey: formsQuery.queryKey })
        onGone()
      }
      const done = { publish: 'published', withdraw: 'withdrawn', delete: 'deleted' } as const
      notify({ title: t(done[action]), kind: 'good' })
    },
    onError: (failure) => {
      setQuestion(undefined)
      notifyError(failure)
    },
  })
  if (isLoadingError) return <Failed error={error} onRetry={() => void refetch()} />
  if (!form) return <SkeletonRows />
  const { status, screens, name } = form
  return (
    <div className="pane min-h-0 flex-1 p-4 sm:p-6">
      <header className="mb-5 flex flex-wrap items-start gap-3">
        <BackToList to={listPath} search label={t('back')} />
        <div className="min-w-48 flex-1">
          <h2 dir="auto" className="text-md font-semibold break-words">
            {name}
          </h2>
          <p className="mt-1 flex flex-wrap items-center gap-2 text-sm text-ink-2">
            <FormStatus status={status} />
            {categoryNames(form)}
          </p>
          {counted && (counted.published || counted.sent > 0) && (
            <p className="mt-1 text-sm text-ink-2 tabular-nums">{formatCounts(counted)}</p>
          )}
        </div>
        {mayWrite && (
          <div className="flex flex-wrap gap-2">
            {status === 'draft' && screens !== null && (
              <Button icon={Pencil} onClick={onChange}>
                {t('change')}
              </Button>
            )}
            {status === 'draft' && (
              <Button variant="primary" icon={Send} onClick={() => setQuestion('publish')}>
                {t('publish')}
              </Button>
            )}
            {status !== 'draft' && screens !== null && (
              <Button icon={Copy} onClick={onCopy}>
                {t('copy')}
              </Button>
            )}
            {(status === 'published' || status === 'throttled') && (
              <Button icon={Ban} onClick={() => setQuestion('withdraw')}>
                {t('withdraw')}
              </Button>
            )}
            {status === 'draft' && (
              <Button icon={Trash2} onClick={() => setQuestion('delete')}>
                {t('delete')}
              </Button>
            )}
          </div>
        )}
      </header>
      <div className="flex min-w-0 flex-col gap-5">
        <State form={form} />
        <Tabs
          label={t('views')}
          value={view}
          onChange={(next) => show(next, filter)}
          tabs={viewsOf(form).map((value) => ({ value, label: t(`view.${value}`) }))}
        >
          <div className="pt-4">
            {view === 'summary' && <Summary form={form} filter={filter} show={show} />}
            {view === 'answers' && (
              <Answers
                form={form}
                workspace={workspace}
                filter={filter}
                onFilter={(next) => show('answers', next)}
              />
            )}
            {view === 'design' && <AllScreens screens={design} />}
          </div>
        </Tabs>
      </div>
      {question && (
        <Confirm
          open
          onClose={() => setQuestion(undefined)}
          title={t(`${question}.title`, { name })}
          description={t(`${question}.text`)}
          action={t(question)}
          danger={question !== 'publish'}
          busy={act.isPending}
          onConfirm={() => act.mutate(question)}
        />
      )}
    </div>
  )
}
