/**
 * Sorts a submission before it is read as an enquiry: an enquiry, a test of the connection, an empty ping, or
 * unreadable.
 */
import type { Refusal } from '../../../../core/errors.ts'
import type { Answer } from './capture-answers.ts'
import { mentionsPhone, plainName } from './capture-names.ts'

const TEST_KEYS = new Set(['istest', 'testlead', 'istestlead', 'testmode', 'istestmode'])
const EVENT_KEYS = new Set(['event', 'type', 'action', 'eventtype', 'triggertype', 'topic'])
const isYes = (text: string): boolean => /^(?:true|1|yes)$/i.test(text)
/** The values of the photo network's tool for testing lead ads. */
const DUMMY = /^<test lead: dummy data for/i
const PING = /(?:^|[._\s-])(?:ping|test|verification|verify)(?:$|[._\s-])/i
/** A number in a portal's sample: `+91-XXXXXXXXXX`. */
const SAMPLE_NUMBER = /^\+?[\d\s()-]*x{4,}[x\d\s()-]*$/i

/** Returns whether a service marks this as a test, without an enquiry of a person. */
export const isTestSubmission = (answers: readonly Answer[], fields: Record<string, unknown>): boolean =>
  fields.test === true ||
  answers.some(
    ({ names, text }) =>
      (TEST_KEYS.has(plainName(names[0]!)) && isYes(text)) ||
      DUMMY.test(text) ||
      (SAMPLE_NUMBER.test(text) && names.some(mentionsPhone)),
  )

/** Returns whether the names in a submission without a number mark it as a test call. */
export const isPing = (answers: readonly Answer[]): boolean =>
  answers.some(
    ({ names, text }) => EVENT_KEYS.has(plainName(names[0]!)) && text.length <= 60 && PING.test(text),
  )

/** Why a submission didn't become a lead automatically. Error codes are reasons too. */
export type SetAsideReason = 'no_number' | 'bad_number' | 'test' | 'robot' | 'empty' | Refusal['code']

/** Returns the reason to set a submission aside without reading it as an enquiry; undefined if it is one. */
export function asideReason(
  answers: readonly Answer[],
  fields: Record<string, unknown>,
): 'test' | 'empty' | undefined {
  if (answers.length === 0) return 'empty'
  return isTestSubmission(answers, fields) ? 'test' : undefined
}
