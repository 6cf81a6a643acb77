/** A document as a page. Its PDF has the same content. */
import { type Html, html, htmlLines } from '../../../../core/values/html.ts'
import type { HtmlPage } from '../../../../core/values/html-page.ts'
import { LANGUAGES_STYLE, languageLinks } from '../../../../core/values/page-language.ts'
import { documentTexts } from '../texts/texts.ts'
import { DOCUMENT_STYLE } from './document-style.ts'
import type { DocumentView, Party, ViewLine } from './document-view.ts'

/** Content around a document for customers: their possible actions and the results. */
export type Around = {
  notice?: Html | undefined
  actions?: Html | undefined
  leadsElsewhere?: boolean
  /** Links to the page in each language. */
  hasLanguages?: boolean
}

const textsOf = ({ language }: DocumentView) => documentTexts(language).t

/** Keeps the direction of a value, such as -₹100.00, in right-to-left pages. An empty cell stays empty. */
const cellOf = (value: string): Html | false => value !== '' && html`<bdi>${value}</bdi>`

const party = (title: string, { name, lines }: Party): Html => html`<div><h2>${title}</h2>
${name !== '' && html`<div class="party-name">${name}</div>`}
${lines.map((line) => html`<div><bdi>${line}</bdi></div>`)}</div>`

const top = ({ heading, number, stamp, logo, seller }: DocumentView): Html => html`<header class="top">
<div>${logo !== null && html`<span class="logo-ground"><img class="logo" src="${logo}" alt="${seller.name}"></span>`}
<div class="party-name">${seller.name}</div>
${seller.lines.map((line) => html`<div><bdi>${line}</bdi></div>`)}</div>
<div class="title"><h1>${heading}</h1><div class="number">${number}</div>
${stamp && html`<div class="stamp ${stamp.tone}">${stamp.text}</div>`}</div></header>`

const parties = (view: DocumentView): Html => {
  const { customer, shipTo, facts } = view
  return html`<div class="parties">
${(customer.name !== '' || customer.lines.length > 0) && party(textsOf(view)('party.customer'), customer)}
${shipTo && html`<div><h2>${shipTo.name}</h2>${shipTo.lines.map((line) => html`<div><bdi>${line}</bdi></div>`)}</div>`}
<div><dl class="facts">${facts.map(([label, value]) => html`<dt>${label}</dt><dd><bdi>${value}</bdi></dd>`)}</dl></div></div>`
}

type Column = { label: string; of: (line: ViewLine) => string; css: string }

function columnsOf(view: DocumentView): Column[] {
  const { hasHsn, hasPrices, hasDiscount, isTaxed } = view
  const t = textsOf(view)
  const number = (label: string, textOf: Column['of']): Column => ({ label, of: textOf, css: 'num' })
  return [
    { label: t('column.description'), of: ({ description }) => description, css: 'wide' },
    ...(hasHsn ? [{ label: 'HSN/SAC', of: ({ hsn }: ViewLine) => hsn, css: 'code' }] : []),
    ...(hasPrices
      ? [
          number(t('column.quantity'), ({ quantity }) => quantity),
          number(t('column.price'), ({ price }) => price),
        ]
      : []),
    ...(hasDiscount ? [number(t('column.discount'), ({ discount }) => discount)] : []),
    ...(isTaxed
      ? [number(t('column.taxable'), ({ taxable }) => taxable), number(t('column.tax'), ({ tax }) => tax)]
      : []),
    number(t('column.amount'), ({ amount }) => amount),
  ]
}

function lineTable(view: DocumentView): Html {
  const columns = columnsOf(view)
  return html`<div class="lines"><table><thead><tr>${columns.map(({ label, css }) => html`<th class="${css}">${label}</th>`)}</tr></thead>
<tbody>${view.lines.map(
    (line) =>
      html`<tr>${columns.map(({ label, of, css }) => html`<td class="${css}" data-label="${label}">${cellOf(of(line))}</td>`)}</tr>`,
  )}</tbody></table></div>`
}

