/** Styles of a document on a screen, on a phone, and on A4 and Letter paper. */
export const DOCUMENT_STYLE = `
.document { position: relative; padding: clamp(1rem, 4vw, 2.5rem) }
.actions { display: flex; flex-wrap: wrap; gap: .75rem; align-items: center; margin: 0 0 1rem }
.actions form { margin: 0 }
.top { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 1.25rem 2rem; padding-bottom: 1.25rem;
  border-bottom: 2px solid var(--ink) }
.logo { display: block; max-width: 200px; max-height: 72px; margin: 0 0 .75rem }
.logo-ground { background: #ffffff; border-radius: 6px; display: inline-block; padding: 4px }
.party-name { font-weight: 700; font-size: 1.1rem }
.title { text-align: end; margin-inline-start: auto }
.title h1 { font-size: 1.6rem; margin: 0 }
.number { font-size: 1.05rem; font-weight: 600 }
.stamp { display: inline-block; border: 2px solid currentColor; border-radius: 6px; padding: .1rem .6rem; margin-top: .5rem;
  font-weight: 700; text-transform: uppercase; letter-spacing: .06em; font-size: .85rem }
.stamp.good { color: var(--good) } .stamp.bad { color: var(--bad) } .stamp.plain { color: var(--faint) }
.parties { display: flex; flex-wrap: wrap; gap: 1.25rem 2.5rem; margin: 1.25rem 0 }
.parties > div { flex: 1 1 12rem }
.parties h2, section h2 { font-size: .8rem; text-transform: uppercase; letter-spacing: .06em; color: var(--faint);
  margin: 0 0 .25rem }
.facts { display: grid; grid-template-columns: auto 1fr; gap: .1rem 1rem; margin: 0 }
.facts dt { color: var(--faint) } .facts dd { margin: 0; font-weight: 600 }
table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; margin: 0 0 1.25rem }
th { text-align: start; font-size: .8rem; color: var(--faint); border-bottom: 1px solid var(--ink); padding: .4rem .4rem }
td { padding: .5rem .4rem; border-bottom: 1px solid var(--line); vertical-align: top }
th.num, td.num { text-align: end; white-space: nowrap }
th.code, td.code { white-space: nowrap }
th.wide, td.wide { min-width: 9rem }
.lines { overflow-x: auto }
.ends { display: flex; flex-wrap: wrap; gap: 1.25rem 2.5rem; justify-content: space-between }
.ends > .pay { flex: 1 1 16rem; max-width: 26rem }
.totals { flex: 1 1 16rem; max-width: 24rem; margin-inline-start: auto }
.totals dl { display: grid; grid-template-columns: 1fr auto; row-gap: .25rem; margin: 0; font-variant-numeric: tabular-nums }
.totals dd { margin: 0; padding-inline-start: 1rem; text-align: end; white-space: nowrap }
.totals .sum { font-size: 1.15rem; font-weight: 700; border-top: 2px solid var(--ink); padding-top: .3rem; margin-top: .2rem }
.totals .balance { font-weight: 700; border-top: 1px solid var(--line); padding-top: .25rem }
.words { margin: .75rem 0 1.25rem; font-style: italic }
.qr { display: block; width: 148px; height: 148px; background: #ffffff; padding: 6px; border-radius: 8px; margin: .25rem 0 }
section { margin: 0 0 1.25rem }
.voided td { text-decoration: line-through; color: var(--faint) }
.signature { margin-block: 2.5rem 0; margin-inline: auto 0; width: 16rem; max-width: 100%; text-align: center }
.signature span { display: block; border-top: 1px solid var(--ink); margin-top: 3.25rem; padding-top: .25rem; font-size: .85rem }
@media (max-width: 640px) {
  .title { text-align: start; margin-inline-start: 0 }
  table, tbody, tr, td { display: block; width: 100% } thead { display: none }
  tr { border: 1px solid var(--line); border-radius: 8px; padding: .4rem .6rem; margin: 0 0 .6rem }
  td { display: flex; justify-content: space-between; gap: 1rem; border: 0; padding: .15rem 0; text-align: end }
  td::before { content: attr(data-label); color: var(--faint); text-align: start; white-space: nowrap }
  td.wide { display: block; min-width: 0; text-align: start; font-weight: 600 } td.wide::before { content: none }
  td:empty { display: none }
  .totals, .ends > .pay { max-width: none }
}
@page { margin: 12mm }
@media print {
  :root { color-scheme: light; --paper: #ffffff; --ground: #ffffff; --ink: #000000; --faint: #444444; --line: #bbbbbb;
    --accent: #000000; --good: #15803d; --bad: #b91c1c }
  body { font-size: 10.5pt } main { max-width: none; padding: 0 }
  .qr { width: 110px; height: 110px; padding: 0 } .logo { max-height: 56px }
  .document { border: 0; padding: 0 } .lines { overflow: visible } .actions, .notice, .languages { display: none }
  thead { display: table-header-group } tr, .totals, .pay, .signature, section { break-inside: avoid }
}
`
