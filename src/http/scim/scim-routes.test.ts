/** SCIM 2.0 with the requests of Okta and Microsoft Entra ID (access/DECISIONS.md "Provisioning"). */
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { corrupted } from '../../../test/contract/fuzz/hostile.ts'
import {
  type Answered,
  boot,
  type CallOptions,
  type Client,
  type TestParley,
  type TestWorkspace,
} from '../../../test/support/boot.ts'
import { seedOf } from '../../../test/support/seed.ts'
import { type Browser, DASHBOARD, signIn } from '../../../test/support/sessions.ts'

const BASE = '/scim/v2'
const USER = 'urn:ietf:params:scim:schemas:core:2.0:User'
const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group'
const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'
const PATCH_OP = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'
const LIST = 'urn:ietf:params:scim:api:messages:2.0:ListResponse'
const ERROR = 'urn:ietf:params:scim:api:messages:2.0:Error'

let parley: TestParley
let shop: TestWorkspace
let provider: Client
let admin: Browser
beforeAll(async () => {
  parley = await boot()
})
beforeEach(async () => {
  shop = await parley.workspace()
  provider = await shop.as('admin', { scopes: ['team:write'] })
  admin = await signIn(parley, shop)
})
afterAll(() => parley?.close())

/** The test clients put paths without a host below the API's base. */
const urlOf = (path: string): string => parley.url + BASE + path
const SCIM_TYPE = { headers: { 'content-type': 'application/scim+json; charset=utf-8' } }

/** Sends a request as providers do. */
const scim = (method: string, path: string, body?: unknown, options: CallOptions = SCIM_TYPE) =>
  provider.call(method, urlOf(path), body, body === undefined ? {} : options)
const patch = (path: string, ...Operations: unknown[]) =>
  scim('PATCH', path, { schemas: [PATCH_OP], Operations })
const filtered = (path: string, filter: string, more = '') =>
  scim('GET', `${path}?filter=${encodeURIComponent(filter)}${more}`)

const addressOf = (name: string): string => `${name}-${randomUUID().slice(0, 8)}@acme.example`
const newUser = (userName: string, more: object = {}) => ({
  schemas: [USER],
  userName,
  name: { givenName: 'Asha', familyName: 'Rao' },
  emails: [{ primary: true, value: userName, type: 'work' }],
  displayName: 'Asha Rao',
  active: true,
  ...more,
})
/** Creates a user, and returns its id. */
async function created(userName = addressOf('asha'), more: object = {}): Promise<string> {
  const { status, body, text } = await scim('POST', '/Users', newUser(userName, more))
  expect(status, text).toBe(201)
  return body.id
}
const teamMembers = async () => (await admin.get(`${DASHBOARD}/members`)).body.members
const memberOf = async (id: string) => (await teamMembers()).find((row: { id: string }) => row.id === id)
const fault = (status: number, scimType?: string) => ({
  status,
  body: {
    schemas: [ERROR],
    status: String(status),
    ...(scimType ? { scimType } : {}),
    detail: expect.any(String),
  },
})
const short = ({ status, body }: Answered) => ({ status, body })

