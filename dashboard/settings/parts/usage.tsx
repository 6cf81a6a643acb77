import { useQuery } from '@tanstack/react-query'
import { Fact } from '../../kit/facts.tsx'
import { Section } from '../../kit/page.tsx'
import { Failed, SkeletonRows } from '../../kit/states.tsx'
import { formatLocale } from '../../texts.ts'
import { type Usage, usageQuery } from '../queries.ts'
import { t } from '../words.ts'

const month = new Intl.DateTimeFormat(formatLocale, { month: 'long', year: 'numeric', timeZone: 'UTC' })

function Used({ used, limit }: Usage['contacts']) {
  if (limit === null) return t('usage.unlimited')
  const share = Math.min(1, (used ?? 0) / Math.max(1, limit))
  return (
    <div className="flex max-w-xs flex-col gap-1">
      <span className="tabular-nums">{t('usage.of', { used: used ?? 0, limit })}</span>
      <span aria-hidden className="h-1.5 overflow-hidden rounded-full bg-surface-3">
        <span
          className={`block h-full rounded-full ${share >= 0.9 ? 'bg-warn' : 'bg-accent'}`}
          style={{ width: `${share * 100}%` }}
        />
      </span>
    </div>
  )
}

/** The plan, and how much of it is used. */
export function PlanUsage() {
  const { data: usage, error, isPending, refetch } = useQuery(usageQuery)
  if (isPending) return <SkeletonRows rows={3} />
  if (error) return <Failed error={error} onRetry={() => void refetch()} />
  return (
    <Section title={t('usage')} description={t('usage.text')}>
      <dl className="flex flex-col gap-2">
        <Fact label={t('usage.plan')}>
          <span className="font-medium">
            {t(`plan.${usage.plan as 'free' | 'pro' | 'enterprise' | 'unlimited'}`)}
          </span>
        </Fact>
        <Fact label={t('usage.month')}>{month.format(Date.parse(`${usage.month}-01`))}</Fact>
        <Fact label={t('usage.contacts')}>
          <Used {...usage.contacts} />
        </Fact>
        <Fact label={t('usage.messages')}>
          <Used {...usage.messages} />
        </Fact>
      </dl>
    </Section>
  )
}
