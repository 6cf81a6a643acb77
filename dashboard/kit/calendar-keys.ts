/** The keys that move an entry of a calendar by a day: later is in the reading direction. */
import { directionOf } from '../../src/core/values/languages.ts'
import { language } from '../texts.ts'

const KEYS = ['Shift+ArrowLeft', 'Shift+ArrowRight'] as const

export const [EARLIER_KEYS, LATER_KEYS] = directionOf(language) === 'rtl' ? [KEYS[1], KEYS[0]] : KEYS
