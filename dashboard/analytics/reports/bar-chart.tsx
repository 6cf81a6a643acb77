/** Draws horizontal bars with their names and values. A table next to the chart contains the same data. */
import { Bar } from '../../kit/chart.tsx'

export type BarRow = { id: string; name: string; value: number; text: string }

export function BarChart({ label, rows }: { label: string; rows: readonly BarRow[] }) {
  const max = Math.max(0, ...rows.map(({ value }) => value))
  return (
    <figure role="img" aria-label={label} className="flex flex-col gap-2 rounded-lg border p-4">
      {rows.map(({ id, name, value, text }) => (
        <div key={id} className="flex items-center gap-3">
          <span className="w-28 shrink-0 truncate text-sm text-ink-2 sm:w-44">{name}</span>
          <div className="min-w-0 flex-1">
            <Bar value={value} max={max} />
          </div>
          <span className="w-16 shrink-0 text-end text-sm tabular-nums">{text}</span>
        </div>
      ))}
    </figure>
  )
}
