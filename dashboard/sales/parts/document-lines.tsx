import { Table } from '../../kit/table.tsx'
import type { SalesDocument } from '../queries.ts'
import { t } from '../texts.ts'
import { formatMinor } from './money.ts'

/** Shows the sold items, line by line. */
export function DocumentLines({ document }: { document: SalesDocument }) {
  const { currency } = document
  // A line break in an amount would make it look like a different amount.
  const money = (minor: number) => <span className="whitespace-nowrap">{formatMinor(minor, currency)}</span>
  const rows = document.lines.map((line, index) => ({ ...line, at: index }))
  return (
    <Table
      label={t('lines')}
      rows={rows}
      keyOf={({ at }) => String(at)}
      columns={[
        {
          id: 'description',
          title: t('line.description.short'),
          // A long word with large amounts in the same row would shrink the column to one letter.
          className: 'min-w-32',
          cell: ({ description, hsn, quantity, unit, unitMinor }) => (
            <span className="flex flex-col">
              <bdi>{description}</bdi>
              {/* On a phone, the amounts need the width. */}
              <span className="text-sm text-ink-3 tabular-nums sm:hidden">
                {quantity} {unit} × {money(unitMinor)}
              </span>
              {hsn && <span className="text-sm text-ink-3">{t('line.hsn.of', { hsn })}</span>}
            </span>
          ),
        },
        {
          id: 'quantity',
          title: t('line.quantity.short'),
          end: true,
          hideBelow: 'sm',
          cell: ({ quantity, unit }) => `${quantity} ${unit}`,
        },
        {
          id: 'price',
          title: t('line.price.short'),
          end: true,
          hideBelow: 'sm',
          cell: ({ unitMinor }) => money(unitMinor),
        },
        {
          id: 'discount',
          title: t('line.discount.short'),
          end: true,
          hideBelow: 'md',
          cell: ({ discountPercent, discountMinor }) =>
            discountPercent ? `${discountPercent} %` : discountMinor ? money(discountMinor) : null,
        },
        {
          id: 'tax',
          title: t('line.taxRate.short'),
          end: true,
          hideBelow: 'sm',
          cell: ({ taxRate }) => taxRate > 0 && `${taxRate} %`,
        },
        {
          id: 'taxable',
          title: t('total.taxable'),
          end: true,
          cell: ({ taxableMinor }) => money(taxableMinor),
        },
      ]}
    />
  )
}
