import type { ReactNode } from 'react'
import { classes } from './classes.ts'

const TONES = {
  plain: 'bg-surface-3 text-ink-2',
  accent: 'bg-accent-soft text-accent',
  good: 'bg-good-soft text-good',
  warn: 'bg-warn-soft text-warn',
  bad: 'bg-bad-soft text-bad',
  note: 'bg-note-soft text-note',
} as const
export type Tone = keyof typeof TONES

/** Shows a state as a word; the color only supports the word. */
export const Badge = ({ tone = 'plain', children }: { tone?: Tone; children: ReactNode }) => (
  <span
    className={classes(
      'inline-flex h-5 max-w-full shrink-0 items-center gap-1 truncate rounded-sm px-1.5 text-xs font-medium',
      TONES[tone],
    )}
  >
    {children}
  </span>
)

/** Shows a count; nothing for zero. */
export const Count = ({ value, label }: { value: number; label: string }) =>
  value > 0 ? (
    <span
      role="img"
      aria-label={label}
      className="inline-flex h-5 min-w-5 shrink-0 items-center justify-center rounded-full bg-accent px-1.5 text-xs font-semibold text-on-accent tabular-nums"
    >
      {value > 99 ? '99+' : value}
    </span>
  ) : null
