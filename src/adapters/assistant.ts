/** Checks whether an assistant works like OpenAI's API. */
import { SECOND_MS } from '../core/clock.ts'
import { isObject, objectsIn, textOrNull } from '../core/values/storable.ts'
import type { Egress } from '../egress/egress.ts'
import { EgressFault } from '../egress/faults.ts'
import type { AssistantCheck } from '../modules/automating/integrations/operations/call-integration.ts'
import type { Assistant } from '../modules/automating/integrations/operations/find-assistant.ts'

const TIMEOUT_MS = 20 * SECOND_MS
const MAX_ANSWER_BYTES = 64 * 1024
const REASON_MAX = 300

const refused = (field: keyof Assistant, message: string): AssistantCheck => ({
  kind: 'refused',
  field,
  message,
})

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}

/** Returns the error message of an answer. */
const reasonIn = (body: unknown): string => {
  const error = isObject(body) ? body.error : undefined
  const text = textOrNull(isObject(error) ? error.message : error)
  return text === null ? '.' : `: ${text.slice(0, REASON_MAX)}`
}

function checkOf(status: number, body: unknown): AssistantCheck {
  if (status === 401 || status === 403)
    return refused('apiKey', `The assistant rejected this (${status})${reasonIn(body)}`)
  const isOfModel = /model/i.test(reasonIn(body))
  if (status >= 400 && status < 500 && isOfModel)
    return refused('model', `The assistant rejected this (${status})${reasonIn(body)}`)
  if (status !== 200) return refused('url', `The assistant answered with status ${status}${reasonIn(body)}`)
  return isObject(body) && objectsIn(body.choices).length > 0
    ? { kind: 'done' }
    : refused('url', 'Must be the address of an OpenAI-compatible endpoint.')
}

/** Requests one word, to check that address, key, and model are valid. */
export const assistantChecker =
  (egress: Pick<Egress, 'prepareTarget' | 'post'>) =>
  async ({ url, apiKey, model }: Assistant): Promise<AssistantCheck> => {
    try {
      const { status, body } = await egress.post({
        // Plain http works only for private addresses, which are reachable only if the deployment allows
        // them.
        target: egress.prepareTarget(`${url}/chat/completions`, { requireHttps: false }),
        headers: {
          'content-type': 'application/json',
          'user-agent': 'parley',
          ...(apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }),
        },
        body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Say OK.' }], max_tokens: 1 }),
        timeoutMs: TIMEOUT_MS,
        maxBodyBytes: MAX_ANSWER_BYTES,
      })
      return checkOf(status, parsed(body))
    } catch (error) {
      if (!(error instanceof EgressFault)) throw error
      return refused('url', `Can't be reached: ${error.message}`)
    }
  }
