/** An identity provider (OpenID Connect) in this process, whose next sign-in each test chooses. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'

/** The claims of a person; `sub` identifies them. */
export type Person = {
  sub: string
  email?: string
  email_verified?: boolean
  name?: string
  groups?: string[]
}

export type TestProvider = {
  issuer: string
  env: Record<string, string>
  /** The person who signs in next; null: the provider refuses. */
  person: Person | null
  close(): Promise<void>
}

const CLIENT = { id: 'parley', secret: 'secret-of-the-client-0123456789' }

/** Starts a provider that knows Parley at `siteUrl`. It asks no questions: the next person is signed in already. */
export async function startProvider(siteUrl: string): Promise<TestProvider> {
  const people = new Map<string, Person>()
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        redirect_uris: [`${siteUrl}/api/dashboard/sign-in/oidc/callback`],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    claims: { email: ['email', 'email_verified'], profile: ['name', 'groups'] },
    cookies: { keys: ['a-key-of-the-test'] },
    features: { devInteractions: { enabled: false } },
    findAccount: (_ctx, sub) => ({ accountId: sub, claims: () => people.get(sub)! }),
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    loadExistingGrant: async (ctx) => {
      const grant = new ctx.oidc.provider.Grant({
        clientId: CLIENT.id,
        accountId: ctx.oidc.session!.accountId!,
      })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
  })
  const respond = provider.callback()
  const started: TestProvider = {
    issuer,
    env: {
      PARLEY_OIDC_ISSUER: issuer,
      PARLEY_OIDC_CLIENT_ID: CLIENT.id,
      PARLEY_OIDC_CLIENT_SECRET: CLIENT.secret,
      PARLEY_OIDC_LABEL: 'Acme ID',
    },
    person: null,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
  server.on('request', (request, response) => {
    if (!request.url?.startsWith('/interaction/')) return void respond(request, response)
    const { person } = started
    if (person) people.set(person.sub, person)
    void provider.interactionFinished(
      request,
      response,
      person
        ? { login: { accountId: person.sub } }
        : { error: 'access_denied', error_description: 'The person may not use Parley.' },
    )
  })
  return started
}