describe('the requests of Okta', () => {
  test('test the connection, create a user, update it, deactivate it, and activate it again', async () => {
    expect((await scim('GET', '/Users?startIndex=1&count=2')).body).toMatchObject({
      schemas: [LIST],
      totalResults: 2,
      startIndex: 1,
      itemsPerPage: 2,
    })
    expect((await scim('GET', '/Groups?startIndex=1&count=100')).body).toMatchObject({
      totalResults: 0,
      Resources: [],
    })
    const userName = addressOf('asha')
    const search = `userName eq "${userName}"`
    expect((await filtered('/Users', search, '&startIndex=1&count=100')).body).toMatchObject({
      totalResults: 0,
      Resources: [],
    })
    const answer = await scim(
      'POST',
      '/Users',
      newUser(userName, {
        externalId: '00ujl29u0le5T6Aj10h7',
        locale: 'en-US',
        groups: [],
        password: '1mz050nq',
      }),
    )
    expect(answer.status).toBe(201)
    expect(answer.headers['content-type']).toContain('application/scim+json')
    const { id } = answer.body
    expect(answer.headers.location).toBe(`${parley.config.siteUrl}${BASE}/Users/${id}`)
    expect(answer.body).toEqual({
      schemas: [USER],
      id,
      externalId: '00ujl29u0le5T6Aj10h7',
      userName,
      displayName: 'Asha Rao',
      name: { formatted: 'Asha Rao', givenName: 'Asha', familyName: 'Rao' },
      emails: [{ value: userName, type: 'work', primary: true }],
      roles: [{ value: 'agent', primary: true }],
      active: true,
      meta: { resourceType: 'User', created: expect.any(String), location: answer.headers.location },
    })
    expect(await memberOf(id)).toMatchObject({
      name: 'Asha Rao',
      email: userName,
      role: 'agent',
      invitedUntil: null,
    })

    // Okta sends back the whole user, with the changed parts.
    const { body: whole } = await scim('GET', `/Users/${id}`)
    whole.name.familyName = 'Sharma'
    const replaced = await scim('PUT', `/Users/${id}`, whole)
    expect(replaced.body).toMatchObject({
      displayName: 'Asha Sharma',
      name: { formatted: 'Asha Sharma', givenName: 'Asha', familyName: 'Sharma' },
    })

    const off = await patch(`/Users/${id}`, { op: 'replace', value: { active: false } })
    expect([off.status, off.body.active]).toEqual([200, false])
    expect(await memberOf(id)).toBeUndefined()
    expect((await scim('GET', `/Users/${id}`)).body).toMatchObject({ id, active: false })
    expect((await filtered('/Users', search)).body).toMatchObject({ totalResults: 1, Resources: [{ id }] })

    const on = await scim('PUT', `/Users/${id}`, { ...replaced.body, active: true })
    expect([on.status, on.body.active]).toEqual([200, true])
    expect(await memberOf(id)).toMatchObject({ name: 'Asha Sharma' })
  })

  test('push a group, rename it, and change its members', async () => {
    const [asha, ravi] = [await created(), await created(addressOf('ravi'), { displayName: 'Ravi Iyer' })]
    const made = await scim('POST', '/Groups', {
      schemas: [GROUP],
      displayName: 'Support',
      members: [{ value: asha, display: 'asha@acme.example' }],
    })
    expect(made.status).toBe(201)
    const { id } = made.body
    expect(made.body).toMatchObject({
      displayName: 'Support',
      members: [{ value: asha, type: 'User' }],
    })
    const renamed = await patch(`/Groups/${id}`, { op: 'replace', value: { id, displayName: 'Helpers' } })
    expect(renamed.body).toMatchObject({ displayName: 'Helpers', members: [{ value: asha }] })
    const changed = await patch(
      `/Groups/${id}`,
      { op: 'remove', path: `members[value eq "${asha}"]` },
      { op: 'add', path: 'members', value: [{ value: ravi, display: 'ravi@acme.example' }] },
    )
    expect(changed.body.members).toMatchObject([{ value: ravi }])
    const { body } = await shop.get(`/teams/${id}`)
    expect(body.team).toMatchObject({ name: 'Helpers', members: [{ id: ravi, name: 'Ravi Iyer' }] })
    expect(
      (await scim('PUT', `/Groups/${id}`, { displayName: 'Helpers', members: [] })).body.members,
    ).toEqual([])
    expect((await scim('DELETE', `/Groups/${id}`)).status).toBe(204)
    expect(short(await scim('GET', `/Groups/${id}`))).toEqual(fault(404))
  })
})

