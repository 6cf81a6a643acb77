/** Reads a declarative n8n node: which parameters it shows, and which request they make. */
import { runInNewContext } from 'node:vm'
import type {
  IDataObject,
  IHttpRequestOptions,
  INodeProperties,
  INodePropertyOptions,
  PostReceiveAction,
  PreSendAction,
} from 'n8n-workflow'

export type Declared = {
  options: IHttpRequestOptions
  preSend: PreSendAction[]
  postReceive: PostReceiveAction[]
  pagination?: NonNullable<Routing['operations']>['pagination']
  maxResults?: number
}
type Routing = NonNullable<INodeProperties['routing']>
/** The values that expressions know. */
export type Scope = { $parameter: IDataObject; $value?: unknown; $credentials?: IDataObject }

const WHOLE = /^\{\{((?:(?!\}\}).)*)\}\}$/

/** Returns the value of a parameter: that of an expression, if it starts with `=`. */
export function evaluate(text: unknown, scope: Scope): unknown {
  if (typeof text !== 'string' || !text.startsWith('=')) return text
  const run = (code: string): unknown => runInNewContext(`(${code})`, { ...scope })
  const whole = WHOLE.exec(text.slice(1))
  if (whole) return run(whole[1]!)
  return text.slice(1).replace(/\{\{(.*?)\}\}/g, (_, code: string) => String(run(code)))
}

/** Whether n8n shows a property with these parameters. */
export const isShown = ({ displayOptions }: INodeProperties, parameters: IDataObject): boolean =>
  Object.entries(displayOptions?.show ?? {}).every(([name, values]) => values.includes(parameters[name]))

const isOption = (option: INodePropertyOptions | INodeProperties): option is INodePropertyOptions =>
  'value' in option

function addRouting(declared: Declared, routing: Routing | undefined, scope: Scope): void {
  const { request, send, output, operations } = routing ?? {}
  for (const [name, value] of Object.entries(request ?? {}))
    Object.assign(declared.options, { [name]: evaluate(value, scope) })
  if (send?.property !== undefined) {
    const part = send.type === 'body' ? declared.options.body : declared.options.qs
    part[send.property] = scope.$value
  }
  declared.preSend.push(...(send?.preSend ?? []))
  declared.postReceive.push(...(output?.postReceive ?? []))
  if (output?.maxResults !== undefined) declared.maxResults = Number(evaluate(output.maxResults, scope))
  if (operations?.pagination && send?.paginate) declared.pagination = operations.pagination
}

/** Returns the request that a node declares for these parameters. Parameters with a default may be missing. */
export function readDeclared(properties: INodeProperties[], entered: IDataObject): Declared {
  const parameters: IDataObject = { ...entered }
  const shown: INodeProperties[] = []
  for (const property of properties) {
    if (!isShown(property, parameters)) continue
    shown.push(property)
    parameters[property.name] ??= property.default
  }
  const declared: Declared = {
    options: { url: '', qs: {}, body: {}, headers: {} },
    preSend: [],
    postReceive: [],
  }
  for (const property of shown) {
    const value = parameters[property.name]
    const scope = { $parameter: parameters, $value: value }
    addRouting(declared, property.routing, scope)
    for (const option of property.options ?? []) {
      if (isOption(option)) {
        if (property.type === 'options' && option.value === value) addRouting(declared, option.routing, scope)
      } else if (option.name in (value as IDataObject))
        addRouting(declared, option.routing, { ...scope, $value: (value as IDataObject)[option.name] })
    }
  }
  return declared
}
