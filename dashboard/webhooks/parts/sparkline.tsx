/** Shows the latest results of an endpoint at a glance. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { type Delivery, deliveriesQuery } from '../queries.ts'
import { t } from '../texts.ts'

const [WIDTH, HEIGHT, GAP] = [6, 32, 2]
const LEAST = 4
const FILLS: Record<Delivery['status'], string> = {
  pending: 'fill-ink-3',
  succeeded: 'fill-good',
  failed: 'fill-bad',
}

/** On a linear scale, slow responses would hide fast ones. */
const heightOf = (latencyMs: number | null, longestMs: number): number =>
  LEAST + (HEIGHT - LEAST) * (Math.log1p(latencyMs ?? 0) / Math.log1p(Math.max(1, longestMs)))

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[sorted.length >> 1] ?? 0
}

/**
 * Shows a bar for each of the newest attempts, the latest at the end: its height is the latency, its color
 * the outcome.
 */
export function Sparkline({ id }: { id: string }) {
  const { data } = useInfiniteQuery(deliveriesQuery(id, 'all'))
  const attempts = (data?.pages[0]?.deliveries ?? []).toReversed()
  if (attempts.length === 0) return null
  // An attempt without a response, such as for an unknown host, says nothing about the speed of the receiver.
  const latencies = attempts.flatMap(({ latencyMs, httpStatus }) =>
    httpStatus === null ? [] : (latencyMs ?? []),
  )
  const longest = Math.max(0, ...latencies)
  const failed = attempts.filter(({ status }) => status === 'failed').length
  return (
    <figure className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <svg
        aria-hidden
        width={attempts.length * (WIDTH + GAP)}
        height={HEIGHT}
        className="max-w-full shrink-0 rtl:-scale-x-100"
      >
        {attempts.map((attempt, index) => {
          const height = heightOf(attempt.latencyMs, longest)
          return (
            <rect
              key={attempt.id}
              x={index * (WIDTH + GAP)}
              y={HEIGHT - height}
              width={WIDTH}
              height={height}
              rx={1}
              className={FILLS[attempt.status]}
            />
          )
        })}
      </svg>
      <figcaption className="text-sm text-ink-2">
        {t('spark', { count: attempts.length, failed })}
        {latencies.length > 0 && ` ${t('spark.latency', { ms: median(latencies) })}`}
      </figcaption>
    </figure>
  )
}
