/** Shows the figures of the account for the last days, with a download. */
import { useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useState } from 'react'
import type { SocialInsights } from '../../../sdk/api.ts'
import type { WorkspaceSession } from '../../api/session.ts'
import { Button } from '../../kit/button.tsx'
import { downloadCsv } from '../../kit/csv.ts'
import { Figure } from '../../kit/figure.tsx'
import { Section } from '../../kit/page.tsx'
import { Select } from '../../kit/select.tsx'
import { SkeletonRows } from '../../kit/states.tsx'
import { Table } from '../../kit/table.tsx'
import { formatLocale } from '../../texts.ts'
import { DAYS, type Days, insightsQuery } from '../queries.ts'
import { t } from '../texts.ts'
import { Refused } from './gate.tsx'
import { LivePosts } from './live-posts.tsx'

const FIGURES = ['followers', 'views', 'reach', 'engagement', 'accountsEngaged'] as const
const numbers = new Intl.NumberFormat(formatLocale)
const days = new Intl.DateTimeFormat(formatLocale, { dateStyle: 'medium' })

const formatCount = (value: number | null): string =>
  value === null ? t('insights.none') : numbers.format(value)
const periodOf = ({ since, until }: { since: string; until: string }): string =>
  t('insights.from', { since: days.format(Date.parse(since)), until: days.format(Date.parse(until)) })

/** Saves the figures as a file through the browser. */
function download(insights: SocialInsights): void {
  downloadCsv(`insights-${insights.days}-days`, [
    [t('insights.figure'), t('insights.value'), 'since', 'until'],
    ...FIGURES.map((name) => [t(`insights.${name}`), insights[name], insights.since, insights.until]),
    ...insights.periods.flatMap(({ since, until, reach, accountsEngaged }) => [
      [t('insights.reach'), reach, since, until],
      [t('insights.accountsEngaged'), accountsEngaged, since, until],
    ]),
  ])
}

type WorkspaceProps = { workspace: WorkspaceSession['workspace'] }

export function Insights({ workspace }: WorkspaceProps) {
  const [chosen, setChosen] = useState<Days>('28')
  const { data: insights, error, isPending, refetch } = useQuery(insightsQuery(chosen))
  return (
    <div className="pane flex flex-1 flex-col px-4 py-4 sm:px-6">
      <div className="mb-4 flex flex-wrap items-center gap-2">
        <Select
          name={t('insights.days')}
          className="w-full max-w-40"
          value={chosen}
          onChange={setChosen}
          choices={DAYS.map((value) => ({ value, label: t(`insights.days.${value}`) }))}
        />
        {insights && (
          <Button icon={Download} onClick={() => download(insights)}>
            {t('insights.csv')}
          </Button>
        )}
      </div>
      {isPending ? (
        <SkeletonRows />
      ) : error ? (
        <Refused error={error} workspace={workspace} onRetry={() => void refetch()} />
      ) : (
        <Figures insights={insights} workspace={workspace} />
      )}
    </div>
  )
}

function Figures({ insights, workspace }: { insights: SocialInsights } & WorkspaceProps) {
  return (
    <div className="max-w-4xl">
      <Section title={t('insights.figures')} description={periodOf(insights)}>
        <dl aria-label={t('insights.figures')} className="flex flex-wrap gap-3">
          {FIGURES.map((name) => (
            <Figure key={name} name={t(`insights.${name}`)} value={formatCount(insights[name])} />
          ))}
        </dl>
      </Section>
      {insights.periods.length > 1 && (
        <Section title={t('insights.periods')} description={t('insights.periods.text')}>
          <Table
            label={t('insights.periods')}
            rows={insights.periods}
            keyOf={({ since }) => since}
            columns={[
              { id: 'period', title: t('insights.period'), cell: periodOf },
              { id: 'reach', title: t('insights.reach'), end: true, cell: ({ reach }) => formatCount(reach) },
              {
                id: 'engaged',
                title: t('insights.accountsEngaged'),
                end: true,
                cell: ({ accountsEngaged }) => formatCount(accountsEngaged),
              },
            ]}
          />
        </Section>
      )}
      <Section title={t('insights.top')}>
        {insights.topPosts.length === 0 ? (
          <p className="text-ink-2">{t('insights.top.none')}</p>
        ) : (
          <LivePosts label={t('insights.top')} posts={insights.topPosts} workspace={workspace} />
        )}
      </Section>
    </div>
  )
}
