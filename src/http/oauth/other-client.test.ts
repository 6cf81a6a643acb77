/** A general client of OAuth connects: it checks each answer by the standards, strictly. */
import * as oauth from 'openid-client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { allow, REDIRECT_URI } from '../../../test/support/apps.ts'
import { boot, type TestParley } from '../../../test/support/boot.ts'
import { signIn } from '../../../test/support/sessions.ts'

let parley: TestParley
beforeAll(async () => {
  parley = await boot()
})
afterAll(() => parley?.close())

test('it registers, connects, renews its key, and ends the connection', async () => {
  const shop = await parley.workspace()
  const admin = await signIn(parley, shop)
  const { siteUrl } = parley.config
  const options = {
    algorithm: 'oauth2' as const,
    execute: [oauth.allowInsecureRequests],
    [oauth.customFetch]: (url: string, init: object) => fetch(url.replace(siteUrl, parley.url), init),
  }
  const client = await oauth.dynamicClientRegistration(
    new URL(siteUrl),
    { client_name: 'General client', redirect_uris: [REDIRECT_URI], token_endpoint_auth_method: 'none' },
    oauth.None(),
    options,
  )
  const verifier = oauth.randomPKCECodeVerifier()
  const page = oauth.buildAuthorizationUrl(client, {
    redirect_uri: REDIRECT_URI,
    scope: 'contacts:read',
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state: 'a state',
    resource: `${siteUrl}/mcp`,
  })
  const answer = await allow(admin, page.search.slice(1), { scopes: ['contacts:read'] })
  const granted = await oauth.authorizationCodeGrant(
    client,
    answer,
    { pkceCodeVerifier: verifier, expectedState: 'a state' },
    { resource: `${siteUrl}/mcp` },
  )
  expect(granted).toMatchObject({ token_type: 'bearer', scope: 'contacts:read', expires_in: 3_600 })
  const renewed = await oauth.refreshTokenGrant(client, granted.refresh_token!)
  const read = async () => (await shop.get('/contacts', { key: renewed.access_token })).status
  expect(await read()).toBe(200)
  await oauth.tokenRevocation(client, renewed.refresh_token!)
  await expect.poll(read).toBe(401)
  await expect(oauth.refreshTokenGrant(client, renewed.refresh_token!)).rejects.toMatchObject({
    error: 'invalid_grant',
  })
})
