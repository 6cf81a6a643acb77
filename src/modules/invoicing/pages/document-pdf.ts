/** The same document for the printer, in the terms of the PDF library. */
import type { PdfDocument, PdfNode } from '../../../pdf/port.ts'
import type { DocumentView, Party } from './document-view.ts'

const FAINT = '#555555'
const TONES = { good: '#15803d', bad: '#b91c1c', plain: FAINT } as const
/** Points between the margins of A4. */
const WIDTH = 523

type Node = Exclude<PdfNode, string | PdfNode[]>

const label = (text: string): Node => ({
  text: text.toUpperCase(),
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

const top = ({ heading, number, stamp, logo, seller }: DocumentView): Node => ({
  columns: [
    {
      stack: [
        ...(logo === null ? [] : [{ image: logo, fit: [170, 60], margin: [0, 0, 0, 6] }]),
        { text: seller.name, bold: true, fontSize: 12 },
        ...seller.lines,
      ],
    },
    {
      width: 200,
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

const parties = ({ customer, shipTo, facts }: DocumentView): Node => ({
  columnGap: 18,
  columns: [
    ...(customer.name !== '' || customer.lines.length > 0 ? [party('For', customer)] : []),
    ...(shipTo ? [party(shipTo.name, { name: '', lines: shipTo.lines })] : []),
    ...(facts.length > 0
      ? [
          {
            layout: 'noBorders',
            table: {
              widths: ['auto', '*'],
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
})

type Cell = { text: string; alignment: 'left' | 'right'; noWrap: boolean }

/** Columns of texts and figures under a head that every page repeats. */
function table(
  columns: { title: string; width: number | string; isNumber: boolean }[],
  rows: string[][],
): Node {
  const cells = (texts: string[], more: object): Node[] =>
    texts.map((text, i) => {
      const cell: Cell = {
        text,
        alignment: columns[i]!.isNumber ? 'right' : 'left',
        noWrap: columns[i]!.isNumber,
      }
      return { ...cell, ...more }
    })
  return {
    layout: 'lightHorizontalLines',
    table: {
      headerRows: 1,
      dontBreakRows: true,
      widths: columns.map(({ width }) => width),
      body: [
        cells(
          columns.map(({ title }) => title),
          { fontSize: 8, color: FAINT },
        ),
        ...rows.map((row) => cells(row, {})),
      ],
    },
    margin: [0, 0, 0, 10],
  }
}

function lineTable({ lines, hasHsn, hasPrices, hasDiscount, isTaxed }: DocumentView): Node {
  const column = (title: string, isNumber: boolean, width: number | string = 'auto') => ({
    title,
    width,
    isNumber,
  })
  return table(
    [
      column('Description', false, '*'),
      ...(hasHsn ? [column('HSN/SAC', false)] : []),
      ...(hasPrices ? [column('Quantity', true), column('Price', true)] : []),
      ...(hasDiscount ? [column('Discount', true)] : []),
      ...(isTaxed ? [column('Taxable', true), column('Tax', true)] : []),
      column('Amount', true),
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

function ends({ bank, upi, totals, sum, settled, balance }: DocumentView, qr: string | null): Node {
  const row = ([name, value]: [string, string], more: object = {}): Node[] => [
    { text: name, ...more },
    { text: value, alignment: 'right', ...more },
  ]
  const strong = { bold: true, fontSize: 11 }
  return {
    columnGap: 24,
    columns: [
      {
        stack: [
          ...(bank === null ? [] : [section('Bank account', bank)]),
          ...(upi && qr !== null ? [section('Pay by UPI', { image: qr, width: 92 }, upi.id)] : []),
        ],
      },
      {
        width: 230,
        layout: 'noBorders',
        table: {
          widths: ['*', 'auto'],
          body: [
            ...totals.map((one) => row(one)),
            row(sum, strong),
            ...settled.map((one) => row(one)),
            ...(balance ? [row(balance, { bold: true })] : []),
          ],
        },
      },
    ],
    margin: [0, 0, 0, 8],
  }
}

const taxSection = ({ taxTable }: DocumentView): Node[] =>
  taxTable
    ? [
        label('Tax'),
        table(
          taxTable.columns.map((title, i) => ({ title, width: i === 0 ? '*' : 'auto', isNumber: i > 0 })),
          taxTable.rows,
        ),
      ]
    : []

const paymentSection = ({ payments }: DocumentView): Node[] =>
  payments.length === 0
    ? []
    : [
        label('Payments'),
        table(
          ['Receipt', 'Date', 'Method', 'Tax deducted', 'Amount'].map((title, i) => ({
            title,
            width: i === 2 ? '*' : 'auto',
            isNumber: i > 2,
          })),
          payments.map(({ receipt, day, method, tds, amount, voided }) => [
            voided ? `${receipt} (void)` : receipt,
            day,
            method,
            tds,
            amount,
          ]),
        ),
      ]

const text = (title: string, value: string | null): Node[] => (value === null ? [] : [section(title, value)])

/** A document for the printer; `qr` is the picture of its UPI address. */
export const documentPdf = (view: DocumentView, qr: string | null): PdfDocument => ({
  title: `${view.heading} ${view.number}`.trim(),
  author: view.seller.name,
  footer: [view.seller.name, `${view.heading} ${view.number}`.trim()]
    .filter((part) => part !== '')
    .join(' · '),
  watermark:
    view.stamp && view.stamp.tone !== 'good' && ['Draft', 'Cancelled'].includes(view.stamp.text)
      ? view.stamp.text
      : undefined,
  content: [
    top(view),
    rule(1.2),
    parties(view),
    lineTable(view),
    ends(view, qr),
    { text: view.words, margin: [0, 0, 0, 12] },
    ...taxSection(view),
    ...paymentSection(view),
    ...text('Notes', view.notes),
    ...text('Terms', view.terms),
    ...(view.declarations.length === 0 ? [] : [{ stack: view.declarations, color: FAINT, fontSize: 8.5 }]),
    ...(view.seller.name === ''
      ? []
      : [
          {
            unbreakable: true,
            stack: [
              { text: `For ${view.seller.name}`, alignment: 'right', margin: [0, 18, 0, 34] },
              { text: 'Authorised signatory', alignment: 'right', fontSize: 8.5, color: FAINT },
            ],
          },
        ]),
  ],
})
