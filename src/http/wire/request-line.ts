/** The data of an answered request for the log and the metrics. */
export type RequestLine = {
  requestId: string
  method: string
  route: string
  status: number
  ms: number
  workspaceId?: string
  keyId?: string
  memberId?: string
  error?: string
}

const textField = (name: string, value: string | undefined): string =>
  value === undefined ? '' : `,"${name}":"${value}"`

/**
 * Formats a line as JSON fields without braces. Nothing needs escaping: Parley makes the values, or they have
 * only safe characters.
 */
export const fieldsOf = ({
  requestId,
  method,
  route,
  status,
  ms,
  workspaceId,
  keyId,
  memberId,
  error,
}: RequestLine): string =>
  `"requestId":"${requestId}","method":"${method}","route":"${route}","status":${status},"ms":${ms}` +
  textField('workspaceId', workspaceId) +
  textField('keyId', keyId) +
  textField('memberId', memberId) +
  textField('error', error)
