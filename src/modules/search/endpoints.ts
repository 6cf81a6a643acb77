import { z } from 'zod'
import { endpoint, reply } from '../../core/endpoint.ts'
import { search } from './operations.ts'
import { Found, SearchQuery } from './schema.ts'

export const getSearch = endpoint({
  name: 'searchEverything',
  method: 'GET',
  path: '/search',
  summary: 'Find contacts, messages, leads, tasks, templates and campaigns by a few letters.',
  description:
    'The newest of each kind, of any age: of those kinds whose scope the key has. Messages are found by words that begin so, ' +
    'seconds after they were written.',
  tag: 'Workspace',
  section: '4.3',
  scope: null,
  role: 'viewer',
  bucket: 'reads',
  query: SearchQuery,
  replies: {
    200: z.object({ results: z.array(Found).meta({ description: 'What was found, the best first.' }) }),
  },
  refuses: [],
  handle: async (ctx, { query }) =>
    reply(200, { results: query.q === null ? [] : await search(ctx, query.q) }),
})
