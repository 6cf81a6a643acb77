/**
 * Shows analytics: messages, failures, response times, the team, ratings, campaigns, and the funnel; each as
 * a table and a file.
 */
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Page } from '../kit/page.tsx'
import { Select } from '../kit/select.tsx'
import { useCommands } from '../shell/commands-store.ts'
import { ANALYTICS_COMMANDS } from './commands.ts'
import { AnswersPanels } from './parts/answers-panels.tsx'
import { FailuresPanel } from './parts/failures-panel.tsx'
import { MessagesPanel } from './parts/messages-panel.tsx'
import { RatingsPanel } from './parts/ratings-panel.tsx'
import { CampaignsPanel, FunnelPanel } from './parts/sales-panels.tsx'
import { numbersQuery } from './queries.ts'
import { t } from './texts.ts'

const DAYS = [7, 30, 90] as const
const ALL = 'all'

export default function AnalyticsPage() {
  const search = useSearch({ strict: false }) as { days?: unknown; number?: unknown }
  const navigate = useNavigate()
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
      }
    >
      <MessagesPanel days={days} numberId={number} />
      <FailuresPanel days={days} />
      <AnswersPanels days={days} />
      <RatingsPanel days={days} />
      <CampaignsPanel />
      <FunnelPanel />
    </Page>
  )
}
