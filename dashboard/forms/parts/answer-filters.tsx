/** Chooses the period of the answers, and shows the option by which they are filtered. */
import { X } from 'lucide-react'
import { IconButton } from '../../kit/button.tsx'
import { Select } from '../../kit/select.tsx'
import { type AnswerFilter, type FlowDetails, PERIODS } from '../queries.ts'
import { t } from '../texts.ts'
import { formatOption } from './format-value.ts'

type Props = {
  form: FlowDetails
  filter: AnswerFilter
  onChange: (filter: AnswerFilter) => void
}

export function AnswerFilters({ form, filter, onChange }: Props) {
  const { period, field, value } = filter
  const question = form.screens?.flatMap(({ fields }) => fields).find(({ name }) => name === field)
  return (
    <div className="flex min-w-0 flex-1 flex-wrap items-center gap-2">
      <Select
        name={t('answers.period')}
        className="w-40"
        value={period ?? 'all'}
        onChange={(next) => onChange({ ...filter, period: next === 'all' ? undefined : next })}
        choices={(['all', ...PERIODS] as const).map((choice) => ({
          value: choice,
          label: t(`answers.period.${choice}`),
        }))}
      />
      {field !== undefined && value !== undefined && (
        <span className="inline-flex min-w-0 items-center gap-1 rounded-full bg-accent-soft ps-3 text-sm text-accent">
          <span dir="auto" className="min-w-0 truncate">
            {t('answers.filtered', {
              question: question?.label ?? field,
              option: formatOption(value, question?.kind),
            })}
          </span>
          <IconButton
            icon={X}
            size="sm"
            label={t('answers.filter.remove')}
            onClick={() => onChange({ period })}
          />
        </span>
      )}
    </div>
  )
}
