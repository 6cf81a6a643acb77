const KEPT_OUT = [401, 403, 407, 511]

/**
 * Whether a proxy in front of the called service answered this status, for example to request a sign-in or to redirect. Only
 * for answers without an error of the service: then the service never received the request.
 */
export const isProxyRefusal = (status: number): boolean =>
  KEPT_OUT.includes(status) || (status >= 300 && status < 400)
