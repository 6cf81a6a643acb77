/**
 * The building blocks of message payloads. Lengths count characters as people see them, not UTF-16 units.
 * Faults for which the operator has its own message are marked, so that the simulator can return it.
 */
import { z } from 'zod'
import { isLonger } from '../../core/values/cut-text.ts'

/**
 * Marks a fault for the simulator: `missing` (131008 or 100) or `tooLong`; see simulator/message-types.ts.
 */
export type FaultMark = { fault: 'missing' } | { fault: 'tooLong'; max: number }

/** The message of a fault, or no message, to keep the default. */
type ErrorTexts = { error: (issue: z.core.$ZodRawIssue) => string | undefined }

/** Returns the error of a field that is missing or not `kind` ("a string"). */
export const must = (kind: string): ErrorTexts => ({
  error: ({ code, input }) =>
    code === 'unrecognized_keys' ? undefined : input === undefined ? 'Required.' : `Must be ${kind}.`,
})

/** Text of at most `max` characters; may be empty. */
export const optionalText = (max: number) =>
  z
    .string(must('a string'))
    .refine((text) => !isLonger(text, max), {
      error: `Must be at most ${max} characters.`,
      params: { fault: 'tooLong', max } satisfies FaultMark,
    })
    .meta({ maxLength: max })

/** Text of 1 to `max` characters that is not only white space. */
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

/** An object with only these fields. */
export const object = <Shape extends z.core.$ZodLooseShape>(shape: Shape) =>
  z.strictObject(shape, must('an object'))

/** A list of `least` to `max` items. */
export const listOf = <Item extends z.ZodType>(item: Item, least: number, max: number) =>
  z
    .array(item, must('a list'))
    .min(least, `Must have at least ${least}.`)
    .max(max, `Must have at most ${max}.`)

/** Exactly this text. */
export const exactly = <Text extends string>(text: Text) => z.literal(text, must(text))

/** One of these texts. */
export const oneOf = <const Texts extends readonly string[]>(texts: Texts) =>
  z.enum(texts, must(`one of ${texts.join(', ')}`))

/** A boolean, or its text. */
export const booleanOrText = z.union(
  [z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')],
  must('true or false'),
)

const decimalText = z
  .string()
  .regex(/^[+-]?\d{1,9}(\.\d{1,20})?$/)
  .transform(Number)

/** A number in a range, or its text; parsed to a number. */
export const decimal = (least: number, max: number) =>
  z
    .union([z.number(), decimalText], must('a number'))
    .refine((value) => value >= least && value <= max, `Must be between ${least} and ${max}.`)

/** A whole number in a range, or its text; parsed to a number. */
export const wholeNumber = (least: number, max: number) =>
  decimal(least, max).refine(Number.isInteger, 'Must be a whole number.')

/** Longest address that the operator accepts. */
const LINK_MAX = 2000

/** A web address: of a file that the operator fetches, or that a button opens. */
export const webLink = z
  .url({ protocol: /^https?$/, ...must('an http or https address') })
  .max(LINK_MAX, `Must be at most ${LINK_MAX} characters.`)

/** An id from the operator: of a file, a catalog, or a message. */
export const operatorId = words(512)

/** Returns the error of a union by `type`: the allowed types, or `because` for a given name. */
export const kinds = (
  names: readonly (string | undefined)[],
  reasonFor?: (name: unknown) => string | undefined,
): ErrorTexts => ({
  error: (issue) => {
    if (issue.code !== 'invalid_union') return must('an object').error(issue)
    const { type } = issue.input as { type?: unknown }
    return type === undefined ? 'Required.' : (reasonFor?.(type) ?? `Must be one of ${names.join(', ')}.`)
  },
})

type Raise = (path: (string | number)[], message: string) => void

/** Returns a check of a whole object that may report several paths. */
export const checked =
  <Value>(check: (value: Value, raise: Raise) => void) =>
  (context: z.core.ParsePayload<Value>): void =>
    check(context.value, (path, message) =>
      context.issues.push({ code: 'custom', input: context.value, path, message }),
    )

/** Reports each repeated value at its own path. */
export function raiseRepeats(values: { value: string; path: (string | number)[] }[], raise: Raise): void {
  const uniqueValues = new Set<string>()
  for (const { value, path } of values) {
    if (uniqueValues.has(value)) raise(path, 'Must be unique.')
    uniqueValues.add(value)
  }
}
