import { z } from 'zod'
import { endpoint, reply } from '../../../core/endpoint.ts'
import { search } from './operations.ts'
import { Found, SearchQuery } from './schema.ts'

export const getSearch = endpoint({
  name: 'searchEverything',
  method: 'GET',
  path: '/search',
  summary:
    'Find contacts, messages, leads, tasks, templates, and campaigns by part of a name, number, or text.',
  description:
    'Returns the newest matches of each kind that the key has the scope to read. A message is found by the beginnings of its words, a few seconds after it was written.',
  tag: 'Workspace',
  tool: {
    title: 'Search everywhere',
    when: 'Use it when you have a name, a number, or a few words, and do not know where they are.',
  },
  section: '4.3',
  scope: null,
  role: 'viewer',
  bucket: 'reads',
  query: SearchQuery,
  replies: {
    200: z.object({ results: z.array(Found).meta({ description: 'The matches, best first.' }) }),
  },
  refuses: [],
  handle: async (ctx, { query }) =>
    reply(200, { results: query.q === null ? [] : await search(ctx, query.q) }),
})
