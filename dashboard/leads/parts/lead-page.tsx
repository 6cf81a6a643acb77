/** Shows one lead: its timeline, fields, and tasks, and a link to its chat. */
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { ArrowLeft, ChevronDown, ChevronUp, MessageCircle } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { Lead } from '../../../sdk/api.ts'
import { ApiError } from '../../api/errors.ts'
import { hasRole, useWorkspaceSession } from '../../api/session.ts'
import { Button, IconButton } from '../../kit/button.tsx'
import { classes } from '../../kit/classes.ts'
import { lazyComponent } from '../../kit/lazy.tsx'
import { Empty, Failed, SkeletonRows } from '../../kit/states.tsx'
import { Tabs } from '../../kit/tabs.tsx'
import { ZoneNote } from '../../kit/zone-note.tsx'
import { useCommands } from '../../shell/commands-store.ts'
import { LEAD_COMMANDS } from '../commands.ts'
import { lastList, leadBeside, rememberList } from '../last-list.ts'
import { leadQuery } from '../queries.ts'
import { t } from '../texts.ts'
import { type Change, changeLeadWithUndo } from '../use-changes.ts'
import { Fields } from './fields.tsx'
import { LeadTasks } from './lead-tasks.tsx'
import { type Question, QuestionDialog, useClose, useMove } from './question.tsx'
import { nameOf, StageName } from './stage.tsx'
import { StageBar } from './stage-bar.tsx'
import { StageSentence } from './stage-time.tsx'
import { Timeline } from './timeline.tsx'

const CustomerOfLead = lazyComponent(() =>
  import('../../customer/parts/of-lead.tsx').then((module) => module.CustomerOfLead),
)

/** The parts of the page, which are tabs with little room. */
const PARTS = ['details', 'timeline'] as const
type Part = (typeof PARTS)[number]

type Props = { id: string; workspace: string }

export function LeadPage({ id, workspace }: Props) {
  const { data: lead, error, isPending, refetch } = useQuery(leadQuery(id))
  if (isPending) return <SkeletonRows tall />
  if (lead) return <LeadDetails lead={lead} workspace={workspace} />
  if (error instanceof ApiError && error.status === 404)
    return (
      <Empty
        isPage
        title={t('lead.notFound')}
        action={<Link to={`/w/${workspace}/leads` as never}>{t('action.back')}</Link>}
      />
    )
  return <Failed error={error} onRetry={() => void refetch()} />
}

const changeLead: Change = async (lead, patch, notice) => {
  await changeLeadWithUndo(lead, patch, notice)
}

function LeadDetails({ lead, workspace }: { lead: Lead; workspace: string }) {
  const session = useWorkspaceSession(workspace)
  const { timezone } = session.workspace
  const mayWrite = hasRole(session.member.role, 'agent')
  const navigate = useNavigate()
  const [question, onQuestion] = useState<Question>()
  const [isAdding, setAdding] = useState(false)
  const note = useRef<HTMLTextAreaElement>(null)
  const [part, setPart] = useState<Part>('details')
  const goBack = () =>
    void navigate({ to: `/w/${workspace}/leads`, search: lastList(workspace).search } as never)
  useEffect(() => rememberList(workspace, { leadId: lead.id }), [workspace, lead.id])
  const beside = (by: 1 | -1) => {
    const id = leadBeside(workspace, lead.id, by)
    return id === undefined
      ? undefined
      : () => void navigate({ to: `/w/${workspace}/leads/${id}`, replace: true } as never)
  }
  const [toPrevious, toNext] = [beside(-1), beside(1)]
  const openChat = () => void navigate({ to: `/w/${workspace}/inbox/${lead.conversationId}` } as never)
  const move = useMove({ onQuestion, change: changeLead })
  const onClose = useClose({ onQuestion, onMove: move })
  const chooseStage = () => onQuestion({ kind: 'stage', lead })
  const chooseOwner = () => onQuestion({ kind: 'owner', lead })
  useCommands(
    LEAD_COMMANDS,
    {
      lead,
      mayWrite,
      chooseStage,
      chooseOwner,
      close: (kind) => onClose(lead, kind),
      openChat,
      writeNote: () => {
        flushSync(() => setPart('timeline'))
        note.current?.focus()
      },
      createTask: () => setAdding(true),
      goBack,
      toPrevious,
      toNext,
    },
    { title: t },
  )
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col">
      <header className="flex flex-wrap items-center gap-2 border-b px-4 py-3 sm:px-6">
        <IconButton icon={ArrowLeft} label={t('action.back')} keys="Escape" onClick={goBack} />
        <div className="flex min-w-48 flex-1 flex-wrap items-baseline gap-x-3 max-md:basis-2/3">
          <h1 className="min-w-0 text-lg font-semibold">
            <bdi>{nameOf(lead)}</bdi>
          </h1>
          <StageSentence lead={lead} />
        </div>
        <Button keys="s" disabled={!mayWrite} onClick={chooseStage} className="md:hidden">
          <StageName stage={lead.stage} />
        </Button>
        {(toPrevious ?? toNext) && (
          <div className="flex max-md:hidden">
            <IconButton
              icon={ChevronUp}
              label={t('action.previous')}
              keys="k"
              disabled={!toPrevious}
              onClick={toPrevious}
            />
            <IconButton
              icon={ChevronDown}
              label={t('action.next')}
              keys="j"
              disabled={!toNext}
              onClick={toNext}
            />
          </div>
        )}
        {lead.conversationId ? (
          <Button icon={MessageCircle} keys="o" onClick={openChat}>
            {t('action.chat')}
          </Button>
        ) : (
          <span className="text-sm text-ink-2">{t('lead.noChat')}</span>
        )}
      </header>
      <StageBar lead={lead} disabled={!mayWrite} onMove={(stage) => move(lead, stage)} />
      <Tabs
        className="md:hidden"
        label={t('parts')}
        value={part}
        onChange={setPart}
        tabs={PARTS.map((value) => ({ value, label: t(value === 'details' ? 'fields' : value) }))}
      />
      <ZoneNote zone={timezone} of="due" />
      <div className="pane flex min-h-0 flex-1 flex-col md:flex-row md:overflow-hidden">
        <div className={classes('md:pane min-w-0 flex-1 p-4 sm:p-6', part !== 'timeline' && 'max-md:hidden')}>
          <Timeline id={lead.id} zone={timezone} mayWrite={mayWrite} field={note} />
        </div>
        <aside
          aria-label={t('fields')}
          className={classes('md:pane shrink-0 md:w-96 md:border-s', part !== 'details' && 'max-md:hidden')}
        >
          <LeadTasks
            lead={lead}
            workspace={workspace}
            me={session.member.id}
            mayWrite={mayWrite}
            isAdding={isAdding}
            onAdding={setAdding}
          />
          <Fields
            lead={lead}
            workspace={workspace}
            mayWrite={mayWrite}
            zone={timezone}
            onOwner={chooseOwner}
            onChange={async (patch) =>
              (await changeLeadWithUndo(lead, patch, t('notice.saved'))) !== undefined
            }
          />
          <CustomerOfLead contactId={lead.contactId} workspace={workspace} mayWrite={mayWrite} />
        </aside>
      </div>
      <QuestionDialog question={question} onQuestion={onQuestion} change={changeLead} />
    </div>
  )
}
