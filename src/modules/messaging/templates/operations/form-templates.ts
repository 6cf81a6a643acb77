/** Finds the in-chat forms in buttons of templates. */
import type { Context } from '../../../../core/context.ts'
import { objectsIn } from '../../../../core/values/storable.ts'
import { type Component, listFormTemplateRows, type TemplateRow } from '../queries/templates.ts'

/** Returns the operator's id of the form in a button of a template; undefined for none. */
export function formIdOf(components: Component[]): string | undefined {
  const buttons = components.flatMap((component) => objectsIn(component.buttons))
  const id = buttons.find(({ type }) => String(type).toUpperCase() === 'FLOW')?.flow_id
  return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined
}

/** A template with a form in a button, with the operator's id of the form. */
export type FormTemplate = Pick<TemplateRow, 'accountId' | 'name' | 'language'> & { formId: string }

/** Lists the templates of the workspace that have a form in a button. */
export async function listFormTemplates(ctx: Context): Promise<FormTemplate[]> {
  const rows = await listFormTemplateRows(ctx)
  return rows.flatMap(({ components, ...template }) => {
    const formId = formIdOf(components)
    return formId === undefined ? [] : [{ ...template, formId }]
  })
}
