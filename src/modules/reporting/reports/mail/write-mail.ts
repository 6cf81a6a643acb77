/** Writes the weekly mail, as plain text and as HTML. Pure. */
import { type Html, html, htmlText } from '../../../../core/values/html.ts'
import { directionOf, type Language, localeOf } from '../../../../core/values/languages.ts'
import { weeklyTexts } from '../texts/texts.ts'
import type { WeeklyFigures } from './weekly-figures.ts'

export type WeeklyMail = {
  language: Language
  workspace: string
  name: string
  from: string
  to: string
  week: WeeklyFigures
  before: WeeklyFigures
  reportsUrl: string
  stopUrl: string
}

const [MINUTE, HOUR] = [60, 3_600]

/** Returns a function that formats seconds in their largest readable unit. */
function durationFormat(locale: string) {
  const inUnit = (unit: 'second' | 'minute' | 'hour', value: number) =>
    new Intl.NumberFormat(locale, {
      style: 'unit',
      unit,
      unitDisplay: 'short',
      maximumFractionDigits: 1,
    }).format(value)
  return (seconds: number): string => {
    if (seconds < MINUTE) return inUnit('second', seconds)
    if (seconds < 2 * HOUR) return inUnit('minute', Math.round(seconds / MINUTE))
    return inUnit('hour', Math.round((seconds / HOUR) * 10) / 10)
  }
}

/** Returns the figures with their names and texts. */
function rowsOf({ language, week, before }: Pick<WeeklyMail, 'language' | 'week' | 'before'>) {
  const { t } = weeklyTexts(language)
  const locale = localeOf(language)
  const number = new Intl.NumberFormat(locale, { maximumFractionDigits: 2 })
  const duration = durationFormat(locale)
  const row = (
    name: Parameters<typeof t>[0],
    field: keyof WeeklyFigures,
    format: (value: number) => string = number.format,
  ) => {
    const shown = (value: number | null): string => (value === null ? t('none') : format(value))
    return { name: t(name), value: shown(week[field]), before: shown(before[field]) }
  }
  return [
    row('received', 'received'),
    row('sent', 'sent'),
    row('firstReply', 'firstReplySeconds', duration),
    row('unanswered', 'unanswered'),
    row('resolved', 'resolved'),
    row('rating', 'rating'),
    row('leads', 'leads'),
    row('won', 'won'),
  ]
}

/** The styles are at the elements, because mail programs remove others. */
const page = (language: Language, { title, body }: { title: string; body: Html }): string =>
  htmlText(html`<!doctype html>
<html lang="${language}" dir="${directionOf(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light">
<title>${title}</title>
</head>
<body style="margin:0;padding:16px;background:#f3f4f6;color:#111827;font:16px/1.5 system-ui,-apple-system,Roboto,sans-serif">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px;background:#ffffff;border-radius:12px"><tr><td style="padding:24px">
${body}
</td></tr></table>
</td></tr></table>
</body>
</html>
`)

/** Returns the mail: subject, lines of text, and HTML. */
export function writeWeeklyMail(mail: WeeklyMail): { subject: string; lines: string[]; html: string } {
  const { language, workspace, reportsUrl, stopUrl } = mail
  const { t } = weeklyTexts(language)
  const day = new Intl.DateTimeFormat(localeOf(language), {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  })
  const [from, to] = [mail.from, mail.to].map((date) => day.format(new Date(`${date}T00:00:00Z`)))
  const rows = rowsOf(mail)
  const subject = t('subject', { workspace })
  const [hello, period, why] = [
    t('hello', { name: mail.name }),
    t('period', { from: from!, to: to! }),
    t('why', { workspace }),
  ]
  const figures = rows.map(
    ({ name, value, before }) => html`<tr>
<td style="padding:10px 0;border-top:1px solid #e5e7eb;color:#374151">${name}</td>
<td align="end" style="padding:10px 0;border-top:1px solid #e5e7eb;text-align:end;white-space:nowrap"><strong style="font-size:18px">${value}</strong><br><span style="color:#4b5563;font-size:14px">${t('before', { before })}</span></td>
</tr>
`,
  )
  return {
    subject,
    lines: [
      hello,
      '',
      period,
      '',
      ...rows.map((row) => t('figure', row)),
      '',
      `${t('open')}: ${reportsUrl}`,
      '',
      why,
      `${t('stop')}: ${stopUrl}`,
    ],
    html: page(language, {
      title: subject,
      body: html`<h1 style="margin:0 0 16px;font-size:22px;line-height:1.3">${subject}</h1>
<p style="margin:0 0 8px">${hello}</p>
<p style="margin:0 0 16px;color:#374151">${period}</p>
<table width="100%" cellpadding="0" cellspacing="0" style="border-collapse:collapse">
${figures}</table>
<p style="margin:24px 0"><a href="${reportsUrl}" style="display:inline-block;padding:12px 20px;border-radius:8px;background:#1d4ed8;color:#ffffff;font-weight:600;text-decoration:none">${t('open')}</a></p>
<p style="margin:0;color:#4b5563;font-size:14px">${why} <a href="${stopUrl}" style="color:#1d4ed8">${t('stop')}</a></p>`,
    }),
  }
}
