/** The time zone in which a customer reads times, and its choice. */

import { isTimeZone } from '../../../../core/values/calendar.ts'
import { type Html, html } from '../../../../core/values/html.ts'
import { type Language, localeOf } from '../../../../core/values/languages.ts'
import { langIn } from '../../../../core/values/page-language.ts'
import { bookingTexts } from '../texts/texts.ts'

/** Returns a zone's name of the list, so that two names of one zone are equal. */
const canonical = (zone: string): string =>
  new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone

const isSameZone = (zone: string, other: string): boolean => canonical(zone) === canonical(other)

const isUsable = (zone: unknown): zone is string =>
  typeof zone === 'string' && /^[A-Za-z][\w+\-/]{0,63}$/.test(zone) && isTimeZone(zone)

/** Returns the customer's choice for the query of a link; empty without one. */
const zoneIn = ({ zone }: { zone?: unknown }): Record<string, string> => (isUsable(zone) ? { zone } : {})

/** Returns the customer's choices of zone and language for the query of a link. */
export const keptIn = (query: Record<string, unknown>): Record<string, string> => ({
  ...zoneIn(query),
  ...langIn(query),
})

/** Returns the zone of the query; the business's if there is none, or if both are the same. */
export function zoneOf(zone: unknown, ofBusiness: string): string {
  if (!isUsable(zone)) return ofBusiness
  return isSameZone(zone, ofBusiness) ? ofBusiness : zone
}

/** Returns the name for people, such as India Standard Time. */
function zoneTitle(zone: string, at: Date, language: Language): string {
  const format = new Intl.DateTimeFormat(localeOf(language), { timeZone: zone, timeZoneName: 'long' })
  return format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? zone
}

/** Returns every zone once, by the names in use on this page if a zone has several. */
function zonesWith(shown: readonly string[]): string[] {
  const names = new Map(
    [...Intl.supportedValuesOf('timeZone'), ...shown].map((zone) => [canonical(zone), zone]),
  )
  return [...names.values()].sort()
}

export type ZoneChoice = {
  zone: string
  ofBusiness: string
  at: Date
  language: Language
  /** Values that the form keeps. */
  kept: Record<string, string>
}

/** Returns the zone of the times, with a form that changes it. */
export function zoneChoice({ zone, ofBusiness, at, language, kept }: ZoneChoice): Html {
  const { t } = bookingTexts(language)
  const shown = t('zone.shown', { zone: zoneTitle(zone, at, language), id: zone })
  return html`<details class="zone" data-zone="${zone}"><summary>${shown} <u>${t('zone.change')}</u></summary>
<form method="get">${Object.entries(kept).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )}<label for="zone">${t('zone.label')}</label><select id="zone" name="zone">${zonesWith([
    ofBusiness,
    zone,
  ]).map(
    (name) =>
      html`<option value="${name}"${name === zone && html` selected`}>${name.replaceAll('_', ' ')}</option>`,
  )}</select><button class="plain">${t('zone.show')}</button></form></details>`
}

/**
 * Opens the page in the zone of the browser, unless the address names a zone. Without scripts, the page is in
 * the zone of the business.
 */
export const ZONE_SCRIPT = `(() => {
  const shown = document.querySelector('[data-zone]')?.dataset.zone
  const address = new URL(location.href)
  if (!shown || address.searchParams.has('zone')) return
  const nameOf = (timeZone) => new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone
  const own = nameOf()
  if (!own || own === nameOf(shown)) return
  address.searchParams.set('zone', own)
  location.replace(address)
})()`

export const ZONE_STYLE = `
.zone { margin: 0 0 1rem } .zone summary { cursor: pointer; color: var(--faint); min-height: 44px; align-content: center }
.zone u { color: var(--accent) }
.zone form { max-width: 24rem; padding: .5rem 0 }
`
