/** Answers the requests of SCIM. `scim-routes.ts` loads this file with the first request. */
import { refuse } from '../../core/errors.ts'
import type { Caller } from '../wire/caller.ts'
import { attributesOfBody } from './attributes.ts'
import { resourceTypes, schemas, serviceProviderConfig } from './documents.ts'
import { presentGroup, readGroup, readGroupPatch } from './group-resource.ts'
import { listResponse, projection, type Query, readGroupFilter, readPage, readUserFilter } from './lists.ts'
import { readPatch } from './patch.ts'
import type { ScimDirectory } from './port.ts'
import { presentUser, readNewUser, readUserPatch, readUserReplacement } from './user-resource.ts'

export type ScimRequest = {
  caller: Caller
  /** The id in the path; empty without one. */
  id: string
  query: Query
  /** The parsed body; undefined without one. */
  body: unknown
}
export type ScimAnswer = { status: number; body?: Record<string, unknown>; location?: string }

export type ScimOptions = {
  directory: ScimDirectory
  /** The address of the service. */
  siteUrl: string
}

const NO_CONTENT: ScimAnswer = { status: 204 }

type Resource = Record<string, unknown> & { meta: { location: string } }

const shown = (query: Query, resource: Resource, status = 200): ScimAnswer => ({
  status,
  location: resource.meta.location,
  body: projection(query)(resource),
})

const listed = (query: Query, resources: Resource[]): ScimAnswer => {
  const { startIndex, limit } = readPage(query)
  const page = resources.slice(startIndex - 1, startIndex - 1 + limit)
  return {
    status: 200,
    body: listResponse(page.map(projection(query)), { total: resources.length, startIndex }),
  }
}

const inList = (resources: (Resource & { id: string })[], { id, query }: ScimRequest): ScimAnswer =>
  shown(query, resources.find((resource) => resource.id === id) ?? refuse('not_found', `${id} not found.`))

/** Returns the function for each route, by method and path. */
export function scimAnswers({ directory, siteUrl }: ScimOptions) {
  const baseUrl = `${siteUrl}/scim/v2`
  const config = serviceProviderConfig(baseUrl, `${siteUrl}/docs/guides/single-sign-on`)
  const types = resourceTypes(baseUrl)
  const schemaList = schemas(baseUrl)

  async function listUsers({ caller, query }: ScimRequest): Promise<ScimAnswer> {
    const { startIndex, limit } = readPage(query)
    const filter = readUserFilter(query)
    const { users, total } = filter
      ? await directory.listUsers(caller, filter, { offset: startIndex - 1, limit })
      : { users: [], total: 0 }
    const show = projection(query)
    const resources = users.map((user) => show(presentUser(user, baseUrl)))
    return { status: 200, body: listResponse(resources, { total, startIndex }) }
  }

  async function listGroups({ caller, query }: ScimRequest): Promise<ScimAnswer> {
    const isMatch = readGroupFilter(query)
    const groups = (await directory.listGroups(caller)).filter(isMatch)
    return listed(
      query,
      groups.map((group) => presentGroup(group, baseUrl)),
    )
  }

  return {
    'GET /ServiceProviderConfig': async ({ query }) => shown(query, config),
    'GET /ResourceTypes': async ({ query }) => listed(query, types),
    'GET /ResourceTypes/:id': async (request) => inList(types, request),
    'GET /Schemas': async ({ query }) => listed(query, schemaList),
    'GET /Schemas/:id': async (request) => inList(schemaList, request),
    'GET /Users': listUsers,
    'POST /Users': async ({ caller, query, body }) => {
      const user = await directory.createUser(caller, readNewUser(attributesOfBody(body)))
      return shown(query, presentUser(user, baseUrl), 201)
    },
    'GET /Users/:id': async ({ caller, id, query }) =>
      shown(query, presentUser(await directory.getUser(caller, id), baseUrl)),
    'PUT /Users/:id': async ({ caller, id, query, body }) => {
      const user = await directory.changeUser(caller, id, readUserReplacement(attributesOfBody(body)))
      return shown(query, presentUser(user, baseUrl))
    },
    'PATCH /Users/:id': async ({ caller, id, query, body }) => {
      const user = await directory.changeUser(caller, id, readUserPatch(readPatch(body)))
      return shown(query, presentUser(user, baseUrl))
    },
    'DELETE /Users/:id': async ({ caller, id }) => {
      await directory.deleteUser(caller, id)
      return NO_CONTENT
    },
    'GET /Groups': listGroups,
    'POST /Groups': async ({ caller, query, body }) => {
      const { name, memberIds = [] } = readGroup(attributesOfBody(body))
      return shown(
        query,
        presentGroup(await directory.createGroup(caller, { name, memberIds }), baseUrl),
        201,
      )
    },
    'GET /Groups/:id': async ({ caller, id, query }) =>
      shown(query, presentGroup(await directory.getGroup(caller, id), baseUrl)),
    'PUT /Groups/:id': async ({ caller, id, query, body }) => {
      const change = readGroup(attributesOfBody(body))
      return shown(query, presentGroup(await directory.changeGroup(caller, id, () => change), baseUrl))
    },
    'PATCH /Groups/:id': async ({ caller, id, query, body }) => {
      const changeOf = readGroupPatch(readPatch(body))
      return shown(query, presentGroup(await directory.changeGroup(caller, id, changeOf), baseUrl))
    },
    'DELETE /Groups/:id': async ({ caller, id }) => {
      await directory.deleteGroup(caller, id)
      return NO_CONTENT
    },
  } satisfies Record<string, (request: ScimRequest) => Promise<ScimAnswer>>
}

export type ScimAnswers = ReturnType<typeof scimAnswers>
