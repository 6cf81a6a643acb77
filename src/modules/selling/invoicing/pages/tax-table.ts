/** The table of a document's taxes by HSN and rate. */
import { moneyText } from '../../../../core/values/money.ts'
import { documentTexts } from '../texts/texts.ts'
import type { DocumentSource, ShownDocument } from './document-view.ts'

export type TaxTable = { columns: string[]; rows: string[][] }

type Sums = {
  hsn: string
  rate: number
  taxable: number
  cgst: number
  sgst: number
  igst: number
  cess: number
}
type Line = ShownDocument['lines'][number]

function sumsOf(lines: Line[]): Sums {
  const [first] = lines
  const sum = (field: 'taxableMinor' | 'cgstMinor' | 'sgstMinor' | 'igstMinor' | 'cessMinor'): number =>
    lines.reduce((total, line) => total + line[field], 0)
  return {
    hsn: first!.hsn ?? '',
    rate: first!.taxRate,
    taxable: sum('taxableMinor'),
    cgst: sum('cgstMinor'),
    sgst: sum('sgstMinor'),
    igst: sum('igstMinor'),
    cess: sum('cessMinor'),
  }
}

/** Returns a row for each HSN and rate, with the document's taxes. */
export function taxTableOf({ document, language }: Pick<DocumentSource, 'document' | 'language'>): TaxTable {
  const { t } = documentTexts(language)
  const groups = Map.groupBy(document.lines, ({ hsn, taxRate }) => `${hsn ?? ''} ${taxRate}`)
  const sums = [...groups.values()].map(sumsOf).sort((a, b) => a.hsn.localeCompare(b.hsn) || a.rate - b.rate)
  const money = (minor: number): string => moneyText(minor, document.currency, language)
  const taxes: [string, (row: Sums) => number][] = [
    ['CGST', ({ cgst }) => cgst],
    [document.stateTax, ({ sgst }) => sgst],
    ['IGST', ({ igst }) => igst],
    [t('tax.cess'), ({ cess }) => cess],
  ]
  const shownTaxes = taxes.filter(([, amountOf]) => sums.some((row) => amountOf(row) !== 0))
  return {
    columns: ['HSN/SAC', t('tax.rate'), t('tax.taxable'), ...shownTaxes.map(([name]) => name)],
    rows: sums.map((row) => [
      row.hsn === '' ? '–' : row.hsn,
      `${row.rate} %`,
      money(row.taxable),
      ...shownTaxes.map(([, amountOf]) => money(amountOf(row))),
    ]),
  }
}
