/** Lists the time zones of the browser, with their offsets. */
import { formatLocale } from '../../texts.ts'

// cspell:disable
/** Current names of zones that browsers list by an earlier name. */
const CURRENT_NAMES = [
  'Africa/Asmara',
  'America/Argentina/Buenos_Aires',
  'America/Nuuk',
  'Asia/Ho_Chi_Minh',
  'Asia/Kathmandu',
  'Asia/Kolkata',
  'Asia/Yangon',
  'Atlantic/Faroe',
  'Europe/Kyiv',
  'Pacific/Chuuk',
  'Pacific/Kanton',
  'Pacific/Pohnpei',
]
// cspell:enable

/** Returns a zone's name of the browser's list, so that two names of a zone are equal; undefined for an unknown zone. */
function listedName(zone: string): string | undefined {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone
  } catch {
    return undefined
  }
}

/** Returns every zone once, in order: by a name of `shown` if it is there, otherwise by its current name. */
export function listZones(shown: readonly string[]): string[] {
  const names = new Map(Intl.supportedValuesOf('timeZone').map((zone) => [zone, zone]))
  for (const zone of ['UTC', ...CURRENT_NAMES, ...shown]) {
    const listed = listedName(zone)
    if (listed) names.set(listed, zone)
  }
  return [...names.values()].sort()
}

/** Returns the zone of this device, by its current name. */
export function deviceZone(): string {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  return CURRENT_NAMES.find((name) => listedName(name) === timeZone) ?? timeZone
}

/** Returns the name as people read it: `America/New York`. */
export const titleOfZone = (zone: string): string => zone.replaceAll('_', ' ')

/** Returns the offset of a zone from UTC at a time, such as `GMT+05:30`; empty for an unknown zone. */
export function offsetOf(zone: string, time: number): string {
  if (!listedName(zone)) return ''
  const format = new Intl.DateTimeFormat(formatLocale, { timeZone: zone, timeZoneName: 'longOffset' })
  return format.formatToParts(time).find(({ type }) => type === 'timeZoneName')?.value ?? ''
}
