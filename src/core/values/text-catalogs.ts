/**
 * Provides the texts that customers and mail recipients read. Each area has a folder of catalogs, one JSON file
 * for each language. The keys of `en.json` are the types of `t`, and a language without a key does not compile.
 */
import { type Language, localeOf } from './languages.ts'
import { messageFormatter, type Values } from './message-format.ts'

type Translated = Exclude<Language, 'en'>
type Format = ReturnType<typeof messageFormatter>

/** The texts of an area in one language. */
export type Texts<Key extends string> = { language: Language; t(key: Key, values?: Values): string }

const formats = new Map<Language, Format>()

function formatOf(language: Language): Format {
  const cached = formats.get(language)
  if (cached) return cached
  const format = messageFormatter(localeOf(language))
  formats.set(language, format)
  return format
}

/** Returns the function that returns an area's texts in a language. */
export function textCatalogs<English extends Record<string, string>>(
  english: English,
  translations: Record<Translated, Record<keyof English, string>>,
): (language: Language) => Texts<keyof English & string> {
  const catalogs: Record<Language, Record<keyof English, string>> = { ...translations, en: english }
  return (language) => ({
    language,
    t: (key, values) => formatOf(language)(catalogs[language][key], values),
  })
}
