/**
 * The part of `n8n-workflow` that the nodes use. The package has its own types only where n8n is installed; a test compiles the
 * nodes against those (test/n8n).
 */
declare module 'n8n-workflow' {
  type IconFile = `file:${string}.svg`
  type Icon = { light: IconFile; dark: IconFile }
  export type IDataObject = Record<string, unknown>
  export type JsonObject = Record<string, unknown>
  export type INode = { id: string; name: string; type: string; typeVersion: number }

  export type IHttpRequestOptions = {
    method?: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
    url: string
    baseURL?: string
    headers?: IDataObject
    qs?: IDataObject
    // biome-ignore lint/suspicious/noExplicitAny: n8n's own type has no narrower one
    body?: any
    json?: boolean
    encoding?: 'arraybuffer'
    returnFullResponse?: boolean
    ignoreHttpStatusErrors?: boolean
  }
  export type IN8nHttpFullResponse = {
    // biome-ignore lint/suspicious/noExplicitAny: n8n's own type has no narrower one
    body: any
    headers: Record<string, unknown>
    statusCode: number
  }

  export type IBinaryData = { data: string; mimeType: string; fileName?: string }
  export type INodeExecutionData = {
    // biome-ignore lint/suspicious/noExplicitAny: items have the fields of the API's replies
    json: any
    binary?: Record<string, IBinaryData>
  }

  type Helpers = {
    httpRequest(options: IHttpRequestOptions): Promise<unknown>
    httpRequestWithAuthentication(
      this: object,
      credential: string,
      options: IHttpRequestOptions,
    ): Promise<unknown>
    prepareBinaryData(bytes: Buffer, filename?: string, mimeType?: string): Promise<IBinaryData>
    assertBinaryData(field: string): IBinaryData
    getBinaryDataBuffer(field: string): Promise<Buffer>
    returnJsonArray(items: IDataObject | IDataObject[]): INodeExecutionData[]
  }
  type Functions = {
    helpers: Helpers
    getNode(): INode
    getCredentials<T extends object>(name: string): Promise<T>
    getWorkflow(): { id?: string; name?: string; active: boolean }
    getExecutionId(): string
    getInstanceId(): string
    getNodeParameter(name: string, fallback?: unknown): unknown
    getWorkflowStaticData(type: 'node' | 'global'): IDataObject
  }
  export type IExecuteSingleFunctions = Functions & {
    getItemIndex(): number
    evaluateExpression(expression: string, itemIndex: number): unknown
  }
  export namespace DeclarativeRestApiSettings {
    type ResultOptions = { options: IHttpRequestOptions; maxResults?: number | string }
  }
  type ResultOptions = DeclarativeRestApiSettings.ResultOptions
  export type IExecutePaginationFunctions = IExecuteSingleFunctions & {
    makeRoutingRequest(request: ResultOptions): Promise<INodeExecutionData[]>
  }
  export type IHookFunctions = Functions & {
    getNodeWebhookUrl(name: string): string | undefined
    getActivationMode(): string
  }
  export type IWebhookFunctions = Functions & {
    getHeaderData(): Record<string, string | string[] | undefined>
    getRequestObject(): { rawBody?: Buffer; readRawBody?: () => Promise<void> }
    getResponseObject(): {
      statusCode: number
      writableFinished: boolean
      status(code: number): { json(body: unknown): unknown }
      once(event: 'close', listener: () => void): unknown
    }
    getNodeWebhookUrl(name: string): string | undefined
  }
  export type IWebhookResponseData = { workflowData?: INodeExecutionData[][]; noWebhookResponse?: boolean }

  export type PreSendAction = (
    this: IExecuteSingleFunctions,
    request: IHttpRequestOptions,
  ) => Promise<IHttpRequestOptions>
  export type PostReceiveAction = (
    this: IExecuteSingleFunctions,
    items: INodeExecutionData[],
    response: IN8nHttpFullResponse,
  ) => Promise<INodeExecutionData[]>
  type PaginationFunction = (
    this: IExecutePaginationFunctions,
    request: ResultOptions,
  ) => Promise<INodeExecutionData[]>

  type Routing = {
    request?: IDataObject
    send?: {
      type?: 'body' | 'query'
      property?: string
      value?: string
      paginate?: boolean
      preSend?: PreSendAction[]
    }
    output?: { maxResults?: string; postReceive?: PostReceiveAction[] }
    operations?: { pagination?: PaginationFunction }
  }
  export type INodePropertyOptions = {
    name: string
    value: string | number | boolean
    action?: string
    description?: string
    routing?: Routing
  }
  export type INodeProperties = {
    displayName: string
    name: string
    type:
      | 'string'
      | 'number'
      | 'boolean'
      | 'options'
      | 'multiOptions'
      | 'collection'
      | 'json'
      | 'dateTime'
      | 'notice'
    default: unknown
    required?: boolean
    description?: string
    placeholder?: string
    hint?: string
    noDataExpression?: boolean
    typeOptions?: IDataObject
    displayOptions?: { show?: Record<string, unknown[]>; hide?: Record<string, unknown[]> }
    options?: (INodePropertyOptions | INodeProperties)[]
    routing?: Routing
  }

  export type NodeConnectionType = 'main'
  export type INodeTypeDescription = {
    displayName: string
    name: string
    icon: Icon
    group: ('input' | 'output' | 'transform' | 'trigger')[]
    version: number
    subtitle: string
    description: string
    defaults: { name: string }
    usableAsTool?: true
    inputs: NodeConnectionType[]
    outputs: NodeConnectionType[]
    credentials?: { name: string; required?: boolean }[]
    requestDefaults?: Omit<IHttpRequestOptions, 'url'>
    webhooks?: {
      name: 'default'
      httpMethod: 'POST'
      responseMode: 'onReceived'
      path: string
      rawBody?: boolean
    }[]
    properties: INodeProperties[]
  }
  export type INodeType = {
    description: INodeTypeDescription
    webhook?(this: IWebhookFunctions): Promise<IWebhookResponseData>
    webhookMethods?: {
      default: Record<'checkExists' | 'create' | 'delete', (this: IHookFunctions) => Promise<boolean>>
    }
  }

  export type ICredentialType = {
    name: string
    displayName: string
    icon: Icon
    documentationUrl: string
    properties: INodeProperties[]
    authenticate: { type: 'generic'; properties: { headers: Record<string, string> } }
    test: { request: { baseURL: string; url: string } }
  }

  type ErrorOptions = {
    message?: string
    description?: string
    httpCode?: string
    itemIndex?: number
  }
  export class NodeApiError extends Error {
    constructor(node: INode, response: JsonObject, options?: ErrorOptions)
    httpCode: string | null
    description: string | null | undefined
  }
  export class NodeOperationError extends Error {
    constructor(node: INode, error: Error | string, options?: ErrorOptions)
    description: string | null | undefined
  }
  export const NodeConnectionTypes: { readonly Main: 'main' }
}
