/**
 * Lists every part and field of the settings by its text keys, for the search. search-index.test.ts compares
 * it with the sections.
 */

import type { Role } from '../../api/session.ts'
import { t as billing } from '../../billing/texts.ts'
import { t as reviews } from '../../reviews/texts.ts'
import { t as sales } from '../../sales/texts.ts'
import { t } from '../texts.ts'
import { t as moveIn } from './move-in/texts.ts'
import { GROUPS, type Section } from './sections.ts'

export type SettingEntry = {
  /** Names the entry in the address: its section and its text key. */
  id: string
  section: Section
  sectionTitle: string
  title: string
  /** The text of the element to mark; undefined for a whole section. */
  mark: string | undefined
  /** All words by which the entry is found, folded. */
  words: string
}

type Texts = (key: never) => string
/** Text keys of one catalog. The fields of a dialog are found at `inside`, the part that opens it. */
type Keys = { t: Texts; keys: readonly string[]; inside?: string }

const of =
  <Key extends string>(texts: (key: Key) => string) =>
  (...keys: Key[]): Keys => ({ t: texts as Texts, keys })
const own = of(t)
const inside = (part: Parameters<typeof t>[0], ...keys: Parameters<typeof t>[0][]): Keys => ({
  ...own(...keys),
  inside: part,
})

export const PARTS: Record<Section, readonly Keys[]> = {
  workspace: [
    own('workspace', 'name', 'timezone', 'countryCode', 'language'),
    own('limits', 'marketingCap', 'coolOffDays', 'followUpHours', 'messageDays'),
    own('capture', 'capture.switch'),
  ],
  hours: [own('hours.title', 'timezone', 'hours.holidays')],
  tags: [own('tags.title'), inside('tags.title', 'name', 'color')],
  segments: [own('segments.title')],
  fields: [
    own('fields.title'),
    inside('fields.title', 'fields.label', 'fields.key', 'fields.type', 'fields.options'),
  ],
  'move-in': [of(moveIn)('title', 'imports')],
  start: [own('start')],
  numbers: [
    own('numbers'),
    inside(
      'numbers',
      'connect.field.number',
      'connect.field.accountId',
      'connect.field.operatorId',
      'connect.field.token',
      'connect.field.appSecret',
    ),
  ],
  replies: [own('replies.title'), inside('replies.title', 'replies.shortcut', 'replies.body')],
  teams: [
    own('availability.title', 'availability.switch', 'teams.title'),
    inside(
      'teams.title',
      'teams.name',
      'teams.description',
      'teams.assignment',
      'teams.capacity',
      'teams.members',
      'teams.numbers',
    ),
  ],
  macros: [
    own('macros.title'),
    inside(
      'macros.title',
      'macros.name',
      'macros.reply',
      'macros.addTags',
      'macros.removeTags',
      'macros.team',
      'macros.assignee',
      'macros.priority',
      'macros.end',
      'macros.note',
    ),
  ],
  ratings: [
    of(reviews)('ratings', 'ratings.enabled', 'ratings.delay'),
    of(reviews)(
      'reviews',
      'question',
      'reviews.afterInvoicePaidHours',
      'reviews.afterBookingHours',
      'reviews.everyDays',
      'reviews.alertAt',
      'reviews.alertMemberId',
      'reviews.publicUrl',
    ),
  ],
  pipeline: [own('stages', 'reasons'), inside('stages', 'name', 'stages.kind', 'stages.moveTo', 'color')],
  sales: [
    of(sales)(
      'settings.seller',
      'settings.legalName',
      'field.gstin',
      'field.line1',
      'settings.line2',
      'field.city',
      'field.state',
      'field.postalCode',
      'settings.pan',
      'field.email',
      'field.phone',
      'settings.upiId',
      'settings.bank',
    ),
    of(sales)('settings.tax', 'settings.scheme', 'settings.currency', 'settings.hsn'),
    of(sales)('settings.pricesIncludeTax', 'settings.roundToUnit'),
    of(sales)(
      'settings.series',
      'series.invoice',
      'series.proforma',
      'series.quotation',
      'series.receipt',
      'series.voucher',
      'series.creditNote',
    ),
    of(sales)('settings.usual', 'settings.dueDays', 'settings.validDays', 'field.terms', 'settings.locked'),
  ],
  bookings: [
    own('bookings.title', 'bookings.publicPage', 'bookings.pageColor'),
    own('bookings.holdMinutes', 'bookings.maxOpen', 'bookings.reminders'),
    own('services.title'),
    inside(
      'services.title',
      'services.name',
      'services.description',
      'services.durationMinutes',
      'services.stepMinutes',
      'services.bufferBeforeMinutes',
      'services.bufferAfterMinutes',
      'services.capacity',
      'services.minNoticeMinutes',
      'services.maxDaysAhead',
      'services.cancelNoticeMinutes',
      'services.locationKind',
      'services.location',
      'services.active',
      'services.taxRate',
      'services.hsn',
      'services.advance',
      'services.refundPolicy',
      'services.staff',
      'services.questions',
    ),
    own('staff.title'),
    inside(
      'staff.title',
      'staff.name',
      'staff.kind',
      'staff.member',
      'staff.week',
      'staff.timeOff',
      'staff.active',
    ),
  ],
  security: [
    own('factor', 'factor.switch'),
    own('hidden', 'hidden.agent', 'hidden.viewer'),
    own('lengths', 'idleDays', 'absoluteDays'),
  ],
  'sign-ins': [own('signIns.title')],
  activity: [own('activity.title')],
  usage: [of(billing)('plan', 'month', 'modules', 'wallet', 'costs', 'categories', 'rates')],
}

