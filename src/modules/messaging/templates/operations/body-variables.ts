import { partsOf } from '../../../../operator/template-components/parts.ts'
import type { TemplateRow } from '../queries/templates.ts'

/** Returns the placeholder names of a template's body, in order. */
export const bodyVariables = ({ components }: Pick<TemplateRow, 'components'>): string[] =>
  partsOf(components).body?.variables ?? []
