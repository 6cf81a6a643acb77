/**
 * Checks the full components of a template send against the template (spec 4.2, docs/formats.md section 6.3).
 */
import { isObject, objectsIn } from '../../core/values/storable.ts'
import { bodyMaxOf, checkFilled, type Faults, filled } from './filled-text.ts'
import { CODE_MAX, HEADER_MAX, parameterFault } from './parameter-text.ts'
import {
  type ButtonPart,
  type HeaderPart,
  MEDIA_FORMATS,
  type TemplateParts,
  type TextPart,
} from './parts.ts'
import { buttonFault } from './sent-button.ts'
import { isPosition } from './variables.ts'

type Component = Record<string, unknown>

const lower = (value: unknown): string => (typeof value === 'string' ? value.toLowerCase() : '')

type FaultTarget = { path: string; faults: Faults }
/** `now` is the sender's time; `verification`: the only value is a code. */
export type CheckOptions = FaultTarget & { now: Date; verification?: boolean }
type LocatedComponent = { value: Component; path: string }

/**
 * Collects the faults that the operator would refuse, and returns the body as the customer reads it. The same
 * rules apply to plain values that fill a template.
 */
export function checkComponents(
  parts: TemplateParts,
  components: Component[],
  checking: CheckOptions,
): string {
  const { path, faults, now, verification = false } = checking
  const located = components.map((value, i) => ({ value, path: `${path}[${i}]` }))
  const kinds = new Set<string>()
  for (const { value, path: own } of located) {
    const type = lower(value.type)
    if (!['header', 'body', 'button', 'limited_time_offer', 'carousel'].includes(type))
      faults.issues.push({
        path: `${own}.type`,
        message: 'Must be header, body, button, limited_time_offer, or carousel.',
      })
    else if (type !== 'button' && kinds.has(type))
      faults.issues.push({ path: own, message: `Must be the only ${type} component.` })
    kinds.add(type)
  }
  const find = (type: string): LocatedComponent | undefined =>
    located.find(({ value }) => lower(value.type) === type)
  checkHeader(parts.header, find('header'), { path, faults })
  const offer = find('limited_time_offer')
  if (parts.expiringOffer && !offer)
    faults.issues.push({ path, message: 'Required: the limited_time_offer component.' })
  if (offer) checkOffer(parts.expiringOffer, offer, { faults, now })
  checkButtons(
    parts.buttons,
    located.filter(({ value }) => lower(value.type) === 'button'),
    { path, faults },
  )
  checkCards(parts.cards, find('carousel'), checking)
  const body = find('body')
  const text = checkTexts(parts.body ?? { text: '', variables: [] }, body, 'body', { path, faults })
  checkFilled(text, bodyMaxOf(parts), { path: body?.path ?? path, faults, part: 'body' })
  if (verification) checkCode(located, { path, faults })
  return text
}

/** A verification code must be the same in the body and on its copy button. */
function checkCode(located: LocatedComponent[], { path, faults }: FaultTarget): void {
  const parts = located.filter(({ value }) => ['body', 'button'].includes(lower(value.type)))
  const codes = parts.flatMap(({ value }) => objectsIn(value.parameters).slice(0, 1).map(textOf))
  if (codes.some((code) => code.length > CODE_MAX))
    faults.issues.push({ path, message: `A verification code can have at most ${CODE_MAX} characters.` })
  if (new Set(codes).size > 1)
    faults.issues.push({ path, message: 'The code must be the same in the body and on the button.' })
}

/** Checks the end of a limited-time offer, if the template has one. */
function checkOffer(
  expires: boolean,
  { value, path }: LocatedComponent,
  { faults, now }: Pick<CheckOptions, 'faults' | 'now'>,
): void {
  if (!expires) {
    faults.issues.push({
      path,
      message: 'Must be left out: the template has no limited-time offer that expires.',
    })
    return
  }
  const [parameter] = objectsIn(value.parameters)
  const offer = parameter?.limited_time_offer
  const ends = isObject(offer) ? Number(offer.expiration_time_ms ?? Number.NaN) : Number.NaN
  if (Number.isNaN(ends))
    faults.issues.push({ path: `${path}.parameters`, message: 'Required: the end of the offer.' })
  else if (ends <= now.getTime())
    faults.issues.push({ path: `${path}.parameters`, message: 'The end of the offer must be in the future.' })
}

function checkHeader(
  part: HeaderPart | undefined,
  component: LocatedComponent | undefined,
  { path, faults }: FaultTarget,
): void {
  if (!part || part.format === 'TEXT') {
    const text = checkTexts(part ?? { text: '', variables: [] }, component, 'header', { path, faults })
    checkFilled(text, HEADER_MAX, { path: component?.path ?? path, faults, part: 'header' })
    return
  }
  const kind = part.format.toLowerCase()
  const [parameter, ...more] = objectsIn(component?.value.parameters)
  if (parameter && more.length === 0 && lower(parameter.type) === kind && isObject(parameter[kind])) return
  const isMedia = MEDIA_FORMATS.some((format) => format === part.format)
  const issue = {
    path: component?.path ?? path,
    message: `The header must have one parameter of type ${kind}.`,
  }
  if (isMedia && !parameter) faults.mediaRequired.push(issue)
  else faults.issues.push(issue)
}

