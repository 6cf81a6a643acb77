/** Draws charts as plain SVG. A table next to each chart contains the same data. */
import { useLayoutEffect, useRef, useState } from 'react'
import { formatLocale } from '../texts.ts'
import { classes } from './classes.ts'

export type Tone = 'accent' | 'good' | 'bad' | 'warn' | 'note' | 'quiet'
const STROKES: Record<Tone, string> = {
  accent: 'stroke-accent',
  good: 'stroke-good',
  bad: 'stroke-bad',
  warn: 'stroke-warn',
  note: 'stroke-note',
  quiet: 'stroke-ink-3',
}
/** Lines never differ only by color. */
const DASHES: Record<Tone, string | undefined> = {
  accent: undefined,
  good: '7 3',
  bad: '2 3',
  warn: '10 3 2 3',
  note: '5 5',
  quiet: '1 4',
}

const number = new Intl.NumberFormat(formatLocale)
const day = new Intl.DateTimeFormat(formatLocale, { day: 'numeric', month: 'short', timeZone: 'UTC' })
export const formatNumber = (value: number): string => number.format(value)
export const formatDate = (date: string): string => day.format(Date.parse(date))

/** Returns a round number of at least `max`, for the top of an axis. */
export function topOf(max: number): number {
  if (max <= 4) return 4
  const magnitude = 10 ** Math.floor(Math.log10(max))
  return [1, 2, 4, 5, 10].map((step) => step * magnitude).find((step) => step >= max) ?? max
}

const [HEIGHT, LEFT, BOTTOM, TOP] = [220, 44, 24, 8]
/** Returns the number of steps of an axis, so that its labels are round numbers. */
const stepsOf = (span: number): number => (/^[15]/.test(String(span)) ? 5 : 4)
/** The width of a date below the axis. */
const LABEL = 80

