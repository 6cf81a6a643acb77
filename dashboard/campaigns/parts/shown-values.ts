/** Finds the values with which a page shows the message of a campaign, as its customers receive it. */
import type { Template } from '../../../sdk/api.ts'
import type { Values } from '../../inbox/parts/template-fields.ts'
import { samplesOf } from '../../templates/parts/samples.ts'
import { type Component, contentFrom, type Parameter, textOf, type Variables } from './draft-from.ts'

type Card = { card_index?: number; components?: Component[] }

/** Returns the text of a parameter: of a field, its fallback. Empty without one. */
const shownText = (parameter: Parameter): string => parameter.fallback?.trim() || textOf(parameter)

/** Returns the values of one card by their ids. */
const valuesOfCard = ({ card_index: place = 0, components = [] }: Card): [string, string][] =>
  components.flatMap(({ type, sub_type: subType, index, parameters = [] }) => {
    const id = (name: string) => `card-${place}-${name}`
    if (type.toLowerCase() === 'body')
      return parameters.map((parameter, i): [string, string] => [
        id(`body-${parameter.parameter_name ?? i + 1}`),
        shownText(parameter),
      ])
    if (subType?.toLowerCase() !== 'url' || !parameters[0]) return []
    return [[id(`url-${index}`), shownText(parameters[0])]]
  })

function cardValues(variables: Variables): Values {
  const components = (variables?.components ?? []) as unknown as { type?: string; cards?: Card[] }[]
  const carousel = components.find(({ type }) => type?.toLowerCase() === 'carousel')
  return Object.fromEntries((carousel?.cards ?? []).flatMap(valuesOfCard))
}

/** Returns the values of `more` that have a text, over those of `values`. */
const withTexts = (values: Values, more: Values): Values => ({
  ...values,
  ...Object.fromEntries(Object.entries(more).filter(([, text]) => text.trim() !== '')),
})

/**
 * Returns the values of a campaign for the phone: the same texts for all customers, the fallback of a field, and otherwise the
 * sample of the template, or the name of the field.
 */
export function shownValues(
  template: Template,
  variables: Variables,
  nameOf: (field: string) => string,
): Values {
  const { values, sources } = contentFrom(template, variables)
  const ofFields = (textOfSource: (source: { field: string; fallback: string }) => string): Values =>
    Object.fromEntries(Object.entries(sources).map(([id, source]) => [id, textOfSource(source)]))
  return [samplesOf(template), values, ofFields(({ fallback }) => fallback), cardValues(variables)].reduce(
    withTexts,
    ofFields(({ field }) => `[${nameOf(field)}]`),
  )
}

/** Returns whether the message shows a sample in place of a field without a fallback. */
export const showsSamples = (template: Template, variables: Variables): boolean =>
  Object.values(contentFrom(template, variables).sources).some(({ fallback }) => fallback.trim() === '')
