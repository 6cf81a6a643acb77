/** A document for printing, as input of the PDF library. */
import type { PdfDocument, PdfNode } from '../../../../pdf/port.ts'
import { documentTexts } from '../texts/texts.ts'
import type { DocumentView, Party } from './document-view.ts'
import { type FittedColumn, fitted } from './pdf-widths.ts'

const FAINT = '#555555'
const TONES = { good: '#15803d', bad: '#b91c1c', plain: FAINT } as const
/** Width between the margins of A4, in points. */
const WIDTH = 523
/** Columns have fixed widths. Otherwise a long word would make a column wider than the paper. */
const COLUMN_GAP = 18
const TITLE_WIDTH = 200
const TOTALS_WIDTH = 230
/** Width of the labels of a document's date, due day, and so on. */
const FACT_WIDTH = 76
/** The gap between the two columns of a table without lines. */
const FACT_GAP = 8

const textsOf = ({ language }: DocumentView) => documentTexts(language).t

type Node = Exclude<PdfNode, string | PdfNode[]>

const label = (text: string): Node => ({
  text: text.toUpperCase(),
  headlineLevel: 1,
  fontSize: 7.5,
  color: FAINT,
  margin: [0, 0, 0, 2],
})
const rule = (width: number): Node => ({
  canvas: [{ type: 'line', x1: 0, y1: 0, x2: WIDTH, y2: 0, lineWidth: width }],
  margin: [0, 8, 0, 10],
})
const section = (title: string, ...stack: PdfNode[]): Node => ({
  stack: [label(title), ...stack],
  margin: [0, 0, 0, 10],
})

const party = (title: string, { name, lines }: Party): Node => ({
  stack: [label(title), ...(name === '' ? [] : [{ text: name, bold: true }]), ...lines],
})

/** Returns the width of each of `count` adjacent columns. */
const columnWidth = (count: number): number => (WIDTH - (count - 1) * COLUMN_GAP) / count

const top = ({ heading, number, stamp, logo, seller }: DocumentView): Node => ({
  columnGap: COLUMN_GAP,
  columns: [
    {
      width: WIDTH - TITLE_WIDTH - COLUMN_GAP,
      stack: [
        ...(logo === null ? [] : [{ image: logo, fit: [170, 60], margin: [0, 0, 0, 6] }]),
        { text: seller.name, bold: true, fontSize: 12 },
        ...seller.lines,
      ],
    },
    {
      width: TITLE_WIDTH,
      alignment: 'right',
      stack: [
        { text: heading, bold: true, fontSize: 17 },
        { text: number, bold: true, fontSize: 11 },
        ...(stamp
          ? [{ text: stamp.text.toUpperCase(), bold: true, color: TONES[stamp.tone], margin: [0, 4, 0, 0] }]
          : []),
      ],
    },
  ],
})

function parties(view: DocumentView): Node {
  const { customer, shipTo, facts } = view
  const hasCustomer = customer.name !== '' || customer.lines.length > 0
  const width = columnWidth([hasCustomer, shipTo, facts.length > 0].filter(Boolean).length)
  return {
    columnGap: COLUMN_GAP,
    columns: [
      ...(hasCustomer ? [{ width, ...party(textsOf(view)('party.customer'), customer) }] : []),
      ...(shipTo ? [{ width, ...party(shipTo.name, { name: '', lines: shipTo.lines }) }] : []),
      ...(facts.length > 0
        ? [
            {
              width,
              layout: 'noBorders',
              table: {
                widths: [FACT_WIDTH, width - FACT_WIDTH - FACT_GAP],
                body: facts.map(([name, value]) => [
                  { text: name, color: FAINT },
                  { text: value, bold: true },
                ]),
              },
            },
          ]
        : []),
    ],
    margin: [0, 0, 0, 12],
  }
}

type Column = FittedColumn & { isNumber: boolean }
type Cell = { text: string; alignment: 'left' | 'right'; noWrap: boolean }

/** Returns columns of texts and amounts, under a head that every page repeats. */
function table(columns: Column[], rows: string[][]): Node {
  const { widths, fontSize, wraps } = fitted(columns, rows, WIDTH)
  const cells = (texts: string[], more: object): Node[] =>
    texts.map((text, i) => {
      const { isNumber, mayWrap } = columns[i]!
      const cell: Cell = {
        text,
        alignment: isNumber ? 'right' : 'left',
        noWrap: isNumber && !(wraps && mayWrap),
      }
      return { ...cell, ...more }
    })
  return {
    layout: 'lightHorizontalLines',
    fontSize,
    table: {
      headerRows: 1,
      keepWithHeaderRows: 1,
      dontBreakRows: true,
      widths,
      body: [
        cells(
          columns.map(({ title }) => title),
          { fontSize: Math.min(8, fontSize), color: FAINT },
        ),
        ...rows.map((row) => cells(row, {})),
      ],
    },
    margin: [0, 0, 0, 10],
  }
}