describe('the requests of Microsoft Entra ID', () => {
  test('test the connection, create a user with a user name, and change it', async () => {
    expect((await filtered('/Users', `userName eq "${randomUUID()}"`)).body).toMatchObject({
      schemas: [LIST],
      totalResults: 0,
      Resources: [],
    })
    const principal = addressOf('asha.rao').replace('acme.example', 'acme.onmicrosoft.example')
    const email = addressOf('asha')
    const made = await scim('POST', '/Users', {
      schemas: [USER, ENTERPRISE],
      externalId: '0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef',
      userName: principal,
      active: true,
      displayName: 'Rao, Asha',
      emails: [{ primary: true, type: 'work', value: email }],
      meta: { resourceType: 'User' },
      name: { formatted: 'Asha Rao', familyName: 'Rao', givenName: 'Asha' },
      roles: [],
      [ENTERPRISE]: { department: 'Support' },
    })
    expect(made.status, made.text).toBe(201)
    const { id } = made.body
    expect(made.body).toMatchObject({
      userName: principal,
      displayName: 'Rao, Asha',
      emails: [{ value: email }],
    })
    expect(await memberOf(id)).toMatchObject({ email, name: 'Rao, Asha' })
    expect(
      (await filtered('/Users', `userName eq "${principal.toUpperCase()}"`)).body.Resources,
    ).toMatchObject([{ id }])
    expect(
      (await filtered('/Users', 'externalId eq "0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef"')).body.totalResults,
    ).toBe(1)

    // Entra compares the answer with its own fields, and sends every difference again and again.
    expect(made.body.name).toEqual({ formatted: 'Asha Rao', givenName: 'Asha', familyName: 'Rao' })
    const again = await patch(`/Users/${id}`, { op: 'Replace', path: 'name.formatted', value: 'Asha Rao' })
    expect(again.body).toEqual(made.body)

    const next = addressOf('a.rao')
    const changed = await patch(
      `/Users/${id}`,
      { op: 'Replace', path: 'emails[type eq "work"].value', value: next },
      { op: 'Replace', path: 'name.familyName', value: 'Sharma' },
      { op: 'Add', path: 'displayName', value: 'Sharma, Asha' },
      { op: 'Add', path: `${ENTERPRISE}:department`, value: 'Sales' },
      { op: 'Add', path: 'phoneNumbers[type eq "work"].value', value: '+91 98123 45678' },
      { op: 'Replace', path: 'roles[primary eq "True"].value', value: 'admin' },
    )
    expect(changed.status, changed.text).toBe(200)
    expect(changed.body).toMatchObject({
      userName: principal,
      displayName: 'Sharma, Asha',
      name: { givenName: 'Asha', familyName: 'Sharma' },
      emails: [{ value: next }],
      roles: [{ value: 'admin' }],
    })
    expect((await filtered('/Users', `emails[type eq "work"].value eq "${next}"`)).body.totalResults).toBe(1)
    // A user object without a path, whose names are paths.
    const flat = await patch(`/Users/${id}`, {
      op: 'replace',
      value: {
        displayName: 'Asha Sharma',
        'name.givenName': 'Asha',
        [`${USER}:roles`]: [{ value: 'agent' }],
      },
    })
    expect(flat.body).toMatchObject({ displayName: 'Asha Sharma', roles: [{ value: 'agent' }] })
    for (const value of ['False', 'False'])
      expect((await patch(`/Users/${id}`, { op: 'Replace', path: 'active', value })).body.active).toBe(false)
    expect((await patch(`/Users/${id}`, { op: 'Replace', path: 'active', value: 'True' })).body.active).toBe(
      true,
    )
    expect((await scim('DELETE', `/Users/${id}`)).status).toBe(204)
    expect(short(await scim('GET', `/Users/${id}`))).toEqual(fault(404))
    expect((await filtered('/Users', `userName eq "${principal}"`)).body.totalResults).toBe(0)
    expect((await scim('POST', '/Users', newUser(principal))).status).toBe(201)
  })

  test('create a group, and add and remove members one by one', async () => {
    const ids = [await created(), await created(addressOf('ravi')), await created(addressOf('meera'))]
    const [asha, ravi, meera] = ids
    expect(
      (await filtered('/Groups', 'displayName eq "Support"', '&excludedAttributes=members')).body,
    ).toMatchObject({ totalResults: 0, Resources: [] })
    const made = await scim('POST', '/Groups', {
      schemas: [GROUP, 'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group'],
      externalId: '8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159',
      displayName: 'Support',
      members: [],
      meta: { resourceType: 'Group' },
    })
    const { id } = made.body
    for (const member of ids)
      await patch(`/Groups/${id}`, { op: 'Add', path: 'members', value: [{ $ref: null, value: member }] })
    const idsIn = async () =>
      (await scim('GET', `/Groups/${id}`)).body.members
        .map((member: { value: string }) => member.value)
        .sort()
    expect(await idsIn()).toEqual([...ids].sort())
    expect((await filtered('/Groups', `id eq "${id}" and members eq "${ravi}"`)).body.totalResults).toBe(1)
    await patch(`/Groups/${id}`, { op: 'Remove', path: 'members', value: [{ $ref: null, value: ravi }] })
    expect(await idsIn()).toEqual([asha, meera].sort())
    expect((await filtered('/Groups', `id eq "${id}" and members eq "${ravi}"`)).body.totalResults).toBe(0)
    const { body } = await scim('GET', `/Groups/${id}?excludedAttributes=members`)
    expect(Object.keys(body)).toEqual(['schemas', 'id', 'displayName', 'meta'])
    await patch(`/Groups/${id}`, { op: 'Replace', path: 'displayName', value: 'First line' })
    expect((await filtered('/Groups', 'displayName eq "first line"')).body.totalResults).toBe(1)
    // A deactivated member leaves the team; the rest of the group can still change.
    await patch(`/Users/${asha}`, { op: 'Replace', path: 'active', value: false })
    await patch(`/Groups/${id}`, {
      op: 'replace',
      path: 'members',
      value: [{ value: asha }, { value: ravi }],
    })
    expect(await idsIn()).toEqual([ravi])
    await patch(`/Groups/${id}`, { op: 'remove', path: 'members' })
    expect(await idsIn()).toEqual([])
  })
})

