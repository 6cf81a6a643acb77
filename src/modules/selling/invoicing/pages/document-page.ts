/** A document as a page. Its PDF has the same content. */
import { type Html, html, htmlLines } from '../../../../core/values/html.ts'
import type { HtmlPage } from '../../../../core/values/html-page.ts'
import { DOCUMENT_STYLE } from './document-style.ts'
import type { DocumentView, Party, ViewLine } from './document-view.ts'

/** Content around a document for customers: their possible actions and the results. */
export type Around = { notice?: Html | undefined; actions?: Html | undefined; leadsElsewhere?: boolean }

const party = (title: string, { name, lines }: Party): Html => html`<div><h2>${title}</h2>
${name !== '' && html`<div class="party-name">${name}</div>`}
${lines.map((line) => html`<div>${line}</div>`)}</div>`

const top = ({ heading, number, stamp, logo, seller }: DocumentView): Html => html`<header class="top">
<div>${logo !== null && html`<span class="logo-ground"><img class="logo" src="${logo}" alt="${seller.name}"></span>`}
<div class="party-name">${seller.name}</div>
${seller.lines.map((line) => html`<div>${line}</div>`)}</div>
<div class="title"><h1>${heading}</h1><div class="number">${number}</div>
${stamp && html`<div class="stamp ${stamp.tone}">${stamp.text}</div>`}</div></header>`

const parties = ({ customer, shipTo, facts }: DocumentView): Html => html`<div class="parties">
${(customer.name !== '' || customer.lines.length > 0) && party('For', customer)}
${shipTo && html`<div><h2>${shipTo.name}</h2>${shipTo.lines.map((line) => html`<div>${line}</div>`)}</div>`}
<div><dl class="facts">${facts.map(([label, value]) => html`<dt>${label}</dt><dd>${value}</dd>`)}</dl></div></div>`

type Column = { label: string; of: (line: ViewLine) => string; css: string }

function columnsOf({ hasHsn, hasPrices, hasDiscount, isTaxed }: DocumentView): Column[] {
  const number = (label: string, textOf: Column['of']): Column => ({ label, of: textOf, css: 'num' })
  return [
    { label: 'Description', of: ({ description }) => description, css: 'wide' },
    ...(hasHsn ? [{ label: 'HSN/SAC', of: ({ hsn }: ViewLine) => hsn, css: 'code' }] : []),
    ...(hasPrices
      ? [number('Quantity', ({ quantity }) => quantity), number('Price', ({ price }) => price)]
      : []),
    ...(hasDiscount ? [number('Discount', ({ discount }) => discount)] : []),
    ...(isTaxed ? [number('Taxable', ({ taxable }) => taxable), number('Tax', ({ tax }) => tax)] : []),
    number('Amount', ({ amount }) => amount),
  ]
}

function lineTable(view: DocumentView): Html {
  const columns = columnsOf(view)
  return html`<div class="lines"><table><thead><tr>${columns.map(({ label, css }) => html`<th class="${css}">${label}</th>`)}</tr></thead>
<tbody>${view.lines.map(
    (line) =>
      html`<tr>${columns.map(({ label, of, css }) => html`<td class="${css}" data-label="${label}">${of(line)}</td>`)}</tr>`,
  )}</tbody></table></div>`
}

const taxTable = ({ taxTable: table }: DocumentView): Html | null =>
  table &&
  html`<section><h2>Tax</h2><table><thead><tr>${table.columns.map(
    (label, i) => html`<th class="${i > 0 && 'num'}">${label}</th>`,
  )}</tr></thead><tbody>${table.rows.map(
    (row) =>
      html`<tr>${row.map((cell, i) => html`<td class="${i > 0 && 'num'}" data-label="${table.columns[i]}">${cell}</td>`)}</tr>`,
  )}</tbody></table></section>`

const totals = ({ totals: rows, sum, settled, balance }: DocumentView): Html => html`<div class="totals"><dl>
${rows.map(([label, value]) => html`<dt>${label}</dt><dd>${value}</dd>`)}
<dt class="sum">${sum[0]}</dt><dd class="sum">${sum[1]}</dd>
${settled.map(([label, value]) => html`<dt>${label}</dt><dd>${value}</dd>`)}
${balance && html`<dt class="balance">${balance[0]}</dt><dd class="balance">${balance[1]}</dd>`}
</dl></div>`

const paymentInstructions = ({ bank, upi }: DocumentView, qr: string | null): Html | null =>
  bank === null && (upi === null || qr === null)
    ? null
    : html`<div class="pay">
${bank !== null && html`<section><h2>Bank account</h2><div>${htmlLines(bank)}</div></section>`}
${
  upi &&
  qr !== null &&
  html`<section><h2>Pay by UPI</h2><img class="qr" src="${qr}" alt="QR code for UPI apps"><div>${upi.id}</div></section>`
}
</div>`

const payments = ({ payments: rows }: DocumentView): Html | null =>
  rows.length === 0
    ? null
    : html`<section><h2>Payments</h2><table><thead><tr><th>Receipt</th><th>Date</th><th>Method</th><th class="num">Tax deducted</th>
<th class="num">Amount</th></tr></thead><tbody>${rows.map(
        ({ receipt, day, method, tds, amount, voided }) => html`<tr class="${voided && 'voided'}">
<td data-label="Receipt">${receipt}${voided && ' (void)'}</td><td data-label="Date">${day}</td><td data-label="Method">${method}</td>
<td class="num" data-label="Tax deducted">${tds}</td><td class="num" data-label="Amount">${amount}</td></tr>`,
      )}</tbody></table></section>`

const text = (title: string, value: string | null): Html | null =>
  value === null ? null : html`<section><h2>${title}</h2><div>${htmlLines(value)}</div></section>`

/** Returns the page of a document. `qr`: the picture of its UPI address. */
export const documentPage = (view: DocumentView, qr: string | null, around: Around = {}): HtmlPage => ({
  title: [view.heading, view.number, view.seller.name].filter((part) => part !== '').join(' · '),
  style: DOCUMENT_STYLE,
  leadsElsewhere: around.leadsElsewhere ?? false,
  body: html`<main>
${around.notice}${around.actions && html`<div class="actions">${around.actions}</div>`}
<article class="paper document">
${top(view)}
${parties(view)}
${lineTable(view)}
<div class="ends">${paymentInstructions(view, qr)}${totals(view)}</div>
<p class="words">${view.words}</p>
${taxTable(view)}
${payments(view)}
${text('Notes', view.notes)}
${text('Terms', view.terms)}
${view.declarations.length > 0 && html`<section class="faint">${view.declarations.map((declaration) => html`<div>${declaration}</div>`)}</section>`}
${view.seller.name !== '' && html`<div class="signature">For ${view.seller.name}<span>Authorised signatory</span></div>`}
</article></main>`,
})
