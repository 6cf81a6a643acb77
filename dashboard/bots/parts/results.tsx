/** Shows how far the chats of the last 30 days came in a bot, and where and how they ended. */
import { useQuery } from '@tanstack/react-query'
import type { BotResults } from '../../../sdk/api.ts'
import { Callout } from '../../kit/callout.tsx'
import { Bar, formatNumber } from '../../kit/chart.tsx'
import { Figure } from '../../kit/figure.tsx'
import { Section } from '../../kit/page.tsx'
import { Select } from '../../kit/select.tsx'
import { Failed, SkeletonRows } from '../../kit/states.tsx'
import { resultsQuery } from '../queries.ts'
import { t } from '../texts.ts'
import { VersionResults } from './version-results.tsx'

const FIGURES = [
  'conversations',
  'starts',
  'ended',
  'handedOver',
  'endedByTeammate',
  'left',
  'active',
] as const
const ENDS = ['handedOver', 'endedByTeammate', 'left', 'ended', 'active'] as const
export type NodeResult = BotResults['nodes'][number]

type LineProps = { result: NodeResult; starts: number }

/** Shows the results of a part below its name. */
export const ResultLine = ({ result, starts }: LineProps) => (
  <span className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-0.5 text-sm text-ink-2 tabular-nums">
    <span className="w-16 shrink-0">
      <Bar value={result.reached} max={starts} />
    </span>
    <span>{t('result.reached', { count: result.reached })}</span>
    {ENDS.map(
      (end) => result[end] > 0 && <span key={end}>{t(`result.${end}`, { count: result[end] })}</span>,
    )}
  </span>
)

const ALL = 'all'

type VersionProps = { version: number | undefined; onVersion: (version: number | undefined) => void }

/** Chooses the version whose results are shown. */
const VersionSelect = ({ versions, version, onVersion }: VersionProps & Pick<BotResults, 'versions'>) => (
  <Select
    name={t('versions.choose')}
    quiet
    value={version === undefined ? ALL : String(version)}
    onChange={(value) => onVersion(value === ALL ? undefined : Number(value))}
    choices={[
      { value: ALL, label: t('versions.all') },
      ...versions.map((result) => ({
        value: String(result.version),
        label: t('versions.one', { version: result.version }),
      })),
    ]}
  />
)

/** Shows the figures of the whole bot: of all versions, or of one. */
export function Results({ bot, ...choice }: { bot: string } & VersionProps) {
  const { data: results, isLoadingError, error, refetch } = useQuery(resultsQuery(bot, choice.version))
  if (isLoadingError) return <Failed error={error} onRetry={() => void refetch()} />
  if (!results) return <SkeletonRows />
  return (
    <Section
      title={t('results')}
      description={results.starts > 0 ? t('results.text') : t('results.empty')}
      actions={results.versions.length > 1 && <VersionSelect {...choice} versions={results.versions} />}
    >
      {results.starts > 0 && (
        <dl aria-label={t('results')} className="flex flex-wrap gap-3">
          {FIGURES.map((figure) => (
            <Figure key={figure} name={t(`result.figure.${figure}`)} value={formatNumber(results[figure])} />
          ))}
        </dl>
      )}
      {results.versions.length > 1 && choice.version === undefined && (
        <div className="mt-3">
          <VersionResults versions={results.versions} />
        </div>
      )}
      {results.limited && (
        <div className="mt-3">
          <Callout kind="info">{t('results.limited', { count: results.starts })}</Callout>
        </div>
      )}
    </Section>
  )
}
