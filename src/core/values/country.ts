/** Countries as forms, files, and shops write them: a calling code, an ISO 3166 code, or a name. */
import { getCountries, getCountryCallingCode, isSupportedCountry } from 'libphonenumber-js'
import { plainDigits } from './plain-digits.ts'

/** ISO 3166-1: the three-letter code of a country, then its two-letter code. */
const ALPHA_3 =
  'AFGAF ALBAL DZADZ ASMAS ANDAD AGOAO AIAAI ATGAG ARGAR ARMAM ABWAW AUSAU AUTAT AZEAZ BHSBS BHRBH BGDBD BRBBB BLRBY BELBE ' +
  'BLZBZ BENBJ BMUBM BTNBT BOLBO BIHBA BWABW BRABR IOTIO BRNBN BGRBG BFABF BDIBI KHMKH CMRCM CANCA CPVCV CYMKY CAFCF TCDTD ' +
  'CHLCL CHNCN CXRCX CCKCC COLCO COMKM COGCG CODCD COKCK CRICR CIVCI HRVHR CUBCU CYPCY CZECZ DNKDK DJIDJ DMADM DOMDO ECUEC ' +
  'EGYEG SLVSV GNQGQ ERIER ESTEE ETHET FLKFK FROFO FJIFJ FINFI FRAFR GUFGF PYFPF GABGA GMBGM GEOGE DEUDE GHAGH GIBGI GRCGR ' +
  'GRLGL GRDGD GLPGP GUMGU GTMGT GINGN GNBGW GUYGY HTIHT VATVA HNDHN HKGHK HUNHU ISLIS INDIN IDNID IRNIR IRQIQ IRLIE ISRIL ' +
  'ITAIT JAMJM JPNJP JORJO KAZKZ KENKE KIRKI PRKKP KORKR KWTKW KGZKG LAOLA LVALV LBNLB LSOLS LBRLR LBYLY LIELI LTULT LUXLU ' +
  'MACMO MDGMG MWIMW MYSMY MDVMV MLIML MLTMT MHLMH MTQMQ MRTMR MUSMU MYTYT MEXMX FSMFM MDAMD MCOMC MNGMN MSRMS MARMA MOZMZ ' +
  'MMRMM NAMNA NRUNR NPLNP NLDNL NCLNC NZLNZ NICNI NERNE NGANG NIUNU NFKNF MNPMP MKDMK NORNO OMNOM PAKPK PLWPW PSEPS PANPA ' +
  'PNGPG PRYPY PERPE PHLPH POLPL PRTPT PRIPR QATQA REURE ROURO RUSRU RWARW SHNSH KNAKN LCALC SPMPM VCTVC WSMWS SMRSM STPST ' +
  'SAUSA SENSN SYCSC SLESL SGPSG SVKSK SVNSI SLBSB SOMSO ZAFZA ESPES LKALK SDNSD SURSR SJMSJ SWZSZ SWESE CHECH SYRSY TWNTW ' +
  'TJKTJ TZATZ THATH TLSTL TGOTG TKLTK TONTO TTOTT TUNTN TURTR TKMTM TCATC TUVTV UGAUG UKRUA AREAE GBRGB USAUS URYUY UZBUZ ' +
  'VUTVU VENVE VNMVN VGBVG VIRVI WLFWF ESHEH YEMYE ZMBZM ZWEZW ALAAX BESBQ CUWCW GGYGG IMNIM JEYJE MNEME BLMBL MAFMF SRBRS ' +
  'SXMSX SSDSS XKKXK'

/** Common names that Unicode's list of country names lacks. */
const EVERYDAY_NAMES: Record<string, string> = {
  uk: 'GB',
  'great britain': 'GB',
  england: 'GB',
  scotland: 'GB',
  wales: 'GB',
  'united states of america': 'US',
  'u s a': 'US',
  'u s': 'US',
  america: 'US',
  uae: 'AE',
  'u a e': 'AE',
  emirates: 'AE',
  ksa: 'SA',
  bharat: 'IN',
  holland: 'NL',
  'the netherlands': 'NL',
  'russian federation': 'RU',
  'republic of korea': 'KR',
  korea: 'KR',
  'viet nam': 'VN',
  'cote d ivoire': 'CI',
  'ivory coast': 'CI',
  'czech republic': 'CZ',
  turkey: 'TR',
  burma: 'MM',
  brasil: 'BR',
  mexico: 'MX',
  espana: 'ES',
  deutschland: 'DE',
}

/** Languages in which country names are recognized. */
const LANGUAGES = ['en', 'hi', 'pt', 'es', 'fr', 'de', 'it', 'id', 'ar', 'ru', 'tr']
const MAX_CHARACTERS = 60

let byName: Map<string, string> | undefined

const nameKey = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{Mn}/gu, '')
    .replace(/[^\p{L}]+/gu, ' ')
    .trim()

function namesOfCountries(): Map<string, string> {
  const names = new Map<string, string>()
  for (const language of LANGUAGES) {
    const displayNames = new Intl.DisplayNames([language], { type: 'region', fallback: 'none' })
    for (const country of getCountries()) {
      const name = /^[A-Z]{2}$/.test(country) ? displayNames.of(country) : undefined
      if (name !== undefined && !names.has(nameKey(name))) names.set(nameKey(name), country)
    }
  }
  for (const pair of ALPHA_3.split(' ')) names.set(pair.slice(0, 3).toLowerCase(), pair.slice(3))
  for (const [name, country] of Object.entries(EVERYDAY_NAMES)) names.set(name, country)
  return names
}

/** Returns the calling code (`91`) of a country (ISO 3166, `IN`); undefined for an unknown country. */
export const callingCodeIn = (country: string): string | undefined =>
  isSupportedCountry(country) ? getCountryCallingCode(country) : undefined

let callingCodes: Set<string> | undefined

/** Whether some country has this calling code (digits only). */
export function isCallingCode(digits: string): boolean {
  callingCodes ??= new Set(getCountries().map((country) => getCountryCallingCode(country)))
  return callingCodes.has(digits)
}

/**
 * Returns the calling code of a country in any spelling: `+91`, `0091`, `91`, `IN`, `IND`, `India`, `India (+91)`, or its name
 * in one of several languages. Undefined for any other text.
 */
export function callingCodeOfCountry(country: string | null | undefined): string | undefined {
  if (!country || country.length > MAX_CHARACTERS) return undefined
  const text = plainDigits(country).trim()
  const dialedCode =
    /^\+?\s*(?:00)?([1-9]\d{0,2})(?:\.0+)?$/.exec(text)?.[1] ?? /\+\s*([1-9]\d{0,2})\b/.exec(text)?.[1]
  if (dialedCode !== undefined) return isCallingCode(dialedCode) ? dialedCode : undefined
  // North American codes include the area: +1-868, +1 (809).
  if (/^\+?1[\s()-]+\d{3}\)?$/.test(text)) return '1'
  const code = text.toUpperCase()
  if (/^[A-Z]{2}$/.test(code))
    return callingCodeIn(code) ?? callingCodeIn(EVERYDAY_NAMES[code.toLowerCase()] ?? '')
  byName ??= namesOfCountries()
  return callingCodeIn(byName.get(nameKey(text)) ?? '')
}