describe('a user', () => {
  test('with a plain user name needs an address in emails', async () => {
    const email = addressOf('asha')
    expect(short(await scim('POST', '/Users', newUser('asha', { emails: [] })))).toEqual(
      fault(400, 'invalidValue'),
    )
    const id = await created('asha.rao', { emails: [{ value: email }] })
    expect(await memberOf(id)).toMatchObject({ email })
    expect((await filtered('/Users', 'userName eq "asha.rao"')).body.totalResults).toBe(1)
    expect((await filtered('/Users', `emails.value eq "${email}"`)).body.totalResults).toBe(1)
  })

  test('with a user name or address in use is refused, also while the other is deactivated', async () => {
    const userName = addressOf('asha')
    const id = await created(userName)
    expect(short(await scim('POST', '/Users', newUser(userName.toUpperCase())))).toEqual(
      fault(409, 'uniqueness'),
    )
    await patch(`/Users/${id}`, { op: 'replace', value: { active: false } })
    expect(short(await scim('POST', '/Users', newUser(userName)))).toEqual(fault(409, 'uniqueness'))
    const other = await created()
    expect(
      short(await patch(`/Users/${other}`, { op: 'replace', path: 'userName', value: userName })),
    ).toEqual(fault(409, 'uniqueness'))
  })

  test('is created once by concurrent requests', async () => {
    const userName = addressOf('asha')
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => scim('POST', '/Users', newUser(userName))),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409])
    expect((await filtered('/Users', `userName eq "${userName}"`)).body.totalResults).toBe(1)
  })

  test('changes address with the user name, if that was the address', async () => {
    const id = await created()
    const next = addressOf('asha.sharma')
    const { body } = await patch(`/Users/${id}`, { op: 'replace', value: { userName: next } })
    expect(body).toMatchObject({ userName: next, emails: [{ value: next }] })
  })

  test('has the role that the provider sends, and an agent otherwise', async () => {
    const id = await created(addressOf('head'), { roles: [{ value: 'Admin', primary: 'True' }] })
    expect(await memberOf(id)).toMatchObject({ role: 'admin' })
    await scim('PUT', `/Users/${id}`, { userName: addressOf('head'), active: true })
    expect(await memberOf(id)).toMatchObject({ role: 'admin' })
    await scim('PUT', `/Users/${id}`, { userName: addressOf('head'), roles: [] })
    expect(await memberOf(id)).toMatchObject({ role: 'admin' })
    expect((await patch(`/Users/${id}`, { op: 'remove', path: 'roles' })).body.roles[0].value).toBe('agent')
    expect(short(await patch(`/Users/${id}`, { op: 'add', path: 'roles', value: ['king'] }))).toEqual(
      fault(400, 'invalidValue'),
    )
  })

  test('loses sessions and keys when it is deactivated', async () => {
    const agent = await signIn(parley, shop, 'agent')
    const own = await shop.as('agent', { memberId: agent.memberId })
    expect((await agent.get('/me')).status).toBe(200)
    const members = [{ value: agent.memberId }]
    const { id } = (await scim('POST', '/Groups', { displayName: 'Support', members })).body
    await patch(`/Users/${agent.memberId}`, { op: 'replace', value: { active: false } })
    await parley.caughtUp()
    expect((await scim('GET', `/Groups/${id}`)).body.members).toEqual([])
    expect((await agent.get('/me')).status).toBe(403)
    expect((await own.get('/me')).body.error).toBe('api_key_revoked')
    await patch(`/Users/${agent.memberId}`, { op: 'replace', value: { active: true } })
    await parley.caughtUp()
    expect((await agent.get('/me')).status).toBe(200)
    expect((await own.get('/me')).body.error).toBe('api_key_revoked')
    expect((await scim('GET', `/Groups/${id}`)).body.members).toMatchObject(members)
  })

  test('who is the owner keeps their role, access, and name', async () => {
    const { ownerId } = shop
    const owner = await memberOf(ownerId)
    for (const operation of [
      { op: 'replace', value: { active: false } },
      { op: 'replace', path: 'roles', value: [{ value: 'agent' }] },
      { op: 'replace', path: 'userName', value: addressOf('thief') },
    ])
      expect(short(await patch(`/Users/${ownerId}`, operation))).toEqual(fault(403))
    expect(short(await scim('DELETE', `/Users/${ownerId}`))).toEqual(fault(403))
    const { body } = await patch(`/Users/${ownerId}`, {
      op: 'replace',
      value: { displayName: 'Somebody', externalId: 'x1' },
    })
    expect(body).toMatchObject({ displayName: owner.name, externalId: 'x1' })
    expect(await memberOf(ownerId)).toEqual(owner)
    const byOwner = await shop.as('admin', { scopes: ['team:write'], memberId: ownerId })
    const change = { Operations: [{ op: 'replace', path: 'userName', value: addressOf('thief') }] }
    expect((await byOwner.patch(urlOf(`/Users/${ownerId}`), change)).status).toBe(403)
  })

  test('who left for good is gone, also for the provider', async () => {
    const id = await created()
    await admin.delete(`${DASHBOARD}/members/${id}`)
    expect(short(await scim('GET', `/Users/${id}`))).toEqual(fault(404))
    expect(short(await patch(`/Users/${id}`, { op: 'replace', value: { active: true } }))).toEqual(fault(404))
  })

  test('who is invited again while deactivated is another user', async () => {
    const userName = addressOf('asha')
    const id = await created(userName)
    await patch(`/Users/${id}`, { op: 'replace', value: { active: false } })
    const invited = await admin.post(`${DASHBOARD}/members`, { email: userName, name: 'Asha', role: 'agent' })
    expect(invited.status).toBe(201)
    expect((await filtered('/Users', `userName eq "${userName}"`)).body.Resources).toMatchObject([
      { id: invited.body.member.id, active: true },
    ])
    expect((await scim('GET', `/Users/${id}`)).status).toBe(404)
  })

  test('is recorded in the activity log with the key', async () => {
    const id = await created()
    await patch(`/Users/${id}`, { op: 'replace', value: { active: false } })
    const { activity } = (await shop.get('/activity?limit=2')).body
    expect(activity).toMatchObject([
      { kind: 'member.changed', actor: { kind: 'key' }, data: { memberId: id, left: true } },
      { kind: 'member.added', actor: { kind: 'key' }, data: { memberId: id, role: 'agent' } },
    ])
  })
})

