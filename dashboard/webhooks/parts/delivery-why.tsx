/** Shows the history of a delivery: its event, and each attempt to the endpoint. */
import { useQuery } from '@tanstack/react-query'
import { formatFull } from '../../kit/time.tsx'
import type { Line } from '../../trace/parts/lines.ts'
import { WhyButton } from '../../trace/parts/why-button.tsx'
import { t as trace } from '../../trace/texts.ts'
import { type Delivery, eventDeliveriesQuery } from '../queries.ts'

const TONES = { pending: 'plain', succeeded: 'good', failed: 'bad' } as const

function lineOf({ attemptedAt, createdAt, status, event, attempt, ...delivery }: Delivery): Line {
  const { httpStatus, error, nextAttemptAt } = delivery
  return {
    at: attemptedAt ?? createdAt,
    text: trace(`delivery.${status}`, { event, attempt }),
    details: [
      ...(httpStatus === null ? [] : [trace('delivery.status', { status: httpStatus })]),
      ...(error === null ? [] : [error]),
      ...(nextAttemptAt ? [trace('delivery.next', { time: formatFull(nextAttemptAt) })] : []),
    ],
    tone: TONES[status],
  }
}

type Props = { delivery: Delivery; webhookId: string }

/** The button that shows the attempts of the same event to the same endpoint. */
export function DeliveryWhy({ delivery, webhookId }: Props) {
  const { data = [delivery] } = useQuery(eventDeliveriesQuery(webhookId, delivery.eventId))
  const attempts = data.map(lineOf).sort((a, b) => Date.parse(a.at ?? '') - Date.parse(b.at ?? ''))
  return <WhyButton name={delivery.event} title={trace('why.delivery')} lines={attempts} />
}
