/** Checks the Flow JSON of a form as the operator does, in the rules that designs break most. */
import { isObject, objectsIn, textOrNull } from '../../core/values/storable.ts'

type Found = { version: string; faults: Record<string, unknown>[] }

const SCREEN_ID = /^[A-Za-z_]+$/
/** The operator's limits of labels by component, in characters. */
const LABELS: Record<string, number> = {
  TextInput: 20,
  TextArea: 20,
  Dropdown: 20,
  RadioButtonsGroup: 30,
  CheckboxGroup: 30,
  DatePicker: 40,
  OptIn: 120,
  Footer: 35,
}

const fault = (error: string, message: string): Record<string, unknown> => ({
  error,
  error_type: 'FLOW_JSON_ERROR',
  message,
  line_start: 1,
  line_end: 1,
  column_start: 1,
  column_end: 1,
})

/** Returns the version and the errors of a form's JSON text. A form without one has no screens yet. */
export function parseFlowJson(text: unknown): Found {
  let flow: unknown
  try {
    flow = JSON.parse(typeof text === 'string' ? text : '{}')
  } catch {
    return { version: '7.0', faults: [fault('INVALID_JSON', 'The file is not valid JSON.')] }
  }
  const { version, screens } = isObject(flow) ? flow : {}
  const faults: Record<string, unknown>[] = []
  const raise = (error: string, message: string) => faults.push(fault(error, message))
  if (textOrNull(version) === null) raise('MISSING_REQUIRED_PROPERTY', 'The property "version" is required.')
  const listed = objectsIn(screens)
  if (listed.length === 0) raise('MISSING_REQUIRED_PROPERTY', 'The form has no screens.')
  if (listed.length > 0 && !listed.some((screen) => screen.terminal === true))
    raise('MISSING_TERMINAL_SCREEN', 'One screen must be terminal.')
  const ids = listed.map((screen) => String(screen.id))
  for (const [i, screen] of listed.entries()) checkScreen(screen, ids.indexOf(ids[i]!) < i, ids, raise)
  return { version: textOrNull(version) ?? '7.0', faults }
}

function checkScreen(
  screen: Record<string, unknown>,
  isRepeated: boolean,
  ids: string[],
  raise: (error: string, message: string) => void,
): void {
  const id = String(screen.id)
  if (isRepeated) raise('DUPLICATE_SCREEN_IDS', `The screen id ${id} is not unique.`)
  if (!SCREEN_ID.test(id))
    raise('INVALID_PROPERTY_VALUE', `The screen id ${id} may hold letters and underscores only.`)
  const names = new Set<string>()
  for (const component of componentsIn(screen.layout)) {
    const type = String(component.type)
    const max = LABELS[type]
    const label = textOrNull(component.label) ?? ''
    if (max !== undefined && label.length > max)
      raise('INVALID_PROPERTY_VALUE', `The label of ${type} in ${id} is longer than ${max} characters.`)
    const name = textOrNull(component.name)
    if (name !== null && names.has(name))
      raise('DUPLICATE_FORM_COMPONENT_NAMES', `The name ${name} is not unique.`)
    if (name !== null) names.add(name)
    const action = component['on-click-action']
    const next = isObject(action) && isObject(action.next) ? String(action.next.name) : undefined
    if (next !== undefined && !ids.includes(next)) raise('INVALID_NAVIGATION', `There is no screen ${next}.`)
  }
}

/** Returns every component of a layout, at any depth. */
const componentsIn = (layout: unknown): Record<string, unknown>[] =>
  isObject(layout) ? objectsIn(layout.children).flatMap((child) => [child, ...componentsIn(child)]) : []
