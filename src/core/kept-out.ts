const KEPT_OUT = [401, 403, 407, 511]

/**
 * Whether something in front of whom we call, such as a proxy that wants a sign-in or sends elsewhere, answered this status: only
 * where the answer holds no error of theirs. They never saw the request.
 */
export const isKeptOut = (status: number): boolean =>
  KEPT_OUT.includes(status) || (status >= 300 && status < 400)
