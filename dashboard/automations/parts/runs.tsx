/** Shows the runs of an automation, newest first; a run expands to its steps. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ChevronDown, ChevronRight, History } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { AutomationRun } from '../../../sdk/api.ts'
import { ServerText, useServerText } from '../../api/server-text.tsx'
import { Badge, type Tone } from '../../kit/badge.tsx'
import { Button } from '../../kit/button.tsx'
import { Callout } from '../../kit/callout.tsx'
import { LoadMore } from '../../kit/load-more.tsx'
import { LoadedRows } from '../../kit/loaded-rows.tsx'
import { Select } from '../../kit/select.tsx'
import { Empty } from '../../kit/states.tsx'
import { formatFull, Time } from '../../kit/time.tsx'
import { formatType, withoutAction } from '../format.ts'
import { type ListedRun, type RunStatus, runsQuery } from '../queries.ts'
import { t } from '../texts.ts'
import { RunResults } from './run-results.tsx'
import { RunWhy } from './run-why.tsx'

const STATUSES: readonly RunStatus[] = ['done', 'skipped', 'failed', 'waiting', 'running']
const ALL = 'all'
const TONES: Record<string, Tone> = {
  done: 'good',
  skipped: 'plain',
  failed: 'bad',
  waiting: 'note',
  running: 'accent',
  stopped: 'warn',
}

function Subject({ run, workspace }: { run: AutomationRun; workspace: string }) {
  const { leadId, conversationId, contactId } = run.subject
  const links = [
    leadId && { to: `/w/${workspace}/leads/${leadId}`, label: t('run.lead') },
    conversationId && { to: `/w/${workspace}/inbox/${conversationId}`, label: t('run.chat') },
    contactId && { to: `/w/${workspace}/contacts/${contactId}`, label: t('run.contact') },
  ].filter((link) => link !== null && link !== '')
  if (links.length === 0) return null
  return (
    <p className="flex flex-wrap gap-x-4 gap-y-1">
      {links.map(({ to, label }) => (
        <Link key={to} to={to} className="text-accent underline pointer-coarse:min-h-11">
          {label}
        </Link>
      ))}
    </p>
  )
}

const Steps = ({ run, workspace }: { run: ListedRun; workspace: string }) => (
  <div className="flex flex-col gap-3 px-3 pt-1 pb-4 ps-9 text-sm">
    {run.reason && (
      <p className="break-words text-ink-2">
        <ServerText>{withoutAction(run.reason)}</ServerText>
      </p>
    )}
    {run.steps.length > 0 ? (
      <ol aria-label={t('steps')} className="flex flex-col gap-2">
        {run.steps.map(({ action, status, reason, result, at }, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: steps are only appended
          <li key={place} className="flex flex-wrap items-start gap-x-2 gap-y-0.5">
            <Badge tone={TONES[status] ?? 'plain'}>{t(`did.${status}`)}</Badge>
            <span className="min-w-0 flex-1">
              <span className="font-medium">
                {t('step', { number: place + 1, name: formatType(action) })}
              </span>
              {reason && (
                <span className="block break-words text-ink-2">
                  <ServerText>{reason}</ServerText>
                </span>
              )}
              {typeof result?.until === 'string' && (
                <span className="block text-ink-2">{t('tried.until', { at: formatFull(result.until) })}</span>
              )}
            </span>
            <Time at={at} className="text-xs text-ink-3" />
          </li>
        ))}
      </ol>
    ) : (
      !run.reason && <p className="text-ink-3">{t('run.noSteps')}</p>
    )}
    <div className="flex flex-wrap items-center gap-x-4">
      <Subject run={run} workspace={workspace} />
      <RunWhy run={run} name={run.customer ?? t('runs')} />
    </div>
  </div>
)

type RowProps = { run: ListedRun; workspace: string; isOpen: boolean; onToggle: () => void }

function RunRow({ run, workspace, isOpen, onToggle }: RowProps) {
  const Icon = isOpen ? ChevronDown : ChevronRight
  const translate = useServerText()
  const summary = run.reason
    ? translate(withoutAction(run.reason))
    : t('run.steps', { count: run.steps.length })
  return (
    <li className="border-b last:border-0">
      <button
        type="button"
        data-run={run.id}
        aria-expanded={isOpen}
        onClick={onToggle}
        className="flex min-h-row w-full items-center gap-3 px-3 py-1.5 text-start hover:bg-surface-2 focus-visible:-outline-offset-2"
      >
        <Icon aria-hidden size={16} className="shrink-0 text-ink-3" />
        <span className="min-w-18 shrink-0">
          <Badge tone={TONES[run.status] ?? 'plain'}>{t(`status.${run.status}`)}</Badge>
        </span>
        <span className="flex min-w-0 flex-1 flex-col sm:flex-row sm:gap-3">
          {run.customer && (
            <span dir="auto" className="truncate font-medium sm:w-44 sm:shrink-0">
              {run.customer}
            </span>
          )}
          <span className="min-w-0 truncate text-ink-2">{summary}</span>
        </span>
        <Time at={run.createdAt} className="shrink-0 text-xs text-ink-3" />
      </button>
      {isOpen && <Steps run={run} workspace={workspace} />}
    </li>
  )
}

type Props = {
  id: string
  workspace: string
  /** The run from the link, and the automation whose runs are searched. */
  linkedRunId: string | undefined
  contactId: string | undefined
  onAllContacts: () => void
}

