/** Shows how many runs of an automation completed, were skipped, and failed since it was created. */
import { useQuery } from '@tanstack/react-query'
import { formatNumber } from '../../kit/chart.tsx'
import { Figure } from '../../kit/figure.tsx'
import { automationsQuery } from '../queries.ts'
import { t } from '../texts.ts'

const RESULTS = ['done', 'skipped', 'failed'] as const

export function RunResults({ id }: { id: string }) {
  // The list reads its counts at intervals; the open automation does not, so that its form stays as it is.
  const { data: automations = [] } = useQuery(automationsQuery)
  const stats = automations.find((automation) => automation.id === id)?.stats
  if (!stats || RESULTS.every((result) => stats[result] === 0)) return null
  return (
    <dl aria-label={t('results')} className="mt-4 flex max-w-2xl flex-wrap gap-3">
      {RESULTS.map((result) => (
        <Figure key={result} name={t(`status.${result}`)} value={formatNumber(stats[result])} />
      ))}
    </dl>
  )
}
