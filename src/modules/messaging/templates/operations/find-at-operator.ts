import type { OutsideContext } from '../../../../core/context.ts'
import type { Answered, OperatorNumber, OperatorTemplate } from '../../../../operator/port.ts'
import { languageCode } from '../schema.ts'

/**
 * The maximum of pages to read by name: an account has at most 6,000 templates (docs/formats.md section 6.1).
 */
const MAX_PAGES = 70

/**
 * Returns the operator's template of a name and language, which shows whether a submission or deletion
 * arrived.
 */
export async function findAtOperator(
  { outside }: OutsideContext,
  number: OperatorNumber,
  { name, language }: { name: string; language: string },
): Promise<Answered<OperatorTemplate | undefined>> {
  let after: string | null = null
  for (let page = 0; page < MAX_PAGES; page++) {
    const answered = await outside.operator.listTemplates(number, { after, name })
    if (answered.kind !== 'done') return answered
    const found = answered.value.templates.find(
      (template) => template.name === name && languageCode(template.language) === language,
    )
    after = answered.value.after
    if (found || after === null) return { kind: 'done', value: found }
  }
  return { kind: 'unknown', reason: `the list of templates has more than ${MAX_PAGES} pages` }
}
