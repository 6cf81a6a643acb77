/** Shows automations: the list, the recipes, a new automation, or the open one. */
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { BookOpen, Plus, Zap } from 'lucide-react'
import { useState } from 'react'
import { hasRole, useWorkspaceSession } from '../api/session.ts'
import { BackLink } from '../kit/back-link.tsx'
import { Button } from '../kit/button.tsx'
import { lazyComponent } from '../kit/lazy.tsx'
import { moveFocus } from '../kit/move-focus.ts'
import { Page } from '../kit/page.tsx'
import { Empty, Failed, SkeletonRows } from '../kit/states.tsx'
import { useCommands } from '../shell/commands-store.ts'
import { SecretDialog } from '../webhooks/parts/secret.tsx'
import { LIST_COMMANDS } from './commands.ts'
import type { DetailSearch } from './parts/detail.tsx'
import { Gallery } from './parts/gallery.tsx'
import { SearchList } from './parts/search-list.tsx'
import { automationsQuery } from './queries.ts'
import { t } from './texts.ts'

const Detail = lazyComponent(() => import('./parts/detail.tsx').then((module) => module.Detail))
const NewAutomation = lazyComponent(() =>
  import('./parts/new-automation.tsx').then((module) => module.NewAutomation),
)

const [NEW, RECIPES] = ['new', 'recipes']

export default function AutomationsPage() {
  const { workspace, automation: openId } = useParams({ strict: false }) as {
    workspace: string
    automation?: string
  }
  const search = useSearch({ strict: false }) as DetailSearch & { recipe?: string; copy?: string }
  const session = useWorkspaceSession(workspace)
  const mayWrite = hasRole(session.member.role, 'admin')
  const navigate = useNavigate()
  const [secret, setSecret] = useState<string>()
  const listPath = `/w/${workspace}/automations`
  const go = (to: string, extra: object = {}) =>
    void navigate({ to: to ? `${listPath}/${to}` : listPath, search: extra } as never)
  const open = (path: string) => void navigate({ to: `/w/${workspace}/${path}` } as never)
  const { data: automations = [], isPending, isLoadingError, error, refetch } = useQuery(automationsQuery)
  useCommands(
    LIST_COMMANDS,
    {
      mayWrite,
      create: () => go(NEW),
      showRecipes: () => go(RECIPES),
      move: (by) => moveFocus('[data-automation]', by),
    },
    { title: t },
  )
  const backLink = <BackLink to={listPath}>{t('back')}</BackLink>
  const secretDialog = secret && <SecretDialog secret={secret} onClose={() => setSecret(undefined)} />
  if (openId === RECIPES && mayWrite)
    return (
      <Page wide title={t('recipes.title')} description={t('recipes.text')}>
        {backLink}
        <Gallery workspace={session.workspace} onUse={(recipe) => go(NEW, { recipe })} onOpen={open} />
      </Page>
    )
  if (openId === NEW && mayWrite)
    return (
      <Page wide title={t('new')}>
        {backLink}
        <NewAutomation
          recipe={search.recipe}
          copiedId={search.copy}
          workspace={session.workspace}
          onSaved={(automation, newSecret) => {
            if (newSecret) setSecret(newSecret)
            go(automation.id)
          }}
        />
      </Page>
    )
  if (openId !== undefined && openId !== NEW && openId !== RECIPES)
    return (
      <>
        <Detail
          key={openId}
          id={openId}
          session={session}
          mayWrite={mayWrite}
          shown={search}
          onShow={(next) => go(openId, next)}
          onBack={() => go('')}
          onCopy={() => go(NEW, { copy: openId })}
          onSecret={setSecret}
        />
        {secretDialog}
      </>
    )
  const actions = mayWrite && (
    <>
      <Button icon={BookOpen} onClick={() => go(RECIPES)}>
        {t('recipes')}
      </Button>
      <Button variant="primary" icon={Plus} keys="c" onClick={() => go(NEW)}>
        {t('new')}
      </Button>
    </>
  )
  return (
    <Page wide title={t('title')} description={t('description')} actions={actions}>
      {isPending ? (
        <SkeletonRows />
      ) : isLoadingError ? (
        <Failed error={error} onRetry={() => void refetch()} />
      ) : automations.length > 0 ? (
        <SearchList automations={automations} workspace={workspace} mayWrite={mayWrite} />
      ) : (
        <>
          <Empty icon={Zap} title={t('empty')} className="flex-none">
            {t('empty.text')}
          </Empty>
          {mayWrite && (
            <Gallery workspace={session.workspace} onUse={(recipe) => go(NEW, { recipe })} onOpen={open} />
          )}
        </>
      )}
    </Page>
  )
}
