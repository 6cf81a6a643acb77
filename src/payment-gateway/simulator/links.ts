/** Payment links as the gateway stores them. */
import { isObject } from '../../core/values/storable.ts'
import { done, type GatewayHttpAnswer, gatewayError, unknownId } from './answers.ts'
import type { Call } from './call.ts'
import { linkIdOf, newEntityId } from './ids.ts'
import type { Entity } from './store.ts'

const MIN_PAISE = 100
const MAX_REFERENCE = 40
const MIN_EXPIRY_SECONDS = 15 * 60

export const secondsOf = (time: Date): number => Math.floor(time.getTime() / 1000)

/** Returns a link in its state at `now`: an unpaid link may have expired. */
export const linkAt = (link: Entity, now: Date): Entity =>
  link.status === 'created' && Number(link.expire_by) > 0 && Number(link.expire_by) <= secondsOf(now)
    ? { ...link, status: 'expired', expired_at: link.expire_by }
    : link

function refusalOf(values: Record<string, unknown>, now: Date): GatewayHttpAnswer | undefined {
  const { amount, currency = 'INR', reference_id: reference, expire_by: expireBy } = values
  if (!Number.isSafeInteger(amount))
    return gatewayError(400, 'The amount must be an integer.', { field: 'amount' })
  if ((amount as number) < MIN_PAISE)
    return gatewayError(400, 'The amount must be at least INR 1.00', { field: 'amount' })
  if (currency !== 'INR') return gatewayError(400, 'Currency is not supported', { field: 'currency' })
  if (reference !== undefined && (typeof reference !== 'string' || reference.length > MAX_REFERENCE))
    return gatewayError(400, `The reference id may not be greater than ${MAX_REFERENCE} characters.`, {
      field: 'reference_id',
    })
  if (expireBy !== undefined && !(Number(expireBy) >= secondsOf(now) + MIN_EXPIRY_SECONDS))
    return gatewayError(400, 'expire_by should be at least 15 minutes after current time', {
      field: 'expire_by',
    })
  return undefined
}

export async function createLink({ store, account, values, settings }: Call): Promise<GatewayHttpAnswer> {
  const now = await store.now(account)
  const refusal = refusalOf(values, now)
  if (refusal) return refusal
  const reference = typeof values.reference_id === 'string' ? values.reference_id : null
  const id =
    reference === null || !settings.uniqueReferences
      ? newEntityId('plink')
      : linkIdOf(account.keyId, reference)
  if (await store.find(account, 'payment_link', id))
    return gatewayError(400, `payment link with given reference_id (${reference}) already exists`)
  const link: Entity = {
    id,
    accept_partial: false,
    amount: values.amount,
    amount_paid: 0,
    cancelled_at: 0,
    created_at: secondsOf(now),
    currency: 'INR',
    customer: isObject(values.customer) ? values.customer : {},
    description: typeof values.description === 'string' ? values.description : '',
    expire_by: values.expire_by ?? 0,
    expired_at: 0,
    notes: isObject(values.notes) ? values.notes : null,
    notify: isObject(values.notify) ? values.notify : {},
    payments: null,
    reference_id: reference ?? '',
    short_url: `${settings.payPage}/${id}`,
    status: 'created',
    updated_at: secondsOf(now),
  }
  await store.keep(account, 'payment_link', link)
  return done(link)
}

export async function listLinks({ store, account, query }: Call): Promise<GatewayHttpAnswer> {
  const now = await store.now(account)
  const reference = query.get('reference_id')
  // The id derived from the reference finds the link directly; only if references may repeat, all links are
  // searched.
  const own = reference && (await store.find(account, 'payment_link', linkIdOf(account.keyId, reference)))
  const links = own ? [own] : await store.list(account, 'payment_link')
  const selected = links.filter((link) => reference === null || link.reference_id === reference)
  return done({ payment_links: selected.map((link) => linkAt(link, now)) })
}

export async function findLink({ store, account, id }: Call): Promise<GatewayHttpAnswer> {
  const link = await store.find(account, 'payment_link', id)
  return link ? done(linkAt(link, await store.now(account))) : unknownId()
}

export async function cancelLink({ store, account, id }: Call): Promise<GatewayHttpAnswer> {
  const now = await store.now(account)
  const stored = await store.find(account, 'payment_link', id)
  if (!stored) return unknownId()
  const link = linkAt(stored, now)
  if (link.status !== 'created')
    return gatewayError(400, `Payment Link cannot be cancelled as it is already ${link.status}.`)
  const cancelled = { ...link, status: 'cancelled', cancelled_at: secondsOf(now), updated_at: secondsOf(now) }
  await store.keep(account, 'payment_link', cancelled)
  return done(cancelled)
}
