/** What a submission is before anything is asked of it: an enquiry, a test of the connection, an empty ping, or unreadable. */
import type { Refusal } from '../../../core/errors.ts'
import type { Answer } from './capture-answers.ts'
import { plainName, speaksOfPhone } from './capture-names.ts'

const TEST_KEYS = new Set(['istest', 'testlead', 'istestlead', 'testmode', 'istestmode'])
const EVENT_KEYS = new Set(['event', 'type', 'action', 'eventtype', 'triggertype', 'topic'])
const isYes = (text: string): boolean => /^(?:true|1|yes)$/i.test(text)
/** What the photo network's tool for testing lead ads fills in. */
const DUMMY = /^<test lead: dummy data for/i
const PING = /(?:^|[._\s-])(?:ping|test|verification|verify)(?:$|[._\s-])/i
/** A number as the sample of a portal has it: `+91-XXXXXXXXXX`. */
const SAMPLE_NUMBER = /^\+?[\d\s()-]*x{4,}[x\d\s()-]*$/i

/** Whether a service says that this is a test: no person asked anything. */
export const saysTest = (answers: readonly Answer[], fields: Record<string, unknown>): boolean =>
  fields.test === true ||
  answers.some(
    ({ names, text }) =>
      (TEST_KEYS.has(plainName(names[0]!)) && isYes(text)) ||
      DUMMY.test(text) ||
      (SAMPLE_NUMBER.test(text) && names.some(speaksOfPhone)),
  )

/** Whether a submission without a number is a test call by what it calls itself. */
export const isPing = (answers: readonly Answer[]): boolean =>
  answers.some(
    ({ names, text }) => EVENT_KEYS.has(plainName(names[0]!)) && text.length <= 60 && PING.test(text),
  )

/** Why a submission became no lead by itself. Codes of refusals are reasons too. */
export type SetAsideReason = 'no_number' | 'bad_number' | 'test' | 'robot' | 'empty' | Refusal['code']

/** The reason for which a submission is put aside without being read as an enquiry; undefined: it is one. */
export function asideReason(
  answers: readonly Answer[],
  fields: Record<string, unknown>,
): 'test' | 'empty' | undefined {
  if (answers.length === 0) return 'empty'
  return saysTest(answers, fields) ? 'test' : undefined
}
