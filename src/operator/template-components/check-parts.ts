import type { Issue } from '../../core/errors.ts'
import { isLonger } from '../../core/values/cut-text.ts'
import type { Of } from './component-shapes.ts'
import { hasEmoji, plainTextIssues } from './plain-text.ts'
import { exampleIssues, placeholderIssues, placementIssues } from './variable-rules.ts'
import { variablesIn } from './variables.ts'

/** Returns the faults that the operator would refuse in a header. */
export function headerIssues(header: Of<'HEADER'>, path: string): Issue[] {
  if (header.format === 'TEXT') return textHeaderIssues(header, path)
  if (header.format === 'LOCATION' || header.format === 'PRODUCT') return []
  return header.example?.header_handle?.length === 1
    ? []
    : [
        {
          path: `${path}.example.header_handle`,
          message: 'Must have one sample: the handle of a resumable upload, or the https address of a file.',
        },
      ]
}

function textHeaderIssues({ text, example }: Of<'HEADER'>, path: string): Issue[] {
  if (text === undefined) return [{ path: `${path}.text`, message: 'Required in a header of format TEXT.' }]
  const issues = placeholderIssues(text, `${path}.text`)
  if (/[\n\r]/.test(text)) issues.push({ path: `${path}.text`, message: 'Must be one line.' })
  issues.push(...plainTextIssues(text.replace(/\{\{.*?\}\}/gs, ''), `${path}.text`))
  if (variablesIn(text).length > 1)
    issues.push({ path: `${path}.text`, message: 'Must have at most one placeholder.' })
  if (issues.length > 0) return issues
  return exampleIssues(text, {
    values: example?.header_text,
    named: example?.header_text_named_params,
    valuesPath: `${path}.example.header_text`,
    namedPath: `${path}.example.header_text_named_params`,
  })
}

/**
 * Returns the faults that the operator would refuse in a body of at most `max` characters. In a verification
 * code's body, placeholders may be anywhere.
 */
export function bodyIssues(
  { text, example }: Of<'BODY'>,
  path: string,
  { max, anyPlace = false }: { max: number; anyPlace?: boolean },
): Issue[] {
  if (text === undefined) return [{ path: `${path}.text`, message: 'Required.' }]
  const issues = placeholderIssues(text, `${path}.text`)
  if (!anyPlace) issues.push(...placementIssues(text, `${path}.text`))
  if (isLonger(text, max))
    issues.push({ path: `${path}.text`, message: `Must be at most ${max} characters here.` })
  if (issues.length > 0) return issues
  return exampleIssues(text, {
    values: example?.body_text?.[0],
    named: example?.body_text_named_params,
    valuesPath: `${path}.example.body_text[0]`,
    namedPath: `${path}.example.body_text_named_params`,
  })
}

export function footerIssues({ text }: Of<'FOOTER'>, path: string): Issue[] {
  if (text === undefined) return [{ path: `${path}.text`, message: 'Required.' }]
  const issues: Issue[] = []
  if (text.includes('{{')) issues.push({ path: `${path}.text`, message: 'Must not contain a placeholder.' })
  if (/[\n\r]/.test(text)) issues.push({ path: `${path}.text`, message: 'Must be one line.' })
  if (hasEmoji(text)) issues.push({ path: `${path}.text`, message: 'Must not contain emoji.' })
  return issues
}
