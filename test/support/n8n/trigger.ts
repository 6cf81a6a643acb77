/** Plays n8n for the Parley trigger: registers its address, and passes requests to it, also over HTTPS. */
import { randomUUID } from 'node:crypto'
import { EventEmitter } from 'node:events'
import type {
  IDataObject,
  IHookFunctions,
  IHttpRequestOptions,
  IN8nHttpFullResponse,
  INodeExecutionData,
  IWebhookFunctions,
} from 'n8n-workflow'
import { ParleyTrigger } from '../../../n8n/src/nodes/ParleyTrigger/ParleyTrigger.node.ts'
import type { Received } from '../receiver.ts'
import { type Credential, sendRequest } from './run-node.ts'

export type Trigger = {
  /** The data that n8n stores with the workflow. */
  stored: IDataObject
  activate(): Promise<void>
  deactivate(): Promise<void>
  /** Passes a request on; returns the status, and the items with which the workflow starts. */
  receive(
    request: Pick<Received, 'headers' | 'raw'>,
    /** The status with which n8n answers when the workflow can't start. */
    fault?: number,
  ): Promise<{ status: number; items: INodeExecutionData[] }>
}

const node = new ParleyTrigger()

/** Creates a trigger at `url`. `stored` is kept over restarts of n8n. */
export function makeTrigger(
  credential: Credential,
  url: string,
  parameters: IDataObject,
  stored: IDataObject = {},
): Trigger {
  const common = {
    getNode: () => ({ id: randomUUID(), name: 'Trigger', type: 'parleyTrigger', typeVersion: 1 }),
    getWorkflow: () => ({ id: 'workflow', active: true }),
    getExecutionId: () => '1',
    getInstanceId: () => 'test',
    getCredentials: async () => credential,
    getNodeParameter: (name: string, fallback?: unknown) => parameters[name] ?? fallback,
    getWorkflowStaticData: () => stored,
    getNodeWebhookUrl: () => url,
    getActivationMode: () => 'activate',
    helpers: {
      httpRequestWithAuthentication: (
        _name: string,
        options: IHttpRequestOptions,
      ): Promise<IN8nHttpFullResponse> => sendRequest(options, credential.apiKey),
    },
  }
  const hook = common as unknown as IHookFunctions
  const { checkExists, create, delete: remove } = node.webhookMethods.default
  return {
    stored,
    activate: async () => {
      if (!(await checkExists.call(hook))) await create.call(hook)
    },
    deactivate: async () => {
      await remove.call(hook)
    },
    receive: async ({ headers, raw }, fault) => {
      let status = 200
      const request = { rawBody: undefined as Buffer | undefined, readRawBody: async () => {} }
      request.readRawBody = async () => {
        request.rawBody = Buffer.from(raw)
      }
      const response = Object.assign(new EventEmitter(), {
        statusCode: 200,
        writableFinished: true,
        status: (code: number) => {
          status = code
          return { json: () => {} }
        },
      })
      const functions = {
        ...common,
        getHeaderData: () => headers,
        getRequestObject: () => request,
        getResponseObject: () => response,
      }
      const { workflowData } = await node.webhook.call(functions as unknown as IWebhookFunctions)
      response.statusCode = fault ?? status
      response.emit('close')
      return { status: response.statusCode, items: workflowData?.[0] ?? [] }
    },
  }
}
