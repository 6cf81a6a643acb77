import type { Command } from '../commands.ts'
import type en from './en.json'

export type AnalyticsContext = { setDays: (days: 7 | 30 | 90) => void }

export const ANALYTICS_COMMANDS: readonly Command<
  AnalyticsContext,
  Extract<keyof typeof en, `command.${string}`>
>[] = [
  { id: 'analytics-week', title: 'command.week', run: (context) => context.setDays(7) },
  { id: 'analytics-month', title: 'command.month', run: (context) => context.setDays(30) },
  { id: 'analytics-quarter', title: 'command.quarter', run: (context) => context.setDays(90) },
]
