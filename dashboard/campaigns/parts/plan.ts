/** Handles the draft of a campaign, and the request body built from it. */
import type { Template } from '../../../sdk/api.ts'
import { fieldsOf, type TemplateField, type Values } from '../../inbox/parts/template-fields.ts'
import { isUploaded } from '../../templates/parts/uploaded.ts'
import type { Plan, Preview } from '../queries.ts'
import { type Conditions, definitionOf, NO_CONDITIONS } from './conditions-shape.ts'

/** `list`: chosen contacts, as the API makes them; these pages only keep the list. */
export const AUDIENCES = ['filter', 'segment', 'list'] as const
/** A value from a field of each contact, with the text for contacts without it; empty: they are left out. */
export type Source = { field: string; fallback: string }
export type Sources = Record<string, Source>

/** A template with its values. */
export type Content = {
  template: Template | undefined
  values: Values
  /** The values that come from fields, by the id of the template's field. */
  sources: Sources
}
export const emptyContent = (): Content => ({ template: undefined, values: {}, sources: {} })

export const DECIDERS = ['read', 'replied', 'tapped', 'manual'] as const
export const SAMPLES = [10, 20, 30, 50, 100] as const
/** The choices for the time until the decision, in minutes. */
export const WAITS = [60, 120, 240, 720, 1_440, 2_880] as const
export type TestDraft = { samplePercent: number; decideBy: (typeof DECIDERS)[number]; waitMinutes: number }
/** A campaign compares up to three templates. */
export const MAX_OTHERS = 2
/** Returns the name of a variant by its place, from 0. */
export const variantName = (index: number): string => 'ABC'.charAt(index)

export type Draft = Conditions & {
  name: string
  phoneNumberId: string | undefined
  audience: (typeof AUDIENCES)[number]
  segmentId: string | undefined
  contactIds: string[] | undefined
} & Content & {
    /** Templates to compare with the first one; none for a campaign with one template. */
    others: Content[]
    test: TestDraft
    isConfirmed: boolean
    isKnownOnly: boolean
    followUpOf: string | undefined
  }

export const emptyDraft = (followUpOf?: string): Draft => ({
  name: '',
  phoneNumberId: undefined,
  audience: 'filter',
  ...NO_CONDITIONS,
  segmentId: undefined,
  contactIds: undefined,
  ...emptyContent(),
  others: [],
  test: { samplePercent: 20, decideBy: 'read', waitMinutes: 240 },
  isConfirmed: false,
  isKnownOnly: false,
  followUpOf,
})

function segmentOf(draft: Draft): Plan['segment'] {
  if (draft.audience === 'segment') return draft.segmentId ? { segmentId: draft.segmentId } : {}
  if (draft.audience === 'list') return { contactIds: draft.contactIds ?? [] }
  return definitionOf(draft)
}

/** Returns the component of a button, with its index among the template's buttons. */
const button = (subType: string, index: number, parameter: object) => ({
  type: 'button',
  sub_type: subType,
  index: String(index),
  parameters: [parameter],
})

function couponIndex({ components }: Template): number {
  const parts = components as { type?: string; buttons?: { type?: string }[] }[]
  const buttons = parts.find(({ type }) => type?.toUpperCase() === 'BUTTONS')?.buttons ?? []
  return Math.max(
    0,
    buttons.findIndex(({ type }) => type?.toUpperCase() === 'COPY_CODE'),
  )
}

/** Returns whether a value can come from a field of the contact: files and codes are the same for all. */
export const canBePersonal = ({ kind }: TemplateField): boolean => kind !== 'headerMedia' && kind !== 'coupon'

/** Returns whether every field of the template has its text or its source. */
export const isFilled = (
  template: Template,
  { values, sources }: Pick<Draft, 'values' | 'sources'>,
): boolean => fieldsOf(template).every(({ id }) => sources[id] !== undefined || values[id]?.trim())

const fileOf = (value: string) => (isUploaded(value) ? { id: value } : { link: value })

/** Returns the values of the template in the format of a template send, with the fields of contacts. */
export function componentsOf(
  template: Template,
  values: Values,
  sources: Sources = {},
): Record<string, unknown>[] {
  const fields = fieldsOf(template)
  const isNamed = template.parameterFormat === 'NAMED'
  const contentOf = (id: string) => {
    const source = sources[id]
    if (!source) return { text: values[id] ?? '' }
    const fallback = source.fallback.trim()
    return { field: source.field, ...(fallback ? { fallback } : {}) }
  }
  const textParameter = ({ id, name }: TemplateField) => ({
    type: 'text',
    ...contentOf(id),
    ...(isNamed ? { parameter_name: name } : {}),
  })
  const texts = (kind: TemplateField['kind']) => {
    const kindFields = fields.filter((field) => field.kind === kind)
    return (isNamed ? kindFields : kindFields.toSorted((a, b) => Number(a.name) - Number(b.name))).map(
      textParameter,
    )
  }
  const media = fields.find(({ kind }) => kind === 'headerMedia')
  const header = media
    ? [{ type: media.name, [media.name]: fileOf(values[media.id] ?? '') }]
    : texts('headerText')
  const body = texts('body')
  return [
    ...(header.length > 0 ? [{ type: 'header', parameters: header }] : []),
    ...(body.length > 0 ? [{ type: 'body', parameters: body }] : []),
    ...fields.flatMap(({ kind, id, index = 0 }) => {
      const value = values[id] ?? ''
      if (kind === 'url') return [button('url', index, { type: 'text', ...contentOf(id) })]
      if (kind === 'coupon')
        return [button('copy_code', couponIndex(template), { type: 'coupon_code', coupon_code: value })]
      return []
    }),
  ]
}

/** Returns the values of a draft as one recipient of the preview gets them. */
export function exampleValues(
  template: Template,
  values: Values,
  { values: byPath }: Pick<Preview['examples'][number], 'values'>,
): Values {
  // Each parameter has the id of its field as its text, and thereby shows its path.
  const ids = Object.fromEntries(fieldsOf(template).map(({ id }) => [id, id]))
  const filled = { ...values }
  for (const [i, { parameters }] of componentsOf(template, ids).entries())
    for (const [j, { text }] of (parameters as { text?: string }[]).entries()) {
      const value = byPath[`components[${i}].parameters[${j}]`]
      if (text !== undefined && value !== undefined)
        filled[text] = text.startsWith('url-') ? decodeURIComponent(value) : value
    }
  return filled
}

/** Returns a template and its values for the server. */
function contentOf(template: Template, { values, sources }: Content) {
  const components = componentsOf(template, values, sources)
  return { templateId: template.id, ...(components.length > 0 ? { variables: { components } } : {}) }
}

/** Returns the contents of a draft; undefined until each has a template. */
function contentsOf(draft: Draft) {
  const contents = [draft, ...draft.others].flatMap((content) =>
    content.template ? [contentOf(content.template, content)] : [],
  )
  if (contents.length <= draft.others.length) return undefined
  return draft.others.length > 0 ? { variants: contents, test: draft.test } : contents[0]
}

/** Returns the plan for the server; undefined until it has a number and its templates. */
export function planOf(draft: Draft): Plan | undefined {
  const { phoneNumberId, isConfirmed, isKnownOnly, followUpOf } = draft
  const contents = contentsOf(draft)
  if (!contents || !phoneNumberId) return undefined
  return {
    ...contents,
    phoneNumberId,
    segment: segmentOf(draft),
    ...(isConfirmed ? { confirmNewRecipients: true } : {}),
    ...(isKnownOnly ? { knownOnly: true } : {}),
    ...(followUpOf ? { followUpOf } : {}),
  }
}
