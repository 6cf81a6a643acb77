import { t } from './texts.ts'
import { workspaceNow } from './time.tsx'

const HALF_A_YEAR_MS = 182 * 24 * 3_600_000

const localText = (ms: number, timeZone?: string): string => new Date(ms).toLocaleString('en', { timeZone })

/** Returns whether clocks of the zone differ from this device's, in either half of the year. */
const isElsewhere = (timeZone: string): boolean =>
  [workspaceNow(), workspaceNow() + HALF_A_YEAR_MS].some((ms) => localText(ms) !== localText(ms, timeZone))

/**
 * Names the page's time zone, if the workspace's zone is not this device's. `days`: only days are in the
 * workspace's zone; `due`: due times are too; `times`: times are too.
 */
export const ZoneNote = ({ zone, of }: { zone: string; of: 'days' | 'due' | 'times' }) =>
  isElsewhere(zone) ? (
    <p className="px-4 pt-2 text-sm text-ink-2 sm:px-6">{t(`zone.${of}`, { zone })}</p>
  ) : null
