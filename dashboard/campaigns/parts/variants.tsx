/** Shows the variants of a campaign that compares templates: their results, and the choice for the rest. */
import { useQuery } from '@tanstack/react-query'
import { Send } from 'lucide-react'
import { useState } from 'react'
import type { Broadcast, BroadcastResults } from '../../../sdk/api.ts'
import { Badge } from '../../kit/badge.tsx'
import { Button } from '../../kit/button.tsx'
import { Callout } from '../../kit/callout.tsx'
import { formatNumber } from '../../kit/chart.tsx'
import { DataPanel } from '../../kit/data-panel.tsx'
import { Confirm } from '../../kit/dialog.tsx'
import { useNow } from '../../kit/time.tsx'
import { formatDueIn } from '../../kit/zone-times.tsx'
import { resultsQuery } from '../queries.ts'
import { t } from '../texts.ts'
import { useChoice, type VariantName } from '../use-campaign.ts'
import { formatRate, percentOf } from './rates.ts'

type Test = NonNullable<Broadcast['test']>
type VariantResult = BroadcastResults['variants'][number]

/** Says what happens now, or what was decided; `format` formats its time. */
function explain(
  { state, samplePercent, decideBy, decidesAt, decidedAt, winner }: Test,
  format: (at: string) => string,
): string {
  if (state === 'planned' || state === 'sampling') return t(`variants.${state}`, { percent: samplePercent })
  if (state === 'compared') return t('variants.compared')
  if (winner && decidedAt) return t('variants.decided', { name: winner, time: format(decidedAt) })
  if (decideBy === 'manual' || !decidesAt) return t('variants.measuring.manual')
  return t('variants.measuring', { rate: t(`rate.${decideBy}`), time: format(decidesAt) })
}

/** Says which variant leads, and how sure that is: by the rate that decides, or by each. */
const Comparisons = ({ results, decideBy }: { results: BroadcastResults; decideBy: Test['decideBy'] }) => (
  <ul className="flex flex-col gap-1 text-ink-2">
    {results.comparisons
      .filter(({ metric }) => decideBy === 'manual' || metric === decideBy)
      .map(({ metric, leader, certainty }) => (
        <li key={metric}>{t(`certainty.${certainty}`, { name: leader ?? '', rate: t(`rate.${metric}`) })}</li>
      ))}
  </ul>
)

const RATES = ['read', 'replied', 'tapped', 'optedOut'] as const

/** Returns the columns of the rates. On a phone, only the rate that decides is shown. */
const rateColumns = (decideBy: Test['decideBy']) =>
  RATES.map((rate) => ({
    id: rate,
    title: t(`result.${rate}`),
    end: true,
    ...(rate === (decideBy === 'manual' ? 'read' : decideBy) ? {} : { hideBelow: 'md' as const }),
    cell: (row: VariantResult) => formatRate(row[rate].rate),
    value: (row: VariantResult) => percentOf(row[rate].rate),
  }))

/** `zone`: the time zone of the workspace. */
type Props = { campaign: Broadcast; test: Test; zone: string; mayWrite: boolean }

export function Variants({ campaign, test, zone, mayWrite }: Props) {
  const now = useNow()
  const query = useQuery(resultsQuery(campaign.id, test.state === 'sampling'))
  const choice = useChoice(campaign.id)
  const [choosing, setChoosing] = useState<VariantName>()
  const mayChoose = mayWrite && test.state === 'measuring' && ['running', 'paused'].includes(campaign.status)
  return (
    <>
      <DataPanel
        id={`campaign-variants-${campaign.id}`}
        title={t('variants')}
        description={t('variants.text')}
        query={query}
        rows={query.data?.variants ?? []}
        keyOf={({ name }) => name}
        empty={t('variants.empty')}
        columns={[
          {
            id: 'variant',
            title: t('column.variant'),
            cell: ({ name, templateName }) => (
              <span className="flex flex-wrap items-center gap-x-2">
                <span>{t('variant.of', { name, template: templateName })}</span>
                {test.winner === name && <Badge tone="good">{t('variant.winner')}</Badge>}
              </span>
            ),
            value: ({ name, templateName }) => t('variant.of', { name, template: templateName }),
          },
          {
            id: 'sent',
            title: t('result.sent'),
            end: true,
            cell: ({ sent }) => formatNumber(sent.count),
            value: ({ sent }) => sent.count,
          },
          ...rateColumns(test.decideBy),
        ]}
      >
        <Callout role="status">
          {explain(test, (at) => t('about.time', { time: formatDueIn(zone, at, now), zone }))}
        </Callout>
        {query.data && test.state !== 'planned' && (
          <Comparisons results={query.data} decideBy={test.decideBy} />
        )}
        {mayChoose && (
          <div className="flex flex-wrap gap-2">
            {test.variants.map(({ name }) => (
              <Button key={name} icon={Send} onClick={() => setChoosing(name)}>
                {t('choose.variant', { name })}
              </Button>
            ))}
          </div>
        )}
      </DataPanel>
      <Confirm
        open={choosing !== undefined}
        onClose={() => setChoosing(undefined)}
        title={t('choose.title', { name: choosing ?? '' })}
        description={t('choose.text')}
        action={t('choose.variant', { name: choosing ?? '' })}
        busy={choice.isPending}
        onConfirm={() => choosing && choice.mutate(choosing, { onSettled: () => setChoosing(undefined) })}
      />
    </>
  )
}
