/** The documents in which apps find the addresses of this installation's OAuth (RFC 8414, RFC 9728). */
import { SCOPES } from '../../core/scopes.ts'

export const RESOURCE_METADATA_PATH = '/.well-known/oauth-protected-resource'
export const SERVER_METADATA_PATH = '/.well-known/oauth-authorization-server'
export const REGISTER_PATH = '/oauth/register'
export const TOKEN_PATH = '/oauth/token'
export const REVOKE_PATH = '/oauth/revoke'
/** The dashboard's page of a request. */
const REQUEST_PAGE = '/connect-app'
const RESOURCE_PATH = '/mcp'

export const resourceMetadata = (siteUrl: string) => ({
  resource: siteUrl + RESOURCE_PATH,
  resource_name: 'Parley',
  authorization_servers: [siteUrl],
  bearer_methods_supported: ['header'],
  scopes_supported: SCOPES,
  resource_documentation: `${siteUrl}/docs/guides/assistants`,
})

export const serverMetadata = (siteUrl: string) => ({
  issuer: siteUrl,
  authorization_endpoint: siteUrl + REQUEST_PAGE,
  token_endpoint: siteUrl + TOKEN_PATH,
  registration_endpoint: siteUrl + REGISTER_PATH,
  revocation_endpoint: siteUrl + REVOKE_PATH,
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  token_endpoint_auth_methods_supported: ['none'],
  revocation_endpoint_auth_methods_supported: ['none'],
  code_challenge_methods_supported: ['S256'],
  scopes_supported: SCOPES,
  authorization_response_iss_parameter_supported: true,
  client_id_metadata_document_supported: true,
  service_documentation: `${siteUrl}/docs/guides/assistants`,
})

/** Tells an app without a valid key where it finds out how to get one. */
export const challengeOf = (siteUrl: string): string =>
  `Bearer resource_metadata="${siteUrl}${RESOURCE_METADATA_PATH}${RESOURCE_PATH}"`
