/** The languages of templates at the operator, and their names. */
import { formatLocale } from '../../texts.ts'

/** The codes that the operator accepts for templates. */
const CODES =
  'af sq ar az bn bg ca zh_CN zh_HK zh_TW hr cs da nl en en_GB en_US et fil fi fr ka de el gu ha he hi hu id ga it ja kn kk ' +
  'rw_RW ko ky_KG lo lv lt mk ms ml mr nb fa pl pt_BR pt_PT pa ro ru sr sk sl es es_AR es_ES es_MX sw sv ta te th tr uk ur ' +
  'uz vi zu'

const names = new Intl.DisplayNames(formatLocale, { type: 'language', languageDisplay: 'standard' })

/** Returns the name of a language code, in the language of the pages; an unknown code stays unchanged. */
export function languageName(code: string): string {
  try {
    return names.of(code.replaceAll('_', '-')) ?? code
  } catch {
    return code
  }
}

/** Returns all languages by their names. */
export const listLanguages = (): { code: string; name: string }[] =>
  CODES.split(' ')
    .map((code) => ({ code, name: languageName(code) }))
    .toSorted((a, b) => a.name.localeCompare(b.name, formatLocale))
