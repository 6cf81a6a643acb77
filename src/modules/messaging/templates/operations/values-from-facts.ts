/** Fills a template from known facts about its subject, instead of a caller's values. */
import { partsOf } from '../../../../operator/template-components/parts.ts'
import { isPosition } from '../../../../operator/template-components/variables.ts'
import type { TemplateRow } from '../queries/templates.ts'
import type { TemplateSend } from '../send-schema.ts'
import { ownTemplate } from './own-template.ts'

export type Facts = {
  /** For placeholders by position, in this order. */
  inOrder: string[]
  /** For placeholders by name. */
  byName: Record<string, string>
  /** For the placeholder of a text header. */
  headline: string
  /** For a header with a document. */
  file: { id: string; filename: string } | undefined
  /** For buttons whose address has a placeholder. */
  urlSuffix: string
}

/** Returns whether the template has a document header. */
export const takesDocument = ({ components }: Pick<TemplateRow, 'components'>): boolean =>
  partsOf(components).header?.format === 'DOCUMENT'

/** Returns the values that the template requires. Missing facts stay absent, so that the send fails. */
export function valuesFromFacts(template: TemplateRow, facts: Facts): TemplateSend {
  const { header, body, buttons } = partsOf(template.components)
  const names = body?.variables ?? []
  const variables = names.every(isPosition)
    ? facts.inOrder.slice(0, names.length)
    : Object.fromEntries(
        names.filter((name) => Object.hasOwn(facts.byName, name)).map((name) => [name, facts.byName[name]!]),
      )
  const open = buttons.filter(({ type, variables: left }) => type === 'URL' && left.length > 0)
  const headed = header?.format === 'TEXT' && header.variables.length > 0
  return ownTemplate(template, {
    ...(names.length > 0 ? { body: variables } : {}),
    ...(headed ? { headline: facts.headline } : {}),
    ...(header?.format === 'DOCUMENT' && facts.file ? { headerMedia: facts.file } : {}),
    buttons: open.map(({ index }) => ({ index, urlSuffix: facts.urlSuffix })),
  })
}
