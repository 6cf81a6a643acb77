/** Recomputes the signatures of a logged attempt: which secret made each, and from which bytes (spec 6.2). */
import type { Context } from '../../../../core/context.ts'
import { refuse } from '../../../../core/errors.ts'
import { isUuid } from '../../../../core/ids.ts'
import * as queries from '../registration/queries.ts'
import { mayManage, rightsOf, TEST_EVENT } from '../registration/rights.ts'
import { catalogOf, requireAllReadable } from '../registration/subscriptions.ts'
import { SIGNATURE_TOLERANCE_SECONDS, type SignatureCheck } from '../schema.ts'
import { bodyOf } from './attempt.ts'
import { signatureOf, standardSignatureOf } from './signing.ts'

const SEPARATORS = { 'x-webhook-signature': ',', 'webhook-signature': ' ' } as const
type Header = keyof typeof SEPARATORS

type SignedContent = { eventId: string; timestamp: number; body: string }

/** The secrets by their public names; the values never leave the service. */
type Secrets = [name: 'current' | 'previous', secret: string][]

const valueBy = (header: Header, secret: string, { eventId, timestamp, body }: SignedContent): string =>
  header === 'x-webhook-signature'
    ? signatureOf([secret], timestamp, body)
    : standardSignatureOf([secret], eventId, timestamp, body)

/** Returns each sent value with the secret that makes it. */
const attributed = (
  headers: Record<string, string>,
  secrets: Secrets,
  signedContent: SignedContent | undefined,
): SignatureCheck['signatures'] =>
  (Object.keys(SEPARATORS) as Header[]).flatMap((header) =>
    (headers[header]?.split(SEPARATORS[header]) ?? []).map((value) => ({
      header,
      value,
      secret:
        (signedContent &&
          secrets.find(([, secret]) => valueBy(header, secret, signedContent) === value)?.[0]) ??
        null,
    })),
  )

/**
 * Returns how the attempt was signed. Only for callers that may read the event, because the signed text
 * contains its body.
 */
export async function checkSignature(ctx: Context, deliveryId: string): Promise<SignatureCheck> {
  const found = isUuid(deliveryId) ? await queries.findSignedDelivery(ctx, deliveryId) : undefined
  if (!found || !mayManage(rightsOf(ctx.actor), found))
    return refuse('not_found', 'Delivery not found. See GET /webhooks/{id}/deliveries.')
  if (found.event !== TEST_EVENT)
    requireAllReadable(catalogOf(ctx.eventKinds), rightsOf(ctx.actor), { events: [found.event] })
  const headers = found.request?.headers ?? {}
  const timestamp =
    headers['x-webhook-timestamp'] === undefined ? null : Number(headers['x-webhook-timestamp'])
  const body = timestamp === null || found.data === null ? null : bodyOf(found)
  const secrets: Secrets = [
    ['current', ctx.sealer.open(found.secretSealed)],
    ...(found.oldSecretSealed ? ([['previous', ctx.sealer.open(found.oldSecretSealed)]] as Secrets) : []),
  ]
  const signedContent =
    timestamp === null || body === null ? undefined : { eventId: found.eventId, timestamp, body }
  return {
    deliveryId,
    timestamp,
    signedContent: signedContent ? `${signedContent.timestamp}.${signedContent.body}` : null,
    signatures: attributed(headers, secrets, signedContent),
    toleranceSeconds: SIGNATURE_TOLERANCE_SECONDS,
  }
}
