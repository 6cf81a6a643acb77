import { z } from 'zod'
import { ROLES } from '../../../../core/context.ts'
import { accountEndpoint, endpoint, reply } from '../../../../core/endpoint.ts'
import { SCOPES } from '../../../../core/scopes.ts'
import { allowApp, readAppRequest } from '../operations/app-requests.ts'
import { DASHBOARD } from './session.ts'

const MAX_QUERY_LENGTH = 8_000
const MAX_REQUEST_LENGTH = 16_000

export const postAppRequest = accountEndpoint({
  ...DASHBOARD,
  name: 'readAppRequest',
  method: 'POST',
  path: '/app-requests',
  summary: 'Check the request of an app that wants to act for a member. Nothing is stored.',
  description:
    'The page /connect-app sends its query: client_id, redirect_uri, and the other parameters of OAuth.',
  role: 'viewer',
  bucket: 'settings-writes',
  body: z.strictObject({ query: z.string().max(MAX_QUERY_LENGTH) }),
  replies: {
    200: z.discriminatedUnion('state', [
      z.object({
        state: z.literal('asked'),
        app: z.object({
          name: z.string().meta({ description: 'The name that the app gives itself.' }),
          receiver: z
            .string()
            .meta({ description: 'The host or the scheme of the address that gets the answer.' }),
          publishedBy: z.string().nullable().meta({
            description: 'The host that publishes the name; null if anyone could have registered it.',
          }),
        }),
        scopes: z.array(z.enum(SCOPES)).nullable().meta({ description: 'The scopes that the app asks for.' }),
        request: z
          .string()
          .meta({ description: 'The checked request, for POST /app-connections, for 30 minutes.' }),
        cancelUrl: z.string(),
      }),
      z.object({
        state: z.literal('refused'),
        url: z.string().meta({ description: "The app's address, with the reason." }),
      }),
    ]),
  },
  refuses: ['invalid'],
  handle: async (ctx, { body }) => reply(200, await readAppRequest(ctx, body.query)),
})

export const postAppConnection = endpoint({
  ...DASHBOARD,
  name: 'allowApp',
  method: 'POST',
  path: '/app-connections',
  summary: 'Let an app act for you in this workspace. Open `url`, with which the app gets its key.',
  role: 'admin',
  bucket: 'settings-writes',
  fresh: true,
  body: z.strictObject({
    request: z.string().max(MAX_REQUEST_LENGTH),
    role: z.enum(ROLES),
    scopes: z.array(z.enum(SCOPES)).min(1).max(SCOPES.length).optional(),
  }),
  replies: { 201: z.object({ url: z.string() }) },
  refuses: [],
  handle: async (ctx, { body }) => reply(201, await allowApp(ctx, body)),
})
