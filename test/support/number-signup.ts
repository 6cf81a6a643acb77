/** Plays an owner on the simulated operator's signup page. */
import type { TestParley } from './boot.ts'
import { type Browser, DASHBOARD } from './sessions.ts'

export type OwnerAnswer = {
  action?: 'allow' | 'cancel' | 'error'
  /** `new`, `empty`, or the id of an account. */
  account?: string
  number?: string
  name?: string
}

/** Begins a signup; returns its id and the address of the operator's page. */
export async function beginSignup(
  admin: Browser,
  keepsPhoneApp = false,
): Promise<{ id: string; url: string }> {
  const answer = await admin.post(`${DASHBOARD}/number-signups`, { keepsPhoneApp })
  if (answer.status !== 201) throw new Error(`the signup answered ${answer.status}: ${answer.text}`)
  return { id: answer.body.signup.id, url: answer.body.url }
}

/** Sends the form of the operator's page; returns the address to which it sends the browser. */
export async function answerPage(url: string, answer: OwnerAnswer = {}): Promise<string> {
  const page = await fetch(url)
  const [, action = ''] = /<form method="post" action="([^"]+)"/.exec(await page.text()) ?? []
  if (action === '') throw new Error(`the page answered ${page.status} without a form`)
  const sent = await fetch(new URL(action.replaceAll('&amp;', '&'), url), {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({
      action: 'allow',
      account: 'new',
      number: `+1555${String(Math.floor(Math.random() * 1e7)).padStart(7, '0')}`,
      ...answer,
    }),
  })
  const location = sent.headers.get('location')
  if (location === null) throw new Error(`the form answered ${sent.status}: ${await sent.text()}`)
  return location
}

/** Opens the address of the operator's answer as the browser does; returns the page to which it leads. */
export async function openReturn(parley: TestParley, browser: Pick<Browser, 'cookie'>, location: string) {
  const { pathname, search } = new URL(location)
  const answer = await fetch(`${parley.url}${pathname}${search}`, {
    redirect: 'manual',
    headers: { 'sec-fetch-site': 'cross-site', ...(browser.cookie ? { cookie: browser.cookie } : {}) },
  })
  await answer.arrayBuffer()
  return { status: answer.status, location: answer.headers.get('location'), headers: answer.headers }
}
