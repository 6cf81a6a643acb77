import { workspaceNow } from './time.tsx'
import { t } from './words.ts'

const HALF_A_YEAR_MS = 182 * 24 * 3_600_000

const shownAt = (ms: number, timeZone?: string): string => new Date(ms).toLocaleString('en', { timeZone })

/** Whether clocks of the zone show another time than this device's, in this half of the year or the other. */
const isElsewhere = (timeZone: string): boolean =>
  [workspaceNow(), workspaceNow() + HALF_A_YEAR_MS].some((ms) => shownAt(ms) !== shownAt(ms, timeZone))

/** Whose clocks a page goes by, where the workspace's are not this device's: `days` alone are the workspace's, or all `times`. */
export const ZoneNote = ({ zone, of }: { zone: string; of: 'days' | 'times' }) =>
  isElsewhere(zone) ? (
    <p className="px-4 pt-2 text-sm text-ink-2 sm:px-6">{t(`zone.${of}`, { zone })}</p>
  ) : null
