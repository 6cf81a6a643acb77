/** Registers the address of the trigger at Parley, and removes it. */
import {
  type IDataObject,
  type IHookFunctions,
  type IN8nHttpFullResponse,
  type JsonObject,
  NodeApiError,
  NodeOperationError,
} from 'n8n-workflow'
import { textOf } from '../text-of.ts'
import { type Registration, registrationOf, setRegistration } from './memory.ts'

/** The choice of every event, including events added later. */
export const EVERY_EVENT = '*'

const FIRST_ERROR = 300
const NOT_FOUND = 404

type Endpoint = { id: string; url: string; events: string[] | null; state: string }

/** Calls the API. Throws its error in its own words. */
async function call(
  hook: IHookFunctions,
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path: string,
  body?: IDataObject,
): Promise<IDataObject> {
  const { baseUrl } = await hook.getCredentials<{ baseUrl: string }>('parleyApi')
  const response = (await hook.helpers.httpRequestWithAuthentication.call(hook, 'parleyApi', {
    method,
    baseURL: `${baseUrl.replace(/\/+$/, '')}/api/v1`,
    url: path,
    ...(body === undefined ? {} : { body }),
    json: true,
    returnFullResponse: true,
    ignoreHttpStatusErrors: true,
  })) as IN8nHttpFullResponse
  const answer = (response.body ?? {}) as IDataObject
  const isGone = method === 'DELETE' && response.statusCode === NOT_FOUND
  if (response.statusCode < FIRST_ERROR || isGone) return answer
  const page = textOf(answer.docUrl)
  throw new NodeApiError(hook.getNode(), answer as JsonObject, {
    message: textOf(answer.message) || `Parley answered ${response.statusCode}.`,
    description: page ? `Explanation: ${page}` : `Address: ${path}`,
    httpCode: String(response.statusCode),
  })
}

const addressOf = (hook: IHookFunctions): string => {
  const url = hook.getNodeWebhookUrl('default')
  if (url === undefined) throw new NodeOperationError(hook.getNode(), 'n8n has no address for this trigger.')
  return url
}

/** Returns the chosen events; null for every event. */
export function chosenEvents(node: {
  getNodeParameter(name: string, fallback?: unknown): unknown
}): string[] | null {
  const events = node.getNodeParameter('events', []) as string[]
  return events.includes(EVERY_EVENT) ? null : events
}

const isSameChoice = (a: string[] | null, b: string[] | null): boolean =>
  a === null || b === null ? a === b : [...a].sort().join() === [...b].sort().join()

async function findEndpoints(hook: IHookFunctions): Promise<Endpoint[]> {
  return (await call(hook, 'GET', '/webhooks')).webhooks as Endpoint[]
}

/** Whether the address is registered, active, and for the chosen events. */
export async function isRegistered(hook: IHookFunctions): Promise<boolean> {
  const known = registrationOf(hook.getWorkflowStaticData('node'), addressOf(hook))
  if (known === undefined) return false
  const endpoint = (await findEndpoints(hook)).find(({ id }) => id === known.id)
  return endpoint?.state === 'active' && isSameChoice(endpoint.events, chosenEvents(hook))
}

/** Throws if the key belongs to another kind of workspace than the user chose. */
async function checkWorkspace(hook: IHookFunctions): Promise<void> {
  const choice = hook.getNodeParameter('workspace', 'any')
  if (choice === 'any') return
  const { workspace } = (await call(hook, 'GET', '/me')) as { workspace: { sandbox: boolean } }
  if (workspace.sandbox === (choice === 'sandbox')) return
  const message = workspace.sandbox
    ? 'The key of this credential belongs to a sandbox.'
    : 'The key of this credential belongs to a live workspace.'
  throw new NodeOperationError(hook.getNode(), message, {
    description: 'Choose another credential, or another value of Workspace.',
  })
}

/**
 * Registers the address. An endpoint that already has it is used again, so that a repeated activation creates no second one: n8n may
 * have stopped before it stored the first.
 */
export async function register(hook: IHookFunctions): Promise<void> {
  const data = hook.getWorkflowStaticData('node')
  const url = addressOf(hook)
  const events = chosenEvents(hook)
  if (events?.length === 0) throw new NodeOperationError(hook.getNode(), 'Choose at least one event.')
  await checkWorkspace(hook)
  const known = registrationOf(data, url)
  const endpoint = (await findEndpoints(hook)).find((found) => found.id === known?.id || found.url === url)
  setRegistration(
    data,
    url,
    await (endpoint ? reuse(hook, endpoint, known, events) : create(hook, url, events)),
  )
}

async function create(hook: IHookFunctions, url: string, events: string[] | null): Promise<Registration> {
  const { webhook, secret } = await call(hook, 'POST', '/webhooks', { url, events })
  return { id: (webhook as Endpoint).id, secret: secret as string }
}

/** Renews the choice of events. Without the secret, which Parley shows only once, it gets a new one. */
async function reuse(
  hook: IHookFunctions,
  { id }: Endpoint,
  known: Registration | undefined,
  events: string[] | null,
): Promise<Registration> {
  await call(hook, 'PATCH', `/webhooks/${id}`, { events, active: true })
  if (known?.id === id) return known
  const { secret } = await call(hook, 'POST', `/webhooks/${id}/rotate`)
  return { id, secret: secret as string }
}

/** Removes the address. It stays known if Parley can't be reached. */
export async function unregister(hook: IHookFunctions): Promise<void> {
  const data = hook.getWorkflowStaticData('node')
  const url = addressOf(hook)
  const known = registrationOf(data, url)
  if (known === undefined) return
  await call(hook, 'DELETE', `/webhooks/${known.id}`)
  setRegistration(data, url, undefined)
}
