/** What the log and the metrics hear of an answered request. */
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

/** A line as the fields of a JSON object, without its braces. All of its texts are of our making, or of a few harmless characters: none needs escaping. */
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
