/** Runs the checks of a receiver within a minute, and judges its answers. */
import { setTimeout as wait } from 'node:timers/promises'
import { SECOND_MS } from '../../core/clock.ts'
import { type Answer, BASELINE, CHECKS, type Check, type Tools } from './chaos-checks.ts'

/** One line of the report. */
export type Finding = {
  result: 'passed' | 'failed' | 'not run'
  rule: string
  need: Check['need']
  answer: string
  repair: string | null
}

/** Checks run in parallel, as deliveries do. */
const AT_ONCE = 8
/** The time for one answer (spec 6.1), and the times after which no check starts and no answer counts. */
export const ANSWER_LIMIT_MS = 15 * SECOND_MS
const LAST_START_MS = 40 * SECOND_MS
const END_MS = 55 * SECOND_MS
/** Answers that take longer slow deliveries down. */
const QUICK_MS = 5 * SECOND_MS

const isExpected = ({ status }: Answer, expected: Check['expected']): boolean =>
  status !== null && (expected === 'accepts' ? status >= 200 && status < 300 : status >= 400 && status < 500)

const answerText = ({ status, ms, fault }: Answer): string =>
  `${status ?? fault ?? 'no answer'} after ${Math.round(ms)} ms`

function judge(check: Check, answers: Answer[]): Finding {
  const { rule, need, expected, repair } = check
  const wrong = answers.find((answer) => !isExpected(answer, expected))
  const slowest = answers.toSorted((a, b) => b.ms - a.ms)[0]!
  return {
    result: wrong ? 'failed' : 'passed',
    rule,
    need,
    answer: answerText(wrong ?? slowest),
    repair: wrong ? repair : null,
  }
}

const notRun = ({ rule, need }: Check, answer: string): Finding => ({
  result: 'not run',
  rule,
  need,
  answer,
  repair: null,
})

/** Returns the finding about the time of all answers. */
function judgeTimes(answers: Answer[]): Finding[] {
  const slowest = Math.max(...answers.map(({ ms }) => ms))
  const answer = `slowest answer after ${Math.round(slowest)} ms`
  const finding = (rule: string, need: Check['need'], isPassed: boolean): Finding => ({
    result: isPassed ? 'passed' : 'failed',
    rule,
    need,
    answer,
    repair: isPassed ? null : 'Store the event, answer 2xx, and do the work afterwards.',
  })
  return [
    finding('answers within 15 seconds', 'must', slowest < ANSWER_LIMIT_MS),
    finding('answers within 5 seconds', 'should', slowest < QUICK_MS),
  ]
}

/**
 * Runs the checks and returns their findings in order. If a valid delivery is not accepted, no other check runs.
 * `monotonicMs` measures the time.
 */
export async function runChecks(tools: Tools, monotonicMs: () => number): Promise<Finding[]> {
  const startedMs = monotonicMs()
  const answers: Answer[] = []
  const recording: Tools = {
    ...tools,
    async send(request, slowly) {
      const answer = await tools.send(request, slowly)
      if (!slowly) answers.push(answer)
      return answer
    },
  }
  const baseline = judge(BASELINE, await BASELINE.send(recording))
  const findings = new Map<Check, Finding>([[BASELINE, baseline]])
  const waiting = baseline.result === 'passed' ? [...CHECKS] : []
  const work = async (): Promise<void> => {
    for (let check = waiting.shift(); check; check = waiting.shift()) {
      const passedMs = monotonicMs() - startedMs
      const checked =
        passedMs > LAST_START_MS ? undefined : await withinTime(check.send(recording), END_MS - passedMs)
      findings.set(check, checked ? judge(check, checked) : notRun(check, 'no time left'))
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  const inOrder = [BASELINE, ...CHECKS].map(
    (check) => findings.get(check) ?? notRun(check, 'a signed delivery was not accepted'),
  )
  return [...inOrder, ...judgeTimes(answers)]
}

/** Returns the answers of a check; undefined if they take longer. */
async function withinTime(answers: Promise<Answer[]>, ms: number): Promise<Answer[] | undefined> {
  const limit = new AbortController()
  const late = wait(ms, undefined, { signal: limit.signal }).catch(() => undefined)
  try {
    return await Promise.race([answers, late])
  } finally {
    limit.abort()
  }
}
