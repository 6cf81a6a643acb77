/** The pages of the simulated operator's hosted signup. */
import { type Html, html, htmlText } from '../../../core/values/html.ts'

export type OfferedAccount = { accountId: string; numbers: string[] }

const STYLE = `
  body { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 32rem; padding: 2rem 1rem; color: #1c1e21; background: #fff }
  fieldset { border: 1px solid #ccd0d5; border-radius: 8px; margin: 0 0 1rem; padding: 1rem }
  label { display: block; padding: .5rem 0; min-height: 1.5rem }
  input[type=text] { font: inherit; padding: .5rem; width: 100%; box-sizing: border-box; border: 1px solid #8d949e; border-radius: 6px }
  button { font: inherit; padding: .6rem 1rem; border-radius: 6px; border: 1px solid #8d949e; background: #fff; color: inherit; margin: 0 .5rem .5rem 0 }
  button[value=allow] { background: #0b57d0; border-color: #0b57d0; color: #fff }
  @media (prefers-color-scheme: dark) { body { background: #18191a; color: #e4e6eb } button { background: #242526 } input[type=text] { background: #242526; color: inherit } }`

const page = (title: string, content: Html): string =>
  `<!doctype html>${htmlText(
    html`<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,"><title>${title}</title>`,
  )}<style>${STYLE}</style></head>${htmlText(html`<body><main><h1>${title}</h1>${content}</main></body></html>`)}`

/** Returns the page on which an owner shares an account. `action` is the address of the form. */
export const signupPage = (options: {
  action: string
  accounts: OfferedAccount[]
  newNumber: string
  keepsPhoneApp: boolean
}): string =>
  page(
    'Simulated operator: connect your number',
    html`<p>This page plays the operator's signup. It allows the app to use an account and its numbers.</p>
<form method="post" action="${options.action}">
<fieldset><legend>Account</legend>
${options.accounts.map(
  ({ accountId, numbers }) =>
    html`<label><input type="radio" name="account" value="${accountId}"> Account ${accountId}: ${numbers.join(', ')}</label>`,
)}
<label><input type="radio" name="account" value="new" checked> ${
      options.keepsPhoneApp ? 'A number that stays in the phone app' : 'A new account with this number'
    }</label>
<label>Number <input type="text" name="number" value="${options.newNumber}" inputmode="tel" autocomplete="off"></label>
<label>Display name <input type="text" name="name" value="Asha Stores" autocomplete="off"></label>
<label><input type="radio" name="account" value="empty"> A new account without a number</label>
</fieldset>
<button name="action" value="allow">Continue</button><button name="action" value="cancel">Cancel</button><button name="action" value="error">Report an error</button>
</form>`,
  )

export const faultPage = (problem: string): string =>
  page("Simulated operator: the app can't be used", html`<p>${problem}</p>`)
