/** The page on which customers book: they choose a service and a time, and enter their details. */
import type { Context } from '../../../../core/context.ts'
import { isUuid } from '../../../../core/ids.ts'
import { dayOf } from '../../../../core/values/calendar.ts'
import { type Html, html, htmlLines } from '../../../../core/values/html.ts'
import type { HtmlPage } from '../../../../core/values/html-page.ts'
import type { Language } from '../../../../core/values/languages.ts'
import { newLinkToken } from '../../../../core/values/link-token.ts'
import { moneyText } from '../../../../core/values/money.ts'
import { LANGUAGES_STYLE, langIn, languageLinks } from '../../../../core/values/page-language.ts'
import { FIRST_MOMENT, LAST_MOMENT } from '../../../../core/values/text.ts'
import { currencyOf, listServices, presentService } from '../operations/bookable-services.ts'
import { findBookable } from '../operations/find-bookable.ts'
import { durationText, momentText } from '../operations/present.ts'
import { readSettings } from '../operations/settings.ts'
import { findFreeTimes, noticeOf } from '../operations/slots.ts'
import type { ServiceRow } from '../queries/setup.ts'
import { bookingTexts } from '../texts/texts.ts'
import { type Brand, brandHeader, brandStyle, readBrand } from './brand.ts'
import { PICKER_STYLE, timePicker } from './time-picker.ts'
import { keptIn, ZONE_SCRIPT, zoneOf } from './zone-choice.ts'

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

type Part = { body: Html; usesZone?: boolean }
type Visit = { query: Wanted; language: Language }

/** The values of the address that name a step; other languages show the same step. */
const STEP = ['service', 'month', 'day', 'at', 'zone']
const stepOf = (query: Wanted): Record<string, string> =>
  Object.fromEntries(
    STEP.filter((name) => textOf(query, name) !== '').map((name) => [name, textOf(query, name)]),
  )

const page = (
  brand: Brand,
  { body, usesZone = false }: Part,
  { query, language }: Visit,
  notice?: string,
): HtmlPage => ({
  title: bookingTexts(language).t('title', { business: brand.name }),
  language,
  style: brandStyle(brand) + PICKER_STYLE + SERVICES_STYLE + LANGUAGES_STYLE,
  // After a form was sent, opening the page again would lose its notice.
  ...(usesZone && notice === undefined ? { script: ZONE_SCRIPT } : {}),
  body: html`<main>${brandHeader(brand)}${
    notice && html`<p class="notice bad" role="alert">${notice}</p>`
  }<div class="paper">${body}</div>${languageLinks(bookingTexts(language).t('language'), language, stepOf(query))}</main>`,
})

const SERVICES_STYLE = `
.services { list-style: none; margin: 0; padding: 0; display: grid; gap: .75rem }
.services a { display: block; border: 1px solid var(--faint); border-radius: 8px; padding: .75rem 1rem; color: var(--ink);
  text-decoration: none }
.services a:hover { border-color: var(--brand) }
.services strong { display: block }
`

type PresentedService = ReturnType<typeof presentService>
/** Returns the duration and the price, which keeps its own direction beside Arabic text. */
const facts = ({ durationMinutes, priceMinor, currency }: PresentedService, language: Language): Html =>
  html`${durationText(durationMinutes, language)}${
    priceMinor > 0 &&
    html`${language === 'ar' ? '، ' : ', '}<bdi>${moneyText(priceMinor, currency, language)}</bdi>`
  }`

async function servicesPart(ctx: Context, { query, language }: Visit): Promise<Part> {
  const { t } = bookingTexts(language)
  const services = (await listServices(ctx)).filter(({ active }) => active)
  const body =
    services.length === 0
      ? html`<p>${t('services.none')}</p>`
      : html`<h2>${t('services.title')}</h2><ul class="services">${services.map(
          (service) =>
            html`<li><a href="?${String(new URLSearchParams({ service: service.id, ...keptIn(query) }))}"><strong>${service.name}</strong><span class="faint">${facts(service, language)}</span>${
              service.description && html`<br>${htmlLines(service.description)}`
            }</a></li>`,
        )}</ul>`
  return { body }
}