/** Returns text without capitals and accents. */
export const fold = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/** Returns the help of a field; empty without one. */
const helpOf = (texts: Texts, key: string): string =>
  [`${key}.hint`, `${key}.text`]
    .map((helpKey) => [helpKey, texts(helpKey as never)] as const)
    .filter(([helpKey, text]) => !text.includes(helpKey))
    .map(([, text]) => text)
    .join(' ')

function entriesOf(section: Section): SettingEntry[] {
  const sectionTitle = t(`section.${section}`)
  const synonyms = t(`words.${section}`)
  const whole = {
    id: section,
    section,
    sectionTitle,
    title: sectionTitle,
    mark: undefined,
    words: fold(`${sectionTitle} ${synonyms}`),
  }
  const parts = PARTS[section].flatMap(({ t: texts, keys, inside: part }) =>
    keys.map((key): SettingEntry => {
      const title = texts(key as never)
      return {
        id: `${section}.${key}`,
        section,
        sectionTitle,
        title,
        mark: part === undefined ? title : texts(part as never),
        words: fold(`${title} ${sectionTitle} ${helpOf(texts, key)}`),
      }
    }),
  )
  // A part with the title of its section is found as the section.
  return [whole, ...parts.filter(({ title }) => title !== sectionTitle)]
}

const ROLES = Object.assign({}, ...Object.values(GROUPS)) as Record<Section, Role>
const entries = (Object.keys(ROLES) as Section[]).flatMap(entriesOf)

/** Returns the entry with an address's name. */
export const findSetting = (id: string): SettingEntry | undefined => entries.find((entry) => entry.id === id)

/** Returns the best place of the words: 0 in front of the title, 1 in the title, 2 elsewhere. */
function rankOf({ title, words, mark }: SettingEntry, typed: readonly string[]): number | undefined {
  if (!typed.every((word) => words.includes(word))) return undefined
  const folded = fold(title)
  const place = folded.startsWith(typed[0]!) ? 0 : typed.every((word) => folded.includes(word)) ? 1 : 2
  // Sections come before their fields.
  return place + (mark === undefined ? 0 : 0.5)
}

/** Returns the settings that the member may open and that match every word, the best first. */
export function searchSettings(text: string, mayOpen: (lowest: Role) => boolean): SettingEntry[] {
  const typed = fold(text).split(/\s+/).filter(Boolean)
  if (typed.length === 0) return []
  return entries
    .filter(({ section }) => mayOpen(ROLES[section]))
    .flatMap((entry) => {
      const rank = rankOf(entry, typed)
      return rank === undefined ? [] : [{ entry, rank }]
    })
    .sort((a, b) => a.rank - b.rank)
    .map(({ entry }) => entry)
}
