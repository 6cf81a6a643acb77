import type { Faults } from '../../../../operator/template-components/filled-text.ts'
import { parameterFault } from '../../../../operator/template-components/parameter-text.ts'
import type { TextPart } from '../../../../operator/template-components/parts.ts'
import { isPosition } from '../../../../operator/template-components/variables.ts'

type Value = string | number | null

/** A caller's values: in order, or by name. */
export type CallerValues = Value[] | Record<string, Value>

const placeholder = (name: string): string => `{{${name}}}`

/**
 * Returns one text for each placeholder of `part`, in order. A missing, blank or invalid value is a fault
 * that names the placeholder; so is a value without one (spec 4.2 `variables`).
 */
export function valuesFor(part: TextPart, values: CallerValues, path: string, faults: Faults): string[] {
  reportUnknown(part, values, path, faults)
  return part.variables.map((name, i) => {
    const [value, valuePath] = Array.isArray(values)
      ? [values[i], `${path}[${i}]`]
      : [Object.hasOwn(values, name) ? values[name] : undefined, `${path}.${name}`]
    const missing = value === undefined || value === null
    const text = missing ? '' : String(value)
    const fault = missing ? 'is missing' : parameterFault(text)
    if (fault) faults.issues.push({ path: valuePath, message: `The value of ${placeholder(name)} ${fault}.` })
    return text
  })
}

function reportUnknown(part: TextPart, values: CallerValues, path: string, faults: Faults): void {
  const count = part.variables.length
  const expectation =
    count === 0
      ? 'The template has no placeholder here'
      : `The template has ${part.variables.map(placeholder).join(', ')}`
  if (Array.isArray(values)) {
    if (values.length > count)
      faults.issues.push({ path: `${path}[${count}]`, message: `One value too many. ${expectation}.` })
    return
  }
  for (const name of Object.keys(values))
    if (!part.variables.includes(name))
      faults.issues.push({ path: `${path}.${name}`, message: `Unknown placeholder. ${expectation}.` })
}

/** Returns the operator's parameters of a filled text; named placeholders keep their names. */
export const textParameters = (part: TextPart, values: string[]): Record<string, unknown>[] =>
  part.variables.map((name, i) => ({
    type: 'text',
    ...(isPosition(name) ? {} : { parameter_name: name }),
    text: values[i],
  }))

/** The longest text of a filled template, for other modules that fill one. */
export { FILLED_MAX } from '../../../../operator/template-components/filled-text.ts'