test('lists have pages, and show the attributes that the query names', async () => {
  for (const name of ['a', 'b', 'c']) await created(addressOf(name))
  const page = (await scim('GET', '/Users?startIndex=2&count=3&attributes=userName,name.givenName')).body
  expect(page).toMatchObject({ totalResults: 5, startIndex: 2, itemsPerPage: 3 })
  expect(Object.keys(page.Resources[1])).toEqual(['schemas', 'id', 'userName', 'name'])
  expect((await scim('GET', '/Users?startIndex=0&count=-1')).body).toMatchObject({
    totalResults: 5,
    startIndex: 1,
    itemsPerPage: 0,
  })
  expect((await scim('GET', '/Users?startIndex=99')).body).toMatchObject({ totalResults: 5, Resources: [] })
})

test('the documents describe what is supported', async () => {
  expect((await scim('GET', '/ServiceProviderConfig')).body).toMatchObject({
    patch: { supported: true },
    bulk: { supported: false },
    filter: { supported: true },
  })
  const types = (await scim('GET', '/ResourceTypes')).body
  expect(types.Resources.map(({ id }: { id: string }) => id)).toEqual(['User', 'Group'])
  expect((await scim('GET', '/ResourceTypes/User')).body).toMatchObject({ endpoint: '/Users', schema: USER })
  const schemas = (await scim('GET', '/Schemas')).body
  expect(schemas.Resources.map(({ id }: { id: string }) => id)).toEqual([USER, GROUP])
  expect((await scim('GET', `/Schemas/${USER}`)).body.attributes[0]).toMatchObject({
    name: 'userName',
    required: true,
  })
  expect(short(await scim('GET', '/Schemas/urn:unknown'))).toEqual(fault(404))
})

