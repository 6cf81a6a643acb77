/** Handles the draft of a campaign, and the request body built from it. */
import type { Template } from '../../../sdk/api.ts'
import { fieldsOf, type TemplateField, type Values } from '../../inbox/parts/template-fields.ts'
import type { Plan } from '../queries.ts'

export const AUDIENCES = ['filter', 'segment'] as const
export const OPT_INS = ['any', 'opted_in', 'unknown'] as const
export type Draft = {
  name: string
  phoneNumberId: string | undefined
  audience: (typeof AUDIENCES)[number]
  tags: string[]
  excludeTags: string[]
  optIn: (typeof OPT_INS)[number]
  /** Only contacts who wrote within this number of days; empty: at any time. */
  seenDays: string
  segmentId: string | undefined
  template: Template | undefined
  values: Values
  isConfirmed: boolean
  isKnownOnly: boolean
  followUpOf: string | undefined
}

export const emptyDraft = (followUpOf?: string): Draft => ({
  name: '',
  phoneNumberId: undefined,
  audience: 'filter',
  tags: [],
  excludeTags: [],
  optIn: 'any',
  seenDays: '',
  segmentId: undefined,
  template: undefined,
  values: {},
  isConfirmed: false,
  isKnownOnly: false,
  followUpOf,
})

function segmentOf(draft: Draft): Plan['segment'] {
  if (draft.audience === 'segment') return draft.segmentId ? { segmentId: draft.segmentId } : {}
  const days = Number.parseInt(draft.seenDays, 10)
  return {
    ...(draft.tags.length > 0 ? { tags: draft.tags } : {}),
    ...(draft.excludeTags.length > 0 ? { excludeTags: draft.excludeTags } : {}),
    ...(draft.optIn === 'any' ? {} : { optInStatus: draft.optIn }),
    ...(days > 0 ? { lastSeenWithinDays: days } : {}),
  }
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

/** Returns the values of the template in the format of a template send. */
export function componentsOf(template: Template, values: Values): Record<string, unknown>[] {
  const fields = fieldsOf(template)
  const isNamed = template.parameterFormat === 'NAMED'
  const textParameter = ({ id, name }: TemplateField) => ({
    type: 'text',
    text: values[id] ?? '',
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
    ? [{ type: media.name, [media.name]: { link: values[media.id] ?? '' } }]
    : texts('headerText')
  const body = texts('body')
  return [
    ...(header.length > 0 ? [{ type: 'header', parameters: header }] : []),
    ...(body.length > 0 ? [{ type: 'body', parameters: body }] : []),
    ...fields.flatMap(({ kind, id, index = 0 }) => {
      const value = values[id] ?? ''
      if (kind === 'url') return [button('url', index, { type: 'text', text: value })]
      if (kind === 'coupon')
        return [button('copy_code', couponIndex(template), { type: 'coupon_code', coupon_code: value })]
      return []
    }),
  ]
}

/** Returns the plan for the server; undefined until it has a number and a template. */
export function planOf(draft: Draft): Plan | undefined {
  const { template, phoneNumberId, values, isConfirmed, isKnownOnly, followUpOf } = draft
  if (!template || !phoneNumberId) return undefined
  const components = componentsOf(template, values)
  return {
    templateId: template.id,
    phoneNumberId,
    segment: segmentOf(draft),
    ...(components.length > 0 ? { variables: { components } } : {}),
    ...(isConfirmed ? { confirmNewRecipients: true } : {}),
    ...(isKnownOnly ? { knownOnly: true } : {}),
    ...(followUpOf ? { followUpOf } : {}),
  }
}
