/** Lists submissions at the capture link that did not become leads automatically, and those that did. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Inbox } from 'lucide-react'
import { BackLink } from '../../../kit/back-link.tsx'
import { LoadMore } from '../../../kit/load-more.tsx'
import { LoadedRows } from '../../../kit/loaded-rows.tsx'
import { Page } from '../../../kit/page.tsx'
import { Empty } from '../../../kit/states.tsx'
import { Table } from '../../../kit/table.tsx'
import { Tabs } from '../../../kit/tabs.tsx'
import { Time } from '../../../kit/time.tsx'
import { STATES, type State, type Summary, submissionsQuery } from './queries.ts'
import { reasonOf } from './reason.ts'
import { SubmissionPage } from './submission-page.tsx'
import { t } from './texts.ts'

type Search = { id?: string; state?: string }

export default function AttentionPage({ workspace }: { workspace: string }) {
  const search = useSearch({ strict: false }) as Search
  const navigate = useNavigate()
  const state = STATES.find((candidate) => candidate === search.state) ?? 'needs_attention'
  const go = (next: Search) => void navigate({ to: `/w/${workspace}/leads/attention`, search: next } as never)
  const listSearch = state === 'needs_attention' ? {} : { state }
  if (search.id !== undefined)
    return (
      <SubmissionPage key={search.id} id={search.id} workspace={workspace} onBack={() => go(listSearch)} />
    )
  return (
    <Page title={t('title')} description={t('intro')} wide>
      <BackLink to={`/w/${workspace}/leads`}>{t('back')}</BackLink>
      <List
        state={state}
        onState={(next) => go(next === 'needs_attention' ? {} : { state: next })}
        onOpen={({ id }) => go({ ...listSearch, id })}
      />
    </Page>
  )
}

type ListProps = { state: State; onState: (state: State) => void; onOpen: (submission: Summary) => void }

function List({ state, onState, onOpen }: ListProps) {
  const query = useInfiniteQuery(submissionsQuery(state))
  const rows = query.data?.pages.flatMap((page) => page.submissions) ?? []
  const open = query.data?.pages[0]?.open
  return (
    <>
      <Tabs
        label={t('tabs')}
        value={state}
        onChange={onState}
        tabs={STATES.map((value) => ({
          value,
          label: t(`tab.${value}`),
          count: value === 'needs_attention' ? open : undefined,
        }))}
      >
        <LoadedRows
          query={query}
          rows={rows}
          empty={
            <Empty icon={Inbox} title={t(`empty.${state}`)}>
              {t(`empty.${state}.text`)}
            </Empty>
          }
        >
          <div className="mt-3">
            <Rows rows={rows} onOpen={onOpen} />
          </div>
        </LoadedRows>
      </Tabs>
      <LoadMore query={query} className="">
        {t('more')}
      </LoadMore>
    </>
  )
}

const Rows = ({ rows, onOpen }: { rows: Summary[]; onOpen: (submission: Summary) => void }) => (
  <Table
    label={t('tabs')}
    rows={rows}
    keyOf={({ id }) => id}
    onOpen={onOpen}
    columns={[
      {
        id: 'what',
        title: t('column.submission'),
        className: 'max-w-0 w-full',
        cell: (row) => (
          <>
            <button
              type="button"
              className="block max-w-full truncate text-start font-medium"
              onClick={() => onOpen(row)}
            >
              {row.form ?? t('unnamed')}
            </button>
            <p className="truncate text-sm text-ink-2">{row.preview || t('unreadable')}</p>
            <p className="truncate text-sm text-ink-3 sm:hidden">{reasonOf(row)}</p>
          </>
        ),
      },
      {
        id: 'reason',
        title: t('column.reason'),
        hideBelow: 'sm',
        className: 'whitespace-nowrap',
        cell: (row) => <span className="text-sm text-ink-2">{reasonOf(row)}</span>,
      },
      {
        id: 'times',
        title: t('column.times'),
        hideBelow: 'md',
        className: 'whitespace-nowrap',
        cell: ({ times }) => <span className="text-sm text-ink-2">{t('times', { count: times })}</span>,
      },
      {
        id: 'at',
        title: t('column.at'),
        end: true,
        cell: ({ lastReceivedAt }) => <Time at={lastReceivedAt} className="text-sm text-ink-2" />,
      },
    ]}
  />
)
