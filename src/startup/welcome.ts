import { isPackage } from '../core/installation-root.ts'
import type { FirstRun } from './first-run.ts'

const CUSTOMER = '+919812345678'

const curl = (siteUrl: string, key: string, method: string, path: string, body?: object): string =>
  [
    `curl -s -X ${method} ${siteUrl}/api/v1${path} -H 'Authorization: Bearer ${key}'`,
    ...(body ? [`-H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`] : []),
  ].join(' ')

/** Returns the text that `npm start` prints when it is ready; `firstRun` only at the very first start. */
export function welcome(siteUrl: string, firstRun: FirstRun | undefined): string {
  const head = [
    '',
    'Parley is running.',
    '',
    `  API            ${siteUrl}/api/v1`,
    `  API reference  ${siteUrl}/docs`,
    `  Dashboard      ${siteUrl}/`,
  ]
  const parley = isPackage() ? 'npx parley' : 'npm run parley --'
  if (!firstRun)
    return [
      ...head,
      '',
      `  Create a key:  ${parley} workspace list`,
      `                 ${parley} key create --workspace ID --role admin`,
      `  Sign in:       ${parley} member list --workspace ID`,
      `                 ${parley} sign-in --member ID`,
      '',
    ].join('\n')
  const { apiKey, signInPath } = firstRun
  return [
    ...head,
    '',
    `  Parley created a sandbox workspace for you, with the simulated number ${firstRun.number}.`,
    `  Its admin key, shown only once:  ${apiKey}`,
    `  Sign in to the dashboard (once, within 15 minutes):  ${siteUrl}${signInPath}`,
    '',
    'A customer writes, you answer, and you read the chat. Run these one after the other:',
    '',
    curl(siteUrl, apiKey, 'POST', '/sandbox/inbound', {
      from: CUSTOMER,
      name: 'Asha Rao',
      text: 'Is the blue one in stock?',
    }),
    '',
    curl(siteUrl, apiKey, 'POST', '/send', { to: CUSTOMER, type: 'text', text: 'Yes, in every size.' }),
    '',
    curl(siteUrl, apiKey, 'GET', '/messages'),
    '',
  ].join('\n')
}

const MAX_FRAME = 100

/** Frames a text between two lines, to make it easy to find in the log. */
export function framed(text: string, columns: number): string {
  const line = '─'.repeat(Math.min(columns || MAX_FRAME, MAX_FRAME))
  return `${line}\n${text}${line}\n`
}