async function timesPart(ctx: Context, service: ServiceRow, { query, language }: Visit): Promise<Part> {
  const bookable = await findBookable(ctx, service.id, undefined)
  const { from: earliest, to: latest } = noticeOf(ctx, service)
  const presented = presentService(service, await currencyOf(ctx))
  const picker = await timePicker({
    query: { ...query, near: momentOf(query, 'near') },
    language,
    ofBusiness: ctx.workspace.timezone,
    earliest,
    latest,
    findStarts: async (from, to) => {
      const times = await findFreeTimes(ctx, bookable, { from, to, seats: 1 })
      return [...new Set(times.map(({ startAt }) => startAt))].map((startMs) => new Date(startMs))
    },
    kept: { service: service.id, ...langIn(query) },
  })
  const body = html`<h2>${service.name}</h2><p class="faint">${facts(presented, language)}</p>${picker}<p><a href="?${String(new URLSearchParams(keptIn(query)))}">${bookingTexts(language).t('services.other')}</a></p>`
  return { body, usesZone: true }
}

/** The customer's own details, which their browser can fill in. */
const FILLED_BY_BROWSERS = new Map([
  ['name', 'name'],
  ['phone', 'tel'],
  ['email', 'email'],
])

const field = (label: string, name: string, type: string, value: string, required: boolean): Html => {
  const autocomplete = FILLED_BY_BROWSERS.get(name)
  return html`<label for="${name}">${label}</label><input id="${name}" name="${name}" type="${type}" value="${value}"${
    autocomplete !== undefined && html` autocomplete="${autocomplete}"`
  }${required && html` required`}>`
}

const seatsField = (label: string, value: string, capacity: number): Html =>
  html`<label for="partySize">${label}</label><input id="partySize" name="partySize" type="number" min="1" max="${capacity}" value="${value}" required>`

/** The field with the mark of a form, which stays the same when the form is sent again. */
export const FORM = 'form'

/** Field names contain the label, so two forms of a service use the same fields. */
export const QUESTION = 'question:'

/** Returns the time in the customer's zone, and in the business's zone if it is another. */
export const momentIn = (startAt: Date, zone: string, ofBusiness: string, language: Language): Html =>
  html`${momentText(startAt, zone, language)} <span class="faint">(${zone})</span>${
    zone !== ofBusiness &&
    html`<br><span class="faint">${bookingTexts(language).t('time.business', {
      moment: momentText(startAt, ofBusiness, language),
      zone: ofBusiness,
    })}</span>`
  }`

async function formPart(
  ctx: Context,
  service: ServiceRow,
  startAt: Date,
  { query, language }: Visit,
): Promise<Part> {
  const { t } = bookingTexts(language)
  const presented = presentService(service, await currencyOf(ctx))
  const ofBusiness = ctx.workspace.timezone
  const zone = zoneOf(query.zone, ofBusiness)
  const shown = { service: service.id, ...keptIn(query) }
  const body = html`<h2>${service.name}</h2>
<p>${momentIn(startAt, zone, ofBusiness, language)}<br><span class="faint">${facts(presented, language)}</span></p>
${service.advance !== null && html`<p>${t('advance.next')}</p>`}
<form method="post" action="?${String(new URLSearchParams({ ...shown, at: startAt.toISOString() }))}">
<input type="hidden" name="${FORM}" value="${textOf(query, FORM) || newLinkToken()}">
${field(t('field.name'), 'name', 'text', textOf(query, 'name'), true)}
${field(t('field.phone'), 'phone', 'tel', textOf(query, 'phone'), true)}
${field(t('field.email.optional'), 'email', 'email', textOf(query, 'email'), false)}
${service.capacity > 1 && seatsField(t('field.people'), textOf(query, 'partySize') || '1', service.capacity)}
${service.questions.map(({ label, required }) =>
  field(label, `${QUESTION}${label}`, 'text', textOf(query, `${QUESTION}${label}`), required),
)}
<button>${t('action.book')}</button> <a class="button plain" href="?${String(new URLSearchParams({ ...shown, day: dayOf(startAt, zone) }))}">${t('time.other')}</a>
</form>`
  return { body }
}

/** Returns the page at the step of the query; `notice` names the problem with the form. */
export async function bookPage(ctx: Context, visit: Visit, notice?: string): Promise<HtmlPage> {
  const { query } = visit
  const brand = await readBrand(ctx)
  const service = await serviceOf(ctx, query)
  if (!service) return page(brand, await servicesPart(ctx, visit), visit, notice)
  const startAt = momentOf(query, 'at')
  const part = startAt ? formPart(ctx, service, startAt, visit) : timesPart(ctx, service, visit)
  return page(brand, await part, visit, notice)
}

/** Returns the service of the query, if it can be booked. */
export async function serviceOf(ctx: Context, query: Wanted): Promise<ServiceRow | undefined> {
  const id = textOf(query, 'service')
  if (!isUuid(id) || !(await listServices(ctx)).some((service) => service.id === id && service.active))
    return undefined
  return (await findBookable(ctx, id, undefined)).service
}
