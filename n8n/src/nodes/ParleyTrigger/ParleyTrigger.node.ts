import {
  type IHookFunctions,
  type INodeType,
  type INodeTypeDescription,
  type IWebhookFunctions,
  type IWebhookResponseData,
  NodeConnectionTypes,
} from 'n8n-workflow'
import { eventOptions } from './generated/events.ts'
import { receive } from './receive.ts'
import { EVERY_EVENT, isRegistered, register, unregister } from './registration.ts'

/** Starts a workflow when something happens in Parley. */
export class ParleyTrigger implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Parley Trigger',
    name: 'parleyTrigger',
    icon: { light: 'file:../../icons/parley.svg', dark: 'file:../../icons/parley.dark.svg' },
    group: ['trigger'],
    version: 1,
    subtitle: '={{ $parameter["events"].join(", ") }}',
    description: 'Starts the workflow when a message arrives or something else happens in Parley',
    defaults: { name: 'Parley Trigger' },
    inputs: [],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: 'parleyApi', required: true }],
    webhooks: [
      { name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: 'webhook', rawBody: true },
    ],
    properties: [
      {
        displayName: 'Events',
        name: 'events',
        type: 'multiOptions',
        required: true,
        default: ['message.received'],
        description: 'The events that start the workflow',
        options: [
          {
            name: 'Every Event',
            value: EVERY_EVENT,
            description:
              'Every event, including events added later. Needs an admin key without its own scopes.',
          },
          ...eventOptions,
        ],
      },
      {
        displayName: 'Workspace',
        name: 'workspace',
        type: 'options',
        default: 'any',
        description:
          'The workspace that the credential must belong to. Otherwise the workflow does not start listening.',
        options: [
          { name: 'Any', value: 'any' },
          { name: 'Live Only', value: 'live', description: 'Customers can be real' },
          { name: 'Sandbox Only', value: 'sandbox', description: 'No real customer can receive anything' },
        ],
      },
      {
        displayName:
          'Parley signs every event. The trigger checks the signature and its time, and starts the workflow once for each event.',
        name: 'notice',
        type: 'notice',
        default: '',
      },
    ],
  }

  webhookMethods = {
    default: {
      async checkExists(this: IHookFunctions): Promise<boolean> {
        return isRegistered(this)
      },
      async create(this: IHookFunctions): Promise<boolean> {
        await register(this)
        return true
      },
      async delete(this: IHookFunctions): Promise<boolean> {
        await unregister(this)
        return true
      },
    },
  }

  async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
    return receive(this, Date.now() / 1_000)
  }
}
