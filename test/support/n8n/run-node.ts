/** Runs an operation of the Parley node as n8n does, with a real request. */
import { randomUUID } from 'node:crypto'
import type {
  DeclarativeRestApiSettings,
  IBinaryData,
  IDataObject,
  IExecuteSingleFunctions,
  IHttpRequestOptions,
  IN8nHttpFullResponse,
  INodeExecutionData,
} from 'n8n-workflow'
import { request as send } from 'undici'
import { Parley } from '../../../n8n/src/nodes/Parley/Parley.node.ts'
import { evaluate, readDeclared } from './declared.ts'

export type Run = {
  parameters: IDataObject
  executionId?: string
  runIndex?: number
  itemIndex?: number
  instanceId?: string
  /** The files of the input, by field. */
  binary?: Record<string, { bytes: Buffer; mimeType: string; fileName?: string }>
}
export type Credential = { baseUrl: string; apiKey: string }
/** The items of a run, the requests that it made, and their answers. */
export type Result = { items: INodeExecutionData[]; requests: IHttpRequestOptions[]; statuses: number[] }

const NODE = { id: randomUUID(), name: 'Parley', type: 'n8n-nodes-parley.parley', typeVersion: 1 }
const { description } = new Parley()

const atPath = (values: IDataObject, path: string): unknown =>
  path.split('.').reduce<unknown>((value, name) => (value as IDataObject | undefined)?.[name], values)

/** Sends a request as n8n does: JSON, without a body if there are no fields. */
export async function sendRequest(
  options: IHttpRequestOptions,
  apiKey: string | undefined,
): Promise<IN8nHttpFullResponse> {
  const url = new URL(`${options.baseURL ?? ''}${options.url}`)
  for (const [name, value] of Object.entries(options.qs ?? {})) url.searchParams.append(name, String(value))
  const hasBody = Object.keys(options.body ?? {}).length > 0
  const answer = await send(url, {
    method: options.method ?? 'GET',
    headers: {
      ...(options.headers as Record<string, string>),
      ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
      ...(hasBody ? { 'content-type': 'application/json' } : {}),
    },
    ...(hasBody ? { body: JSON.stringify(options.body) } : {}),
  })
  const bytes = Buffer.from(await answer.body.arrayBuffer())
  const isJson = options.encoding !== 'arraybuffer' && String(answer.headers['content-type']).includes('json')
  return {
    statusCode: answer.statusCode,
    headers: answer.headers,
    body: isJson && bytes.length > 0 ? JSON.parse(bytes.toString('utf8')) : bytes,
  }
}

/** Returns the functions that n8n gives to the code of a node. Files of the output are stored in `data`, in base64. */
function functionsOf(run: Run, requests: IHttpRequestOptions[]): IExecuteSingleFunctions {
  const { parameters, executionId = '1', runIndex = 0, itemIndex = 0, instanceId = 'test', binary = {} } = run
  const fileOf = (name: string) => {
    const file = binary[name]
    if (!file) throw new Error(`The item has no file "${name}"`)
    return file
  }
  return {
    getNode: () => NODE,
    getCredentials: () => Promise.reject(new Error('Declarative nodes do not read credentials')),
    getWorkflow: () => ({ id: 'workflow', active: true }),
    getExecutionId: () => executionId,
    getInstanceId: () => instanceId,
    getItemIndex: () => itemIndex,
    getNodeParameter: (name, fallback) => atPath(parameters, name) ?? fallback,
    getWorkflowStaticData: () => ({}),
    evaluateExpression: (expression) => {
      if (expression === '={{ $runIndex }}') return runIndex
      throw new Error(`n8n evaluates ${expression}`)
    },
    helpers: {
      httpRequest: (options) => {
        requests.push(options)
        return sendRequest(options, undefined)
      },
      httpRequestWithAuthentication: () => Promise.reject(new Error('The routing sends the requests')),
      prepareBinaryData: async (
        bytes,
        fileName,
        mimeType = 'application/octet-stream',
      ): Promise<IBinaryData> => ({
        data: bytes.toString('base64'),
        mimeType,
        ...(fileName === undefined ? {} : { fileName }),
      }),
      assertBinaryData: (name) => ({ data: '', ...fileOf(name) }),
      getBinaryDataBuffer: async (name) => fileOf(name).bytes,
      returnJsonArray: (items) => [items].flat().map((json) => ({ json })),
    },
  }
}

/** Runs one operation for one item. */
export async function runNode({ baseUrl, apiKey }: Credential, run: Run): Promise<Result> {
  const { options, preSend, postReceive, pagination, maxResults } = readDeclared(
    description.properties,
    run.parameters,
  )
  const requests: IHttpRequestOptions[] = []
  const statuses: number[] = []
  const functions = functionsOf(run, requests)
  const { baseURL, ...defaults } = description.requestDefaults!
  const scope = { $parameter: run.parameters, $credentials: { baseUrl, apiKey } }
  let request: IHttpRequestOptions = {
    ...defaults,
    ...options,
    baseURL: String(evaluate(baseURL, scope)),
    headers: { ...defaults.headers, ...options.headers },
  }
  for (const action of preSend) request = await action.call(functions, request)
  const makeRoutingRequest = async ({
    options,
  }: DeclarativeRestApiSettings.ResultOptions): Promise<INodeExecutionData[]> => {
    requests.push(options)
    const response = await sendRequest(options, apiKey)
    statuses.push(response.statusCode)
    let items: INodeExecutionData[] = [{ json: response.body }]
    for (const action of postReceive) items = await action.call(functions, items, response)
    return items
  }
  const items = pagination
    ? await pagination.call({ ...functions, makeRoutingRequest }, { options: request, maxResults })
    : await makeRoutingRequest({ options: request })
  return { items, requests, statuses }
}
