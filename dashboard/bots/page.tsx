/** Shows bots; the open bot is in the address. */
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { hasRole, useWorkspaceSession } from '../api/session.ts'
import { Button } from '../kit/button.tsx'
import { Callout } from '../kit/callout.tsx'
import { lazyComponent, lazyPopup } from '../kit/lazy.tsx'
import { moveFocus } from '../kit/move-focus.ts'
import { Page } from '../kit/page.tsx'
import { Failed, SkeletonRows } from '../kit/states.tsx'
import { useCommands } from '../shell/commands-store.ts'
import { BOTS_COMMANDS } from './commands.ts'
import { BotList } from './parts/list.tsx'
import { botQuery } from './queries.ts'
import { t } from './texts.ts'

const BotEditor = lazyComponent(() => import('./parts/editor.tsx').then((module) => module.BotEditor))
const NewBotDialog = lazyPopup(() => import('./parts/new-bot.tsx').then((module) => module.NewBotDialog))

export default function BotsPage() {
  const { workspace, bot } = useParams({ strict: false }) as { workspace: string; bot?: string }
  const mayEdit = hasRole(useWorkspaceSession(workspace).member.role, 'admin')
  const navigate = useNavigate()
  const open = (id?: string) => void navigate({ to: `/w/${workspace}/bots${id ? `/${id}` : ''}` } as never)
  if (bot === undefined) return <AllBots workspace={workspace} mayEdit={mayEdit} onOpen={open} />
  return (
    <BotPage key={bot} id={bot} workspace={workspace} mayEdit={mayEdit} onGone={() => open()} onOpen={open} />
  )
}

type OneProps = {
  id: string
  workspace: string
  mayEdit: boolean
  onGone: () => void
  onOpen: (id: string) => void
}

function BotPage({ id, ...rest }: OneProps) {
  const { data: bot, error, refetch } = useQuery(botQuery(id))
  const waiting = (
    <Page title={t('title')}>
      <SkeletonRows tall />
    </Page>
  )
  if (bot) return <BotEditor bot={bot} {...rest} around={waiting} />
  if (!error) return waiting
  return (
    <Page title={t('title')}>
      <Failed error={error} onRetry={() => void refetch()} />
    </Page>
  )
}

type AllProps = { workspace: string; mayEdit: boolean; onOpen: (id: string) => void }

function AllBots({ workspace, mayEdit, onOpen }: AllProps) {
  const [isMaking, setMaking] = useState(false)
  const openNewBot = () => setMaking(true)
  useCommands(
    BOTS_COMMANDS,
    {
      mayEdit,
      isOpen: false,
      createBot: openNewBot,
      move: (by) => moveFocus('[data-part]', by),
      save: undefined,
      showAll: () => {},
    },
    { title: t },
  )
  const newButton = mayEdit && (
    <Button variant="primary" icon={Plus} keys="c" onClick={openNewBot}>
      {t('new')}
    </Button>
  )
  return (
    <Page wide title={t('title')} description={t('description')} actions={newButton}>
      {!mayEdit && (
        <div className="mb-4">
          <Callout>{t('viewer')}</Callout>
        </div>
      )}
      <BotList workspace={workspace} mayEdit={mayEdit} action={newButton} />
      <NewBotDialog open={isMaking} onClose={() => setMaking(false)} onMade={onOpen} />
    </Page>
  )
}
