/**
 * People whose numbers have several spellings, and the meaning of each (docs/clarifications.md, "What a
 * string means as a number").
 */

/**
 * `spellings`: full E.164 numbers that reach this person. `bare`: ten digits that may mean the person, under
 * the person's calling code.
 */
export type NumberedPerson = { name: string; spellings: string[]; bare?: string }

export const NUMBERED: NumberedPerson[] = [
  { name: 'Asha', spellings: ['+919725530001'], bare: '9725530001' },
  // The same ten digits as Asha's, in the country of the sending number.
  { name: 'Bob', spellings: ['+19725530001'], bare: '9725530001' },
  { name: 'Caio', spellings: ['+5531987650001', '+553187650001'] },
  { name: 'Diana', spellings: ['+525512340001', '+5215512340001'] },
  { name: 'Ezequiel', spellings: ['+5491112340001', '+541112340001'] },
  { name: 'Fidel', spellings: ['+2290197120001', '+22997120001'] },
  { name: 'Hoa', spellings: ['+84701230001', '+841201230001'] },
  { name: 'Koffi', spellings: ['+2250707120001', '+22507120001'] },
  // A landline in Brazil, whose number no mobile number shares.
  { name: 'Loja', spellings: ['+553132340001'] },
]

const groupDigits = (digits: string): string => digits.replace(/(\d{3})(?=\d{3})/g, '$1 ')
const ARABIC = '٠١٢٣٤٥٦٧٨٩'
const inArabicDigits = (text: string): string => text.replace(/\d/g, (digit) => ARABIC[Number(digit)]!)

/** Ways to write a full number; each means the number itself. */
export const WRITINGS: ((e164: string) => string)[] = [
  (e164) => e164,
  (e164) => e164.slice(1),
  (e164) => `00${e164.slice(1)}`,
  (e164) => `+${groupDigits(e164.slice(1))}`,
  (e164) => `tel:${e164}`,
  (e164) => inArabicDigits(e164),
  (e164) => `${e164} (WhatsApp)`,
]

const personNamed = (name: string): NumberedPerson => NUMBERED.find((person) => person.name === name)!

/** Numbers as written in their country, and names of that country. */
export const COUNTRIES: { person: NumberedPerson; digits: string; names: string[] }[] = [
  { person: personNamed('Asha'), digits: '9725530001', names: ['IN', 'IND', 'India', '+91', '91'] },
  { person: personNamed('Bob'), digits: '9725530001', names: ['US', 'USA', 'United States', '+1', '1'] },
  { person: personNamed('Caio'), digits: '31987650001', names: ['BR', 'Brasil', 'Brazil', '+55', '0055'] },
  { person: personNamed('Diana'), digits: '5512340001', names: ['MX', 'Mexico', 'México', '+52'] },
  {
    person: personNamed('Koffi'),
    digits: '0707120001',
    names: ['CI', 'Ivory Coast', "Côte d'Ivoire", '225'],
  },
]
