import { useQuery } from '@tanstack/react-query'
import type { BillingPlan } from '../../../sdk/api.ts'
import { useWorkspaceSession } from '../../api/session.ts'
import { Badge } from '../../kit/badge.tsx'
import { classes } from '../../kit/classes.ts'
import { Fact } from '../../kit/facts.tsx'
import { Section } from '../../kit/page.tsx'
import { Failed, SkeletonRows } from '../../kit/states.tsx'
import { formatLocale } from '../../texts.ts'
import { planQuery } from '../queries.ts'
import { t } from '../texts.ts'
import { CommandNote } from './command-note.tsx'

const LIMITS = ['contacts', 'messages', 'documents', 'webhookEndpoints'] as const
/** The share of a limit from which it counts as nearly reached. */
const NEAR = 0.9

/** Returns the day of a time in a zone. */
const dayOf = (iso: string, timeZone: string): string =>
  new Intl.DateTimeFormat(formatLocale, { dateStyle: 'medium', timeZone }).format(Date.parse(iso))

function Limit({ name, used, limit }: { name: string; used: number; limit: number | null }) {
  const share = limit === null ? 0 : Math.min(1, used / Math.max(1, limit))
  return (
    <div className="rounded-lg border px-4 py-3">
      <dt className="text-sm text-ink-2">{name}</dt>
      <dd className="mt-1 flex flex-col gap-2">
        <span className="text-md font-semibold tabular-nums">
          {limit === null ? t('used.unlimited', { used }) : t('used.of', { used, limit })}
        </span>
        {limit !== null && (
          <span aria-hidden className="h-1.5 overflow-hidden rounded-full bg-surface-4">
            <span
              className={classes('block h-full rounded-full', share >= NEAR ? 'bg-warn' : 'bg-accent')}
              style={{ width: `${share * 100}%` }}
            />
          </span>
        )}
      </dd>
    </div>
  )
}

function Details({ plan, zone }: { plan: BillingPlan; zone: string }) {
  return (
    <dl className="mb-4">
      <Fact label={t('plan.name')}>
        <span className="flex flex-wrap items-center gap-2">
          <span className="font-medium">{t(`plan.${plan.plan}`)}</span>
          {plan.sandbox && <Badge tone="note">{t('plan.sandbox')}</Badge>}
          {plan.trial && (
            <Badge tone="warn">{t('plan.trial', { time: dayOf(plan.trial.endsAt, zone) })}</Badge>
          )}
          {plan.upgradeUrl && (
            <a href={plan.upgradeUrl} className="font-medium text-accent hover:underline">
              {t('plan.upgrade')}
            </a>
          )}
        </span>
      </Fact>
      <Fact label={t('month')}>{t('month.text', { time: dayOf(plan.limits.messages.periodEnd, zone) })}</Fact>
    </dl>
  )
}

/** Shows the plan, and the used share of each limit. */
export function PlanPart({ workspace }: { workspace: string }) {
  const { timezone } = useWorkspaceSession(workspace).workspace
  const { data: plan, error, isPending, refetch } = useQuery(planQuery)
  return (
    <Section title={t('plan')} description={t('plan.text')}>
      {isPending ? (
        <SkeletonRows rows={4} />
      ) : plan === undefined ? (
        <Failed error={error} onRetry={() => void refetch()} />
      ) : (
        <>
          <Details plan={plan} zone={timezone} />
          <dl className="mb-4 grid grid-cols-2 gap-3 lg:grid-cols-4">
            {LIMITS.map((name) => (
              <Limit key={name} name={t(`limit.${name}`)} {...plan.limits[name]} />
            ))}
          </dl>
          <CommandNote command={t('plan.command', { workspace })}>{t('plan.change')}</CommandNote>
        </>
      )}
    </Section>
  )
}