/** Returns the width of an element. A chart is drawn in real pixels, so that its texts keep their size. */
export function useWidth() {
  const ref = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(720)
  useLayoutEffect(() => {
    const element = ref.current!
    const measure = () => setWidth(Math.max(240, element.clientWidth))
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return { ref, width }
}

/** A null value is a gap in the line. */
export type Series = { id: string; title: string; tone: Tone; values: readonly (number | null)[] }

/** Returns the stretches of a line between its gaps, as positions. */
function stretchesOf(values: readonly (number | null)[]): { index: number; value: number }[][] {
  const stretches: { index: number; value: number }[][] = [[]]
  for (const [index, value] of values.entries())
    if (value === null) stretches.push([])
    else stretches.at(-1)!.push({ index, value })
  return stretches.filter(({ length }) => length > 0)
}

const sumOf = (values: Series['values']): number =>
  values.reduce<number>((sum, value) => sum + (value ?? 0), 0)

/**
 * Draws lines over days, with their names and, unless `isSummed` is false, their sums below. Under the pointer, the names have the
 * values of that day.
 */
export function LineChart({
  label,
  dates,
  series,
  format = formatNumber,
  isSummed = true,
  range,
  height = HEIGHT,
  formatDay = formatDate,
}: {
  label: string
  dates: readonly string[]
  series: readonly Series[]
  /** Formats the value of a day. */
  format?: (value: number) => string
  isSummed?: boolean
  /** The ends of the axis. Default: from 0 to the highest value. */
  range?: readonly [number, number]
  height?: number
  /** Formats a day, for example as its week or month. */
  formatDay?: (date: string) => string
}) {
  const { ref, width } = useWidth()
  const [pointed, setActive] = useState<number>()
  // A shorter period may no longer have the day.
  const active = pointed !== undefined && pointed < dates.length ? pointed : undefined
  const highest = Math.max(0, ...series.flatMap(({ values }) => values.map((value) => value ?? 0)))
  const [low, top] = range ?? [0, topOf(highest)]
  const steps = stepsOf(top - low)
  const step = (width - LEFT - 8) / Math.max(1, dates.length - 1)
  const x = (index: number) => LEFT + (dates.length === 1 ? (width - LEFT) / 2 : index * step)
  const y = (value: number) => height - BOTTOM - ((value - low) / (top - low)) * (height - BOTTOM - TOP)
  const formatAt = (value: number | null) => (value === null ? '–' : format(value))
  const labelStep = Math.max(1, Math.ceil(dates.length / ((width - LEFT) / LABEL)))
  return (
    <figure className="rounded-lg border p-3">
      <div ref={ref}>
        <svg
          viewBox={`0 0 ${width} ${height}`}
          role="img"
          aria-label={label}
          // Time runs from left to right in every language.
          direction="ltr"
          className="block w-full touch-pan-y"
          onPointerLeave={() => setActive(undefined)}
        >
          {Array.from({ length: steps + 1 }, (_, i) => low + ((top - low) / steps) * i).map((value) => (
            <g key={value}>
              <line x1={LEFT} x2={width} y1={y(value)} y2={y(value)} className="stroke-line" />
              <text x={LEFT - 6} y={y(value) + 4} textAnchor="end" className="fill-ink-3 text-xs">
                {formatNumber(value)}
              </text>
            </g>
          ))}
          {dates.map(
            (date, index) =>
              // From today backwards, so that today always has a label.
              (dates.length - 1 - index) % labelStep === 0 &&
              x(index) - LEFT >= 16 && (
                <text
                  key={date}
                  x={index === dates.length - 1 ? width : x(index)}
                  y={height - 6}
                  textAnchor={index === dates.length - 1 ? 'end' : 'middle'}
                  className="fill-ink-3 text-xs"
                >
                  {formatDay(date)}
                </text>
              ),
          )}
          {series.flatMap(({ id, tone, values }) =>
            stretchesOf(values).map((stretch) => (
              <polyline
                key={`${id} ${stretch[0]!.index}`}
                // A line of one point has no length, but round ends.
                points={[...stretch, stretch.at(-1)!]
                  .map(({ index, value }) => `${x(index)},${y(value)}`)
                  .join(' ')}
                className={classes('fill-none', STROKES[tone])}
                strokeWidth={stretch.length === 1 ? 5 : 2}
                strokeLinejoin="round"
                strokeLinecap={stretch.length === 1 ? 'round' : undefined}
                strokeDasharray={stretch.length === 1 ? undefined : DASHES[tone]}
              />
            )),
          )}
          {active !== undefined && (
            <g aria-hidden>
              <line x1={x(active)} x2={x(active)} y1={TOP} y2={height - BOTTOM} className="stroke-edge" />
              {series.map(({ id, tone, values }) => {
                const value = values[active] ?? null
                return (
                  value !== null && (
                    <circle
                      key={id}
                      cx={x(active)}
                      cy={y(value)}
                      r={3.5}
                      strokeWidth={2}
                      className={classes('fill-surface-1', STROKES[tone])}
                    />
                  )
                )
              })}
            </g>
          )}
          {dates.map((date, index) => (
            <rect
              key={date}
              data-day={date}
              x={x(index) - step / 2}
              y={TOP}
              width={step}
              height={height - BOTTOM - TOP}
              className="fill-transparent"
              onPointerEnter={() => setActive(index)}
            />
          ))}
        </svg>
      </div>
      <figcaption className="mt-2 flex flex-wrap gap-x-4 gap-y-1 ps-2 text-sm text-ink-2">
        {active !== undefined && (
          <span className="min-w-14 font-semibold text-ink-1">{formatDay(dates[active]!)}</span>
        )}
        {series.map(({ id, title, tone, values }) => (
          <span key={id} className="inline-flex items-center gap-1.5">
            <svg aria-hidden viewBox="0 0 24 4" className="h-1 w-6">
              <line
                x2={24}
                y1={2}
                y2={2}
                strokeWidth={3}
                strokeDasharray={DASHES[tone]}
                className={STROKES[tone]}
              />
            </svg>
            {title}
            {(isSummed || active !== undefined) && (
              <span className="font-medium text-ink-1 tabular-nums">
                {active === undefined ? formatNumber(sumOf(values)) : formatAt(values[active] ?? null)}
              </span>
            )}
          </span>
        ))}
      </figcaption>
    </figure>
  )
}

/** Shows a share of the whole as a bar next to its number, in a table. */
export function Bar({ value, max }: { value: number; max: number }) {
  const width = max > 0 ? Math.max(value > 0 ? 1 : 0, (value / max) * 100) : 0
  return (
    <svg
      aria-hidden
      viewBox="0 0 100 6"
      preserveAspectRatio="none"
      className="block h-1.5 w-full min-w-16 rtl:-scale-x-100"
    >
      <rect width={100} height={6} rx={1} className="fill-surface-4" />
      <rect width={width} height={6} rx={1} className="fill-accent" />
    </svg>
  )
}
