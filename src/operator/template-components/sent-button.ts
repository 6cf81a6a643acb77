/**
 * Checks the component of a send that fills one button of a template, for faults that the operator would
 * refuse (docs/formats.md section 6.3).
 */
import { isObject, objectsIn } from '../../core/values/storable.ts'
import { CODE_MAX, parameterFault } from './parameter-text.ts'
import type { ButtonPart } from './parts.ts'

type Component = Record<string, unknown>
export type ButtonFault = { field: 'sub_type' | 'parameters'; message: string }

const lower = (value: unknown): string => (typeof value === 'string' ? value.toLowerCase() : '')

/** The kind of a button in a send, by its kind in the template, where they differ. */
const SUB_TYPES: Record<string, string> = { OTP: 'url', PHONE_NUMBER: 'voice_call' }

/** Checks the one parameter of a button; returns why it does not fit. */
type Check = (parameter: Component) => string | undefined

const textFault = (parameter: Component, kind: 'text' | 'payload' | 'coupon_code'): string | undefined =>
  lower(parameter.type) !== kind
    ? `must have one parameter of type ${kind}`
    : typeof parameter[kind] === 'string' && parameter[kind].trim() !== ''
      ? undefined
      : `has a blank ${kind}`

const valueFault: Check = (parameter) => {
  const missing = textFault(parameter, 'text')
  if (missing) return missing
  const fault = parameterFault(String(parameter.text))
  return fault && `has a value that ${fault}`
}

const codeFault: Check = (parameter) => {
  const missing = textFault(parameter, 'coupon_code')
  if (missing) return missing
  const code = String(parameter.coupon_code)
  const fault = code.length > CODE_MAX ? `must be at most ${CODE_MAX} characters` : parameterFault(code)
  return fault && `has a code that ${fault}`
}

const actionFault =
  (fields: readonly string[]): Check =>
  ({ type, action }) => {
    if (lower(type) !== 'action' || !isObject(action)) return 'must have one parameter of type action'
    const missing = fields.find((field) => action[field] === undefined)
    return missing && `has an action without ${missing}`
  }

const CHECKS: Record<string, Check> = {
  URL: valueFault,
  OTP: valueFault,
  QUICK_REPLY: (parameter) => textFault(parameter, 'payload'),
  COPY_CODE: codeFault,
  FLOW: actionFault([]),
  CATALOG: actionFault([]),
  MPM: actionFault(['thumbnail_product_retailer_id', 'sections']),
}

export function buttonFault(button: ButtonPart, value: Component): ButtonFault | undefined {
  const subType = SUB_TYPES[button.type] ?? button.type.toLowerCase()
  if (lower(value.sub_type) !== subType)
    return { field: 'sub_type', message: `must have sub_type ${subType}` }
  const [parameter, ...more] = objectsIn(value.parameters)
  if (!parameter) return undefined
  const fault = (message: string): ButtonFault => ({ field: 'parameters', message })
  if (button.type === 'URL' && button.variables.length === 0)
    return fault('has a fixed address and must not have a parameter')
  if (button.type === 'PHONE_NUMBER') return fault('must not have a parameter')
  const check = CHECKS[button.type]
  if (!check) return undefined
  if (more.length > 0) return fault('must have one parameter')
  const problem = check(parameter)
  return problem === undefined ? undefined : fault(problem)
}
