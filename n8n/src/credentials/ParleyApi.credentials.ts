import type { ICredentialType, INodeProperties } from 'n8n-workflow'

/** The address of an installation, and a key of one workspace. */
export class ParleyApi implements ICredentialType {
  name = 'parleyApi'
  displayName = 'Parley API'
  icon = { light: 'file:../icons/parley.svg', dark: 'file:../icons/parley.dark.svg' } as const
  documentationUrl = 'https://parley.example/docs/guides/n8n'
  properties: INodeProperties[] = [
    {
      displayName: 'Base URL',
      name: 'baseUrl',
      type: 'string',
      required: true,
      default: '',
      placeholder: 'https://parley.example.com',
      description: 'Address of your Parley, without <code>/api/v1</code>',
    },
    {
      displayName: 'API Key',
      name: 'apiKey',
      type: 'string',
      typeOptions: { password: true },
      required: true,
      default: '',
      description:
        'Key of one workspace. For tests, create a second credential with the key of a sandbox. Create keys in Parley under <b>API keys</b>.',
    },
  ]
  authenticate = {
    type: 'generic' as const,
    properties: { headers: { Authorization: '=Bearer {{ $credentials.apiKey }}' } },
  }
  test = {
    request: { baseURL: '={{ $credentials.baseUrl.replace(new RegExp("/+$"), "") }}/api/v1', url: '/me' },
  }
}
