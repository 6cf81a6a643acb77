import { type INodeType, type INodeTypeDescription, NodeConnectionTypes } from 'n8n-workflow'
import { properties } from './generated/index.ts'

/** The actions of Parley in n8n. Their fields and requests are generated from the API. */
export class Parley implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Parley',
    name: 'parley',
    icon: { light: 'file:../../icons/parley.svg', dark: 'file:../../icons/parley.dark.svg' },
    group: ['output'],
    version: 1,
    subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
    description: 'Send messages, and work with contacts, leads, bookings, and invoices in Parley',
    defaults: { name: 'Parley' },
    usableAsTool: true,
    inputs: [NodeConnectionTypes.Main],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: 'parleyApi', required: true }],
    requestDefaults: {
      baseURL: '={{ $credentials.baseUrl.replace(new RegExp("/+$"), "") }}/api/v1',
      headers: { Accept: 'application/json' },
      json: true,
      // The node shows the API's own errors (routing/refusal.ts).
      ignoreHttpStatusErrors: true,
    },
    properties,
  }
}
