/** Why a call got no answer. */
export type FaultReason =
  | 'refused_address'
  | 'dns'
  | 'connect_timeout'
  | 'timeout'
  | 'tls'
  | 'reset'
  | 'protocol'
  | 'busy'

/**
 * A call that got no answer. Its message is safe to show to the owner of the address: it reveals nothing
 * about our network.
 */
export class EgressFault extends Error {
  override name = 'EgressFault'
  readonly reason: FaultReason
  /** True if at least one byte of the request may have been sent. */
  sent = false

  constructor(reason: FaultReason, message: string, options?: ErrorOptions) {
    super(message, options)
    this.reason = reason
  }
}

const MESSAGES: Record<Exclude<FaultReason, 'refused_address' | 'tls'>, string> = {
  dns: "The host name couldn't be resolved.",
  connect_timeout: "The host didn't accept a connection in time.",
  timeout: "The host didn't answer in time.",
  reset: 'The connection failed or was closed before the answer was complete.',
  protocol: "The answer wasn't valid HTTP.",
  busy: 'Too many addresses are being checked. Try again in a moment.',
}

/** Returns the fault for a reason with a fixed message. */
export function faultOf(reason: keyof typeof MESSAGES, cause?: unknown): EgressFault {
  return new EgressFault(reason, MESSAGES[reason], { cause })
}

const BY_CODE: [pattern: RegExp, reason: keyof typeof MESSAGES | 'tls'][] = [
  [/^UND_ERR_CONNECT_TIMEOUT$|^ETIMEDOUT$/, 'connect_timeout'],
  [/^(ENOTFOUND|ENODATA|ESERVFAIL|EAI_.*|EDNS.*|EBADNAME|EREFUSED|EBADRESP)$/, 'dns'],
  [/^(ERR_TLS_|ERR_SSL_|CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|INVALID_CA|HOSTNAME_|CRL_|EPROTO$)/, 'tls'],
  [/^(HPE_|UND_ERR_HEADERS_OVERFLOW|UND_ERR_RES_|UND_ERR_RESPONSE|UND_ERR_INVALID_ARG)/, 'protocol'],
]

/** Translates an error of the connection or the HTTP client. */
export function faultFrom(error: unknown): EgressFault {
  if (error instanceof EgressFault) return error
  const code = codeOf(error)
  const reason = BY_CODE.find(([pattern]) => pattern.test(code))?.[1] ?? 'reset'
  if (reason !== 'tls') return faultOf(reason, error)
  return new EgressFault('tls', `The secure connection failed (${code}). Check the host's certificate.`, {
    cause: error,
  })
}

function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return ''
  if ('code' in error && typeof error.code === 'string') return error.code
  // Some parser errors have no code.
  if ('name' in error && error.name === 'HTTPParserError') return 'HPE_'
  // All addresses failed: the first error is reported.
  if (error instanceof AggregateError) return codeOf(error.errors[0])
  return ''
}
