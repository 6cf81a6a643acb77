import { invalid } from '../core/errors.ts'
import type { Egress } from '../egress/egress.ts'
import { EgressFault } from '../egress/faults.ts'
import type { Target } from '../egress/target.ts'
import type { SendWebhook } from '../modules/webhooks/delivery/send-webhook.ts'

/** Parsed addresses kept at hand; the oldest gives way. */
const MAX_TARGETS = 20_000

/** The way out as the webhook engine knows it: https only, checked at every connection. */
export function webhookSender(egress: Egress): SendWebhook {
  const targets = new Map<string, Target>()
  const targetOf = (url: string): Target => {
    const known = targets.get(url)
    if (known) return known
    const target = egress.prepareTarget(url)
    if (targets.size >= MAX_TARGETS) targets.delete(targets.keys().next().value as string)
    targets.set(url, target)
    return target
  }
  return (url, headers, body) => egress.post({ target: targetOf(url), headers, body })
}

const placeOf = (url: string): string => new URL(url).host.replace(/\.(?=:|$)/, '')

/** Checks an address at registration: refused, with the reason, when webhooks must not go there (spec 4.8). */
export async function checkWebhookAddress(
  egress: Egress,
  siteUrl: string,
  url: string,
  field: string,
): Promise<void> {
  try {
    await egress.checkAddress(url)
    if (placeOf(url) === placeOf(siteUrl))
      throw invalid([{ path: field, message: 'is an address of this service: it would call itself' }])
  } catch (error) {
    if (error instanceof EgressFault) throw invalid([{ path: field, message: error.message }])
    throw error
  }
}
