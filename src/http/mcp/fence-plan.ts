/** Decides for each text of a reply whether it is fenced: everything that is not known to be our own. */
import type { Endpoint } from '../../core/endpoint.ts'
import { isPart, jsonSchemaOf, type Part, resolved } from './json-schemas.ts'
import { FOREIGN_FIELDS, OWN_FIELDS } from './own-fields.ts'

/**
 * The treatment of a value. `text`: its strings are fenced. `fields` and `items`: the plans of the values inside. A value without
 * a plan is fenced as a whole.
 */
export type FencePlan = {
  text: boolean
  fields?: Record<string, FencePlan>
  items?: FencePlan
}

/** Formats that leave no room for words. */
const PLAIN_FORMATS = new Set(['uuid', 'date', 'date-time', 'time', 'duration'])

const isPlain = ({ enum: values, format, ...part }: Part): boolean =>
  values !== undefined || 'const' in part || PLAIN_FORMATS.has(String(format))

/** Values with any keys, which may be texts too. */
const isRecord = ({ type, properties }: Part): boolean => type === 'object' && !isPart(properties)

const mayBeText = ({ type }: Part): boolean => type === undefined || [type].flat().includes('string')

/** Returns the alternatives of a shape, without unions and references. */
function alternativesOf(part: Part, definitions: Part): Part[] {
  const shape = resolved(part, definitions)
  const { anyOf, oneOf, allOf, ...own } = shape
  const inner = [anyOf, oneOf, allOf].flatMap((options) => (options ?? []) as Part[])
  const alternatives = inner.flatMap((option) => alternativesOf(option, definitions))
  return inner.length > 0 && !('type' in own) && !('properties' in own)
    ? alternatives
    : [own, ...alternatives]
}

function planOf(name: string, parts: Part[], definitions: Part): FencePlan {
  if (FOREIGN_FIELDS.has(name)) return { text: true }
  const alternatives = parts.flatMap((part) => alternativesOf(part, definitions))
  const words = alternatives.some((part) => mayBeText(part) && !isPlain(part)) && !OWN_FIELDS.has(name)
  const items = alternatives.map((part) => part.items).filter(isPart)
  const objects = alternatives.map((part) => part.properties).filter(isPart)
  const names = [...new Set(objects.flatMap((properties) => Object.keys(properties)))]
  const fieldPlan = (field: string): FencePlan =>
    planOf(field, objects.map((properties) => properties[field]).filter(isPart), definitions)
  return {
    text: words || alternatives.some(isRecord),
    ...(items.length > 0 ? { items: planOf(name, items, definitions) } : {}),
    ...(names.length > 0
      ? { fields: Object.fromEntries(names.map((field) => [field, fieldPlan(field)])) }
      : {}),
  }
}

/** Returns the plan for the replies of an endpoint. */
export function fencePlanOf(value: Pick<Endpoint, 'replies'>): FencePlan {
  const schemas = Object.values(value.replies).map((reply) => jsonSchemaOf(reply, 'output'))
  const definitions = Object.assign({}, ...schemas.map((schema) => schema.$defs ?? {})) as Part
  return planOf('', schemas, definitions)
}

/** Returns the places of the fenced texts of a plan: `contact.name`, `messages[].text`. */
export function fencedPlaces(plan: FencePlan, place = ''): string[] {
  return [
    ...(plan.text ? [place] : []),
    ...(plan.items ? fencedPlaces(plan.items, `${place}[]`) : []),
    ...Object.entries(plan.fields ?? {}).flatMap(([name, inner]) =>
      fencedPlaces(inner, place === '' ? name : `${place}.${name}`),
    ),
  ]
}
