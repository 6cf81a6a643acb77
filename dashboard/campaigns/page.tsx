/** Shows campaigns: the list, the wizard, or one campaign. */
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { ArrowLeft, CalendarDays, List, Megaphone, Plus } from 'lucide-react'
import { useRef } from 'react'
import { hasRole, useWorkspaceSession } from '../api/session.ts'
import { Button, IconButton } from '../kit/button.tsx'
import { lazyComponent } from '../kit/lazy.tsx'
import { ListFilters } from '../kit/list-filters.tsx'
import { ListFrame } from '../kit/list-frame.tsx'
import { Page } from '../kit/page.tsx'
import { Empty, SkeletonRows } from '../kit/states.tsx'
import { useCommands } from '../shell/commands-store.ts'
import { LIST_COMMANDS, type View } from './commands.ts'
import { CampaignDetail } from './detail.tsx'
import { CampaignList } from './parts/list.tsx'
import { type CampaignFilter, campaignRows, type RecipientFilter, refreshRecipients } from './queries.ts'
import { t } from './texts.ts'
import { readView, STATUSES, searchOf } from './view.ts'

const NEW = 'new'
const CALENDAR = 'calendar'

const Wizard = lazyComponent(() => import('./wizard.tsx').then((module) => module.Wizard))
const CampaignCalendar = lazyComponent(() =>
  import('./parts/calendar.tsx').then((module) => module.CampaignCalendar),
)

export const lists = [campaignRows]
export const changeRules = { broadcast: refreshRecipients }

type StartParams = RecipientFilter & { after?: string; copy?: string; template?: string }

/** Returns what a new campaign starts from: the campaign that it follows up or copies, or a template. */
function startOf({ after, status, response, copy, template }: StartParams) {
  const filter = status || response ? { status, response } : undefined
  if (after) return { id: after, kind: 'followUp', filter } as const
  if (copy) return { id: copy, kind: 'copy' } as const
  return template ? ({ id: template, kind: 'template' } as const) : undefined
}

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
  const params = useSearch({ strict: false }) as Record<string, unknown>
  const from = startOf(params)
  const { search, status } = readView(params)
  const listPath = `/w/${workspace}/campaigns`
  const session = useWorkspaceSession(workspace)
  const mayWrite = hasRole(session.member.role, 'admin')
  const navigate = useNavigate()
  const openWizard = (search: StartParams = {}) =>
    void navigate({ to: `${listPath}/${NEW}`, search } as never)
  const showView = (view: View) =>
    void navigate({ to: view === 'list' ? listPath : `${listPath}/${CALENDAR}` } as never)
  const narrow = (patch: Partial<CampaignFilter>) =>
    void navigate({ to: '.', search: searchOf({ search, status, ...patch }), replace: true } as never)
  const searchField = useRef<HTMLInputElement>(null)
  useCommands(
    LIST_COMMANDS,
    { mayWrite, create: () => openWizard(), showView, search: () => searchField.current?.focus() },
    { title: t },
  )
  if (openId === NEW && mayWrite)
    return (
      <Page
        wide
        title={t(
          from?.kind === 'followUp' ? 'followUp.title' : from?.kind === 'copy' ? 'copy.title' : 'create',
        )}
        actions={
          <Button variant="ghost" icon={ArrowLeft} onClick={() => void navigate({ to: listPath })}>
            {t('back')}
          </Button>
        }
      >
        <Wizard
          around={<SkeletonRows />}
          key={from ? `${from.kind} ${from.id}` : NEW}
          from={from}
          zone={session.workspace.timezone}
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
          <IconButton
            icon={CalendarDays}
            label={t('view.calendar')}
            keys="2"
            onClick={() => showView('calendar')}
          />
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
              { value: 'all' as const, label: t('filter.all') },
              ...STATUSES.map((value) => ({ value, label: t(`filter.${value}`) })),
            ],
          }}
        />
      }
      list={
        <CampaignList
          filter={{ search: search.trim(), status }}
          openId={openId}
          listPath={listPath}
          create={create}
        />
      }
      detail={
        isOpen ? (
          <CampaignDetail
            key={openId}
            id={openId}
            listPath={listPath}
            mayWrite={mayWrite}
            zone={session.workspace.timezone}
            onFollowUp={(filter) => openWizard({ after: openId, ...filter })}
            onCopy={() => openWizard({ copy: openId })}
          />
        ) : (
          <Empty icon={Megaphone} title={t('choose')} />
        )
      }
    />
  )
}
