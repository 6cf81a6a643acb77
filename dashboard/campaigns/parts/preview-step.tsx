/** Shows the effects of the campaign before it is started. */
import { useQuery } from '@tanstack/react-query'
import { Callout } from '../../kit/callout.tsx'
import { Failed, SkeletonRows } from '../../kit/states.tsx'
import { type Plan, type Preview, previewQuery } from '../queries.ts'
import { t } from '../texts.ts'
import { ExpectedCost } from './expected-cost.tsx'
import { Gates, type Step } from './gates.tsx'
import { Phones } from './phones.tsx'
import type { Draft, TestDraft } from './plan.ts'
import { reasonOf } from './state.tsx'
import type { TestContent } from './test-send.tsx'

const Figure = ({ label, value }: { label: string; value: number }) => (
  <div className="rounded-lg border px-4 py-3">
    <dt className="text-sm text-ink-2">{label}</dt>
    <dd className="text-xl font-semibold tabular-nums">{t('figure', { value })}</dd>
  </div>
)

function Reasons({ reasons }: { reasons: Preview['audience']['reasons'] }) {
  const found = Object.entries(reasons).toSorted(([, a], [, b]) => b - a)
  if (found.length === 0) return null
  return (
    <section>
      <h2 className="mb-2 font-semibold">{t('suppressed.why')}</h2>
      <ul className="max-w-xl rounded-lg border">
        {found.map(([reason, people]) => (
          <li key={reason} className="flex justify-between gap-4 border-b px-4 py-2 last:border-0">
            <span>{reasonOf(reason)}</span>
            <span className="tabular-nums">{t('figure', { value: people })}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Forecast({ forecast, newRecipients }: Preview) {
  const { messages, minutes, days, newRecipientsADay } = forecast
  if (messages === 0) return <p className="text-ink-2">{t('forecast.none')}</p>
  return (
    <p className="max-w-xl text-ink-2">
      {days > 1 ? t('forecast.days', { messages, days }) : t('forecast.minutes', { messages, minutes })}
      {newRecipients > newRecipientsADay && ` ${t('forecast.aDay', { count: newRecipientsADay })}`}
    </p>
  )
}

/** Below this number of recipients for a variant, rates seldom differ clearly. */
const FEW_RECIPIENTS = 200

/** Says how many recipients get each variant, and when the others follow. */
function Comparison({ test, variants, willSend }: { test: TestDraft; variants: number; willSend: number }) {
  const sample = Math.round((willSend * test.samplePercent) / 100)
  const variantSize = Math.floor(sample / variants)
  const rest = willSend - sample
  return (
    <section className="max-w-xl">
      <h2 className="mb-1 font-semibold">{t('compare')}</h2>
      <p className="mb-2 text-ink-2">
        {t('compare.each', { count: variantSize })}{' '}
        {rest > 0 &&
          (test.decideBy === 'manual'
            ? t('compare.rest.manual', { count: rest })
            : t('compare.rest', {
                count: rest,
                hours: test.waitMinutes / 60,
                rate: t(`rate.${test.decideBy}`),
              }))}
      </p>
      {variantSize < FEW_RECIPIENTS && <Callout kind="warn">{t('compare.few')}</Callout>}
    </section>
  )
}

type Props = {
  plan: Plan
  draft: Draft
  onChange: (patch: Partial<Draft>) => void
  onStep: (step: Step) => void
  onTest: (contents: TestContent[]) => void
}

export function PreviewStep({ plan, draft, onChange, onStep, onTest }: Props) {
  const { data: preview, isLoadingError, error, refetch } = useQuery(previewQuery(plan))
  if (isLoadingError) return <Failed error={error} onRetry={() => void refetch()} />
  if (!preview) return <SkeletonRows />
  const { matched, willSend, suppressed, reasons } = preview.audience
  const isComparing = draft.others.length > 0
  return (
    <div className="grid items-start gap-8 lg:grid-cols-[1fr_20rem]">
      <div className="flex flex-col gap-6">
        <dl className="grid max-w-3xl grid-cols-2 gap-3 sm:grid-cols-4">
          <Figure label={t('matched')} value={matched} />
          <Figure label={t('willSend')} value={willSend} />
          <Figure label={t('suppressed')} value={suppressed} />
          <Figure label={t('newRecipients')} value={preview.newRecipients} />
        </dl>
        <Reasons reasons={reasons} />
        <section>
          <h2 className="mb-1 font-semibold">{t('forecast')}</h2>
          <Forecast {...preview} />
        </section>
        <ExpectedCost {...preview} />
        {isComparing && (
          <Comparison test={draft.test} variants={1 + draft.others.length} willSend={willSend} />
        )}
        <section className="max-w-xl">
          <h2 className="mb-2 font-semibold">{t('gates')}</h2>
          <Gates preview={preview} draft={draft} onChange={onChange} onStep={onStep} />
        </section>
      </div>
      <Phones draft={draft} examples={preview.examples} onTest={onTest} />
    </div>
  )
}
