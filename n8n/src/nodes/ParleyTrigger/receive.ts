import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow'
import { forgetEvent, isNewEvent, secretsOf } from './memory.ts'
import { chosenEvents } from './registration.ts'
import { findFault } from './signature.ts'

type Event = { id: string; event: string; createdAt: string; data: IDataObject }

const UNAUTHORIZED = 401
const OK = 200
const FIRST_ERROR = 300

function answer(hook: IWebhookFunctions, status: number, message: string): IWebhookResponseData {
  hook.getResponseObject().status(status).json({ message })
  return { noWebhookResponse: true }
}

/** Forgets the event unless n8n answers that it took it. */
function forgetIfRefused(hook: IWebhookFunctions, address: string, id: string): void {
  const response = hook.getResponseObject()
  response.once('close', () => {
    if (!response.writableFinished || response.statusCode >= FIRST_ERROR) forgetEvent(address, id)
  })
}

/**
 * Starts the workflow with an event, once. It answers 401 to a request without a valid signature. n8n stores the ids of known events
 * after it accepted them, so a crash before that loses no event: Parley sends it again.
 */
export async function receive(hook: IWebhookFunctions, nowSeconds: number): Promise<IWebhookResponseData> {
  const request = hook.getRequestObject()
  await request.readRawBody?.()
  const rawBody = request.rawBody ?? Buffer.alloc(0)
  const data = hook.getWorkflowStaticData('node')
  const fault = findFault(rawBody, hook.getHeaderData(), secretsOf(data), nowSeconds)
  if (fault !== undefined) return answer(hook, UNAUTHORIZED, fault)
  const event = JSON.parse(rawBody.toString('utf8')) as Event
  const events = chosenEvents(hook)
  if (events !== null && !events.includes(event.event))
    return answer(hook, OK, 'The workflow does not listen to this event.')
  const address = hook.getNodeWebhookUrl('default') ?? ''
  if (!isNewEvent(data, address, event.id)) return answer(hook, OK, 'This event is known.')
  forgetIfRefused(hook, address, event.id)
  return { workflowData: [[{ json: event }]] }
}