describe('rights', () => {
  const get = (client: Pick<Client, 'call'>, headers: Record<string, string> = {}) =>
    client.call('GET', urlOf('/Users'), undefined, { headers })

  test('no key and a wrong key are 401', async () => {
    const answer = await get(parley.anonymous)
    expect(short(answer)).toEqual(fault(401))
    expect(answer.headers['www-authenticate']).toBe('Bearer')
    expect(short(await get(parley.anonymous, { authorization: 'Bearer pk_live_wrong' }))).toEqual(fault(401))
  })

  test('a key needs the role admin, and names the scope', async () => {
    for (const client of [
      shop,
      await shop.as('agent', { scopes: ['team:write'] }),
      await shop.as('admin', { scopes: ['team:read'] }),
    ])
      expect(short(await get(client))).toEqual(fault(403))
    expect((await get(provider)).status).toBe(200)
    expect((await provider.get('/contacts')).status).toBe(403)
  })

  test("another workspace's users and groups do not exist", async () => {
    const other = await (await parley.workspace()).as('admin', { scopes: ['team:write'] })
    const user = await created()
    const group = (await scim('POST', '/Groups', { displayName: 'Support' })).body.id
    const change = { Operations: [{ op: 'replace', value: { displayName: 'Mine', active: false } }] }
    for (const path of [`/Users/${user}`, `/Groups/${group}`]) {
      const answers = [
        await other.call('GET', urlOf(path)),
        await other.call('PATCH', urlOf(path), change),
        await other.call('PUT', urlOf(path), { userName: addressOf('x'), displayName: 'Mine' }),
        await other.call('DELETE', urlOf(path)),
      ]
      for (const answer of answers) expect(short(answer)).toEqual(fault(404))
    }
    const added = await other.call('POST', urlOf('/Groups'), {
      displayName: 'Ours',
      members: [{ value: user }],
    })
    expect(short(added)).toEqual(fault(400, 'invalidValue'))
    expect((await filtered('/Users', `id eq "${user}"`)).body.totalResults).toBe(1)
    expect((await other.call('GET', urlOf(`/Users?filter=id%20eq%20%22${user}%22`))).body.totalResults).toBe(
      0,
    )
  })
})