const money = (title: string): Column => ({ title, isNumber: true })
/** Returns a column for amounts with words, which can wrap. */
const figure = (title: string): Column => ({ title, isNumber: true, mayWrap: true })
const flexible = (title: string): Column => ({ title, isNumber: false, isFlexible: true })

function lineTable(view: DocumentView): Node {
  const { lines, hasHsn, hasPrices, hasDiscount, isTaxed } = view
  const t = textsOf(view)
  return table(
    [
      flexible(t('column.description')),
      ...(hasHsn ? [{ title: 'HSN/SAC', isNumber: false }] : []),
      ...(hasPrices ? [figure(t('column.quantity')), money(t('column.price'))] : []),
      ...(hasDiscount ? [figure(t('column.discount'))] : []),
      ...(isTaxed ? [money(t('column.taxable')), figure(t('column.tax'))] : []),
      money(t('column.amount')),
    ],
    lines.map((line) => [
      line.description,
      ...(hasHsn ? [line.hsn] : []),
      ...(hasPrices ? [line.quantity, line.price] : []),
      ...(hasDiscount ? [line.discount] : []),
      ...(isTaxed ? [line.taxable, line.tax] : []),
      line.amount,
    ]),
  )
}

function ends(view: DocumentView, qr: string | null): Node {
  const { bank, upi, totals, sum, settled, balance } = view
  const t = textsOf(view)
  const row = ([name, value]: [string, string], more: object = {}): Node[] => [
    { text: name, ...more },
    { text: value, alignment: 'right', ...more },
  ]
  const strong = { bold: true, fontSize: 11 }
  return {
    columnGap: COLUMN_GAP,
    columns: [
      {
        width: WIDTH - TOTALS_WIDTH - COLUMN_GAP,
        stack: [
          ...(bank === null ? [] : [section(t('bank'), bank)]),
          ...(upi && qr !== null ? [section(t('upi'), { image: qr, width: 92 }, upi.id)] : []),
        ],
      },
      {
        width: TOTALS_WIDTH,
        layout: 'noBorders',
        table: {
          widths: ['*', 'auto'],
          body: [
            ...totals.map((total) => row(total)),
            row(sum, strong),
            ...settled.map((payment) => row(payment)),
            ...(balance ? [row(balance, { bold: true })] : []),
          ],
        },
      },
    ],
    margin: [0, 0, 0, 8],
  }
}

/** A table with at most this many rows stays on one page with its heading. */
const SHORT_TABLE = 12

const headed = (title: string, columns: Column[], rows: string[][]): Node[] =>
  rows.length === 0
    ? []
    : [{ stack: [label(title), table(columns, rows)], unbreakable: rows.length <= SHORT_TABLE }]

const taxSection = (view: DocumentView): Node[] =>
  view.taxTable
    ? headed(
        textsOf(view)('tax.title'),
        view.taxTable.columns.map((title, i) => (i === 0 ? flexible(title) : money(title))),
        view.taxTable.rows,
      )
    : []

function paymentSection(view: DocumentView): Node[] {
  const t = textsOf(view)
  return headed(
    t('payments'),
    [
      { title: t('payments.receipt'), isNumber: false },
      { title: t('fact.date'), isNumber: false },
      flexible(t('payments.method')),
      money(t('payments.tds')),
      money(t('column.amount')),
    ],
    view.payments.map(({ receipt, day, method, tds, amount, voided }) => [
      voided ? t('payments.void', { receipt }) : receipt,
      day,
      method,
      tds,
      amount,
    ]),
  )
}

const text = (title: string, value: string | null): Node[] => (value === null ? [] : [section(title, value)])

/** Returns a document for printing. `qr`: the picture of its UPI address. */
export const documentPdf = (view: DocumentView, qr: string | null): PdfDocument => ({
  title: `${view.heading} ${view.number}`.trim(),
  author: view.seller.name,
  footer: [view.seller.name, `${view.heading} ${view.number}`.trim()]
    .filter((part) => part !== '')
    .join(' · '),
  watermark: view.stamp?.isAcross === true ? view.stamp.text : undefined,
  content: [
    top(view),
    rule(1.2),
    parties(view),
    lineTable(view),
    {
      unbreakable: true,
      stack: [ends(view, qr), ...(view.words === '' ? [] : [{ text: view.words, margin: [0, 0, 0, 12] }])],
    },
    ...taxSection(view),
    ...paymentSection(view),
    ...text(textsOf(view)('notes'), view.notes),
    ...text(textsOf(view)('terms'), view.terms),
    ...(view.declarations.length === 0 ? [] : [{ stack: view.declarations, color: FAINT, fontSize: 8.5 }]),
    ...(view.seller.name === ''
      ? []
      : [
          {
            unbreakable: true,
            stack: [
              {
                text: textsOf(view)('signature.for', { seller: view.seller.name }),
                alignment: 'right',
                margin: [0, 18, 0, 34],
              },
              { text: textsOf(view)('signature'), alignment: 'right', fontSize: 8.5, color: FAINT },
            ],
          },
        ]),
  ],
})
