import { z } from 'zod'
import { MINUTE_MS } from '../../../core/clock.ts'

const Code = z.int().min(0).max(10_000_000)
const Moment = z.enum(['before', 'after'])

/**
 * The replaced outcome of a call; `before` and `after` refer to the moment at which the call takes effect.
 */
const Outcome = z.union([
  z.strictObject({
    /** Refused with this operator code. */
    error: Code,
    status: z.int().min(400).max(599).optional(),
    subcode: z.int().optional(),
    retryAfterSeconds: z.int().min(0).max(86_400).optional(),
    /** Minutes until sending is possible again, reported in `x-business-use-case-usage`. */
    regainMinutes: z.int().min(0).max(1440).optional(),
  }),
  /** Accepted, and then reported as failed with this code. */
  z.strictObject({ failed: Code }),
  /** Never answered. */
  z.strictObject({ hang: Moment }),
  /** The connection breaks. */
  z.strictObject({ close: Moment }),
  /** Answered late. */
  z.strictObject({
    delayMs: z
      .int()
      .min(1)
      .max(5 * MINUTE_MS),
  }),
  /** Answered with a foreign answer, such as a proxy's page. */
  z.strictObject({
    answer: z.strictObject({
      status: z.int().min(200).max(599),
      text: z.string().max(10_000),
      when: Moment.default('before'),
    }),
  }),
])

/** One fault: for which calls, with which outcome, and how often (without `times`: always). */
export const Fault = z.strictObject({
  /** Method and edge, such as `POST messages` or `GET phone_numbers`; `*` is every call. */
  call: z.string().max(100).default('POST messages'),
  /** Only calls of this number. */
  number: z.string().max(100).optional(),
  /** Only messages to this customer: a number in digits, with or without +, or a user id. */
  to: z.string().max(200).optional(),
  /** Only messages of this type. */
  type: z.string().max(50).optional(),
  does: Outcome,
  times: z.int().min(1).max(1_000_000).optional(),
})
export type Fault = z.infer<typeof Fault>
export type Outcome = Fault['does']

/** A fault that waits for its calls. */
export type ArmedFault = { id: string; fault: Fault; used: number }

/** The properties of a call that faults match. */
export type FaultyCall = { name: string; number: string; to: string | undefined; type: string | undefined }

/** The armed faults; a call gets the first fault that matches. */
export type Faults = {
  arm(fault: Fault): ArmedFault
  disarm(id: string): boolean
  clear(): void
  list(): ArmedFault[]
  /**
   * Returns the outcome for a call, and counts the use; with `later`, an outcome after the message was
   * accepted.
   */
  take(call: FaultyCall, later: boolean): Outcome | undefined
}

export function createFaults(): Faults {
  let armed: ArmedFault[] = []
  let count = 0
  return {
    arm(fault) {
      const armedFault = { id: `fault-${++count}`, fault, used: 0 }
      armed.push(armedFault)
      return armedFault
    },
    disarm(id) {
      const before = armed.length
      armed = armed.filter((armedFault) => armedFault.id !== id)
      return armed.length < before
    },
    clear() {
      armed = []
    },
    list: () => armed,
    take(call, later) {
      const armedFault = armed.find(
        ({ fault, used }) =>
          'failed' in fault.does === later &&
          used < (fault.times ?? Number.POSITIVE_INFINITY) &&
          fits(fault, call),
      )
      if (armedFault === undefined) return undefined
      armedFault.used++
      return armedFault.fault.does
    },
  }
}

function fits({ call, number, to, type }: Fault, faulty: FaultyCall): boolean {
  return (
    (call === '*' || call === faulty.name) &&
    (number === undefined || number === faulty.number) &&
    (to === undefined || normalizedPhone(to) === normalizedPhone(faulty.to ?? '')) &&
    (type === undefined || type === faulty.type)
  )
}

const normalizedPhone = (to: string): string => (/^\+?[\d\s().-]+$/.test(to) ? to.replace(/\D/g, '') : to)
