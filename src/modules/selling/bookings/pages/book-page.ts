/** The page on which customers book: they choose a service and a time, and enter their details. */
import { DAY_MS, later } from '../../../../core/clock.ts'
import type { Context } from '../../../../core/context.ts'
import { isUuid } from '../../../../core/ids.ts'
import { type Html, html, htmlLines } from '../../../../core/values/html.ts'
import type { HtmlPage } from '../../../../core/values/html-page.ts'
import { newLinkToken } from '../../../../core/values/link-token.ts'
import { FIRST_MOMENT, LAST_MOMENT } from '../../../../core/values/text.ts'
import { currencyOf, listServices, presentService } from '../operations/bookable-services.ts'
import { findBookable } from '../operations/find-bookable.ts'
import { durationText, momentText } from '../operations/present.ts'
import { readSettings } from '../operations/settings.ts'
import { findFreeTimes, noticeOf } from '../operations/slots.ts'
import type { ServiceRow } from '../queries/setup.ts'
import { DAYS_SHOWN, TIMES_STYLE, timesList } from './times-list.ts'

/** Values of the query or of the sent form. */
export type Wanted = Record<string, unknown>

const textOf = (query: Wanted, name: string): string => (typeof query[name] === 'string' ? query[name] : '')

/** Returns a moment from the query; undefined if it is no moment or outside the API's limits. */
export function momentOf(query: Wanted, name: string): Date | undefined {
  const time = new Date(textOf(query, name))
  return textOf(query, name) !== '' && time >= FIRST_MOMENT && time <= LAST_MOMENT ? time : undefined
}

/** Returns whether customers of the workspace can book on the page. */
export const isOpen = async (ctx: Context): Promise<boolean> =>
  ctx.workspace.modules.includes('bookings') && (await readSettings(ctx)).publicPage

const page = (ctx: Context, body: Html, notice?: string): HtmlPage => ({
  title: `Book at ${ctx.workspace.name}`,
  style: TIMES_STYLE,
  body: html`<main><h1>${ctx.workspace.name}</h1>${
    notice && html`<p class="notice bad" role="alert">${notice}</p>`
  }<div class="paper">${body}</div></main>`,
})

type PresentedService = ReturnType<typeof presentService>
const facts = ({ durationMinutes, priceMinor, price }: PresentedService): string =>
  `${durationText(durationMinutes)}${priceMinor > 0 ? `, ${price}` : ''}`

async function servicesPage(ctx: Context): Promise<HtmlPage> {
  const services = (await listServices(ctx)).filter(({ active }) => active)
  return page(
    ctx,
    services.length === 0
      ? html`<p>There is nothing to book here at the moment.</p>`
      : html`<h2>What would you like to book?</h2>${services.map(
          (service) =>
            html`<p><a class="button plain" href="?service=${service.id}">${service.name}</a> <span class="faint">${facts(service)}</span>${
              service.description && html`<br>${htmlLines(service.description)}`
            }</p>`,
        )}`,
  )
}

async function timesPage(
  ctx: Context,
  service: ServiceRow,
  query: Wanted,
  notice?: string,
): Promise<HtmlPage> {
  const bookable = await findBookable(ctx, service.id, undefined)
  const earliest = noticeOf(ctx, service).from
  const from = momentOf(query, 'from') ?? earliest
  const times = await findFreeTimes(ctx, bookable, { from, to: later(from, DAYS_SHOWN * DAY_MS), seats: 1 })
  const starts = [...new Set(times.map(({ startAt }) => startAt))].map((startMs) => ({
    startAt: new Date(startMs).toISOString(),
  }))
  const presented = presentService(service, await currencyOf(ctx))
  const body = html`<h2>${service.name}</h2><p class="faint">${facts(presented)}</p>${timesList({
    times: starts,
    timeZone: ctx.workspace.timezone,
    from,
    earliest,
    link: (query) => `?${new URLSearchParams({ service: service.id, ...query })}`,
  })}<p><a href="?">Choose another service</a></p>`
  return page(ctx, body, notice)
}

const field = (label: string, name: string, type: string, value: string, required: boolean): Html =>
  html`<label for="${name}">${label}</label><input id="${name}" name="${name}" type="${type}" value="${value}"${
    required && html` required`
  }>`

const seatsField = (value: string, capacity: number): Html =>
  html`<label for="partySize">Number of people</label><input id="partySize" name="partySize" type="number" min="1" max="${capacity}" value="${value}" required>`

/** The field with the mark of a form, which stays the same when the form is sent again. */
export const FORM = 'form'

/** Field names contain the label, so two forms of a service use the same fields. */
export const QUESTION = 'question:'

async function formPage(
  ctx: Context,
  service: ServiceRow,
  startAt: Date,
  query: Wanted,
  notice?: string,
): Promise<HtmlPage> {
  const presented = presentService(service, await currencyOf(ctx))
  const body = html`<h2>${service.name}</h2>
<p>${momentText(startAt, ctx.workspace.timezone)} <span class="faint">(${ctx.workspace.timezone})</span><br><span class="faint">${facts(presented)}</span></p>
${service.advance !== null && html`<p>You pay an advance on the next page. We keep this time for you until then.</p>`}
<form method="post" action="?${String(new URLSearchParams({ service: service.id, at: startAt.toISOString() }))}">
<input type="hidden" name="${FORM}" value="${textOf(query, FORM) || newLinkToken()}">
${field('Your name', 'name', 'text', textOf(query, 'name'), true)}
${field('Your phone number', 'phone', 'tel', textOf(query, 'phone'), true)}
${field('Your email (optional)', 'email', 'email', textOf(query, 'email'), false)}
${service.capacity > 1 && seatsField(textOf(query, 'partySize') || '1', service.capacity)}
${service.questions.map(({ label, required }) =>
  field(label, `${QUESTION}${label}`, 'text', textOf(query, `${QUESTION}${label}`), required),
)}
<button>Book</button> <a class="button plain" href="?service=${service.id}">Choose another time</a>
</form>`
  return page(ctx, body, notice)
}

/** Returns the page at the step of the query; `notice` names the problem with the form. */
export async function bookPage(ctx: Context, query: Wanted, notice?: string): Promise<HtmlPage> {
  const service = await serviceOf(ctx, query)
  if (!service) return servicesPage(ctx)
  const startAt = momentOf(query, 'at')
  return startAt ? formPage(ctx, service, startAt, query, notice) : timesPage(ctx, service, query, notice)
}

/** Returns the service of the query, if it can be booked. */
export async function serviceOf(ctx: Context, query: Wanted): Promise<ServiceRow | undefined> {
  const id = textOf(query, 'service')
  if (!isUuid(id) || !(await listServices(ctx)).some((service) => service.id === id && service.active))
    return undefined
  return (await findBookable(ctx, id, undefined)).service
}
