import { invalid, Refusal } from '../core/errors.ts'
import type { Egress } from '../egress/egress.ts'
import { EgressFault } from '../egress/faults.ts'
import type { Target } from '../egress/target.ts'
import type { SendWebhook } from '../modules/platform/webhooks/delivery/send-webhook.ts'

/** The maximum number of cached parsed addresses; the oldest is dropped first. */
const MAX_TARGETS = 20_000

/**
 * Adapts the egress for the webhook engine: https only, checked at every connection. `readAfterMs` reads answers late, to test
 * receivers.
 */
export function webhookSender(egress: Egress, { readAfterMs }: { readAfterMs?: number } = {}): SendWebhook {
  const targets = new Map<string, Target>()
  const targetOf = (url: string): Target => {
    const existing = targets.get(url)
    if (existing) return existing
    const target = egress.prepareTarget(url)
    if (targets.size >= MAX_TARGETS) targets.delete(targets.keys().next().value as string)
    targets.set(url, target)
    return target
  }
  return (url, headers, body) => egress.post({ target: targetOf(url), headers, body, readAfterMs })
}

/** Seconds until a retry; no check takes longer. */
const CHECKS_RETRY_SECONDS = 5

const placeOf = (url: string): string => new URL(url).host.replace(/\.(?=:|$)/, '')

type AddressCheck = { egress: Egress; siteUrl: string }

/** Converts a fault of the egress to an error about `field`. */
function asAddressRefusal(error: unknown, field: string): unknown {
  if (!(error instanceof EgressFault)) return error
  if (error.reason === 'busy')
    return new Refusal('rate_limited', error.message, { retryAfterSeconds: CHECKS_RETRY_SECONDS })
  return invalid([{ path: field, message: error.message }])
}

/** Rejects an address with the reason, if it is forbidden without a look-up (spec 4.8). */
export function refuseWebhookAddress({ egress, siteUrl }: AddressCheck, url: string, field: string): void {
  try {
    egress.prepareTarget(url)
  } catch (error) {
    throw asAddressRefusal(error, field)
  }
  if (placeOf(url) === placeOf(siteUrl))
    throw invalid([{ path: field, message: 'Must not be an address of this service.' }])
}

/** Checks an address at registration; rejects it with the reason if webhooks must not go there (spec 4.8). */
export async function checkWebhookAddress(
  check: AddressCheck,
  workspaceId: string,
  url: string,
  field: string,
): Promise<void> {
  refuseWebhookAddress(check, url, field)
  await check.egress.checkAddress(url, workspaceId).catch((error: unknown) => {
    throw asAddressRefusal(error, field)
  })
}
