/**
 * Applies an edit at the operator, which reports only texts and the buttons that call or open an address
 * (docs/formats.md section 10). All other parts stay: header files, quick replies, samples of unchanged
 * variables.
 */
import { isDeepStrictEqual } from 'node:util'
import { objectsIn } from '../../../../core/values/storable.ts'
import type { ReportedButton, TemplateEdit } from '../../../../operator/port.ts'
import { variablesIn } from '../../../../operator/template-components/variables.ts'
import type { Component } from '../queries/templates.ts'

const typeOf = ({ type }: Component): string => (typeof type === 'string' ? type.toUpperCase() : '')
const textOf = ({ text }: Component): string => (typeof text === 'string' ? text : '')

/** The order of components. */
const ORDER = ['HEADER', 'BODY', 'FOOTER', 'BUTTONS']

/** Replaces a component's text, and removes its samples if the variables differ. */
function withNewText({ example, ...component }: Component, text: string): Component {
  const hasSameVariables = isDeepStrictEqual(variablesIn(text), variablesIn(textOf(component)))
  return { ...component, text, ...(hasSameVariables && example !== undefined ? { example } : {}) }
}

/** Replaces the text component of `type`; `null`: the template no longer has one. */
function withText(components: Component[], type: string, text: string | null): Component[] {
  const index = components.findIndex((component) => typeOf(component) === type)
  if (index >= 0) {
    const before = components[index]!
    if (text !== null) return components.with(index, withNewText(before, text))
    return typeof before.text === 'string' ? components.toSpliced(index, 1) : components
  }
  if (text === null) return components
  const fresh = type === 'HEADER' ? { type, format: 'TEXT', text } : { type, text }
  const after = components.findIndex((component) => ORDER.indexOf(typeOf(component)) > ORDER.indexOf(type))
  return components.toSpliced(after < 0 ? components.length : after, 0, fresh)
}

/** Returns whether the header is a file or location. It has no text and is never reported, so it stays. */
const hasFileHeader = (components: Component[]): boolean =>
  components.some((component) => typeOf(component) === 'HEADER' && typeof component.text !== 'string')

function reportedAgainButton(
  before: Component | undefined,
  { type, text, url, phoneNumber }: ReportedButton,
): Component {
  const { example, ...rest } = before ?? { type }
  const hasSameVariables = isDeepStrictEqual(
    variablesIn(url ?? ''),
    variablesIn(typeof rest.url === 'string' ? rest.url : ''),
  )
  return {
    ...rest,
    text,
    ...(url === null ? {} : { url }),
    ...(phoneNumber === null ? {} : { phone_number: phoneNumber }),
    ...(hasSameVariables && example !== undefined ? { example } : {}),
  }
}

/**
 * Replaces the buttons of the kinds that the operator reports; other buttons keep their order and positions.
 */
function withButtons(components: Component[], reported: ReportedButton[]): Component[] {
  if (reported.length === 0) return components
  const kinds = new Set(reported.map(({ type }) => type))
  const left = Map.groupBy(reported, ({ type }) => type)
  const index = components.findIndex((component) => typeOf(component) === 'BUTTONS')
  const buttons = objectsIn(components[index]?.buttons).flatMap((button) => {
    if (!kinds.has(typeOf(button))) return [button]
    const next = left.get(typeOf(button))!.shift()
    return next ? [reportedAgainButton(button, next)] : []
  })
  const newButtons = [
    ...buttons,
    ...[...left.values()].flat().map((button) => reportedAgainButton(undefined, button)),
  ]
  return index < 0
    ? [...components, { type: 'BUTTONS', buttons: newButtons }]
    : components.with(index, { ...components[index], buttons: newButtons })
}

/** Returns the components after an edit at the operator. */
export function applyTemplateEdit(
  components: Component[],
  { title, body, footer, buttons }: TemplateEdit,
): Component[] {
  const headed = hasFileHeader(components) ? components : withText(components, 'HEADER', title)
  return withButtons(withText(withText(headed, 'BODY', body), 'FOOTER', footer), buttons)
}
