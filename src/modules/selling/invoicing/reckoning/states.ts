/** States and union territories by GST code, and the codes that aren't a state. */
const STATES: Record<string, string> = {
  '01': 'Jammu and Kashmir',
  '02': 'Himachal Pradesh',
  '03': 'Punjab',
  '04': 'Chandigarh',
  '05': 'Uttarakhand',
  '06': 'Haryana',
  '07': 'Delhi',
  '08': 'Rajasthan',
  '09': 'Uttar Pradesh',
  '10': 'Bihar',
  '11': 'Sikkim',
  '12': 'Arunachal Pradesh',
  '13': 'Nagaland',
  '14': 'Manipur',
  '15': 'Mizoram',
  '16': 'Tripura',
  '17': 'Meghalaya',
  '18': 'Assam',
  '19': 'West Bengal',
  '20': 'Jharkhand',
  '21': 'Odisha',
  '22': 'Chhattisgarh',
  '23': 'Madhya Pradesh',
  '24': 'Gujarat',
  '26': 'Dadra and Nagar Haveli and Daman and Diu',
  '27': 'Maharashtra',
  '29': 'Karnataka',
  '30': 'Goa',
  '31': 'Lakshadweep',
  '32': 'Kerala',
  '33': 'Tamil Nadu',
  '34': 'Puducherry',
  '35': 'Andaman and Nicobar Islands',
  '36': 'Telangana',
  '37': 'Andhra Pradesh',
  '38': 'Ladakh',
  '97': 'Other Territory',
}

/** The place of supply of customers abroad. */
export const ABROAD = '96'

/** Returns every place of supply, by name. */
export const listPlacesOfSupply = (): [code: string, name: string][] => [
  ...Object.entries(STATES).toSorted(([, a], [, b]) => a.localeCompare(b, 'en')),
  [ABROAD, 'Abroad'],
]

/** Places where the second half of the tax is a union territory's. */
const UNION_TERRITORIES = new Set(['04', '26', '31', '35', '38', '97'])

const codes = new Map(Object.entries(STATES).map(([code, name]) => [name.toLowerCase(), code]))

/** Returns the code for a state's code or name, in any case. */
export function stateCode(input: string): string | undefined {
  const text = input
    .toLowerCase()
    .replaceAll('&', ' and ')
    .split(/\s/)
    .filter((word) => word !== '')
    .join(' ')
  return Object.hasOwn(STATES, text) ? text : codes.get(text)
}

/** Returns the name for a state's code or name. Other text is returned as it is. */
export const stateName = (state: string): string =>
  state === ABROAD ? 'Abroad' : (STATES[stateCode(state) ?? ''] ?? state)

/** Returns whether a code is a state's or a union territory's. */
export const isState = (code: string): boolean => Object.hasOwn(STATES, code)

export const isPlaceOfSupply = (code: string): boolean => isState(code) || code === ABROAD

/** Returns the name of the second half of the tax if seller and buyer are in one state. */
export const stateTaxName = (code: string): 'SGST' | 'UTGST' =>
  UNION_TERRITORIES.has(code) ? 'UTGST' : 'SGST'
