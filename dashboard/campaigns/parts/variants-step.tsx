/** Adds templates to compare with the first one, and chooses how the better one is found. */
import { Plus, X } from 'lucide-react'
import type { Template } from '../../../sdk/api.ts'
import { Button } from '../../kit/button.tsx'
import { Callout } from '../../kit/callout.tsx'
import { SelectField } from '../../kit/select.tsx'
import { t } from '../texts.ts'
import { ContentFields } from './content-fields.tsx'
import {
  DECIDERS,
  type Draft,
  emptyContent,
  MAX_OTHERS,
  SAMPLES,
  type TestDraft,
  variantName,
  WAITS,
} from './plan.ts'

/** Chooses the sample, the rate that decides, and the time until the decision. */
export function TestFields({ test, onChange }: { test: TestDraft; onChange: (test: TestDraft) => void }) {
  const isWhole = test.samplePercent === 100
  const number = (value: string) => Number(value)
  return (
    <div className="grid max-w-3xl items-start gap-4 sm:grid-cols-3">
      <SelectField
        label={t('test.sample')}
        hint={t(isWhole ? 'test.sample.whole' : 'test.sample.hint')}
        value={String(test.samplePercent)}
        onChange={(value) => onChange({ ...test, samplePercent: number(value) })}
        choices={SAMPLES.map((percent) => ({
          value: String(percent),
          label: t('test.percent', { percent }),
        }))}
      />
      {!isWhole && (
        <SelectField
          label={t('test.decideBy')}
          hint={t(test.decideBy === 'manual' ? 'test.manual.hint' : 'test.decideBy.hint')}
          value={test.decideBy}
          onChange={(decideBy) => onChange({ ...test, decideBy })}
          choices={DECIDERS.map((value) => ({ value, label: t(`test.decideBy.${value}`) }))}
        />
      )}
      {!isWhole && test.decideBy !== 'manual' && (
        <SelectField
          label={t('test.wait')}
          hint={t('test.wait.hint')}
          value={String(test.waitMinutes)}
          onChange={(value) => onChange({ ...test, waitMinutes: number(value) })}
          choices={WAITS.map((minutes) => ({
            value: String(minutes),
            label: t('test.hours', { hours: minutes / 60 }),
          }))}
        />
      )}
    </div>
  )
}

type Props = {
  draft: Draft
  templates: readonly Template[]
  onChange: (patch: Partial<Draft>) => void
  isTried: boolean
}

export function OtherVariants({ draft, templates, onChange, isTried }: Props) {
  const { others, template } = draft
  const setOthers = (next: Draft['others']) => onChange({ others: next })
  const category = template?.category
  const comparable = templates.filter((candidate) => candidate.category === category)
  if (!template) return null
  return (
    <>
      {others.map((content, index) => (
        <section
          // biome-ignore lint/suspicious/noArrayIndexKey: a variant is its place
          key={index}
          aria-label={t('variant', { name: variantName(index + 1) })}
          className="border-t pt-6"
        >
          <header className="mb-3 flex items-center gap-3">
            <h2 className="flex-1 text-md font-semibold">{t('variant', { name: variantName(index + 1) })}</h2>
            <Button
              size="sm"
              icon={X}
              onClick={() => setOthers(others.filter((_, candidate) => candidate !== index))}
            >
              {t('variant.remove', { name: variantName(index + 1) })}
            </Button>
          </header>
          <ContentFields
            content={content}
            templates={comparable}
            onChange={(patch) =>
              setOthers(
                others.map((other, candidate) => (candidate === index ? { ...other, ...patch } : other)),
              )
            }
            isTried={isTried}
            phoneNumberId={draft.phoneNumberId}
            phoneLabel={t('variant.phone', { name: variantName(index + 1) })}
          />
        </section>
      ))}
      <section aria-label={t('compare')} className="border-t pt-6">
        {others.length > 0 && (
          <div className="mb-4 flex flex-col gap-3">
            <h2 className="text-md font-semibold">{t('compare.settings')}</h2>
            <TestFields test={draft.test} onChange={(test) => onChange({ test })} />
            {comparable.length < 2 && <Callout>{t('compare.sameCategory')}</Callout>}
          </div>
        )}
        {others.length < MAX_OTHERS && (
          <div className="flex flex-col items-start gap-2">
            {others.length === 0 && <p className="max-w-xl text-ink-2">{t('compare.text')}</p>}
            <Button icon={Plus} onClick={() => setOthers([...others, emptyContent()])}>
              {t(others.length === 0 ? 'compare.start' : 'compare.add')}
            </Button>
          </div>
        )}
      </section>
    </>
  )
}
