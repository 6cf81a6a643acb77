import { parsePhoneNumberFromString } from 'libphonenumber-js/mobile'

/** Whether a number (E.164) is one that a country gives to mobile phones. Some countries do not tell them apart. */
export const isMobile = (e164: string): boolean =>
  parsePhoneNumberFromString(e164, { extract: false })?.isValid() ?? false
