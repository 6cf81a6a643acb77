import { isObject, objectsIn } from '../../storable.ts'
import type { TakenMessage } from '../director.ts'
import { type GraphAnswer, graphError } from '../graph-errors.ts'
import { objectParameter } from '../request-body.ts'
import type { SimulatedObject } from '../store.ts'

/** Why a template message cannot be sent: the template is missing or not fit, or its body's parameters are not as many. */
export function templateRefusal(
  template: SimulatedObject | undefined,
  { content }: TakenMessage,
): GraphAnswer | undefined {
  if (template === undefined || template.value.status === 'REJECTED' || template.value.status === 'PENDING')
    return graphError(132001, '(#132001) Template name does not exist in the translation', {
      status: 404,
      details: 'template name does not exist in the language, or it is not approved',
    })
  if (template.value.status === 'PAUSED')
    return graphError(132015, '(#132015) Template is Paused', {
      details: 'Template is paused due to low quality',
    })
  if (template.value.status === 'DISABLED')
    return graphError(132016, '(#132016) Template is Disabled', { details: 'Template is disabled' })
  const expected = variablesIn(bodyOf(objectsIn(template.value.components)))
  const given = objectsIn(bodyOf(objectsIn(objectParameter(content)?.components))?.parameters).length
  if (expected !== given)
    return graphError(132000, '(#132000) Number of parameters does not match the expected number of params', {
      details: `body: number of localizable_params (${given}) does not match the expected number of params (${expected})`,
    })
  return undefined
}

const bodyOf = (components: Record<string, unknown>[]): Record<string, unknown> | undefined =>
  components.find(({ type }) => typeof type === 'string' && type.toLowerCase() === 'body')

// The operator writes the body of a one-time password itself, with the code as its variable.
function variablesIn(body: Record<string, unknown> | undefined): number {
  if (!isObject(body)) return 0
  if (typeof body.text !== 'string') return 1
  return new Set(body.text.match(/\{\{\s*\w+\s*\}\}/g)).size
}
