/** The member's choices about push notifications, in their preferences. */
import { queryOptions } from '@tanstack/react-query'
import { callDashboard } from '../../api/request.ts'

export type Quiet = { timeZone: string; weekly: { day: number; from: string; to: string }[] }
export type PushChoices = { messages: boolean; unassigned: boolean; text: boolean; quiet: Quiet | null }
/** The quiet hours of a weekday, from Monday. */
export type QuietDay = { isOn: boolean; from: string; to: string }

const DEFAULT: PushChoices = { messages: true, unassigned: true, text: true, quiet: null }
const DAYS = [1, 2, 3, 4, 5, 6, 7]
const NIGHT = { from: '21:00', to: '08:00' }

export const pushChoicesQuery = (workspace: string) =>
  queryOptions({
    queryKey: ['preferences', 'one', 'push', workspace],
    queryFn: async (): Promise<PushChoices> => {
      const { preferences } = await callDashboard('GET /preferences', { workspace })
      return { ...DEFAULT, ...(preferences.push as Partial<PushChoices> | undefined) }
    },
  })

/** Fields for times have no 24:00: there, a day ends at 00:00. */
export const weekOf = (quiet: Quiet | null): QuietDay[] =>
  DAYS.map((day) => {
    const range = quiet?.weekly.find((entry) => entry.day === day)
    return range
      ? { isOn: true, from: range.from, to: range.to === '24:00' ? '00:00' : range.to }
      : { isOn: false, ...NIGHT }
  })

export const isDayComplete = ({ isOn, from, to }: QuietDay): boolean => !isOn || (from !== '' && to !== '')
export const isComplete = (week: readonly QuietDay[]): boolean => week.every(isDayComplete)

/** Returns the quiet hours in the zone of this browser; null without any. The same time twice is a whole day. */
export function quietOf(week: readonly QuietDay[]): Quiet | null {
  const weekly = week.flatMap(({ isOn, from, to }, index) =>
    isOn ? [{ day: index + 1, from, to: to === '00:00' ? '24:00' : to }] : [],
  )
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  return weekly.length > 0 ? { timeZone, weekly } : null
}