const taxTable = (view: DocumentView): Html | null => {
  const { taxTable: table } = view
  return (
    table &&
    html`<section><h2>${textsOf(view)('tax.title')}</h2><table><thead><tr>${table.columns.map(
      (label, i) => html`<th class="${i > 0 && 'num'}">${label}</th>`,
    )}</tr></thead><tbody>${table.rows.map(
      (row) =>
        html`<tr>${row.map((cell, i) => html`<td class="${i > 0 && 'num'}" data-label="${table.columns[i]}">${cellOf(cell)}</td>`)}</tr>`,
    )}</tbody></table></section>`
  )
}

const totals = ({ totals: rows, sum, settled, balance }: DocumentView): Html => html`<div class="totals"><dl>
${rows.map(([label, value]) => html`<dt>${label}</dt><dd><bdi>${value}</bdi></dd>`)}
<dt class="sum">${sum[0]}</dt><dd class="sum"><bdi>${sum[1]}</bdi></dd>
${settled.map(([label, value]) => html`<dt>${label}</dt><dd><bdi>${value}</bdi></dd>`)}
${balance && html`<dt class="balance">${balance[0]}</dt><dd class="balance"><bdi>${balance[1]}</bdi></dd>`}
</dl></div>`

const paymentInstructions = (view: DocumentView, qr: string | null): Html | null => {
  const { bank, upi } = view
  const t = textsOf(view)
  return bank === null && (upi === null || qr === null)
    ? null
    : html`<div class="pay">
${bank !== null && html`<section><h2>${t('bank')}</h2><div>${htmlLines(bank)}</div></section>`}
${
  upi &&
  qr !== null &&
  html`<section><h2>${t('upi')}</h2><img class="qr" src="${qr}" alt="${t('upi.code')}"><div>${upi.id}</div></section>`
}
</div>`
}

const payments = (view: DocumentView): Html | null => {
  const { payments: rows } = view
  const t = textsOf(view)
  const labels = {
    receipt: t('payments.receipt'),
    day: t('fact.date'),
    method: t('payments.method'),
    tds: t('payments.tds'),
    amount: t('column.amount'),
  }
  return rows.length === 0
    ? null
    : html`<section><h2>${t('payments')}</h2><table><thead><tr><th>${labels.receipt}</th><th>${labels.day}</th><th>${labels.method}</th><th class="num">${labels.tds}</th>
<th class="num">${labels.amount}</th></tr></thead><tbody>${rows.map(
        ({ receipt, day, method, tds, amount, voided }) => html`<tr class="${voided && 'voided'}">
<td data-label="${labels.receipt}">${voided ? t('payments.void', { receipt }) : receipt}</td><td data-label="${labels.day}">${day}</td><td data-label="${labels.method}">${method}</td>
<td class="num" data-label="${labels.tds}">${cellOf(tds)}</td><td class="num" data-label="${labels.amount}">${cellOf(amount)}</td></tr>`,
      )}</tbody></table></section>`
}

const text = (title: string, value: string | null): Html | null =>
  value === null ? null : html`<section><h2>${title}</h2><div>${htmlLines(value)}</div></section>`

/** Returns the page of a document. `qr`: the picture of its UPI address. */
export const documentPage = (view: DocumentView, qr: string | null, around: Around = {}): HtmlPage => ({
  title: [view.heading, view.number, view.seller.name].filter((part) => part !== '').join(' · '),
  language: view.language,
  style: DOCUMENT_STYLE + LANGUAGES_STYLE,
  leadsElsewhere: around.leadsElsewhere ?? false,
  body: html`<main>
${around.notice}${around.actions && html`<div class="actions">${around.actions}</div>`}
<article class="paper document">
${top(view)}
${parties(view)}
${lineTable(view)}
<div class="ends">${paymentInstructions(view, qr)}${totals(view)}</div>
${view.words !== '' && html`<p class="words">${view.words}</p>`}
${taxTable(view)}
${payments(view)}
${text(textsOf(view)('notes'), view.notes)}
${text(textsOf(view)('terms'), view.terms)}
${view.declarations.length > 0 && html`<section class="faint">${view.declarations.map((declaration) => html`<div>${declaration}</div>`)}</section>`}
${view.seller.name !== '' && html`<div class="signature">${textsOf(view)('signature.for', { seller: view.seller.name })}<span>${textsOf(view)('signature')}</span></div>`}
</article>${around.hasLanguages === true && languageLinks(textsOf(view)('language'), view.language, {})}</main>`,
})
