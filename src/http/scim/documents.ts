/** The documents in which SCIM clients read what the service supports (RFC 7643 sections 5 to 7). */
import { ROLES } from '../../core/context.ts'
import { GROUP_SCHEMA } from './group-resource.ts'
import { MAX_RESULTS } from './lists.ts'
import { USER_SCHEMA } from './user-resource.ts'

const metaOf = (resourceType: string, location: string) => ({ resourceType, location })

export const serviceProviderConfig = (baseUrl: string, docsUrl: string) => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
  documentationUri: docsUrl,
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: MAX_RESULTS },
  changePassword: { supported: false },
  sort: { supported: false },
  etag: { supported: false },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'API key',
      description:
        'An API key of the workspace as a bearer token, with the role admin and the scope team:write.',
      specUri: 'https://www.rfc-editor.org/rfc/rfc6750',
      documentationUri: docsUrl,
      primary: true,
    },
  ],
  meta: metaOf('ServiceProviderConfig', `${baseUrl}/ServiceProviderConfig`),
})

const RESOURCE_TYPE_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:ResourceType'

export const resourceTypes = (baseUrl: string) =>
  [
    { id: 'User', endpoint: '/Users', description: 'A member of the workspace.', schema: USER_SCHEMA },
    { id: 'Group', endpoint: '/Groups', description: 'A team of the workspace.', schema: GROUP_SCHEMA },
  ].map((type) => ({
    schemas: [RESOURCE_TYPE_SCHEMA],
    name: type.id,
    ...type,
    schemaExtensions: [],
    meta: metaOf('ResourceType', `${baseUrl}/ResourceTypes/${type.id}`),
  }))

type Attribute = { name: string; description: string; [characteristic: string]: unknown }

const attribute = (name: string, description: string, more: Record<string, unknown> = {}): Attribute => ({
  name,
  description,
  type: 'string',
  multiValued: false,
  required: false,
  caseExact: false,
  mutability: 'readWrite',
  returned: 'default',
  uniqueness: 'none',
  ...more,
})

const complex = (name: string, description: string, subAttributes: Attribute[], more = {}): Attribute => ({
  name,
  description,
  type: 'complex',
  multiValued: false,
  required: false,
  mutability: 'readWrite',
  returned: 'default',
  uniqueness: 'none',
  subAttributes,
  ...more,
})

const flag = (name: string, description: string): Attribute => ({
  name,
  description,
  type: 'boolean',
  multiValued: false,
  required: false,
  mutability: 'readWrite',
  returned: 'default',
  uniqueness: 'none',
})

const MANY = { multiValued: true }

const USER_ATTRIBUTES = [
  attribute('userName', 'The name of the member at the provider, usually the email address.', {
    required: true,
    uniqueness: 'server',
  }),
  attribute('externalId', 'The id of the member at the provider.', { caseExact: true }),
  attribute('displayName', 'The name that the team and customers see.'),
  complex('name', 'The parts of the name.', [
    attribute('formatted', 'The whole name.'),
    attribute('givenName', 'The given name.'),
    attribute('familyName', 'The family name.'),
  ]),
  complex(
    'emails',
    'The email address with which the member signs in.',
    [
      attribute('value', 'The email address.', { required: true, uniqueness: 'server' }),
      attribute('type', 'The kind of address.', { canonicalValues: ['work'] }),
      flag('primary', 'Whether this is the main address.'),
    ],
    // Left out, the user name must be the address.
    { ...MANY, required: true },
  ),
  complex(
    'roles',
    'The role of the member. A new member without a role is an agent.',
    [
      attribute('value', 'The role.', { canonicalValues: ROLES }),
      flag('primary', 'Whether this is the main role.'),
    ],
    MANY,
  ),
  flag('active', 'False: the member has no access to the workspace.'),
]

const GROUP_ATTRIBUTES = [
  attribute('displayName', 'The name of the team.', { required: true, uniqueness: 'server' }),
  complex(
    'members',
    'The members of the team.',
    [
      attribute('value', 'The id of the user.', { mutability: 'immutable' }),
      attribute('type', 'The kind of member.', { mutability: 'immutable', canonicalValues: ['User'] }),
      attribute('$ref', 'The address of the user.', {
        type: 'reference',
        referenceTypes: ['User'],
        mutability: 'immutable',
      }),
    ],
    MANY,
  ),
]

export const schemas = (baseUrl: string) =>
  [
    { id: USER_SCHEMA, name: 'User', description: 'A member of the workspace.', attributes: USER_ATTRIBUTES },
    {
      id: GROUP_SCHEMA,
      name: 'Group',
      description: 'A team of the workspace.',
      attributes: GROUP_ATTRIBUTES,
    },
  ].map((schema) => ({
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:Schema'],
    ...schema,
    meta: metaOf('Schema', `${baseUrl}/Schemas/${schema.id}`),
  }))
