import { z } from 'zod'
import { GivenName, NameOrId, Owner, STAGE_KINDS } from './schema.ts'

const Color = z.string().regex(/^#[0-9a-fA-F]{6}$/, 'Must be a color, such as #3b82f6.')
const Position = z
  .number('Must be a whole number.')
  .int('Must be a whole number.')
  .min(0, 'Must not be negative.')
  .meta({ description: 'Place in the order, from 0; the others move.' })
const Kind = z.enum(STAGE_KINDS, `Must be one of ${STAGE_KINDS.join(', ')}.`)

const STAGE_INPUT_FIELDS = {
  name: 'Name of the stage.',
  kind: 'Meaning of the stage: `active`, `won`, or `lost`.',
}

/**
 * Body of `POST /pipeline/stages`. It can't create a second initial stage; an existing stage can be made
 * initial.
 */
export const NewStage = z
  .strictObject({
    name: GivenName,
    color: Color.default('#64748b'),
    kind: z.enum(['active', 'won', 'lost'], 'Must be active, won, or lost.').default('active'),
    position: Position.optional(),
  })
  .meta({ fields: STAGE_INPUT_FIELDS })
export type NewStage = z.output<typeof NewStage>

export const StagePatch = z
  .strictObject({
    name: GivenName.optional(),
    color: Color.optional(),
    kind: Kind.optional().meta({
      description: '`initial` turns the previous initial stage into an active stage.',
    }),
    position: Position.optional(),
  })
  .meta({ fields: STAGE_INPUT_FIELDS })
export type StagePatch = z.output<typeof StagePatch>

const LOST_REASON_FIELDS = { label: 'Name of the reason.' }

export const NewLostReason = z
  .strictObject({ label: GivenName, position: Position.optional() })
  .meta({ fields: LOST_REASON_FIELDS })
export type NewLostReason = z.output<typeof NewLostReason>

export const LostReasonPatch = z
  .strictObject({ label: GivenName.optional(), position: Position.optional() })
  .meta({ fields: LOST_REASON_FIELDS })
export type LostReasonPatch = z.output<typeof LostReasonPatch>

const MODES = ['none', 'round_robin', 'fixed'] as const

const ASSIGNMENT_FIELDS = {
  mode: 'Rule for new leads: no owner, the members in turn (`round_robin`), or always the same member (`fixed`).',
  members: 'Members who get leads, in the order of their turns.',
}

/** The rule that assigns new leads without an owner. */
export const Assignment = z.object({ mode: z.enum(MODES), members: z.array(Owner) }).meta({
  id: 'LeadAssignment',
  description: 'Rule that assigns new leads without an owner.',
  fields: ASSIGNMENT_FIELDS,
})

export const AssignmentPatch = z
  .strictObject({
    mode: z.enum(MODES, `Must be one of ${MODES.join(', ')}.`),
    members: z
      .array(NameOrId)
      .max(100, 'Must have at most 100 members.')
      .default([])
      .meta({ description: 'Names, email addresses, or ids of the members, in the order of their turns.' }),
  })
  .meta({ fields: ASSIGNMENT_FIELDS })
export type AssignmentPatch = z.output<typeof AssignmentPatch>
