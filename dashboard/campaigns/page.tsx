/** Shows campaigns: the list, the wizard, or one campaign. */
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { ArrowLeft, CalendarDays, List, Megaphone, Plus } from 'lucide-react'
import { hasRole, useWorkspaceSession } from '../api/session.ts'
import { Button } from '../kit/button.tsx'
import { lazyComponent } from '../kit/lazy.tsx'
import { ListFrame } from '../kit/list-frame.tsx'
import { Page } from '../kit/page.tsx'
import { Empty, SkeletonRows } from '../kit/states.tsx'
import { useCommands } from '../shell/commands-store.ts'
import { LIST_COMMANDS, type View } from './commands.ts'
import { CampaignDetail } from './detail.tsx'
import { CampaignList } from './parts/list.tsx'
import { campaignRows, refreshRecipients } from './queries.ts'
import { t } from './texts.ts'

const NEW = 'new'
const CALENDAR = 'calendar'

const Wizard = lazyComponent(() => import('./wizard.tsx').then((module) => module.Wizard))
const CampaignCalendar = lazyComponent(() =>
  import('./parts/calendar.tsx').then((module) => module.CampaignCalendar),
)

export const lists = [campaignRows]
export const changeRules = { broadcast: refreshRecipients }

export default function CampaignsPage() {
  const {
    workspace,
    campaign: openId,
    period,
  } = useParams({ strict: false }) as {
    workspace: string
    campaign?: string
    period?: string
  }
  const { after } = useSearch({ strict: false }) as { after?: string }
  const listPath = `/w/${workspace}/campaigns`
  const session = useWorkspaceSession(workspace)
  const mayWrite = hasRole(session.member.role, 'admin')
  const navigate = useNavigate()
  const openWizard = (followUpOf?: string) =>
    void navigate({ to: `${listPath}/${NEW}`, search: followUpOf ? { after: followUpOf } : {} } as never)
  const showView = (view: View) =>
    void navigate({ to: view === 'list' ? listPath : `${listPath}/${CALENDAR}` } as never)
  useCommands(LIST_COMMANDS, { mayWrite, create: () => openWizard(), showView }, { title: t })
  if (openId === NEW && mayWrite)
    return (
      <Page
        wide
        title={t(after ? 'followUp.title' : 'create')}
        actions={
          <Button variant="ghost" icon={ArrowLeft} onClick={() => void navigate({ to: listPath })}>
            {t('back')}
          </Button>
        }
      >
        <Wizard
          around={<SkeletonRows />}
          key={after ?? NEW}
          followUpOf={after}
          onMade={(id) => void navigate({ to: `${listPath}/${id}` })}
        />
      </Page>
    )
  const create = mayWrite && (
    <Button variant="primary" icon={Plus} keys="c" onClick={() => openWizard()}>
      {t('create')}
    </Button>
  )
  if (openId === CALENDAR)
    return (
      <Page
        wide
        title={t('title')}
        actions={
          <>
            <Button icon={List} keys="1" onClick={() => showView('list')}>
              {t('view.list')}
            </Button>
            {create}
          </>
        }
      >
        <CampaignCalendar
          around={<SkeletonRows />}
          period={period}
          path={listPath}
          zone={session.workspace.timezone}
          mayWrite={mayWrite}
        />
      </Page>
    )
  const isOpen = openId !== undefined && openId !== NEW
  return (
    <ListFrame
      title={t('title')}
      open={isOpen}
      actions={
        <>
          <Button icon={CalendarDays} keys="2" onClick={() => showView('calendar')}>
            {t('view.calendar')}
          </Button>
          {create}
        </>
      }
      list={<CampaignList openId={openId} listPath={listPath} create={create} />}
      detail={
        isOpen ? (
          <CampaignDetail
            key={openId}
            id={openId}
            listPath={listPath}
            mayWrite={mayWrite}
            onFollowUp={() => openWizard(openId)}
          />
        ) : (
          <Empty icon={Megaphone} title={t('choose')} />
        )
      }
    />
  )
}
