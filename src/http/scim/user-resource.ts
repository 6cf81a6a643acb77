/** Members as SCIM users: their JSON, and the changes that a body asks for. */
import { ROLES, type Role } from '../../core/context.ts'
import {
  type Attributes,
  attributesOf,
  booleanOf,
  isObject,
  mainValue,
  textOf,
  valuesOf,
} from './attributes.ts'
import type { PatchStep } from './patch.ts'
import type { NewScimUser, ScimUser, ScimUserChange } from './port.ts'
import { refuseScim } from './scim-fault.ts'

export const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User'

/** Returns the parts of a name: those that the provider sent, else the last word as the family name. */
function partsOf({ name, givenName, familyName }: Pick<ScimUser, 'name' | 'givenName' | 'familyName'>) {
  if (givenName !== null || familyName !== null) return { givenName, familyName }
  const end = name.lastIndexOf(' ')
  return end === -1
    ? { givenName: name, familyName: null }
    : { givenName: name.slice(0, end), familyName: name.slice(end + 1) }
}

const joined = (...parts: (string | null | undefined)[]): string | undefined =>
  parts.filter(Boolean).join(' ') || undefined

/** Providers compare this with their own fields, so it consists of the parts that they sent. */
function presentName(user: ScimUser) {
  const { givenName, familyName } = partsOf(user)
  return {
    formatted: joined(givenName, familyName) ?? user.name,
    ...(givenName === null ? {} : { givenName }),
    ...(familyName === null ? {} : { familyName }),
  }
}

export const presentUser = (user: ScimUser, baseUrl: string) => ({
  schemas: [USER_SCHEMA],
  id: user.id,
  ...(user.externalId === null ? {} : { externalId: user.externalId }),
  userName: user.userName,
  displayName: user.name,
  name: presentName(user),
  emails: [{ value: user.email, type: 'work', primary: true }],
  roles: [{ value: user.role, primary: true }],
  active: user.active,
  meta: {
    resourceType: 'User',
    created: user.createdAt.toISOString(),
    location: `${baseUrl}/Users/${user.id}`,
  },
})

/** The attributes that a body names. `undefined`: it doesn't name them; null: it removes them. */
type Draft = {
  userName?: string | null
  displayName?: string | null
  formatted?: string | null
  givenName?: string | null
  familyName?: string | null
  email?: string | null
  externalId?: string | null
  active?: boolean
  role?: Role
}

const NAME_PARTS = { formatted: 'formatted', givenname: 'givenName', familyname: 'familyName' } as const
const isNamePart = (name: string): name is keyof typeof NAME_PARTS => Object.hasOwn(NAME_PARTS, name)

function setNamePart(draft: Draft, name: string, value: unknown): void {
  if (isNamePart(name)) draft[NAME_PARTS[name]] = textOf(value, `name.${NAME_PARTS[name]}`)
}

/** Returns the primary one of the roles, else the highest. */
function roleOf(values: Attributes[]): Role {
  const names = values.map((item) => roleNamed(item.get('value')))
  const primary = values.findIndex((item) => booleanOf(item.get('primary'), 'roles.primary') === true)
  return names[primary] ?? ROLES.findLast((role) => names.includes(role))!
}

const roleNamed = (value: unknown): Role =>
  ROLES.find((role) => typeof value === 'string' && role === value.trim().toLowerCase()) ??
  refuseScim('invalidValue', `The value of roles must be one of ${ROLES.join(', ')}.`)

/** Attributes by their names in lower case. All others are ignored, because providers send whole profiles. */
const SETTERS: Record<string, (draft: Draft, value: unknown) => void> = {
  username: (draft, value) => {
    draft.userName = textOf(value, 'userName')
  },
  displayname: (draft, value) => {
    draft.displayName = textOf(value, 'displayName')
  },
  externalid: (draft, value) => {
    draft.externalId = textOf(value, 'externalId')
  },
  active: (draft, value) => {
    const active = booleanOf(value, 'active')
    if (active !== undefined) draft.active = active
  },
  name: (draft, value) => {
    if (value === null || value === undefined) return
    if (!isObject(value)) refuseScim('invalidValue', 'name must be an object.')
    for (const [part, content] of attributesOf(value as Record<string, unknown>))
      setNamePart(draft, part, content)
  },
  emails: (draft, value) => {
    draft.email = textOf(mainValue(valuesOf(value, 'emails'), 'work')?.get('value'), 'emails.value')
  },
  // An empty list says nothing about the role: some providers always send one.
  roles: (draft, value) => {
    const roles = valuesOf(value, 'roles')
    if (roles.length > 0) draft.role = roleOf(roles)
  },
}

