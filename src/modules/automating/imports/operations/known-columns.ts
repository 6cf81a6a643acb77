/** Column names in the files of address books, shops, and other tools. */
import { meaningOf } from '../../../selling/crm/operations/capture-fields.ts'
import { CONTACT_FIELDS, LEAD_FIELDS } from '../schema.ts'

/** Returns a name without case, blanks, and signs. */
export const spelled = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '')

/** Other names that people and programs use for our columns. */
export const OTHER_NAMES: Record<string, string> = {
  tag: 'tags',
  labels: 'tags',
  groups: 'tags',
  groupmembership: 'tags',
  categories: 'tags',
  contacttags: 'tags',
  consent: 'optInStatus',
  optin: 'optInStatus',
  optedin: 'optInStatus',
  subscribed: 'optInStatus',
  allowbroadcast: 'optInStatus',
  whatsappopted: 'optInStatus',
  whatsappoptin: 'optInStatus',
  acceptswhatsappmarketing: 'optInStatus',
  consentsource: 'optInSource',
  preferredlanguage: 'language',
  idioma: 'language',
  nome: 'name',
  nombre: 'name',
  nom: 'name',
  email1value: 'email',
  email1address: 'email',
  primaryemail: 'email',
  value: 'dealValue',
  amount: 'dealValue',
  dealamount: 'dealValue',
  assignedto: 'owner',
  agent: 'owner',
  status: 'stage',
  followup: 'nextFollowUpAt',
  nextfollowup: 'nextFollowUpAt',
}

const PHONE =
  /phone|mobile|whats\s?app|telefon|t[eé]l[eé]fono|t[eé]l[eé]phone|celular|cellulare|m[oó]vil|rufnummer|handy|телефон|هاتف|فون|फ़ोन|फोन|मोबाइल|电话|手机|電話|(?<!\p{L})(?:tel|mob|cell|fon)(?!\p{L})/iu
/** Columns with details about a number, or with numbers that no customer uses for chats. */
const NOT_A_PHONE =
  /phonetic|label|type|country|code|verified|valid|opt|consent|status|accept|allow|marketing|fax|pager|telex|tty|isdn|callback|assistant|extension|(?<!\p{L})(?:ext|id)(?!\p{L})/iu
const PHONE_RANKS: RegExp[] = [
  /whats\s?app/i,
  /mobil|cell|celular|m[oó]vil|handy|मोबाइल|手机/i,
  /^(?!.*(?:home|work|business|company|office|main|other|car|radio|landline)).*$/i,
]

export const isNeverPhone = (column: string): boolean => NOT_A_PHONE.test(column)

/**
 * Returns how likely a column with this name has the customer's chat number: 0 is likeliest, undefined means
 * not a phone.
 */
export function phoneRank(column: string): number | undefined {
  if (isNeverPhone(column)) return undefined
  if (meaningOf(column) !== 'phone' && !PHONE.test(column)) return undefined
  const rank = PHONE_RANKS.findIndex((pattern) => pattern.test(column))
  return rank === -1 ? PHONE_RANKS.length : rank
}

/**
 * Returns the text before the last word of a name if that is one of `words`: `phone 1` of `Phone 1 - Value`.
 */
function beforeWord(name: string, words: readonly string[]): string | undefined {
  const text = name.toLowerCase().trimEnd()
  const word = words.find((suffix) => text.endsWith(suffix))
  if (word === undefined) return undefined
  const stem = text.slice(0, -word.length).trimEnd()
  return stem.endsWith('-') ? stem.slice(0, -1).trimEnd() : stem
}

/** Returns the column with the label of another column's numbers: `Phone 1 - Label` for `Phone 1 - Value`. */
export function labelColumn(column: string, columns: readonly string[]): string | undefined {
  const stem = beforeWord(column, ['value']) ?? column.toLowerCase()
  return stem === ''
    ? undefined
    : columns.find((candidate) => beforeWord(candidate, ['label', 'type']) === stem)
}

const CODE_OF_PHONE =
  /(?:country|dial(?:l?ing)?|calling|isd|phone|mobile)[\s_-]*(?:country[\s_-]*)?code|^isd$|phone[\s_-]*country/i
const COUNTRY =
  /country|pa[ií]s|(?<!\p{L})(?:pays|paese|land|negara|ülke|ulke)(?!\p{L})|страна|देश|国家|国|البلد/iu

/**
 * Returns how likely a column with this name has the country of the number: 0 is likeliest, undefined means
 * not a country.
 */
export function countryRank(column: string): number | undefined {
  if (CODE_OF_PHONE.test(column)) return 0
  return COUNTRY.test(column) ? 1 : undefined
}

const OUR_FIELDS = new Set([...CONTACT_FIELDS, ...LEAD_FIELDS].map(spelled))

/** Returns whether a cell is a usual column name, and not a value. */
export const isKnownColumn = (cell: string): boolean =>
  cell.length <= 100 &&
  cell !== '' &&
  (OUR_FIELDS.has(spelled(cell)) ||
    OTHER_NAMES[spelled(cell)] !== undefined ||
    meaningOf(cell) !== undefined ||
    phoneRank(cell) !== undefined ||
    countryRank(cell) === 0)
