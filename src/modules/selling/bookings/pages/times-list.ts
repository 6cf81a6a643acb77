/** A list of free times by day, from which customers choose. */
import { DAY_MS, later } from '../../../../core/clock.ts'
import { type Html, html } from '../../../../core/values/html.ts'

/** The number of days on the page. */
export const DAYS_SHOWN = 7

export type ShownTime = { startAt: string }

const dayFormat = (timeZone: string): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat('en-GB', { timeZone, weekday: 'long', day: 'numeric', month: 'long' })
const timeFormat = (timeZone: string): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })

export type TimesList = {
  times: ShownTime[]
  timeZone: string
  from: Date
  /** The list shows no times before this moment. */
  earliest: Date
  /** Returns the address of a time, or of the page that starts at another moment. */
  link(query: Record<string, string>): string
}

/** Returns links to the week before and the week after. */
function otherWeeks({ from, earliest, link }: TimesList): Html {
  const before = later(from, -DAYS_SHOWN * DAY_MS)
  const after = later(from, DAYS_SHOWN * DAY_MS)
  return html`<p>${
    from > earliest &&
    html`<a class="button plain" href="${link({ from: before.toISOString() })}">Earlier</a> `
  }<a class="button plain" href="${link({ from: after.toISOString() })}">Later</a></p>`
}

/** Returns the free times of a week as links. */
export function timesList(list: TimesList): Html {
  const { times, timeZone, link } = list
  const [days, clock] = [dayFormat(timeZone), timeFormat(timeZone)]
  const byDay = Map.groupBy(times, ({ startAt }) => days.format(new Date(startAt)))
  return html`<p class="faint">Times are in ${timeZone}.</p>
${times.length === 0 && html`<p>No free times this week.</p>`}
${[...byDay].map(
  ([day, slotsOfDay]) =>
    html`<h2>${day}</h2><p class="times">${slotsOfDay.map(
      ({ startAt }) =>
        html`<a class="button plain" href="${link({ at: startAt })}">${clock.format(new Date(startAt))}</a> `,
    )}</p>`,
)}
${otherWeeks(list)}`
}

export const TIMES_STYLE = '.times { display: flex; flex-wrap: wrap; gap: .5rem }'
