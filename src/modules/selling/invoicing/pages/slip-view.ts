/** Receipts and credit notes: slips about one amount of a document, laid out like documents. */
import { moneyText } from '../../../../core/values/money.ts'
import { documentTexts } from '../texts/texts.ts'
import { type DocumentSource, type DocumentView, dayText, viewOf, wordsOf } from './document-view.ts'

export type Slip = {
  heading: string
  number: string
  stamp: DocumentView['stamp']
  day: string
  facts: [label: string, value: string][]
  description: string
  /** Parts of the amount, in minor units. Zero parts are left out. */
  parts: [label: string, minor: number][]
  sum: [label: string, minor: number]
}

/** Returns a slip for its document: the same parties, and one line. */
export function slipView(source: DocumentSource, slip: Slip): DocumentView {
  const view = viewOf(source)
  const money = (minor: number): string => moneyText(minor, source.document.currency, source.language)
  const [label, sumMinor] = slip.sum
  const amount = money(sumMinor)
  return {
    ...view,
    heading: slip.heading,
    number: slip.number,
    stamp: slip.stamp,
    facts: [
      [documentTexts(source.language).t('fact.date'), dayText(slip.day, source.language)],
      [view.heading, view.number],
      ...slip.facts,
    ],
    shipTo: null,
    lines: [
      {
        description: slip.description,
        hsn: '',
        quantity: '',
        price: '',
        discount: '',
        taxable: '',
        tax: '',
        amount,
      },
    ],
    hasHsn: false,
    hasPrices: false,
    hasDiscount: false,
    isTaxed: false,
    taxTable: null,
    totals: slip.parts.filter(([, minor]) => minor !== 0).map(([name, minor]) => [name, money(minor)]),
    sum: [label, amount],
    words: wordsOf(sumMinor, source.document.currency, source.language),
    payments: [],
    settled: [],
    balance: null,
    bank: null,
    upi: null,
    notes: null,
    terms: null,
    declarations: [],
  }
}
