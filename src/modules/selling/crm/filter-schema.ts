/**
 * Filters of lead lists as clients write them (spec 4.5): schemas, fields, and the operators of each field.
 */
import { z } from 'zod'
import { component } from '../../../core/component.ts'

export const OPS = [
  'eq',
  'neq',
  'in',
  'nin',
  'gte',
  'lte',
  'gt',
  'lt',
  'between',
  'within',
  'contains',
  'starts',
  'empty',
  'notEmpty',
] as const
export type Op = (typeof OPS)[number]

const REFERENCE_OPS: Op[] = ['eq', 'neq', 'in', 'nin']
const EMPTINESS: Op[] = ['empty', 'notEmpty']
const COMPARISONS: Op[] = ['gte', 'lte', 'gt', 'lt', 'between']

/** The operators for each kind of field. */
export const OPS_OF = {
  id: REFERENCE_OPS,
  reference: REFERENCE_OPS,
  optionalReference: [...REFERENCE_OPS, ...EMPTINESS],
  text: [...REFERENCE_OPS, 'contains', 'starts', ...EMPTINESS],
  phone: [...REFERENCE_OPS, 'contains', 'starts'],
  number: [...REFERENCE_OPS, ...COMPARISONS],
  time: ['eq', ...COMPARISONS, 'within', ...EMPTINESS],
  tags: [...REFERENCE_OPS, 'contains', ...EMPTINESS],
  attribute: [...REFERENCE_OPS, ...COMPARISONS, 'contains', 'starts', ...EMPTINESS],
} as const satisfies Record<string, readonly Op[]>
export type FieldKind = keyof typeof OPS_OF

/** All fields that a filter can name, besides `attributes.KEY`. */
export const FIELDS = {
  id: 'id',
  contactId: 'id',
  name: 'text',
  phone: 'phone',
  email: 'text',
  source: 'text',
  stage: 'reference',
  stageKind: 'reference',
  lostReason: 'optionalReference',
  owner: 'optionalReference',
  rating: 'number',
  dealValue: 'number',
  paidTotal: 'number',
  captureCount: 'number',
  tags: 'tags',
  nextFollowUpAt: 'time',
  lastCapturedAt: 'time',
  createdAt: 'time',
  updatedAt: 'time',
} as const satisfies Record<string, FieldKind>
export type Field = keyof typeof FIELDS

export const ATTRIBUTE_PREFIX = 'attributes.'
const CONDITIONS_MAX = 20
/** Maximum number of values in one condition. */
export const VALUES_MAX = 100
const TEXT_MAX = 500

/** Returns whether PostgreSQL can store the text. */
export const storable = (text: string): boolean => text.isWellFormed() && !text.includes('\0')

const Text = z
  .string()
  .max(TEXT_MAX, `Must be at most ${TEXT_MAX} characters.`)
  .refine(storable, 'Must not contain NUL or unpaired surrogates.')
const Scalar = z
  .union([Text, z.number(), z.boolean()])
  .meta(component('ConditionScalar', 'A text, a number, or a boolean.'))
const Days = z.number().int().min(1).max(3650)
const Value = z
  .union(
    [
      Scalar,
      z.array(Scalar).max(VALUES_MAX),
      z.strictObject({ last: Days }).meta(component('LastDays', 'A number of past days.')),
      z.strictObject({ next: Days }).meta(component('NextDays', 'A number of coming days.')),
      z.null(),
    ],
    `Must be a text, number, or boolean, a list of at most ${VALUES_MAX} of them, {last: days}, or {next: days}.`,
  )
  .meta(component('ConditionValue', 'The value of a condition.'))

export const FilterCondition = z
  .strictObject({
    field: Text,
    op: z.enum(OPS, `Must be one of ${OPS.join(', ')}.`),
    value: Value.optional(),
  })
  .meta(component('Condition', 'A comparison of one field.'))
export type FilterCondition = z.output<typeof FilterCondition>

/** `{match, conditions: [{field, op, value}]}`. */
export const LeadFilter = z
  .strictObject({
    match: z.enum(['all', 'any'], 'Must be all or any.').default('all'),
    conditions: z
      .array(FilterCondition)
      .max(CONDITIONS_MAX, `Must have at most ${CONDITIONS_MAX} conditions.`),
  })
  .meta({
    ...component('Conditions', 'Conditions, all or any of which must match.'),
    fields: {
      match: 'Whether all conditions must match, or any of them.',
      'conditions.field': 'Field to check, such as `rating` or `attributes.city`.',
      'conditions.op': 'How to compare.',
      'conditions.value':
        'Value to compare with: a text, number, or boolean, a list of them, `{last: days}`, or `{next: days}`.',
      'conditions.value.last': 'Within this number of past days.',
      'conditions.value.next': 'Within this number of coming days.',
    },
  })
export type LeadFilter = z.output<typeof LeadFilter>

/** Returns the kind of `field`, or undefined if leads have no such field. */
export function kindOfField(field: string): FieldKind | undefined {
  if (field.startsWith(ATTRIBUTE_PREFIX)) return field === ATTRIBUTE_PREFIX ? undefined : 'attribute'
  return Object.hasOwn(FIELDS, field) ? FIELDS[field as Field] : undefined
}
