import type { Issue } from '../../core/errors.ts'
import type { Button } from './component-shapes.ts'
import { plainTextIssues } from './plain-text.ts'
import { placeholderIssues } from './variable-rules.ts'
import { variablesIn } from './variables.ts'

/** Maximum number of buttons of each kind in one template, and in total (docs/formats.md section 6.2). */
const max: Record<string, number> = {
  URL: 2,
  PHONE_NUMBER: 1,
  COPY_CODE: 1,
  FLOW: 1,
  OTP: 1,
  CATALOG: 1,
  MPM: 1,
  SPM: 1,
  VOICE_CALL: 1,
}
const BUTTONS_MAX = 10
/** Kinds that must be the only kind. */
const alone = new Set(['OTP', 'CATALOG', 'MPM'])

/** Returns the faults that the operator would refuse in the buttons of a template or card. */
export function buttonIssues(buttons: Button[], path: string): Issue[] {
  return [
    ...countIssues(buttons, path),
    ...orderIssues(buttons, path),
    ...buttons.flatMap((button, i) => labelIssues(button, `${path}[${i}]`)),
    ...buttons.flatMap((button, i) => (button.type === 'URL' ? addressIssues(button, `${path}[${i}]`) : [])),
  ]
}

function countIssues(buttons: Button[], path: string): Issue[] {
  const issues: Issue[] = []
  if (buttons.length > BUTTONS_MAX)
    issues.push({ path, message: `Must have at most ${BUTTONS_MAX} buttons.` })
  for (const [type, sameType] of Map.groupBy(buttons, (button) => button.type)) {
    const limit = max[type]
    if (limit !== undefined && sameType.length > limit)
      issues.push({ path, message: `Must have at most ${limit} of type ${type}.` })
    if (alone.has(type) && sameType.length < buttons.length)
      issues.push({ path, message: `Must have no button beside the one of type ${type}.` })
  }
  return issues
}

/** Quick replies must be together, before or after the other buttons. */
function orderIssues(buttons: Button[], path: string): Issue[] {
  const turns = buttons.filter(
    (button, i) => i > 0 && (button.type === 'QUICK_REPLY') !== (buttons[i - 1]?.type === 'QUICK_REPLY'),
  ).length
  return turns > 1 ? [{ path, message: 'Must have all quick replies next to each other.' }] : []
}

function labelIssues(button: Button, path: string): Issue[] {
  const text = typeof button.text === 'string' ? button.text : ''
  if (/\{\{/.test(text)) return [{ path: `${path}.text`, message: 'Must not contain a placeholder.' }]
  if (/[\n\r\t]/.test(text)) return [{ path: `${path}.text`, message: 'Must be one line.' }]
  return plainTextIssues(text, `${path}.text`)
}

/** An address may end with a placeholder. */
function addressIssues(button: Extract<Button, { type: 'URL' }>, path: string): Issue[] {
  const issues = placeholderIssues(button.url, `${path}.url`)
  const names = variablesIn(button.url)
  if (issues.length > 0 || names.length === 0) return issues
  if (names.length > 1 || !/\{\{\s*1\s*\}\}$/.test(button.url))
    return [{ path: `${path}.url`, message: 'Must have at most one placeholder, {{1}}, at its end.' }]
  return button.example === undefined
    ? [{ path: `${path}.example`, message: 'Required: an example for {{1}}.' }]
    : []
}
