/** Shows one automation: its settings and its runs. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { Copy, MoreVertical, Trash2, Zap } from 'lucide-react'
import { useEffect, useState } from 'react'
import { ApiError } from '../../api/errors.ts'
import { ServerText } from '../../api/server-text.tsx'
import type { WorkspaceSession } from '../../api/session.ts'
import { BackLink } from '../../kit/back-link.tsx'
import { IconButton } from '../../kit/button.tsx'
import { Callout } from '../../kit/callout.tsx'
import { Confirm } from '../../kit/dialog.tsx'
import { Menu } from '../../kit/menu.tsx'
import { Page } from '../../kit/page.tsx'
import { Empty, Failed, SkeletonRows } from '../../kit/states.tsx'
import { Tabs } from '../../kit/tabs.tsx'
import { notifyError } from '../../shell/notify-error.ts'
import { draftOf } from '../draft.ts'
import { formatTrigger } from '../format.ts'
import { automationQuery, deleteAutomation } from '../queries.ts'
import { t } from '../texts.ts'
import { useCatalog } from '../use-catalog.ts'
import { Builder } from './builder.tsx'
import { OnSwitch } from './list.tsx'
import { Results } from './results.tsx'
import { Runs } from './runs.tsx'
import { Summary } from './summary.tsx'

export type DetailSearch = { show?: string; run?: string; contact?: string }
type Props = {
  id: string
  session: WorkspaceSession
  mayWrite: boolean
  shown: DetailSearch
  onShow: (next: DetailSearch) => void
  onBack: () => void
  onCopy: () => void
  onSecret: (secret: string) => void
}

export function Detail({ id, session, mayWrite, shown, onShow, onBack, onCopy, onSecret }: Props) {
  const { data: automation, error, refetch } = useQuery(automationQuery(id))
  const catalog = useCatalog()
  const [isDeleting, setDeleting] = useState(false)
  const remove = useMutation({
    mutationFn: () => deleteAutomation(id),
    onError: (refusal) => {
      notifyError(refusal)
      setDeleting(false)
    },
  })
  // The form is removed before the page is left, so no question about unsaved changes appears.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the page is left once
  useEffect(() => {
    if (remove.isSuccess) onBack()
  }, [remove.isSuccess])
  if (remove.isSuccess) return null
  const backLink = <BackLink to={`/w/${session.workspace.id}/automations`}>{t('back')}</BackLink>
  if (error instanceof ApiError && error.status === 404)
    return (
      <Empty icon={Zap} title={t('gone')} action={backLink} isPage>
        {t('gone.text')}
      </Empty>
    )
  const view = shown.show === 'runs' || shown.run ? 'runs' : shown.show === 'results' ? 'results' : 'setup'
  return (
    <Page
      wide
      title={automation?.name ?? t('title')}
      description={automation && formatTrigger(automation.trigger)}
      actions={
        <>
          {automation && <OnSwitch automation={automation} mayWrite={mayWrite} label={t('on.label')} />}
          {mayWrite && automation && (
            <Menu
              align="end"
              trigger={<IconButton icon={MoreVertical} label={t('more')} />}
              entries={[
                { label: t('copy'), icon: Copy, onSelect: onCopy },
                { label: t('delete'), icon: Trash2, danger: true, onSelect: () => setDeleting(true) },
              ]}
            />
          )}
        </>
      }
    >
      {backLink}
      {automation?.disabledReason && (
        <div className="mb-4">
          <Callout kind="warn">
            <ServerText>{automation.disabledReason}</ServerText>
          </Callout>
        </div>
      )}
      <Tabs
        label={t('views')}
        value={view}
        onChange={(next) => onShow(next === 'setup' ? {} : { show: next })}
        tabs={(['setup', 'results', 'runs'] as const).map((value) => ({ value, label: t(`tab.${value}`) }))}
      />
      {error && !automation ? (
        <Failed error={error} onRetry={() => void refetch()} />
      ) : automation && catalog ? (
        <>
          {/* Unsaved changes in the form stay while the log is open. */}
          <div hidden={view !== 'setup'} className="mt-4">
            {mayWrite ? (
              <Builder
                automation={automation}
                first={draftOf(automation)}
                catalog={catalog}
                workspace={session.workspace}
                onSaved={(_, secret) => secret && onSecret(secret)}
              />
            ) : (
              <Summary automation={automation} catalog={catalog} />
            )}
          </div>
          {view === 'results' && <Results automation={automation} catalog={catalog} />}
          {view === 'runs' && (
            <Runs
              key={shown.run}
              id={id}
              workspace={session.workspace.id}
              linkedRunId={shown.run}
              contactId={shown.contact}
              onAllContacts={() => onShow({ show: 'runs' })}
            />
          )}
        </>
      ) : (
        <SkeletonRows />
      )}
      <Confirm
        open={isDeleting}
        onClose={() => setDeleting(false)}
        title={t('delete.title', { name: automation?.name ?? '' })}
        description={t('delete.text')}
        action={t('delete')}
        busy={remove.isPending}
        onConfirm={() => remove.mutate()}
        danger
      />
    </Page>
  )
}
