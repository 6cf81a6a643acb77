import { formatLocale } from '../texts.ts'

type WithWeeks = Intl.Locale & { getWeekInfo?: () => { firstDay: number } }

/** The first day of the reader's week: 0 is Sunday. Monday if the browser does not know it. */
export const firstDay = ((new Intl.Locale(formatLocale) as WithWeeks).getWeekInfo?.().firstDay ?? 1) % 7
