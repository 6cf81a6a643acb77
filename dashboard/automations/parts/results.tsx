/** Shows the results of an automation's last 30 days beside its steps: how many runs reached each, and how they went on. */
import { useQuery } from '@tanstack/react-query'
import { BarChart3 } from 'lucide-react'
import type { Automation, AutomationResults } from '../../../sdk/api.ts'
import { ServerText } from '../../api/server-text.tsx'
import { Callout } from '../../kit/callout.tsx'
import { Bar, formatNumber } from '../../kit/chart.tsx'
import { Figure } from '../../kit/figure.tsx'
import { Section } from '../../kit/page.tsx'
import { Empty, Failed, SkeletonRows } from '../../kit/states.tsx'
import { type Catalog, fieldsFor } from '../fields.ts'
import { formatAction, formatCondition, formatTrigger, formatType } from '../format.ts'
import { type Action, resultsQuery } from '../queries.ts'
import { t } from '../texts.ts'

type Reasons = readonly AutomationResults['notStartedReasons'][number][]
type StepResult = AutomationResults['steps'][number]

const FIGURES = ['runs', 'done', 'skipped', 'failed'] as const

const ReasonList = ({ reasons }: { reasons: Reasons }) => (
  <ul className="flex flex-col gap-0.5 ps-4">
    {reasons.map(({ reason, count }) => (
      <li key={reason} className="flex gap-2">
        <span className="shrink-0 font-medium tabular-nums">{formatNumber(count)}</span>
        <span dir="auto" className="min-w-0 break-words text-ink-2">
          <ServerText>{reason}</ServerText>
        </span>
      </li>
    ))}
  </ul>
)

/** The results of a step, in the order in which they appear; a step without runs in them has none. */
function Outcomes({ result }: { result: StepResult }) {
  const isBranch = result.action === 'stop_if'
  const lines = [
    { id: 'active', count: result.active, reasons: [], tone: '' },
    { id: isBranch ? 'went' : 'done', count: result.done, reasons: [], tone: '' },
    { id: 'stopped', count: result.stopped, reasons: [], tone: '' },
    { id: 'skipped', count: result.skipped, reasons: result.skippedReasons, tone: '' },
    { id: 'failed', count: result.failed, reasons: result.failedReasons, tone: 'text-bad' },
  ] as const
  return (
    <ul className="flex flex-col gap-1 text-sm">
      {lines.map(
        ({ id, count, reasons, tone }) =>
          count > 0 && (
            <li key={id}>
              <span className={tone}>{t(`result.${id}`, { count })}</span>
              {reasons.length > 0 && <ReasonList reasons={reasons} />}
            </li>
          ),
      )}
    </ul>
  )
}

type StepProps = {
  number: number
  result: StepResult
  action: Action
  runs: number
  describe: (action: Action) => string
}

function Step({ number, result, action, runs, describe }: StepProps) {
  const text = describe(action)
  return (
    <li className="grid gap-x-6 gap-y-2 border-b p-3 last:border-0 md:grid-cols-[1fr_1fr]">
      <div className="flex min-w-0 gap-2">
        <span
          aria-hidden
          className="flex size-6 shrink-0 items-center justify-center rounded-full bg-accent-soft text-xs font-semibold text-accent tabular-nums"
        >
          {number}
        </span>
        <div className="min-w-0">
          <h3 className="font-medium">{formatType(action.type)}</h3>
          {text && (
            <p dir="auto" className="line-clamp-3 break-words text-sm text-ink-2">
              {text}
            </p>
          )}
        </div>
      </div>
      <div className="flex min-w-0 flex-col gap-1.5 ps-8 md:ps-0">
        <p className="font-medium tabular-nums">{t('result.reached', { count: result.reached })}</p>
        <Bar value={result.reached} max={runs} />
        <Outcomes result={result} />
      </div>
    </li>
  )
}

type Props = { automation: Automation; catalog: Catalog }

export function Results({ automation, catalog }: Props) {
  const { data: results, isLoadingError, error, refetch } = useQuery(resultsQuery(automation.id))
  if (isLoadingError) return <Failed error={error} onRetry={() => void refetch()} />
  if (!results) return <SkeletonRows tall />
  const { trigger, actions } = automation
  if (results.runs === 0)
    return (
      <Empty icon={BarChart3} title={t('result.empty')}>
        {t('result.empty.text')}
      </Empty>
    )
  const fields = fieldsFor(trigger, catalog)
  const describe = (action: Action): string =>
    action.type === 'stop_if'
      ? action.conditions.conditions
          .map((condition) => formatCondition(fields, condition))
          .join(t(action.conditions.match === 'any' ? 'value.or' : 'value.and'))
      : formatAction(action, catalog)
  return (
    <div className="mt-4 flex flex-col gap-5">
      <dl aria-label={t('result.figures')} className="flex max-w-3xl flex-wrap gap-3">
        {FIGURES.map((figure) => (
          <Figure key={figure} name={t(`result.figure.${figure}`)} value={formatNumber(results[figure])} />
        ))}
      </dl>
      {results.limited && <Callout kind="info">{t('result.limited', { count: results.runs })}</Callout>}
      {results.otherSteps > 0 && (
        <Callout kind="info">{t('result.others', { count: results.otherSteps })}</Callout>
      )}
      <Section title={t('result.steps')} description={t('result.steps.text')}>
        <div className="rounded-lg border">
          <div className="grid gap-x-6 gap-y-2 border-b p-3 md:grid-cols-[1fr_1fr]">
            <h3 className="min-w-0 font-medium">{formatTrigger(trigger)}</h3>
            <div className="text-sm">
              <p className="text-base font-medium tabular-nums">
                {t('result.started', { count: results.runs })}
              </p>
              {results.notStarted > 0 && (
                <>
                  <p>{t('result.notStarted', { count: results.notStarted })}</p>
                  <ReasonList reasons={results.notStartedReasons} />
                </>
              )}
            </div>
          </div>
          <ol aria-label={t('result.steps')}>
            {results.steps.map((result, index) => {
              const [number, action] = [index + 1, actions[index] as Action | undefined]
              return (
                action && <Step key={number} runs={results.runs} {...{ number, result, action, describe }} />
              )
            })}
          </ol>
        </div>
      </Section>
    </div>
  )
}
