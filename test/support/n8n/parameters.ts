/** Fills in an operation of the node as a person does, from a request that the API accepts. */
import type { IDataObject, INodeProperties } from 'n8n-workflow'
import type { Endpoint } from '../../../src/core/endpoint.ts'
import { isShown } from './declared.ts'

/** Returns a value as a person enters it into the field. */
const entered = ({ type }: INodeProperties, value: unknown): unknown => {
  if (type === 'json') return JSON.stringify(value)
  if (type === 'string' && Array.isArray(value)) return value.join(', ')
  if (type !== 'string' && type !== 'dateTime') return value
  if (value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** The values of a request: path, query, and body, by name. */
function valuesOf({ path }: Endpoint, prepared: { path: string; body?: unknown }): IDataObject {
  const [address = '', query = ''] = prepared.path.split('?')
  const parts = address.split('/')
  const names = path.split('/')
  const ids = names.flatMap((name, i) =>
    name.startsWith(':') ? [[name.slice(1), decodeURIComponent(parts[i]!)]] : [],
  )
  return {
    ...Object.fromEntries(ids),
    ...Object.fromEntries(new URLSearchParams(query)),
    ...(prepared.body as IDataObject | undefined),
  }
}

/** Returns the parameters of the node for a request, and the names of values for which it has no field. */
export function parametersOf(
  properties: INodeProperties[],
  operation: { resource: string; operation: string },
  endpoint: Endpoint,
  prepared: { path: string; body?: unknown },
): { parameters: IDataObject; left: string[] } {
  const values = valuesOf(endpoint, prepared)
  const parameters: IDataObject = { ...operation }
  const left = new Set(Object.keys(values))
  const enter = (field: INodeProperties, into: IDataObject): void => {
    if (!left.delete(field.name)) return
    into[field.name] = entered(field, values[field.name])
  }
  for (const property of properties) {
    if (!isShown(property, parameters)) continue
    if (property.type !== 'collection') enter(property, parameters)
    else {
      const collection: IDataObject = {}
      for (const field of property.options as INodeProperties[]) enter(field, collection)
      parameters[property.name] = collection
    }
  }
  return { parameters, left: [...left] }
}
