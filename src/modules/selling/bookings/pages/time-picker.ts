/** A month of days with free times, and the times of a day, from which customers choose. */
import { dayOf, monthOf, startOfDay } from '../../../../core/values/calendar.ts'
import { type Html, html } from '../../../../core/values/html.ts'
import { type Language, localeOf } from '../../../../core/values/languages.ts'
import { bookingTexts } from '../texts/texts.ts'
import { keptIn, ZONE_STYLE, zoneChoice, zoneOf } from './zone-choice.ts'

export type TimePicker = {
  /** Values of the query: `zone`, `lang`, `month`, `day`; `near` is a moment whose day is shown first. */
  query: { zone?: unknown; lang?: unknown; month?: unknown; day?: unknown; near?: Date | undefined }
  language: Language
  /** The zone of the business. */
  ofBusiness: string
  earliest: Date
  latest: Date
  findStarts(from: Date, to: Date): Promise<Date[]>
  /** Values that every link keeps. */
  kept: Record<string, string>
}

/** How many months the page searches for the first free time. */
const MONTHS_SEARCHED = 3

const monthAfter = (month: string, count: number): string =>
  Temporal.PlainYearMonth.from(month).add({ months: count }).toString()

const textIn = (day: string, format: Intl.DateTimeFormatOptions, language: Language): string =>
  new Intl.DateTimeFormat(localeOf(language), { ...format, timeZone: 'UTC' }).format(
    new Date(`${day}T00:00:00Z`),
  )
const DAY_TITLE = { weekday: 'long', day: 'numeric', month: 'long' } as const
const MONTH_TITLE = { month: 'long', year: 'numeric' } as const

type FreeDays = Map<string, Date[]>

/** Returns the free times of a month by day. */
async function readMonth({ findStarts }: TimePicker, zone: string, month: string): Promise<FreeDays> {
  const [from, to] = [month, monthAfter(month, 1)].map((shown) => startOfDay(`${shown}-01`, zone)!)
  return Map.groupBy(await findStarts(from!, to!), (start) => dayOf(start, zone))
}

const isDay = (day: unknown): day is string => typeof day === 'string' && startOfDay(day, 'UTC') !== undefined

/** Returns the month of the query, within the months that can be booked; undefined if the query has none. */
function monthOfQuery(picker: TimePicker, zone: string, day: string | undefined): string | undefined {
  const { month } = picker.query
  const monthShown = typeof month === 'string' && isDay(`${month}-01`) ? month : day?.slice(0, 7)
  if (monthShown === undefined) return undefined
  const [first, last] = [monthOf(picker.earliest, zone), monthOf(picker.latest, zone)]
  // The middle one of the three, by time.
  return [first, monthShown, last].sort()[1]
}

/** Returns the month of the query, otherwise the first with free times, of the next few. */
async function findMonth(
  picker: TimePicker,
  zone: string,
  day: string | undefined,
): Promise<{ month: string; days: FreeDays }> {
  const monthShown = monthOfQuery(picker, zone, day)
  if (monthShown !== undefined) return { month: monthShown, days: await readMonth(picker, zone, monthShown) }
  const first = monthOf(picker.earliest, zone)
  for (let count = 0; count < MONTHS_SEARCHED; count++) {
    const month = monthAfter(first, count)
    const days = await readMonth(picker, zone, month)
    if (days.size > 0) return { month, days }
    if (month >= monthOf(picker.latest, zone)) break
  }
  return { month: first, days: new Map() }
}

/** A Monday, and the days after it. */
const WEEK = Array.from({ length: 7 }, (_, count) => new Date(Date.UTC(2024, 0, 1 + count)))

/** Returns the days of the week from Monday on, with names for a narrow column. */
function weekdaysIn(language: Language): { name: string; short: string }[] {
  const format = (weekday: 'long' | 'short' | 'narrow') =>
    new Intl.DateTimeFormat(localeOf(language), { weekday, timeZone: 'UTC' })
  const [long, short] = [format('long'), format(language === 'ar' ? 'narrow' : 'short')]
  return WEEK.map((day) => ({
    name: long.format(day),
    short: language === 'en' ? long.format(day).slice(0, 2) : short.format(day),
  }))
}

type Link = (values: Record<string, string>) => string

/** Returns the days of a month in weeks from Monday on; empty strings before and after it. */
function weeksOf(month: string): string[][] {
  const { daysInMonth } = Temporal.PlainYearMonth.from(month)
  const first = Temporal.PlainDate.from(`${month}-01`)
  const days = [
    ...Array.from({ length: first.dayOfWeek - 1 }, () => ''),
    ...Array.from({ length: daysInMonth }, (_, count) => first.add({ days: count }).toString()),
  ]
  return Array.from({ length: Math.ceil(days.length / 7) }, (_, week) =>
    Array.from({ length: 7 }, (_, weekday) => days[7 * week + weekday] ?? ''),
  )
}

