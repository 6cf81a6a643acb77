/** Shows the photo network: comments, posts, and figures. Direct messages are in the inbox. */
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { ArrowRight, MessageCircle } from 'lucide-react'
import { useEffect } from 'react'
import { hasRole, useWorkspaceSession } from '../api/session.ts'
import { lazyComponent } from '../kit/lazy.tsx'
import { moveFocus } from '../kit/move-focus.ts'
import { SkeletonRows } from '../kit/states.tsx'
import { Tabs } from '../kit/tabs.tsx'
import { useCommands } from '../shell/commands-store.ts'
import { SOCIAL_COMMANDS } from './commands.ts'
import { Comments } from './parts/comments.tsx'
import { Gate, knownGate } from './parts/gate.tsx'
import { Posts } from './parts/posts.tsx'
import { t } from './texts.ts'
import { VIEWS, type View } from './view.ts'

const Calendar = lazyComponent(() => import('./parts/calendar.tsx').then((module) => module.Calendar))
const Insights = lazyComponent(() => import('./parts/insights.tsx').then((module) => module.Insights))

/** Direct messages are in the inbox. */
const TABS = VIEWS.filter((view) => view !== 'messages')

/** Leads to the direct messages, which had a page here before they came to the inbox. */
function ToInbox({ workspace, chat }: { workspace: string; chat: string | undefined }) {
  const navigate = useNavigate()
  useEffect(() => {
    const to = `/w/${workspace}/inbox${chat ? `/${chat}` : ''}`
    void navigate({ to, search: { channel: 'social' }, replace: true } as never)
  }, [navigate, workspace, chat])
  return <SkeletonRows tall />
}

export default function SocialPage() {
  const params = useParams({ strict: false }) as { workspace: string; view?: string; chat?: string }
  const { workspace, member } = useWorkspaceSession(params.workspace)
  const view = VIEWS.find((candidate) => candidate === params.view) ?? 'comments'
  const path = `/w/${params.workspace}/social`
  const navigate = useNavigate()
  const show = (next: View) => void navigate({ to: `${path}/${next}` } as never)
  useCommands(SOCIAL_COMMANDS, { move: (by) => moveFocus('[data-social]', by), showView: show }, { title: t })
  const gate = knownGate(workspace)
  if (gate) return <Gate gate={gate} workspace={workspace} isPage />
  if (view === 'messages') return <ToInbox workspace={params.workspace} chat={params.chat} />
  const mayWrite = hasRole(member.role, 'agent')
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col">
      <header className="flex flex-wrap items-center gap-x-4 px-4 pt-4 sm:px-6">
        <h1 className="flex-1 text-lg font-semibold">{t('title')}</h1>
        <Link
          to={`/w/${params.workspace}/inbox` as string}
          search={{ channel: 'social' } as never}
          className="inline-flex items-center gap-1.5 font-medium text-accent hover:underline pointer-coarse:min-h-11"
        >
          <MessageCircle aria-hidden size={16} />
          {t('messages')}
          <ArrowRight aria-hidden size={14} className="rtl:-scale-x-100" />
        </Link>
      </header>
      <Tabs
        className="mt-2 px-2 sm:px-4"
        label={t('views')}
        value={view}
        onChange={show}
        tabs={TABS.map((value) => ({ value, label: t(`view.${value}`) }))}
      />
      {view === 'comments' && <Comments workspace={workspace} mayWrite={mayWrite} />}
      {view === 'posts' && <Posts workspace={workspace} role={member.role} />}
      {view === 'calendar' && (
        <Calendar
          around={<SkeletonRows />}
          month={params.chat}
          path={path}
          workspace={workspace}
          role={member.role}
        />
      )}
      {view === 'insights' && <Insights around={<SkeletonRows />} workspace={workspace} />}
    </div>
  )
}
