import { invalid } from '../../../../core/errors.ts'

const MIN_LENGTH = 10
const MAX_PASSWORD_LENGTH = 200

/** The words that attackers try first, without added digits and signs. */
const COMMON = new Set(
  `password passwort motdepasse contrasena passw pass passphrase secret mysecret topsecret secretpassword mypassword newpassword
   letmein letmeinnow welcome welcomeback welcomehome admin administrator adminadmin root rootroot superuser superadmin sysadmin
   login loginlogin user username default changeme changemenow changethis temporary temppassword test testtest testing tester guest
   qwerty qwertyuiop qwertyui qwertyqwerty qwert asdf asdfgh asdfghjkl asdfasdf zxcvbn zxcvbnm azerty azertyuiop qazwsx qazwsxedc
   qazxswedc onetwothree abc abcd abcde abcdef abcdefg abcdefgh abcdefghij abcabc aaa iloveyou iloveu loveyou lovely lovelove
   ilovegod iloveme sunshine sunflower princess prince butterfly football basketball baseball cricket cricketlover soccer hockey
   liverpool chelsea arsenal barcelona realmadrid manchester manutd dragon dragonball monkey master mastermaster hello helloworld
   hellohello superman batman spiderman ironman starwars pokemon naruto minecraft freedom whatever trustno trustnoone shadow michael
   jennifer jessica ashley daniel charlie jordan computer internet samsung google facebook whatsapp instagram linkedin windows
   microsoft apple iphone android india indian mumbai delhi bangalore chennai krishna ganesha ganesh jaishreeram omnamahshivaya
   saibaba hanuman summer winter autumn spring monday friday january december company business office support service manager
   marketing customer parley parleyparley dashboard messaging access accessgranted opensesame sesame chocolate cheese cookie
   purple orange flower family forever friends blink killer hunter ranger mustang corvette ferrari porsche mercedes phoenix`
    .split(/\s+/)
    .filter(Boolean),
)

const LOOKALIKES: Record<string, string> = {
  '@': 'a',
  '4': 'a',
  '3': 'e',
  '1': 'i',
  '!': 'i',
  '0': 'o',
  $: 's',
  '5': 's',
  '7': 't',
}

/**
 * Returns the words in a password: with and without signs at its ends, and with inner signs read as letters
 * or left out.
 */
function wordsOf(password: string): string[] {
  const text = password.toLowerCase()
  const withoutEnd = text.replace(/[^a-z]+$/, '')
  return [text, withoutEnd, withoutEnd.replace(/^[^a-z]+/, '')].flatMap((variant) => [
    variant.replace(/[^a-z]/g, ''),
    Array.from(variant, (character) => LOOKALIKES[character] ?? character)
      .join('')
      .replace(/[^a-z]/g, ''),
  ])
}

/**
 * Returns whether the password is a run such as 1234567890, repeats one part, or has fewer than five
 * different characters.
 */
function isPattern(password: string): boolean {
  const text = password.toLowerCase()
  if (new Set(text).size < 5) return true
  if (/^(.{1,5})\1+.{0,4}$/.test(text)) return true
  const steps = Array.from({ length: text.length - 1 }, (_, i) => text.charCodeAt(i + 1) - text.charCodeAt(i))
  const runs = steps.filter((step) => Math.abs(step) === 1).length
  return runs >= steps.length * 0.8 || KEYBOARD.some((row) => row.includes(text))
}
const ROWS = ['1234567890', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm']
const KEYBOARD = [
  ROWS.join(''),
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p',
  'q1w2e3r4t5y6u7i8o9p0',
  '1q2w3e4r5t6y7u8i9o0p',
].flatMap((row) => [row, Array.from(row).reverse().join('')])

/** Returns why a password is not accepted, or undefined if it is. `personalTexts`: email and name. */
function passwordFault(password: string, personalTexts: readonly (string | null)[]): string | undefined {
  const { length } = Array.from(password)
  if (length < MIN_LENGTH) return `Must have at least ${MIN_LENGTH} characters.`
  if (length > MAX_PASSWORD_LENGTH) return `Must have at most ${MAX_PASSWORD_LENGTH} characters.`
  if (isPattern(password)) return 'Too easy to guess: it repeats characters or follows the keyboard.'
  if (wordsOf(password).some((word) => word === '' || COMMON.has(word)))
    return 'Too easy to guess: it is a common word with little else.'
  const personalWords = personalTexts.flatMap((text) =>
    text ? [text.toLowerCase(), text.toLowerCase().split('@')[0] ?? ''] : [],
  )
  const rest = personalWords
    .filter((text) => text.length >= 3)
    .map((text) => password.toLowerCase().split(text).join(''))
    .find((remainder) => remainder.length < password.length && remainder.length < MIN_LENGTH / 2)
  return rest === undefined ? undefined : 'Too easy to guess: it is your name or email with little else.'
}

/** Refuses a password that is too short or too easy to guess. */
export function requireGoodPassword(password: string, personalTexts: readonly (string | null)[]): void {
  const fault = passwordFault(password, personalTexts)
  if (fault !== undefined) throw invalid([{ path: 'password', message: fault }])
}
