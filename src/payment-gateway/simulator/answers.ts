/** The simulated gateway's answer: a status and a body, or no answer at all. */
export type GatewayHttpAnswer = { status: number; body: unknown } | 'none'

export const done = (body: unknown): GatewayHttpAnswer => ({ status: 200, body })

/** Returns an error in the gateway's format. */
export const gatewayError = (
  status: number,
  description: string,
  more: { code?: string; field?: string } = {},
): GatewayHttpAnswer => ({
  status,
  body: {
    error: {
      code: more.code ?? (status >= 500 ? 'SERVER_ERROR' : 'BAD_REQUEST_ERROR'),
      description,
      field: more.field ?? null,
      source: status >= 500 ? 'internal' : 'business',
      step: 'payment_initiation',
      reason: status >= 500 ? 'server_error' : 'input_validation_failed',
      metadata: {},
    },
  },
})

export const unknownId = (): GatewayHttpAnswer => gatewayError(400, 'The id provided does not exist')

/** Returns a list in the gateway's format. */
export const collection = (items: unknown[]): GatewayHttpAnswer =>
  done({ entity: 'collection', count: items.length, items })