export function Runs({ id, workspace, linkedRunId, contactId, onAllContacts }: Props) {
  const [status, setStatus] = useState<RunStatus | typeof ALL>(ALL)
  const [openIds, setOpenIds] = useState<readonly string[]>(linkedRunId ? [linkedRunId] : [])
  const query = useInfiniteQuery(
    runsQuery(id, { ...(status !== ALL && { status }), ...(contactId && { contactId }) }),
  )
  const runs = query.data?.pages.flatMap((page) => page.runs) ?? []
  const isThere = runs.some((run) => run.id === linkedRunId)
  useEffect(() => {
    if (isThere) document.querySelector(`[data-run="${linkedRunId}"]`)?.scrollIntoView({ block: 'center' })
  }, [isThere, linkedRunId])
  const toggle = (runId: string) =>
    setOpenIds((before) =>
      before.includes(runId) ? before.filter((openId) => openId !== runId) : [...before, runId],
    )
  return (
    <section aria-label={t('runs')}>
      <RunResults id={id} />
      <div className="my-4 flex flex-wrap items-center gap-3">
        <Select
          name={t('runs.filter')}
          className="w-40"
          value={status}
          onChange={setStatus}
          choices={[
            { value: ALL, label: t('runs.all') },
            ...STATUSES.map((value) => ({ value, label: t(`status.${value}`) })),
          ]}
        />
        <p className="min-w-48 flex-1 text-sm text-ink-2">{t('runs.text')}</p>
      </div>
      {contactId && (
        <div className="mb-3">
          <Callout
            action={
              <Button size="sm" onClick={onAllContacts}>
                {t('runs.ofContact.clear')}
              </Button>
            }
          >
            {t('runs.ofContact')}
          </Callout>
        </div>
      )}
      <LoadedRows
        query={query}
        rows={runs}
        empty={
          <Empty icon={History} title={t(status === ALL && !contactId ? 'runs.empty' : 'runs.narrowed')}>
            {status === ALL && !contactId && t('runs.empty.text')}
          </Empty>
        }
      >
        <ol aria-label={t('runs')} className="rounded-lg border">
          {runs.map((run) => (
            <RunRow
              key={run.id}
              run={run}
              workspace={workspace}
              isOpen={openIds.includes(run.id)}
              onToggle={() => toggle(run.id)}
            />
          ))}
        </ol>
        <LoadMore query={query}>{t('runs.more')}</LoadMore>
      </LoadedRows>
    </section>
  )
}