/** Checks a text's parameters: one for each placeholder, none blank. Returns the filled text. */
function checkTexts(
  part: TextPart,
  component: LocatedComponent | undefined,
  kind: string,
  { path, faults }: FaultTarget,
): string {
  const parameters = objectsIn(component?.value.parameters)
  const own = component ? `${component.path}.parameters` : path
  if (parameters.length !== part.variables.length)
    faults.issues.push({
      path: own,
      message: `The ${kind} must have ${part.variables.length} parameters, one for each placeholder. It has ${parameters.length}.`,
    })
  const named = part.variables.some((name) => !isPosition(name))
  for (const [i, { parameter_name: name }] of parameters.entries())
    if (name !== undefined && !part.variables.some((variable) => variable === name))
      faults.issues.push({
        path: `${own}[${i}].parameter_name`,
        message: `Must be a placeholder of the ${kind}.`,
      })
  const values = part.variables.map((name, i) => {
    const index = named
      ? parameters.findIndex((parameter) => parameter.parameter_name === name)
      : parameters.length > i
        ? i
        : -1
    if (index < 0) {
      if (named || parameters.length === 0)
        faults.issues.push({ path: own, message: `The value of {{${name}}} is missing.` })
      return ''
    }
    const text = textOf(parameters[index]!)
    const fault = parameterFault(text)
    if (fault) faults.issues.push({ path: `${own}[${index}]`, message: `The value of {{${name}}} ${fault}.` })
    return text
  })
  return filled(part, values)
}

/**
 * Returns the text for a placeholder: a text, or the fallback that older clients show for an amount or a
 * date.
 */
function textOf(parameter: Component): string {
  const kind = lower(parameter.type)
  if (!['text', 'currency', 'date_time'].includes(kind)) return ''
  const value = kind === 'text' ? parameter.text : parameter[kind]
  if (isObject(value)) return typeof value.fallback_value === 'string' ? value.fallback_value : ''
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

const isRequired = (button: ButtonPart): boolean =>
  (button.type === 'URL' && button.variables.length > 0) || ['OTP', 'COPY_CODE', 'MPM'].includes(button.type)

const nameOf = (button: ButtonPart): string => `button ${button.index} (${button.text || button.type})`

function checkButtons(
  buttons: ButtonPart[],
  components: LocatedComponent[],
  { path, faults }: FaultTarget,
): void {
  const indexes = new Set<number>()
  for (const { value, path: own } of components) {
    const index = Number(value.index ?? Number.NaN)
    const button = buttons[index]
    if (!button || indexes.has(index)) {
      faults.issues.push({
        path: `${own}.index`,
        message: `Must be one of the template's ${buttons.length} buttons, counted from 0, each once.`,
      })
      continue
    }
    indexes.add(index)
    const fault = buttonFault(button, value)
    if (fault)
      faults.issues.push({
        path: `${own}.${fault.field}`,
        message: `The ${nameOf(button)} ${fault.message}.`,
      })
    else if (isRequired(button) && objectsIn(value.parameters).length === 0)
      faults.issues.push({ path: `${own}.parameters`, message: `The value of ${nameOf(button)} is missing.` })
  }
  for (const button of buttons.filter((button) => isRequired(button) && !indexes.has(button.index)))
    faults.issues.push({ path, message: `The component of ${nameOf(button)} is missing.` })
}

function checkCards(
  cards: TemplateParts[],
  carousel: LocatedComponent | undefined,
  checking: CheckOptions,
): void {
  const { path, faults } = checking
  const cardValues = objectsIn(carousel?.value.cards)
  const own = carousel ? `${carousel.path}.cards` : path
  if (cardValues.length !== cards.length) {
    faults.issues.push({
      path: own,
      message: `Must have ${cards.length} cards, like the template. It has ${cardValues.length}.`,
    })
    return
  }
  const places = new Set<unknown>()
  for (const [i, cardValue] of cardValues.entries()) {
    const place = cardValue.card_index === undefined ? i : Number(cardValue.card_index)
    const card = cards[place]
    if (!card || places.has(place)) {
      faults.issues.push({
        path: `${own}[${i}].card_index`,
        message: `Must be one of the ${cards.length} cards, counted from 0, each once.`,
      })
      continue
    }
    places.add(place)
    checkComponents(card, objectsIn(cardValue.components), { ...checking, path: `${own}[${i}].components` })
  }
}
