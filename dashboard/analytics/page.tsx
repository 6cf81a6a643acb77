/**
 * Shows analytics: an overview of messages, failures, response times, the team, ratings, campaigns, and the
 * funnel; and reports of a period. Each is a table and a file too.
 */
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { lazyComponent } from '../kit/lazy.tsx'
import { Page } from '../kit/page.tsx'
import { Select } from '../kit/select.tsx'
import { SkeletonRows } from '../kit/states.tsx'
import { Tabs } from '../kit/tabs.tsx'
import { useCommands } from '../shell/commands-store.ts'
import { ANALYTICS_COMMANDS } from './commands.ts'
import { AnswersPanels } from './parts/answers-panels.tsx'
import { FailuresPanel } from './parts/failures-panel.tsx'
import { MessagesPanel } from './parts/messages-panel.tsx'
import { RatingsPanel } from './parts/ratings-panel.tsx'
import { CampaignsPanel, FunnelPanel } from './parts/sales-panels.tsx'
import { numbersQuery } from './queries.ts'
import { t } from './texts.ts'

const ReportView = lazyComponent(() => import('./reports/view.tsx').then((module) => module.ReportView))

/** The reports, by their part of the address. */
const REPORTS = {
  overview: 'overview',
  volume: 'volume',
  'response-times': 'responseTimes',
  'resolution-times': 'resolutionTimes',
  satisfaction: 'satisfaction',
  sales: 'sales',
  campaigns: 'campaigns',
} as const
type ReportPath = keyof typeof REPORTS
const PATHS = Object.keys(REPORTS) as ReportPath[]

const DAYS = [7, 30, 90] as const
const ALL = 'all'

export default function AnalyticsPage() {
  const { workspace, report: requestedPath } = useParams({ strict: false }) as {
    workspace: string
    report?: string
  }
  const search = useSearch({ strict: false }) as Record<string, unknown>
  const navigate = useNavigate()
  const path = PATHS.find((candidate) => candidate === requestedPath) ?? 'overview'
  const report = REPORTS[path]
  // The period of one report stays for the next.
  const show = (next: ReportPath) =>
    void navigate({
      to: `/w/${workspace}/analytics${next === 'overview' ? '' : `/${next}`}`,
      search: report === 'overview' || next === 'overview' ? {} : search,
    } as never)
  const { data: numbers = [] } = useQuery(numbersQuery)
  const days = DAYS.find((count) => count === search.days) ?? 30
  const number = numbers.find(({ id }) => id === search.number)?.id
  const onView = (next: { days: number; number: string | undefined }) =>
    void navigate({
      to: '.',
      search: { ...(next.days !== 30 && { days: next.days }), ...(next.number && { number: next.number }) },
    } as never)
  useCommands(ANALYTICS_COMMANDS, { setDays: (next) => onView({ days: next, number }) }, { title: t })
  return (
    <Page
      title={t('title')}
      description={t('description')}
      wide
      actions={
        report === 'overview' && (
          <>
            {numbers.length > 1 && (
              <Select
                name={t('number')}
                value={number ?? ALL}
                onChange={(next) => onView({ days, number: next === ALL ? undefined : next })}
                choices={[
                  { value: ALL, label: t('number.all') },
                  ...numbers.map(({ id, number }) => ({ value: id, label: number })),
                ]}
              />
            )}
            <Select
              name={t('days')}
              value={String(days)}
              onChange={(next) => onView({ days: Number(next), number })}
              choices={DAYS.map((count) => ({ value: String(count), label: t(`days.${count}`) }))}
            />
          </>
        )
      }
    >
      <Tabs
        label={t('reports')}
        value={path}
        onChange={show}
        className="mb-6"
        tabs={PATHS.map((value) => ({ value, label: t(`report.${REPORTS[value]}`) }))}
      />
      {report === 'overview' ? (
        <>
          <MessagesPanel days={days} numberId={number} />
          <FailuresPanel days={days} />
          <AnswersPanels days={days} />
          <RatingsPanel days={days} />
          <CampaignsPanel />
          <FunnelPanel />
        </>
      ) : (
        <ReportView report={report} around={<SkeletonRows rows={8} />} />
      )}
    </Page>
  )
}
