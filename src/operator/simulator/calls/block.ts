import { isObject } from '../../../core/values/storable.ts'
import type { Calls, SimulatedCall } from '../call.ts'
import { type GraphAnswer, graphError, missingParameter } from '../graph-errors.ts'
import { pageOf } from '../graph-page.ts'
import { productRefusal } from '../product.ts'
import { listParameter } from '../request-body.ts'
import type { SimulatedNumber, SimulatorStore } from '../store.ts'

/** The customers that a number has blocked (docs/formats.md section 7). */
export const blockCalls: Calls = {
  'number POST block_users': (call) => change(call, 'added_users', keep),
  'number DELETE block_users': (call) => change(call, 'removed_users', drop),
  'number GET block_users': list,
}

/** A customer as named in a request; by number in digits, or by user id. */
type Named = { input: string; wa_id: string } | { input: string; user_id: string }

const keyOf = (named: Named): string => ('wa_id' in named ? named.wa_id : named.user_id)

const idOf = (number: SimulatedNumber, key: string): string => `blocked-${number.operatorId}-${key}`

const keep = ({ store, number }: SimulatedCall, named: Named): Promise<void> =>
  store.keep(number, {
    kind: 'blocked',
    id: idOf(number, keyOf(named)),
    value: {
      operatorId: number.operatorId,
      user: 'wa_id' in named ? { wa_id: named.wa_id } : { user_id: named.user_id },
    },
    bytes: null,
    expiresAt: null,
  })

/** Unblocking succeeds even for a customer who is not blocked. */
const drop = ({ store, number }: SimulatedCall, named: Named): Promise<boolean> =>
  store.drop(number, 'blocked', idOf(number, keyOf(named)))

/** Returns whether the number has blocked a customer, by number in digits or by user id. */
export async function isBlocked(
  store: SimulatorStore,
  number: SimulatedNumber,
  { phone, userId }: { phone: string | null; userId: string | null },
): Promise<boolean> {
  for (const key of [phone, userId])
    if (key !== null && (await store.has(number, 'blocked', idOf(number, key)))) return true
  return false
}

async function change(
  call: SimulatedCall,
  done: 'added_users' | 'removed_users',
  apply: (call: SimulatedCall, named: Named) => Promise<unknown>,
): Promise<GraphAnswer> {
  const { values } = call
  const refusal = productRefusal(values)
  if (refusal) return refusal
  const users = listParameter(values.block_users)
  if (users === undefined || users.length === 0) return missingParameter('block_users')
  const changed: Named[] = []
  const failed: object[] = []
  for (const user of users) {
    const named = readUser(user)
    const may = named && (done === 'removed_users' || (await mayBlock(call, keyOf(named))))
    if (!may) failed.push(named ? { ...named, errors: [tooLate] } : failedUser(user))
    else {
      await apply(call, named)
      changed.push(named)
    }
  }
  const block_users = { [done]: changed, ...(failed.length > 0 ? { failed_users: failed } : {}) }
  const body = { messaging_product: 'whatsapp', block_users }
  if (failed.length === 0) return { status: 200, body }
  const error = graphError(139100, '(#139100) Failed to block/unblock users', {
    details: 'Failed to block some users, see the block_users response list for details.',
  })
  return { ...error, body: { ...(error.body as object), ...body } }
}

/** Returns whether the customer may be blocked, or already is. */
const mayBlock = async ({ store, number, director }: SimulatedCall, key: string): Promise<boolean> =>
  director.mayBlock(key) || (await store.has(number, 'blocked', idOf(number, key)))

const tooLate = {
  code: 131047,
  message: 'Re-engagement message',
  error_data: { details: 'More than 24 hours have passed since the customer last wrote to this number.' },
}

function readUser(user: unknown): Named | undefined {
  if (!isObject(user)) return undefined
  if (typeof user.user === 'string' && /^\+?[\d\s().-]+$/.test(user.user)) {
    const wa_id = user.user.replace(/\D/g, '')
    return wa_id.length >= 5 && wa_id.length <= 15 ? { input: user.user, wa_id } : undefined
  }
  const { user_id } = user
  return typeof user_id === 'string' && /^[\x21-\x7e]{1,200}$/.test(user_id)
    ? { input: user_id, user_id }
    : undefined
}

const failedUser = (user: unknown): object => ({
  input: isObject(user) ? (user.user ?? user.user_id ?? '') : '',
  errors: [
    {
      code: 131009,
      message: '(#131009) Parameter value is not valid',
      error_data: { details: 'The user is neither a phone number nor a user id.' },
    },
  ],
})

async function list(call: SimulatedCall): Promise<GraphAnswer> {
  const { store, number } = call
  const blocked = (await store.list(number, 'blocked')).map(({ value }) => value)
  const users = blocked.filter(({ operatorId }) => operatorId === number.operatorId)
  const paged = pageOf(
    call,
    users.map(({ user }) => ({ messaging_product: 'whatsapp', ...(user as object) })),
    (user) => String(user.wa_id ?? user.user_id),
  )
  return paged.ok ? { status: 200, body: paged.page } : paged.answer
}
