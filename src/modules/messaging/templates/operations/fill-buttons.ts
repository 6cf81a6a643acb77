import { CODE_MAX, parameterFault } from '../../../../operator/template-components/parameter-text.ts'
import type { ButtonPart, TemplateParts } from '../../../../operator/template-components/parts.ts'
import type { Component } from '../queries/templates.ts'
import type { ButtonValues, CardValues } from '../send-schema.ts'
import type { Filling } from './fill-template.ts'

/** Builds the parameters of a button; undefined if it needs none. */
type Fill = (
  button: ButtonPart,
  values: ButtonValues | undefined,
  fault: (reason: string) => void,
) => Component[] | undefined

/** The values of each kind of button. Other kinds take none. */
const buttonKinds: Record<string, { fields: readonly (keyof ButtonValues)[]; subType: string; fill: Fill }> =
  {
    URL: { fields: ['urlSuffix'], subType: 'url', fill: urlParameters },
    QUICK_REPLY: {
      fields: ['payload'],
      subType: 'quick_reply',
      fill: (_, values) =>
        values?.payload === undefined ? undefined : [{ type: 'payload', payload: values.payload }],
    },
    FLOW: { fields: ['flowToken', 'flowData'], subType: 'flow', fill: flowParameters },
    CATALOG: {
      fields: ['productRetailerId'],
      subType: 'catalog',
      fill: (_, values) =>
        values?.productRetailerId === undefined
          ? undefined
          : actionParameter(thumbnail(values.productRetailerId)),
    },
    MPM: { fields: ['productRetailerId', 'sections'], subType: 'mpm', fill: productsParameters },
  }

const actionParameter = (value: Component): Component[] => [{ type: 'action', action: value }]
const thumbnail = (id: string): Component => ({ thumbnail_product_retailer_id: id })

const component = (button: ButtonPart, subType: string, parameters: Component[]): Component => ({
  type: 'button',
  sub_type: subType,
  index: String(button.index),
  parameters,
})

/** Returns the button components that each send must fill, and those with values. */
export function buttonComponents(parts: TemplateParts, values: CardValues, filling: Filling): Component[] {
  const { at, faults } = filling
  const valuesByIndex = new Map(values.buttons?.map((button, place) => [button.index, { button, place }]))
  for (const [index, { place }] of valuesByIndex)
    if (parts.buttons[index] === undefined)
      faults.issues.push({
        path: `${at}.buttons[${place}].index`,
        message: `Must be a button of the template. It has ${parts.buttons.length} buttons, counted from 0.`,
      })
  return [
    ...couponComponents(parts, values, filling),
    ...parts.buttons.flatMap((button) => {
      const { button: buttonValues, place } = valuesByIndex.get(button.index) ?? {}
      const path = place === undefined ? `${at}.buttons` : `${at}.buttons[${place}]`
      const addFault = (reason: string) =>
        faults.issues.push({
          path,
          message: `Button ${button.index} (${button.text || button.type}) ${reason}.`,
        })
      const kind = buttonKinds[button.type]
      for (const field of Object.keys(buttonValues ?? {}) as (keyof ButtonValues)[])
        if (field !== 'index' && !kind?.fields.includes(field)) addFault(`must not have ${field}`)
      const parameters = kind?.fill(button, buttonValues, addFault)
      return kind && parameters ? [component(button, kind.subType, parameters)] : []
    }),
  ]
}

function urlParameters(
  button: ButtonPart,
  values: ButtonValues | undefined,
  fault: (reason: string) => void,
) {
  const suffix = values?.urlSuffix
  if (button.variables.length === 0) {
    if (suffix !== undefined) fault('has a fixed address: leave out urlSuffix')
    return undefined
  }
  if (suffix === undefined) {
    fault(`must have urlSuffix for {{${button.variables[0]}}} of its address`)
    return undefined
  }
  const reason = parameterFault(suffix)
  if (reason) fault(`has a urlSuffix that ${reason}`)
  return [{ type: 'text', text: suffix }]
}

/** Returns full components with a token for each form button that has none: the operator requires one. */
export function withForms({ buttons }: TemplateParts, components: Component[]): Component[] {
  const isOf =
    ({ index }: ButtonPart) =>
    ({ type, sub_type: subType, index: place }: Component) =>
      String(type).toLowerCase() === 'button' &&
      String(subType).toLowerCase() === 'flow' &&
      Number(place) === index
  const missing = buttons.filter((button) => button.type === 'FLOW' && !components.some(isOf(button)))
  return [
    ...components,
    ...missing.map((button) => component(button, 'flow', flowParameters(button, undefined))),
  ]
}

function flowParameters(_: ButtonPart, values: ButtonValues | undefined): Component[] {
  // The operator requires a token even if it is not used.
  return actionParameter({ flow_token: values?.flowToken ?? 'unused', flow_action_data: values?.flowData })
}

function productsParameters(
  _: ButtonPart,
  values: ButtonValues | undefined,
  fault: (reason: string) => void,
) {
  if (values?.sections === undefined || values.productRetailerId === undefined) {
    fault('must have sections and productRetailerId')
    return undefined
  }
  return actionParameter({
    ...thumbnail(values.productRetailerId),
    sections: values.sections.map(({ title, productRetailerIds }) => ({
      title,
      product_items: productRetailerIds.map((id) => ({ product_retailer_id: id })),
    })),
  })
}

/**
 * The coupon code belongs to the button that copies it, at that button's index (docs/formats.md section 17).
 */
function couponComponents(parts: TemplateParts, values: CardValues, { at, faults }: Filling): Component[] {
  const button = parts.buttons.find((button) => button.type === 'COPY_CODE')
  const code = values.couponCode
  const path = `${at}.couponCode`
  if (button === undefined) {
    if (code !== undefined)
      faults.issues.push({
        path,
        message: 'Must be left out: the template has no button that copies a code.',
      })
    return []
  }
  if (code === undefined || code.trim() === '') {
    faults.issues.push({ path, message: 'Required for the copy-code button.' })
    return []
  }
  const reason = code.length > CODE_MAX ? `must be at most ${CODE_MAX} characters` : parameterFault(code)
  if (reason) faults.issues.push({ path, message: `The code ${reason}.` })
  return [component(button, 'copy_code', [{ type: 'coupon_code', coupon_code: code }])]
}

/**
 * Puts a verification code into the button that copies or fills it in; in the operator's format this is a URL
 * button.
 */
export const codeButtons = (parts: TemplateParts, code: string): Component[] =>
  parts.buttons
    .filter((button) => button.type === 'OTP' || button.type === 'URL')
    .slice(0, 1)
    .map((button) => component(button, 'url', [{ type: 'text', text: code }]))
