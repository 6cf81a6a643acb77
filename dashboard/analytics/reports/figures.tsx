/** Key figures, with their values in the period before. */
import { formatLocale } from '../../texts.ts'
import { t } from '../texts.ts'
import { changeIn } from './period.ts'

export type ReportFigure = {
  name: string
  value: number | null
  /** Undefined without a comparison. */
  before?: number | null | undefined
  format: (value: number) => string
}

const percent = new Intl.NumberFormat(formatLocale, { style: 'percent', signDisplay: 'exceptZero' })

function Comparison({ value, before, format }: ReportFigure & { before: number }) {
  const shown = format(before)
  const change = changeIn(value, before)
  return (
    <dd className="text-sm text-ink-2 tabular-nums">
      {change === undefined
        ? t('before', { value: shown })
        : t('change', { value: shown, change: percent.format(change / 100) })}
    </dd>
  )
}

export const Figures = ({ figures }: { figures: readonly ReportFigure[] }) => (
  <dl className="mb-8 grid grid-cols-2 gap-3 sm:grid-cols-[repeat(auto-fill,minmax(14rem,1fr))]">
    {figures.map((figure) => (
      <div key={figure.name} className="rounded-lg border px-4 py-3">
        <dt className="text-sm text-ink-2">{figure.name}</dt>
        <dd className="text-xl font-semibold tabular-nums">
          {figure.value === null ? t('none') : figure.format(figure.value)}
        </dd>
        {figure.before !== undefined && figure.before !== null && (
          <Comparison {...figure} before={figure.before} />
        )}
      </div>
    ))}
  </dl>
)