describe('requests that can not be read', () => {
  test.each([
    ['userName', 'invalidFilter'],
    ['userName co "a"', 'invalidFilter'],
    ['userName eq', 'invalidFilter'],
    ['userName eq "a" or id eq "b"', 'invalidFilter'],
    ['title eq "a"', 'invalidFilter'],
    ['userName eq 5', 'invalidFilter'],
    ['userName eq "a\0"', 'invalidFilter'],
    [`userName eq "${'a'.repeat(2_000)}"`, 'invalidFilter'],
    [Array.from({ length: 9 }, () => 'id eq "a"').join(' and '), 'invalidFilter'],
    [`${'('.repeat(300)}userName eq "a"`, 'invalidFilter'],
    [`emails[${'['.repeat(500)}`, 'invalidFilter'],
    ['__proto__ eq "a"', 'invalidFilter'],
  ])('the filter %j', async (filter, scimType) => {
    expect(short(await filtered('/Users', filter))).toEqual(fault(400, scimType))
    expect(short(await filtered('/Groups', filter))).toEqual(fault(400, scimType))
  })

  test.each<[string, unknown, string | undefined]>([
    ['no JSON', '{', 'invalidSyntax'],
    ['a list', [], 'invalidSyntax'],
    ['no user name', {}, 'invalidValue'],
    ['a number as user name', { userName: 5 }, 'invalidValue'],
    ['an object as name', { userName: 'a@b.example', displayName: {} }, 'invalidValue'],
    ['a text as name', { userName: 'a@b.example', name: 'Asha' }, 'invalidValue'],
    ['no address', { userName: 'a@b@c' }, 'invalidValue'],
    ['a list in emails', { userName: 'a@b.example', emails: [[]] }, 'invalidValue'],
    ['a number as active', { userName: 'a@b.example', active: 1 }, 'invalidValue'],
    ['NUL', '{"userName":"a@b.example","displayName":"a\\u0000"}', 'invalidValue'],
    ['half a character', '{"userName":"a@b.example","displayName":"\\ud83d"}', 'invalidValue'],
    ['a long name', { userName: 'a@b.example', displayName: 'a'.repeat(101) }, 'invalidValue'],
    ['a long user name', { userName: `${'a'.repeat(300)}@b.example` }, 'invalidValue'],
    ['a deep tree', `{"userName":${'['.repeat(5_000)}${']'.repeat(5_000)}}`, 'invalidValue'],
  ])('a user with %s', async (_, body, scimType) => {
    expect(short(await scim('POST', '/Users', body))).toEqual(fault(400, scimType))
  })

  test.each<[string, unknown[], string]>([
    ['no operation', [], 'invalidSyntax'],
    ['a text', ['replace'], 'invalidSyntax'],
    ['an unknown op', [{ op: 'move', path: 'active' }], 'invalidSyntax'],
    ['a removal without a path', [{ op: 'remove' }], 'noTarget'],
    ['a bad path', [{ op: 'replace', path: 'name..x', value: 'a' }], 'invalidPath'],
    ['a number as path', [{ op: 'replace', path: 5, value: 'a' }], 'invalidPath'],
    ['a long path', [{ op: 'replace', path: 'a'.repeat(400), value: 'a' }], 'invalidPath'],
    ['a bad filter', [{ op: 'replace', path: 'emails[type pr].value', value: 'a' }], 'invalidFilter'],
    ['a text without a path', [{ op: 'replace', value: 'active' }], 'invalidValue'],
    ['another id', [{ op: 'replace', path: 'id', value: 'x' }], 'mutability'],
    ['no user name', [{ op: 'remove', path: 'userName' }], 'mutability'],
    ['a list as active', [{ op: 'replace', path: 'active', value: [true] }], 'invalidValue'],
    [
      'too many',
      Array.from({ length: 1_001 }, () => ({ op: 'add', path: 'active', value: true })),
      'tooMany',
    ],
  ])('a PATCH with %s', async (_, operations, scimType) => {
    const id = await created()
    expect(short(await patch(`/Users/${id}`, ...operations))).toEqual(fault(400, scimType))
  })

  test.each<[string, unknown, number, string]>([
    ['no name', {}, 400, 'invalidValue'],
    ['a long name', { displayName: 'a'.repeat(101) }, 400, 'invalidValue'],
    ['an unknown member', { displayName: 'a', members: [{ value: randomUUID() }] }, 400, 'invalidValue'],
    ['a member that is no id', { displayName: 'a', members: ['me'] }, 400, 'invalidValue'],
    ['a member without an id', { displayName: 'a', members: [{}] }, 400, 'invalidValue'],
    ['a name in use', { displayName: 'SUPPORT' }, 409, 'uniqueness'],
  ])('a group with %s', async (_, body, status, scimType) => {
    await scim('POST', '/Groups', { displayName: 'Support' })
    expect(short(await scim('POST', '/Groups', body))).toEqual(fault(status, scimType))
  })

  test('any body is answered in the format of SCIM, and never with 500', async () => {
    const id = await created()
    const user = newUser('hostile@acme.example', { roles: [{ value: 'agent', primary: true }] })
    const change = {
      Operations: [{ op: 'Replace', path: 'emails[type eq "work"].value', value: 'a@b.example' }],
    }
    const request = fc.oneof(
      corrupted(user).map((body) => ['POST', '/Users', body] as const),
      corrupted(user).map((body) => ['PUT', `/Users/${id}`, body] as const),
      corrupted(change).map((body) => ['PATCH', `/Users/${id}`, body] as const),
      corrupted({ displayName: 'a', members: [{ value: id }] }).map(
        (body) => ['POST', '/Groups', body] as const,
      ),
    )
    await fc.assert(
      fc.asyncProperty(request, async ([method, path, body]) => {
        const answer = await scim(method, path, body)
        expect(answer.status, answer.text).toBeOneOf([200, 201, 400, 404, 409, 413, 415])
        expect(answer.body.schemas, answer.text).toHaveLength(1)
      }),
      // The key has 60 tokens: half of the bucket of writes.
      { seed: seedOf('SCIM bodies'), numRuns: 55, endOnFailure: true },
    )
  })

  test('unknown addresses, methods, types, and large bodies', async () => {
    expect(short(await scim('GET', '/Me'))).toEqual(fault(404))
    expect(short(await scim('GET', '/Users/not-an-id'))).toEqual(fault(404))
    expect(short(await scim('GET', ''))).toEqual(fault(404))
    const wrong = await scim('DELETE', '/Users')
    expect(short(wrong)).toEqual(fault(405))
    expect(wrong.headers.allow).toBe('GET, POST')
    expect(
      short(await scim('POST', '/Users', '<user/>', { headers: { 'content-type': 'text/xml' } })),
    ).toEqual(fault(415))
    expect(short(await scim('POST', '/Users', `"${'a'.repeat(300_000)}"`))).toEqual(fault(413))
    expect(short(await scim('GET', '/Users?count=many'))).toEqual(fault(400, 'invalidValue'))
    expect((await scim('POST', '/Users', newUser(addressOf('x')), { headers: {} })).status).toBe(201)
  })
})
