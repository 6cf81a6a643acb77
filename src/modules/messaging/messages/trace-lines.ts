/**
 * Writes the lines of `messages.trace`: the calls, waits, and reports of a message in the order in which they happened. Each line is
 * written by the statement that writes its effect, so that a trace costs no statement of its own
 * (src/modules/reporting/message-trace/DECISIONS.md).
 */
import { type Fault, TRACE_MAX, type TraceLine } from './trace-schema.ts'

/** Longer texts of the operator are cut. */
const TEXT_MAX = 200

/** Returns the code and the text of an error for a line. */
export const faultOf = ({ code, message }: Fault): Fault => ({ code, message: message.slice(0, TEXT_MAX) })

export const reasonOf = (reason: string): string => reason.slice(0, TEXT_MAX)

/** Returns a line whose times are in real time; the statement that writes it adds the clock of its sandbox. */
export const lineOf = (line: TraceLine): string => JSON.stringify(line).replaceAll('\\u0000', '')

/** Returns a line as it is stored; `offsetMs` is the clock of its sandbox if its times are in real time. */
export const storedLine = (line: string, offsetMs = 0): string => `\n${offsetMs} ${line}`

/**
 * SQL of a trace with `stored` appended; unchanged if that is null. Each line starts with a line break, so that a line that was
 * cut is recognized.
 */
export const appendedSql = (message: string, stored: string): string =>
  `coalesce(coalesce(${message}.trace, '') || ${stored}, ${message}.trace)`

/** SQL of the same for a line that can be repeated without limit: of these, the first ones and the newest remain. */
export const repeatedSql = (message: string, stored: string): string =>
  `coalesce(left(coalesce(${message}.trace, ''), ${TRACE_MAX}) || ${stored}, ${message}.trace)`

/** Returns whether the trace has a report of this state. */
export const hasReport = (trace: string, state: string): boolean => trace.includes(`{"report":"${state}"`)
