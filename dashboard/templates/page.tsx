/** Shows the templates, which can be sent while a chat's window is closed, with the operator's decisions. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { LayoutTemplate, Plus, RefreshCw } from 'lucide-react'
import { useRef } from 'react'
import { queryClient } from '../api/cache.ts'
import { call } from '../api/request.ts'
import { hasRole, useWorkspaceSession } from '../api/session.ts'
import { Button, IconButton } from '../kit/button.tsx'
import { lazyComponent } from '../kit/lazy.tsx'
import { ListFilters } from '../kit/list-filters.tsx'
import { EditorFrame, ListFrame } from '../kit/list-frame.tsx'
import { Empty, SkeletonRows } from '../kit/states.tsx'
import { notify } from '../kit/toasts.tsx'
import { useCommands } from '../shell/commands-store.ts'
import { notifyError } from '../shell/notify-error.ts'
import { TEMPLATE_COMMANDS } from './commands.ts'
import { TemplateDetail } from './detail.tsx'
import { TemplateList } from './parts/list.tsx'
import { STATUSES } from './parts/status.tsx'
import { type TemplateFilter, templateQuery, templateRows } from './queries.ts'
import { t } from './texts.ts'
import { readView, searchOf } from './view.ts'

const NEW = 'new'

const TemplateEditor = lazyComponent(() => import('./editor.tsx').then((module) => module.TemplateEditor))

type NewProps = {
  /** The template to which the new one adds a language, or of which it is a new version. */
  from: string | undefined
  isNewVersion: boolean
  listPath: string
}

/** The page that creates a template. */
function NewTemplate({ from, isNewVersion, listPath }: NewProps) {
  const navigate = useNavigate()
  const { data: template, isPending } = useQuery({ ...templateQuery(from ?? ''), enabled: Boolean(from) })
  return (
    <EditorFrame
      title={
        template
          ? t(isNewVersion ? 'version.title' : 'further.title', { name: template.name })
          : t('create.title')
      }
      description={t(isNewVersion ? 'version.text' : 'create.text')}
      back={from ? `${listPath}/${from}` : listPath}
      backLabel={t('back')}
    >
      {from && isPending ? (
        <SkeletonRows />
      ) : (
        <TemplateEditor
          around={<SkeletonRows />}
          from={template}
          isNewVersion={isNewVersion}
          onSubmitted={(created) => void navigate({ to: `${listPath}/${created.id}` })}
        />
      )}
    </EditorFrame>
  )
}

export const lists = [templateRows]

export default function TemplatesPage() {
  const { workspace, template: openId } = useParams({ strict: false }) as {
    workspace: string
    template?: string
  }
  const params = useSearch({ strict: false }) as Record<string, unknown> & { from?: string; copy?: string }
  const from = params.from ?? params.copy
  const { search, status } = readView(params)
  const listPath = `/w/${workspace}/templates`
  const { role } = useWorkspaceSession(workspace).member
  const mayWrite = hasRole(role, 'agent')
  const navigate = useNavigate()
  const narrow = (patch: Partial<TemplateFilter>) =>
    void navigate({ to: '.', search: searchOf({ search, status, ...patch }), replace: true } as never)
  const searchField = useRef<HTMLInputElement>(null)
  const sync = useMutation({
    mutationFn: () => call('POST /templates/sync', { body: {} }),
    onSuccess: ({ created, updated, removed }) => {
      void queryClient.invalidateQueries({ queryKey: ['template'] })
      notify({
        title: t('synced'),
        description: t('synced.text', { created, updated, removed }),
        kind: 'good',
      })
    },
    onError: notifyError,
  })
  const openEditor = (search: { from?: string; copy?: string } = {}) =>
    void navigate({ to: `${listPath}/${NEW}`, search } as never)
  useCommands(
    TEMPLATE_COMMANDS,
    {
      mayWrite,
      create: () => openEditor(),
      sync: () => sync.mutate(),
      search: () => searchField.current?.focus(),
    },
    { title: t },
  )
  if (openId === NEW && mayWrite)
    return (
      <NewTemplate
        key={`${from} ${params.copy}`}
        from={from}
        isNewVersion={params.copy !== undefined}
        listPath={listPath}
      />
    )
  const create = mayWrite && (
    <Button variant="primary" icon={Plus} keys="c" onClick={() => openEditor()}>
      {t('create')}
    </Button>
  )
  return (
    <ListFrame
      title={t('title')}
      open={openId !== undefined && openId !== NEW}
      actions={
        <>
          {mayWrite && (
            <IconButton
              icon={RefreshCw}
              label={t('sync')}
              disabled={sync.isPending}
              onClick={() => sync.mutate()}
            />
          )}
          {create}
        </>
      }
      filters={
        <ListFilters
          search={{
            label: t('search'),
            field: searchField,
            value: search,
            onChange: (text) => narrow({ search: text }),
          }}
          filter={{
            name: t('filter.status'),
            value: status,
            onChange: (next) => narrow({ status: next }),
            choices: [
              { value: 'all' as const, label: t('status.all') },
              ...STATUSES.map((value) => ({ value, label: t(`status.${value}`) })),
            ],
          }}
        />
      }
      list={
        <TemplateList
          filter={{ search: search.trim(), status }}
          openId={openId}
          listPath={listPath}
          create={create}
        />
      }
      detail={
        openId && openId !== NEW ? (
          <TemplateDetail
            key={openId}
            id={openId}
            listPath={listPath}
            mayWrite={mayWrite}
            campaignPath={hasRole(role, 'admin') ? `/w/${workspace}/campaigns/new` : undefined}
            onFurther={() => openEditor({ from: openId })}
            onNewVersion={() => openEditor({ copy: openId })}
            onGone={() => void navigate({ to: listPath, search: true })}
          />
        ) : (
          <Empty icon={LayoutTemplate} title={t('choose')} />
        )
      }
    />
  )
}
