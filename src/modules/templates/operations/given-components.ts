/** Checks the components of a template send that were given in full against the template (spec 4.2, docs/formats.md section 6.3). */
import { isObject, objectsIn } from '../../../core/storable.ts'
import { HEADER_MAX, parameterFault } from '../../../operator/template-components/parameter-text.ts'
import {
  type ButtonPart,
  type HeaderPart,
  MEDIA_FORMATS,
  type TemplateParts,
  type TextPart,
} from '../../../operator/template-components/parts.ts'
import { isPosition } from '../../../operator/template-components/variables.ts'
import type { Component } from '../queries/templates.ts'
import { bodyMaxOf, checkFilled, type Faults, filled } from './template-values.ts'

const lower = (value: unknown): string => (typeof value === 'string' ? value.toLowerCase() : '')

type At = { path: string; faults: Faults }
type Located = { value: Component; path: string }
const isEmpty = ({ value }: Located): boolean => objectsIn(value.parameters).length === 0

/** Collects what the operator would refuse; answers the body as the customer reads it. */
export function checkComponents(parts: TemplateParts, components: Component[], { path, faults }: At): string {
  const located = components.map((value, i) => ({ value, path: `${path}[${i}]` }))
  const kinds = new Set<string>()
  for (const { value, path: own } of located) {
    const type = lower(value.type)
    if (!['header', 'body', 'button', 'limited_time_offer', 'carousel'].includes(type))
      faults.issues.push({
        path: `${own}.type`,
        message: 'must be header, body, button, limited_time_offer or carousel',
      })
    else if (type !== 'button' && kinds.has(type))
      faults.issues.push({ path: own, message: `is a second ${type} component` })
    kinds.add(type)
  }
  const find = (type: string): Located | undefined => located.find(({ value }) => lower(value.type) === type)
  checkHeader(parts.header, find('header'), { path, faults })
  const offer = find('limited_time_offer')
  if (parts.expiringOffer && !offer)
    faults.issues.push({ path, message: 'the limited_time_offer component is missing' })
  if (parts.expiringOffer && offer && isEmpty(offer))
    faults.issues.push({ path: `${offer.path}.parameters`, message: 'the end of the offer is missing' })
  checkButtons(
    parts.buttons,
    located.filter(({ value }) => lower(value.type) === 'button'),
    { path, faults },
  )
  checkCards(parts.cards, find('carousel'), { path, faults })
  const body = find('body')
  const text = checkTexts(parts.body ?? { text: '', variables: [] }, body, 'body', { path, faults })
  checkFilled(text, bodyMaxOf(parts), { path: body?.path ?? path, faults, part: 'body' })
  return text
}

function checkHeader(part: HeaderPart | undefined, given: Located | undefined, { path, faults }: At): void {
  if (!part || part.format === 'TEXT') {
    const text = checkTexts(part ?? { text: '', variables: [] }, given, 'header', { path, faults })
    checkFilled(text, HEADER_MAX, { path: given?.path ?? path, faults, part: 'header' })
    return
  }
  const kind = part.format.toLowerCase()
  const [parameter] = objectsIn(given?.value.parameters)
  if (parameter && lower(parameter.type) === kind && isObject(parameter[kind])) return
  const isMedia = MEDIA_FORMATS.some((format) => format === part.format)
  const issue = { path: given?.path ?? path, message: `the header needs one parameter of type ${kind}` }
  if (isMedia && !parameter) faults.mediaRequired.push(issue)
  else faults.issues.push(issue)
}

/** A text's parameters: as many as placeholders, none blank. */
function checkTexts(part: TextPart, given: Located | undefined, kind: string, { path, faults }: At): string {
  const parameters = objectsIn(given?.value.parameters)
  const own = given ? `${given.path}.parameters` : path
  if (parameters.length !== part.variables.length)
    faults.issues.push({
      path: own,
      message: `the ${kind} has ${part.variables.length} placeholders, ${parameters.length} parameters were given`,
    })
  const named = part.variables.some((name) => !isPosition(name))
  const values = part.variables.map((name, i) => {
    const at = named
      ? parameters.findIndex((one) => one.parameter_name === name)
      : parameters.length > i
        ? i
        : -1
    if (at < 0) {
      if (named || parameters.length === 0)
        faults.issues.push({ path: own, message: `the value of {{${name}}} is missing` })
      return ''
    }
    const text = textOf(parameters[at]!)
    const fault = parameterFault(text)
    if (fault) faults.issues.push({ path: `${own}[${at}]`, message: `the value of {{${name}}} ${fault}` })
    return text
  })
  return filled(part, values)
}

/** What stands for the placeholder: a text, or what older clients show of an amount or a date. */
function textOf(parameter: Component): string {
  const kind = lower(parameter.type)
  const value = kind === 'text' ? parameter.text : parameter[kind]
  if (isObject(value)) return typeof value.fallback_value === 'string' ? value.fallback_value : ''
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

/** Names of a button's kind in a send, by its kind in the template; OTP buttons are sent as url. */
const subTypes: Record<string, string> = { OTP: 'url', PHONE_NUMBER: 'voice_call' }
const isRequired = (button: ButtonPart): boolean =>
  (button.type === 'URL' && button.variables.length > 0) || ['OTP', 'COPY_CODE', 'MPM'].includes(button.type)

function checkButtons(buttons: ButtonPart[], given: Located[], { path, faults }: At): void {
  const seen = new Set<number>()
  for (const one of given) {
    const { value, path: own } = one
    const index = Number(value.index ?? Number.NaN)
    const button = buttons[index]
    if (!button || seen.has(index)) {
      faults.issues.push({
        path: `${own}.index`,
        message: `must name one of the template's ${buttons.length} buttons, counted from 0, each once`,
      })
      continue
    }
    seen.add(index)
    const subType = subTypes[button.type] ?? button.type.toLowerCase()
    if (lower(value.sub_type) !== subType)
      faults.issues.push({
        path: `${own}.sub_type`,
        message: `button ${index} (${button.text || button.type}) is of kind ${subType}`,
      })
    else if (isRequired(button) && isEmpty(one))
      faults.issues.push({
        path: `${own}.parameters`,
        message: `the value of button ${index} (${button.text || button.type}) is missing`,
      })
  }
  for (const button of buttons.filter((one) => isRequired(one) && !seen.has(one.index)))
    faults.issues.push({
      path,
      message: `the component of button ${button.index} (${button.text || button.type}) is missing`,
    })
}

function checkCards(cards: TemplateParts[], carousel: Located | undefined, { path, faults }: At): void {
  const given = objectsIn(carousel?.value.cards)
  const own = carousel ? `${carousel.path}.cards` : path
  if (given.length !== cards.length) {
    faults.issues.push({
      path: own,
      message: `the carousel has ${cards.length} cards, ${given.length} were given`,
    })
    return
  }
  for (const [i, card] of cards.entries())
    checkComponents(card, objectsIn(given[i]?.components), { path: `${own}[${i}].components`, faults })
}
