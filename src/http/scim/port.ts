/** The directory that SCIM shows: members as users, teams as groups. The composition root connects it with the modules. */
import type { Role } from '../../core/context.ts'
import type { Caller } from '../wire/caller.ts'

export type ScimUser = {
  id: string
  userName: string
  email: string
  name: string
  givenName: string | null
  familyName: string | null
  externalId: string | null
  role: Role
  active: boolean
  createdAt: Date
}

export type NewScimUser = Omit<ScimUser, 'id' | 'createdAt' | 'role'> & { role?: Role | undefined }
export type ScimUserChange = { [Field in keyof NewScimUser]?: NewScimUser[Field] | undefined }

export type UserFilter = {
  id?: string | undefined
  userName?: string | undefined
  email?: string | undefined
  externalId?: string | undefined
}

export type ScimGroup = {
  id: string
  name: string
  memberIds: string[]
  createdAt: string
  updatedAt: string
}
export type ScimGroupChange = { name?: string | undefined; memberIds?: string[] | undefined }

/** Every function refuses in the words of its operation. The caller's rights have been checked. */
export type ScimDirectory = {
  listUsers(
    caller: Caller,
    filter: UserFilter,
    page: { offset: number; limit: number },
  ): Promise<{ users: ScimUser[]; total: number }>
  getUser(caller: Caller, id: string): Promise<ScimUser>
  createUser(caller: Caller, user: NewScimUser): Promise<ScimUser>
  /** `changeOf` runs while the user is locked, possibly more than once. */
  changeUser(caller: Caller, id: string, changeOf: (user: ScimUser) => ScimUserChange): Promise<ScimUser>
  deleteUser(caller: Caller, id: string): Promise<void>
  /** Lists all groups, oldest first. */
  listGroups(caller: Caller): Promise<ScimGroup[]>
  getGroup(caller: Caller, id: string): Promise<ScimGroup>
  createGroup(caller: Caller, group: { name: string; memberIds: string[] }): Promise<ScimGroup>
  changeGroup(caller: Caller, id: string, changeOf: (group: ScimGroup) => ScimGroupChange): Promise<ScimGroup>
  deleteGroup(caller: Caller, id: string): Promise<void>
}
