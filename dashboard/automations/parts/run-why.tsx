/** The button that shows the history of a run. */
import type { AutomationRun } from '../../../sdk/api.ts'
import { useServerText } from '../../api/server-text.tsx'
import { formatFull } from '../../kit/time.tsx'
import type { Line, Tone } from '../../trace/parts/lines.ts'
import { WhyButton } from '../../trace/parts/why-button.tsx'
import { t as trace } from '../../trace/texts.ts'
import { formatType, withoutAction } from '../format.ts'
import { t } from '../texts.ts'

const TONES: Partial<Record<string, Tone>> = { done: 'good', failed: 'bad', skipped: 'warn', stopped: 'warn' }
const toneOf = (status: string): Tone => TONES[status] ?? 'plain'

type Translate = (reason: string) => string

function linesOf(run: AutomationRun, translate: Translate): Line[] {
  const { createdAt, steps, reason, status, finishedAt } = run
  const first: Line = { at: createdAt, text: trace('run.started'), details: [], tone: 'plain' }
  const done = steps.map(
    (step, place): Line => ({
      at: step.at,
      text: trace('run.step', { number: place + 1, name: formatType(step.action) }),
      details: [
        t(`did.${step.status}`),
        ...(step.reason ? [translate(step.reason)] : []),
        ...(typeof step.result?.until === 'string'
          ? [t('tried.until', { at: formatFull(step.result.until) })]
          : []),
      ],
      tone: toneOf(step.status),
    }),
  )
  if (!finishedAt) return [first, ...done]
  const details = [t(`status.${status}`), ...(reason ? [translate(withoutAction(reason))] : [])]
  return [first, ...done, { at: finishedAt, text: trace('run.ended'), details, tone: toneOf(status) }]
}

type Props = { run: AutomationRun; name: string }

export const RunWhy = ({ run, name }: Props) => (
  <WhyButton name={name} title={trace('why.run')} lines={linesOf(run, useServerText())} />
)
