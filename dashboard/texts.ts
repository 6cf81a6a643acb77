/**
 * Provides the texts of the pages. Each folder has an `en.json`; its keys are the types of `t`, so a missing
 * text does not compile. The other languages are beside it (`hi.json`), and load before the first page.
 */
import { directionOf, firstLanguage, type Language, languageOf } from '../src/core/values/languages.ts'
import { messageFormatter, type Values } from '../src/core/values/message-format.ts'

const PSEUDO = 'en-XA'
const STORED = 'parley.locale'
const isBrowser = typeof document !== 'undefined'
const stored = isBrowser ? readLocale() : null
const preferred = globalThis.navigator?.languages ?? []

function readLocale(): string | null {
  try {
    return localStorage.getItem(STORED)
  } catch {
    // Private windows may reject storage.
    return null
  }
}

/** The language of the pages in this browser: the one in use before, else the browser's own. */
export const language: Language = isBrowser
  ? (languageOf(stored ?? '') ?? firstLanguage(preferred) ?? 'en')
  : 'en'
const variant = preferred.find((tag) => languageOf(tag) === language) ?? language
/**
 * The locale for Intl: the reader's own variant of the language, such as `en-IN`. Arabic has the digits of
 * phone numbers and amounts, which the pages show beside them.
 */
export const formatLocale = language === 'ar' ? `${variant}-u-nu-latn` : variant
/** Returns the locale for amounts: rupees are grouped in lakhs and crores, as in documents and the API. */
export const moneyLocale = (currency: string | undefined): string =>
  currency === 'INR' && language !== 'hi' ? 'en-IN' : formatLocale

/** Stores the language in which pages of this browser open from the next load on; returns whether it is stored. */
export function storeLanguage(chosen: Language): boolean {
  try {
    localStorage.setItem(STORED, chosen)
    return true
  } catch {
    return false
  }
}

type Catalog = Record<string, string>
/** The texts of each language but English, by path, such as `../inbox/es.json`. */
const LOADS: Record<Exclude<Language, 'en'>, () => Promise<{ default: Record<string, Catalog> }>> = {
  hi: () => import('./languages/hi.ts'),
  'pt-BR': () => import('./languages/pt-BR.ts'),
  es: () => import('./languages/es.ts'),
  ar: () => import('./languages/ar.ts'),
  id: () => import('./languages/id.ts'),
}
/** The texts of the language; empty in English, and until they are loaded. */
let catalogs: Record<string, Catalog> = {}

/** Loads the texts of the language. Without them the pages are in English. */
export async function loadTexts(): Promise<void> {
  const { documentElement } = document
  const loaded = language === 'en' ? undefined : await LOADS[language]().catch(() => undefined)
  catalogs = loaded?.default ?? {}
  const shown = loaded ? language : 'en'
  documentElement.lang = stored === PSEUDO ? PSEUDO : shown
  documentElement.dir = directionOf(shown)
}

const ACCENTED: Record<string, string> = {
  a: 'å',
  e: 'é',
  i: 'î',
  o: 'ø',
  u: 'ü',
  c: 'ç',
  n: 'ñ',
  s: 'š',
  y: 'ý',
}
const pseudo = (text: string): string =>
  `⟦${text.replace(/[aeioucnsy]/g, (letter) => ACCENTED[letter] ?? letter)} ~~⟧`

const formatMessage = messageFormatter(formatLocale)

/**
 * Returns the `t` of a folder: `texts('inbox', en)('empty.title')`. With `parley.locale` set to `en-XA`, every
 * text is longer and accented, so that texts outside the catalogs are visible.
 */
export const texts =
  <English extends Catalog>(folder: string, english: English) =>
  (key: keyof English & string, values?: Values): string => {
    const text = formatMessage(
      catalogs[`../${folder}/${language}.json`]?.[key] ?? english[key] ?? key,
      values,
    )
    return stored === PSEUDO ? pseudo(text) : text
  }