function setAttribute(draft: Draft, attribute: string, value: unknown): void {
  if (Object.hasOwn(SETTERS, attribute)) SETTERS[attribute]!(draft, value)
}

const draftOfBody = (body: Attributes): Draft => {
  const draft: Draft = {}
  for (const [attribute, value] of body) setAttribute(draft, attribute, value)
  return draft
}

/** Other addresses, such as `emails[type eq "home"]`, are ignored. */
const isOtherEmail = ({ where }: PatchStep): boolean =>
  where !== undefined && where.path === 'type' && where.value !== 'work'

function applyStep(draft: Draft, step: PatchStep, user: ScimUser): void {
  const { attribute, part, op } = step
  const value = op === 'remove' ? null : step.value
  if (attribute === 'id' && value !== user.id) refuseScim('mutability', "The id of a user can't be changed.")
  if (attribute === 'username' && op === 'remove')
    refuseScim('mutability', "userName is required, so it can't be removed.")
  if (attribute === 'name' && part !== undefined) setNamePart(draft, part, value)
  else if (attribute === 'name' && op === 'remove')
    Object.assign(draft, { givenName: null, familyName: null })
  else if (attribute === 'emails' && (isOtherEmail(step) || (part ?? 'value') !== 'value')) return
  else if (attribute === 'roles' && op === 'remove') draft.role = 'agent'
  else if (attribute === 'roles' && (part ?? 'value') !== 'value') return
  else if (part === undefined || attribute === 'emails' || attribute === 'roles')
    setAttribute(draft, attribute, value)
}

const isAddress = (text: string): boolean => text.includes('@')

/** Returns the new name of a user: a new display name, else the new parts of the name. */
function changedName(draft: Draft, user: ScimUser): string | undefined {
  const { displayName, formatted } = draft
  if (displayName && displayName !== user.name) return displayName
  const before = partsOf(user)
  // A display name that the provider chose stays, whatever the parts of the name are.
  if (user.name !== joined(before.givenName, before.familyName)) return undefined
  const { givenName = before.givenName, familyName = before.familyName } = draft
  const hasParts = draft.givenName || draft.familyName || user.givenName || user.familyName
  return (hasParts ? undefined : formatted) ?? joined(givenName, familyName)
}

/** Returns the new address: the sent one, else a new user name in place of a user name that was the address. */
function changedEmail({ email, userName }: Draft, user: ScimUser): string | undefined {
  if (email) return email
  if (email === undefined && userName && user.userName === user.email && isAddress(userName)) return userName
  return undefined
}

function changeOf(draft: Draft, user: ScimUser): ScimUserChange {
  const { userName, givenName, familyName, externalId, active, role } = draft
  return {
    userName: userName ?? undefined,
    email: changedEmail(draft, user),
    name: changedName(draft, user),
    // Both parts are kept together: a missing one would be derived from the name otherwise.
    ...(givenName === undefined && familyName === undefined
      ? {}
      : {
          ...partsOf(user),
          ...(givenName === undefined ? {} : { givenName }),
          ...(familyName === undefined ? {} : { familyName }),
        }),
    externalId,
    active,
    role,
  }
}

const nameRequired = (): never => refuseScim('invalidValue', 'userName is required.')

/** Returns the user that a POST creates. */
export function readNewUser(body: Attributes): NewScimUser {
  const draft = draftOfBody(body)
  const userName = draft.userName ?? nameRequired()
  const email =
    draft.email ??
    (isAddress(userName)
      ? userName
      : refuseScim('invalidValue', 'Send the email address as userName, or in emails.'))
  const { givenName = null, familyName = null, externalId = null, active = true, role } = draft
  const name = draft.displayName ?? draft.formatted ?? joined(givenName, familyName) ?? userName
  return { userName, email, name, givenName, familyName, externalId, active, role }
}

/** Returns the change of a PUT. Attributes that it leaves out stay, because providers leave out those that they don't manage. */
export function readUserReplacement(body: Attributes): (user: ScimUser) => ScimUserChange {
  const draft = draftOfBody(body)
  if (!draft.userName) nameRequired()
  return (user) => changeOf(draft, user)
}

/** Returns the change of a PATCH. */
export const readUserPatch =
  (steps: PatchStep[]) =>
  (user: ScimUser): ScimUserChange => {
    const draft: Draft = {}
    for (const step of steps) applyStep(draft, step, user)
    return changeOf(draft, user)
  }
