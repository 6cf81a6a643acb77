/** Shows the totals of a document, tax by tax. */
import type { SalesDocument } from '../queries.ts'
import { t } from '../texts.ts'
import { formatMinor } from './money.ts'

type Sums = Pick<
  SalesDocument,
  | 'currency'
  | 'taxableMinor'
  | 'cgstMinor'
  | 'sgstMinor'
  | 'igstMinor'
  | 'cessMinor'
  | 'roundOffMinor'
  | 'totalMinor'
  | 'stateTax'
  | 'reverseCharge'
>

const Row = ({ label, value, strong }: { label: string; value: string; strong?: boolean }) => (
  <div
    className={`flex justify-between gap-4 py-0.5 ${strong ? 'mt-1 border-t pt-2 font-semibold' : 'text-ink-2'}`}
  >
    <dt>{label}</dt>
    <dd className="whitespace-nowrap tabular-nums">{value}</dd>
  </div>
)

export function Totals({ sums, label }: { sums: Sums; label: string }) {
  const money = (minor: number) => formatMinor(minor, sums.currency)
  // With reverse charge, the buyer pays the tax to the government, so it is not part of the total.
  const taxLabel = (tax: string) => (sums.reverseCharge ? t('total.reverse', { tax }) : tax)
  const taxes: [string, number][] = [
    [taxLabel(t('total.cgst')), sums.cgstMinor],
    [taxLabel(sums.stateTax === 'UTGST' ? t('total.utgst') : t('total.sgst')), sums.sgstMinor],
    [taxLabel(t('total.igst')), sums.igstMinor],
    [taxLabel(t('total.cess')), sums.cessMinor],
    [t('total.roundOff'), sums.roundOffMinor],
  ]
  return (
    <dl aria-label={label} className="w-full max-w-xs">
      <Row label={t('total.taxable')} value={money(sums.taxableMinor)} />
      {taxes
        .filter(([, minor]) => minor !== 0)
        .map(([name, minor]) => (
          <Row key={name} label={name} value={money(minor)} />
        ))}
      <Row strong label={t('total.total')} value={money(sums.totalMinor)} />
    </dl>
  )
}
