/** Builds the draft of a campaign from an existing one: its copy, or its follow-up. */
import type { Broadcast, Segment, Template } from '../../../sdk/api.ts'
import { createBroadcastLimits } from '../../../sdk/limits.ts'
import { fieldsOf, isOnlyByApi } from '../../inbox/parts/template-fields.ts'
import { t } from '../texts.ts'
import { savedSegmentOf } from './audience-summary.ts'
import { conditionsOf, type Definition } from './conditions-shape.ts'
import { type Content, componentsOf, type Draft, emptyContent, emptyDraft } from './plan.ts'

export type Variables = Broadcast['variables']
export type Parameter = {
  type?: string
  text?: string
  field?: string
  fallback?: string
  coupon_code?: string
  parameter_name?: string
} & Record<string, unknown>
export type Component = { type: string; sub_type?: string; index?: string | number; parameters?: Parameter[] }

/** Returns the link to a file, or the id of an uploaded one. */
function fileOf({ type = '', ...rest }: Parameter): string | undefined {
  const file = rest[type] as { link?: string; id?: string } | undefined
  return file?.link ?? file?.id
}
export const textOf = (parameter: Parameter): string =>
  parameter.text ?? parameter.coupon_code ?? fileOf(parameter) ?? ''
const placeOf = ({ type, sub_type = '', index = '' }: Component): string => `${type} ${sub_type} ${index}`

/** Returns a template with the values that a campaign has for it. */
export function contentFrom(template: Template, variables: Variables): Content {
  // Each parameter has the id of its field as its text, and thereby shows where the values are.
  const ids = Object.fromEntries(fieldsOf(template).map(({ id }) => [id, id]))
  const stored = new Map(
    ((variables?.components ?? []) as Component[]).map((component) => [placeOf(component), component]),
  )
  const content: Content = { ...emptyContent(), template }
  for (const component of componentsOf(template, ids) as Component[]) {
    const parameters = stored.get(placeOf(component))?.parameters ?? []
    for (const [i, parameter] of (component.parameters ?? []).entries()) {
      const { parameter_name: name } = parameter
      const found = name ? parameters.find((other) => other.parameter_name === name) : parameters[i]
      if (!found) continue
      const id = textOf(parameter)
      if (found.field) content.sources[id] = { field: found.field, fallback: found.fallback ?? '' }
      else content.values[id] = textOf(found)
    }
  }
  return content
}

type Stored = { templateId: string; variables: Variables }

/** Returns the contents of a campaign; without a template that is no longer approved. */
function contentsOf(
  { test, templateId, variables }: Broadcast,
  templates: readonly Template[],
): Pick<Draft, 'others'> & Content {
  const stored: readonly Stored[] = test?.variants ?? [{ templateId, variables }]
  const [first = emptyContent(), ...others] = stored.map((content) => {
    const template = templates.find(({ id }) => id === content.templateId)
    return template && !isOnlyByApi(template) ? contentFrom(template, content.variables) : emptyContent()
  })
  return { ...first, others }
}

function audienceOf(campaign: Broadcast, segments: readonly Segment[]): Partial<Draft> {
  const saved = savedSegmentOf(campaign, segments)
  if (saved) return { audience: 'segment', segmentId: saved.id }
  const { contactIds, ...definition } = campaign.segment as Definition
  return contactIds ? { audience: 'list', contactIds } : conditionsOf(definition)
}

export type Origin = {
  campaign: Broadcast
  kind: 'copy' | 'followUp'
  /** The contacts of a follow-up to a part of the recipients. */
  contactIds?: string[] | undefined
}
type Known = { templates: readonly Template[]; segments: readonly Segment[] }

/**
 * Returns the draft of a copy, with everything of the campaign; or of a follow-up, which has its audience and needs another
 * template.
 */
export function draftFrom({ campaign, kind, contactIds }: Origin, { templates, segments }: Known): Draft {
  const isCopy = kind === 'copy'
  const empty = emptyDraft(isCopy ? undefined : campaign.id)
  const { test } = campaign
  return {
    ...empty,
    name: t(isCopy ? 'copy.name' : 'followUp.name', { name: campaign.name }).slice(
      0,
      createBroadcastLimits.name.maxLength,
    ),
    phoneNumberId: campaign.phoneNumberId,
    isKnownOnly: campaign.knownOnly,
    ...(contactIds ? { audience: 'list', contactIds } : audienceOf(campaign, segments)),
    ...(isCopy ? contentsOf(campaign, templates) : {}),
    ...(isCopy && test
      ? {
          test: { samplePercent: test.samplePercent, decideBy: test.decideBy, waitMinutes: test.waitMinutes },
        }
      : {}),
  }
}
