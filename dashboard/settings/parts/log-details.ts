/** The details of the activity log in words: their values are names of the API. */
import { deviceOf } from '../../profile/parts/device.ts'
import type { Activity } from '../queries.ts'
import { t } from '../texts.ts'

/** The words for each value of `role`, `change`, `mode`, `operator`, and `method`. Other values are shown as they are. */
const VALUES = {
  viewer: 'log.viewer',
  agent: 'log.agent',
  admin: 'log.admin',
  'password changed': 'log.password.changed',
  'password reset by email': 'log.password.reset',
  'email changed': 'log.email.changed',
  'passkey added': 'log.passkey.added',
  'passkey removed': 'log.passkey.removed',
  'recovery codes replaced': 'log.recovery.replaced',
  'authenticator app added': 'log.app.added',
  'authenticator app removed': 'log.app.removed',
  'second factors removed from the command line': 'log.factors.removed',
  'stage added': 'log.stage.added',
  'stage changed': 'log.stage.changed',
  'stage removed': 'log.stage.removed',
  'lost reason added': 'log.reason.added',
  'lost reason changed': 'log.reason.changed',
  'lost reason removed': 'log.reason.removed',
  none: 'log.mode.none',
  round_robin: 'log.mode.round_robin',
  fixed: 'log.mode.fixed',
  simulator: 'numbers.simulated',
  cloud: 'log.operator.cloud',
  link: 'log.method.link',
  password: 'log.method.password',
  totp: 'log.method.totp',
  recovery: 'log.method.recovery',
  passkey: 'log.method.passkey',
  invitation: 'log.method.invitation',
  reset: 'log.method.reset',
  sso: 'log.method.sso',
} as const

/** The words for each name in `changed`, `on`, and `off`. */
const NAMES = {
  name: 'name',
  countryCode: 'countryCode',
  timezone: 'timezone',
  language: 'language',
  leadCapture: 'capture',
  captureToken: 'capture',
  socialEnabled: 'log.module.social',
  marketingCap: 'marketingCap',
  coolOffDays: 'coolOffDays',
  followUpHours: 'followUpHours',
  messageDays: 'messageDays',
  detailsHiddenFrom: 'hidden',
  token: 'connect.field.token',
  appSecret: 'connect.field.appSecret',
  verifyToken: 'log.field.verifyToken',
  throughput: 'log.field.throughput',
  dailyNewRecipients: 'log.field.dailyNewRecipients',
  history: 'log.field.history',
  invoicing: 'log.module.invoicing',
  bookings: 'log.module.bookings',
  reviews: 'log.module.reviews',
  social: 'log.module.social',
} as const

const isKeyOf = <Table extends object>(table: Table, key: string): key is keyof Table & string =>
  Object.hasOwn(table, key)

const wordsFor = (value: string): string => (isKeyOf(VALUES, value) ? t(VALUES[value]) : value)
const nameOf = (name: string): string => (isKeyOf(NAMES, name) ? t(NAMES[name]) : name)
const namesIn = (list: unknown): string[] => (Array.isArray(list) ? list.map(String).map(nameOf) : [])

/** Names that people chose. */
const CHOSEN = ['name', 'label', 'username'] as const
const CODED = ['role', 'change', 'mode', 'operator', 'reason'] as const

/** Describes the details of an entry, besides its author and time. */
export function detailOf({ data }: Activity): string {
  const textOf = (name: string): string[] => (typeof data[name] === 'string' ? [data[name]] : [])
  const listOf = (names: string[]): string[] => (names.length > 0 ? [names.join(', ')] : [])
  return [
    ...CHOSEN.flatMap(textOf),
    ...CODED.flatMap(textOf).map(wordsFor),
    ...listOf(namesIn(data.changed)),
    ...listOf(namesIn(data.on)).map((names) => t('log.on', { names })),
    ...listOf(namesIn(data.off)).map((names) => t('log.off', { names })),
    ...textOf('method').map((method) => t('log.by', { method: wordsFor(method) })),
    ...textOf('device').map(deviceOf),
    ...textOf('address'),
  ].join(' · ')
}
