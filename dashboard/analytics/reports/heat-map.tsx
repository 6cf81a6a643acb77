/** Draws a value for each hour of the week as a shade. A table next to the chart contains the same data. */
import { formatNumber, useWidth } from '../../kit/chart.tsx'
import { formatHour, formatWeekday } from './week-hours.ts'

type Cell = { weekday: number; hour: number; value: number }

const [LEFT, TOP, HEIGHT] = [40, 20, 24]
const HOURS = 24
/** The width of the name of an hour, above the chart. */
const NAME_WIDTH = 52
const STEPS = [1, 2, 3, 6, 12]

export function HeatMap({ label, cells }: { label: string; cells: readonly Cell[] }) {
  const max = Math.max(1, ...cells.map(({ value }) => value))
  const weekdays = [...new Set(cells.map(({ weekday }) => weekday))]
  const { ref, width } = useWidth()
  const cell = (width - LEFT) / HOURS
  const step = STEPS.find((hours) => hours * cell >= NAME_WIDTH) ?? HOURS
  const x = (hour: number) => LEFT + hour * cell
  const y = (weekday: number) => TOP + weekdays.indexOf(weekday) * HEIGHT
  return (
    <figure className="rounded-lg border p-3">
      <div ref={ref}>
        <svg
          viewBox={`0 0 ${width} ${TOP + weekdays.length * HEIGHT}`}
          role="img"
          aria-label={label}
          direction="ltr"
          className="block w-full"
        >
          {Array.from({ length: HOURS / step }, (_, i) => i * step).map((hour) => (
            <text key={hour} x={x(hour)} y={TOP - 7} className="fill-ink-3 text-xs">
              {formatHour(hour)}
            </text>
          ))}
          {weekdays.map((weekday) => (
            <text key={weekday} x={0} y={y(weekday) + HEIGHT / 2 + 4} className="fill-ink-3 text-xs">
              {formatWeekday(weekday, 'short')}
            </text>
          ))}
          {cells.map(({ weekday, hour, value }) => (
            <g key={`${weekday} ${hour}`}>
              <rect
                x={x(hour) + 1}
                y={y(weekday) + 1}
                width={cell - 2}
                height={HEIGHT - 2}
                rx={3}
                className="fill-surface-3"
              />
              {value > 0 && (
                <rect
                  x={x(hour) + 1}
                  y={y(weekday) + 1}
                  width={cell - 2}
                  height={HEIGHT - 2}
                  rx={3}
                  fillOpacity={0.15 + 0.85 * (value / max)}
                  className="fill-accent"
                />
              )}
              <title>{`${formatWeekday(weekday, 'long')} ${formatHour(hour)}: ${formatNumber(value)}`}</title>
            </g>
          ))}
        </svg>
      </div>
    </figure>
  )
}
