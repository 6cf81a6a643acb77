/**
 * What the payloads of messages are made of. Lengths count characters, as people do, not UTF-16 units. Faults that the
 * operator has words of its own for are marked, so that the simulator can say them.
 */
import { z } from 'zod'
import { isLonger } from '../../core/cut-text.ts'

/** The mark of a fault that is not in its code: `missing` (131008 or 100) or `tooLong`; see simulator/message-types.ts. */
export type FaultMark = { fault: 'missing' } | { fault: 'tooLong'; max: number }

/** The words of a fault, or nothing to keep those of the rule itself. */
type Words = { error: (issue: z.core.$ZodRawIssue) => string | undefined }

/** The error of a field that is absent, or not `kind` ("a string"). */
export const must = (kind: string): Words => ({
  error: ({ code, input }) =>
    code === 'unrecognized_keys' ? undefined : input === undefined ? 'Required.' : `Must be ${kind}.`,
})

/** A text of at most `max` characters that may be empty. */
export const note = (max: number) =>
  z
    .string(must('a string'))
    .refine((text) => !isLonger(text, max), {
      error: `Must be at most ${max} characters.`,
      params: { fault: 'tooLong', max } satisfies FaultMark,
    })
    .meta({ maxLength: max })

/** A text of 1 to `max` characters that says something. */
export const words = (max: number) =>
  z
    .string(must('a string'))
    .refine((text) => text.trim() !== '', {
      error: 'Must not be empty.',
      params: { fault: 'missing' } satisfies FaultMark,
      abort: true,
    })
    .refine((text) => !isLonger(text, max), {
      error: `Must be at most ${max} characters.`,
      params: { fault: 'tooLong', max } satisfies FaultMark,
    })
    .meta({ minLength: 1, maxLength: max })

/** An object without other fields than these. */
export const object = <Shape extends z.core.$ZodLooseShape>(shape: Shape) =>
  z.strictObject(shape, must('an object'))

/** A list of `least` to `max` items. */
export const listOf = <Item extends z.ZodType>(item: Item, least: number, max: number) =>
  z
    .array(item, must('a list'))
    .min(least, `Must have at least ${least}.`)
    .max(max, `Must have at most ${max}.`)

/** This very text. */
export const exactly = <Text extends string>(text: Text) => z.literal(text, must(text))

/** One of these texts. */
export const oneOf = <const Texts extends readonly string[]>(texts: Texts) =>
  z.enum(texts, must(`one of ${texts.join(', ')}`))

/** Yes or no, also written as a text. */
export const flag = z.union(
  [z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')],
  must('true or false'),
)

const decimalText = z
  .string()
  .regex(/^[+-]?\d{1,9}(\.\d{1,20})?$/)
  .transform(Number)

/** A number between two, also written as a text; a number inside. */
export const decimal = (least: number, max: number) =>
  z
    .union([z.number(), decimalText], must('a number'))
    .refine((value) => value >= least && value <= max, `Must be between ${least} and ${max}.`)

/** A whole number between two, also written as a text; a number inside. */
export const whole = (least: number, max: number) =>
  decimal(least, max).refine(Number.isInteger, 'Must be a whole number.')

/** Longest address that the operator takes. */
const LINK_MAX = 2000

/** An address on the web: of a file, which the operator fetches itself, or that a button opens. */
export const webLink = z
  .url({ protocol: /^https?$/, ...must('an http or https address') })
  .max(LINK_MAX, `Must be at most ${LINK_MAX} characters.`)

/** An id that the operator gave: of a file, a catalog, a message. */
export const operatorId = words(512)

/** The error of a union by `type`: what that may be, or `because` of a certain name. */
export const kinds = (
  names: readonly (string | undefined)[],
  because?: (name: unknown) => string | undefined,
): Words => ({
  error: (issue) => {
    if (issue.code !== 'invalid_union') return must('an object').error(issue)
    const { type } = issue.input as { type?: unknown }
    return type === undefined ? 'Required.' : (because?.(type) ?? `Must be one of ${names.join(', ')}.`)
  },
})

type Raise = (path: (string | number)[], message: string) => void

/** A check over a whole object that may name several places. */
export const checked =
  <Value>(check: (value: Value, raise: Raise) => void) =>
  (context: z.core.ParsePayload<Value>): void =>
    check(context.value, (path, message) =>
      context.issues.push({ code: 'custom', input: context.value, path, message }),
    )

/** Raises each value that was there before, at its own place. */
export function raiseRepeats(values: { value: string; path: (string | number)[] }[], raise: Raise): void {
  const seen = new Set<string>()
  for (const { value, path } of values) {
    if (seen.has(value)) raise(path, 'Must be unique.')
    seen.add(value)
  }
}