function dayCell(day: string, count: number, { chosen, link, language }: Shown): Html {
  const number = Number(day.slice(-2))
  if (count === 0) return html`<td><span class="day">${day !== '' && number}</span></td>`
  const title = bookingTexts(language).t('day.free', { day: textIn(day, DAY_TITLE, language), count })
  return html`<td><a class="day free" href="${link({ day })}#times" aria-label="${title}"${
    day === chosen && html` aria-current="date"`
  }>${number}</a></td>`
}

type Shown = {
  month: string
  days: FreeDays
  chosen: string | undefined
  zone: string
  link: Link
  language: Language
}

function monthTable(picker: TimePicker, shown: Shown): Html {
  const { month, days, zone, link, language } = shown
  const { t } = bookingTexts(language)
  const title = textIn(`${month}-01`, MONTH_TITLE, language)
  const turn = (count: number, isPossible: boolean, sign: string, label: string) =>
    isPossible
      ? html`<a class="button plain" href="${link({ month: monthAfter(month, count) })}" aria-label="${label}">${sign}</a>`
      : html`<span class="button plain off" aria-hidden="true">${sign}</span>`
  return html`<div class="months">${turn(-1, month > monthOf(picker.earliest, zone), '‹', t('month.previous'))}<h3 id="month">${title}</h3>${turn(1, month < monthOf(picker.latest, zone), '›', t('month.next'))}</div>
<table class="month" aria-labelledby="month"><thead><tr>${weekdaysIn(language).map(
    ({ name, short }) => html`<th scope="col"><abbr title="${name}">${short}</abbr></th>`,
  )}</tr></thead><tbody>${weeksOf(month).map(
    (week) => html`<tr>${week.map((day) => dayCell(day, days.get(day)?.length ?? 0, shown))}</tr>`,
  )}</tbody></table>`
}

function timesOfDay({ days, chosen, zone, link, month, language }: Shown): Html {
  const { t } = bookingTexts(language)
  const starts = chosen === undefined ? undefined : days.get(chosen)
  if (chosen === undefined || starts === undefined)
    return html`<p>${
      chosen === undefined
        ? t('none.month', { month: textIn(`${month}-01`, MONTH_TITLE, language) })
        : t('none.day', { day: textIn(chosen, DAY_TITLE, language) })
    }</p>`
  const clock = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  return html`<h3>${textIn(chosen, DAY_TITLE, language)}</h3><p class="times">${starts.map(
    (start) =>
      html`<a class="button plain" href="${link({ at: start.toISOString() })}">${clock.format(start)}</a> `,
  )}</p>`
}

/** Returns the month and the times of its chosen day: the day of the query, otherwise the first free one. */
export async function timePicker(picker: TimePicker): Promise<Html> {
  const { query, language, ofBusiness, kept } = picker
  const zone = zoneOf(query.zone, ofBusiness)
  const day = isDay(query.day) ? query.day : query.near && dayOf(query.near, zone)
  const { month, days } = await findMonth(picker, zone, day)
  const isInMonth = day?.startsWith(month) === true
  const [firstFree] = [...days.keys()].sort()
  const shown: Shown = {
    month,
    days,
    zone,
    language,
    chosen: isInMonth && (days.has(day) || firstFree === undefined) ? day : firstFree,
    link: (values) => `?${new URLSearchParams({ ...kept, ...keptIn(query), ...values })}`,
  }
  return html`${zoneChoice({ zone, ofBusiness, at: picker.earliest, language, kept: { ...kept, ...(isInMonth ? { day } : { month }) } })}
<div class="picker"><div>${monthTable(picker, shown)}</div><div id="times">${timesOfDay(shown)}</div></div>`
}

export const PICKER_STYLE = `${ZONE_STYLE}
h3 { font-size: 1rem; margin: 0 0 .5rem }
.picker { display: grid; gap: 1.25rem 2rem; margin: 0 0 1rem }
@media (min-width: 720px) { .picker { grid-template-columns: minmax(0, 22rem) minmax(0, 1fr) } }
.months { display: flex; align-items: center; justify-content: space-between; margin: 0 0 .5rem } .months h3 { margin: 0 }
.months .button { min-width: 44px; padding: .4rem; text-align: center } .off { opacity: .35; cursor: default }
.month { width: 100%; border-collapse: separate; border-spacing: 2px; table-layout: fixed; text-align: center }
.month th { font-size: .8rem; font-weight: 400; color: var(--faint); padding: .25rem 0 } .month abbr { text-decoration: none }
.month td { padding: 0 }
.day { display: block; min-height: 44px; line-height: 42px; border-radius: 8px; border: 1px solid transparent; color: var(--faint) }
.day.free { font-weight: 600; color: var(--ink); border-color: var(--faint); text-decoration: none }
.day.free:hover { background: color-mix(in srgb, var(--brand) 15%, transparent) }
.day[aria-current] { background: var(--brand); color: var(--on-brand) }
.times { display: grid; grid-template-columns: repeat(auto-fill, minmax(5rem, 1fr)); gap: .5rem }
.times .button { text-align: center; padding: .55rem .25rem }
`
