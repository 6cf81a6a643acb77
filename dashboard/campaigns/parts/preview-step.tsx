/** Shows the effects of the campaign before it is started. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Template } from '../../../sdk/api.ts'
import { Callout } from '../../kit/callout.tsx'
import { Failed, SkeletonRows } from '../../kit/states.tsx'
import { PhonePreview } from '../../templates/parts/phone-preview.tsx'
import { type Plan, type Preview, previewQuery } from '../queries.ts'
import { t } from '../texts.ts'
import { sampleValues } from './content-fields.tsx'
import { Gates, type Step } from './gates.tsx'
import { type Draft, exampleValues, type TestDraft, variantName } from './plan.ts'
import { reasonOf } from './state.tsx'
import { useFieldChoices } from './value-fields.tsx'

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

/** Shows the message on a phone; with values from fields, as the chosen recipient reads it. */
function Phone({
  template,
  draft,
  examples,
}: {
  template: Template
  draft: Draft
  examples: Preview['examples']
}) {
  const [chosenId, setChosenId] = useState<string>()
  const example = examples.find(({ contactId }) => contactId === chosenId) ?? examples[0]
  const values = example ? exampleValues(template, draft.values, example) : draft.values
  return (
    <div className="flex flex-col gap-3">
      {examples.length > 0 && (
        <fieldset aria-label={t('examples')} className="flex flex-wrap justify-center gap-1.5">
          {examples.map(({ contactId, name, phone }) => (
            <button
              key={contactId}
              type="button"
              aria-pressed={contactId === example?.contactId}
              onClick={() => setChosenId(contactId)}
              className="max-w-40 truncate rounded-md border px-2.5 py-1 text-sm text-ink-2 hover:bg-surface-3 aria-pressed:border-accent aria-pressed:bg-accent-soft aria-pressed:text-accent pointer-coarse:h-11"
            >
              {name ?? phone}
            </button>
          ))}
        </fieldset>
      )}
      <PhonePreview
        components={template.components}
        values={values}
        label={draft.others.length > 0 ? t('variant.phone', { name: 'A' }) : undefined}
      />
    </div>
  )
}

function OtherPhones({ others }: Pick<Draft, 'others'>) {
  const choices = useFieldChoices()
  return others.map(
    (content, index) =>
      content.template && (
        <section key={variantName(index + 1)} aria-label={t('variant', { name: variantName(index + 1) })}>
          <h2 className="mb-2 font-semibold">{t('variant', { name: variantName(index + 1) })}</h2>
          <PhonePreview
            components={content.template.components}
            values={sampleValues(content, choices)}
            label={t('variant.phone', { name: variantName(index + 1) })}
          />
        </section>
      ),
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
}

export function PreviewStep({ plan, draft, onChange, onStep }: Props) {
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
        {isComparing && (
          <Comparison test={draft.test} variants={1 + draft.others.length} willSend={willSend} />
        )}
        <section className="max-w-xl">
          <h2 className="mb-2 font-semibold">{t('gates')}</h2>
          <Gates preview={preview} draft={draft} onChange={onChange} onStep={onStep} />
        </section>
      </div>
      <div className="flex flex-col gap-6">
        {draft.template && (
          <section aria-label={isComparing ? t('variant', { name: 'A' }) : t('template')}>
            {isComparing && <h2 className="mb-2 font-semibold">{t('variant', { name: 'A' })}</h2>}
            <Phone template={draft.template} draft={draft} examples={preview.examples} />
          </section>
        )}
        <OtherPhones others={draft.others} />
      </div>
    </div>
  )
}
