/** The languages of the pages and of the texts for customers. */
export const LANGUAGES = ['en', 'hi', 'pt-BR', 'es', 'ar', 'id'] as const
export type Language = (typeof LANGUAGES)[number]

/** The name of each language, as its speakers write it. */
export const LANGUAGE_NAMES: Record<Language, string> = {
  en: 'English',
  hi: 'हिन्दी',
  'pt-BR': 'Português (Brasil)',
  es: 'Español',
  ar: 'العربية',
  id: 'Bahasa Indonesia',
}

/** Returns the direction of a language's script. */
export const directionOf = (language: Language): 'ltr' | 'rtl' => (language === 'ar' ? 'rtl' : 'ltr')

/** The locales for Intl. Arabic has the digits of phone numbers and amounts, which appear beside its texts. */
const LOCALES: Partial<Record<Language, string>> = { en: 'en-GB', ar: 'ar-u-nu-latn' }

/** Returns the locale for dates and numbers in texts for customers. */
export const localeOf = (language: Language): string => LOCALES[language] ?? language

export const LANGUAGE_TAG_MAX = 35

/** Returns whether the text is a BCP 47 tag, such as `es-MX`. Words such as `French` are no tags. */
export function isLanguageTag(text: string): boolean {
  try {
    return (
      /^[a-z]{2,3}(?:-|$)/i.test(text) &&
      text.length <= LANGUAGE_TAG_MAX &&
      Intl.getCanonicalLocales(text).length === 1
    )
  } catch {
    return false
  }
}

/** Returns the tags of an Accept-Language header, most preferred first. */
export const tagsOfHeader = (header: string | undefined): string[] =>
  (header ?? '')
    .split(',', 20)
    .map((part) => {
      const [tag = '', ...parameters] = part.split(';').map((piece) => piece.trim())
      const quality = parameters.find((parameter) => /^q=/i.test(parameter))
      return { tag, quality: quality === undefined ? 1 : Number(quality.slice(2)) }
    })
    .filter(({ tag, quality }) => tag !== '' && quality > 0)
    .sort((a, b) => b.quality - a.quality)
    .map(({ tag }) => tag)

const baseOf = (tag: string): string => tag.toLowerCase().split(/[-_]/)[0]!

/** Returns the language that fits a BCP 47 tag, such as `es` for `es-MX`; undefined if there is none. */
export const languageOf = (tag: string): Language | undefined =>
  LANGUAGES.find((language) => language.toLowerCase() === tag.toLowerCase().replace('_', '-')) ??
  LANGUAGES.find((language) => baseOf(language) === baseOf(tag))

/** Returns the first language that fits one of the tags, most preferred first; undefined if none does. */
export const firstLanguage = (tags: readonly string[]): Language | undefined =>
  tags.map(languageOf).find((language) => language !== undefined)
